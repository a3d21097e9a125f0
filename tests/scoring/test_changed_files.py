"""Files of a table that change while it is used: no rows of two files are mixed, and nothing is half-written."""

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from changed_files import change_silently, replace_silently
from model_samples import make_model, make_part
from s2auc import S2AUCClassifier, evaluate_model, open_table, score_table
from s2auc.common.errors import InputError
from s2auc.common.progress import listening
from s2auc.data.schema.schema import Schema
from s2auc.data.tables import csv_files, matrix_files
from s2auc.data.tables.formats import json_files
from s2auc.scoring import table_scores

pa = pytest.importorskip("pyarrow")
from pyarrow import csv, feather, parquet  # noqa: E402

N_ROWS = 2000
X = np.random.default_rng(0).integers(100, 999, size=(N_ROWS, 3)) / 2**10
MODEL = make_model(parts=(make_part(n_frequencies=8),), schema=Schema(3, {}))
NAMED = make_model(parts=(make_part(n_frequencies=8),), schema=Schema(3, {}, ("0", "1", "2")))


def table_of(rows):
    return pa.table({str(number): column for number, column in enumerate(rows.T)})


WRITERS = {
    "parquet": lambda rows, path: parquet.write_table(
        table_of(rows), path, row_group_size=100, compression="none", use_dictionary=False
    ),
    "feather": lambda rows, path: feather.write_feather(
        table_of(rows), str(path), compression="uncompressed", chunksize=100
    ),
    "csv": lambda rows, path: csv.write_csv(table_of(np.round(rows, 3) + 1), path),
    "npy": lambda rows, path: np.save(path, rows),
    "svm": lambda rows, path: dump_svmlight_file(np.round(rows * 2**10), np.arange(len(rows)) % 2, str(path)),
}
READ_LATER = "parquet", "feather", "npy"
COPIED = {"csv": (csv_files, "_text_batches"), "svm": (matrix_files, "_chunks")}


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(table_scores, "BLOCK_ROWS", 100)
    monkeypatch.setattr("s2auc.models.scoring_chunks.SCORE_CHUNK", 100)
    monkeypatch.setattr(csv_files, "_BLOCK_BYTES", 1000)
    monkeypatch.setattr(matrix_files, "_CHUNK_BYTES", 1000)
    monkeypatch.setenv("S2AUC_NUM_THREADS", "1")


def write_two(ending, folder):
    """Write two tables of the same size; return the path of one and the content of the other."""
    for name, rows in (("rows", X), ("others", X[::-1])):
        WRITERS[ending](rows, folder / f"{name}.{ending}")
    content = (folder / f"others.{ending}").read_bytes()
    (folder / f"others.{ending}").unlink()
    return folder / f"rows.{ending}", content


@pytest.mark.parametrize("change", [change_silently, replace_silently])
@pytest.mark.parametrize("top", [None, 5])
@pytest.mark.parametrize("ending", READ_LATER)
def test_a_file_that_changes_while_it_is_scored(ending, top, change, tmp_path):
    path, content = write_two(ending, tmp_path)
    changed = []

    def listener(progress):
        if progress.stage == "scoring" and progress.n_done == (100 if top is None else N_ROWS):
            change(path, content)
            changed.append(progress)

    model = MODEL if ending == "npy" else NAMED
    with listening(listener), pytest.raises(InputError, match=r"rows\..* must stay as it is while it is read"):
        score_table(model, open_table(path, features=["0", "1", "2"]), tmp_path / "scores.csv", keep=["0"], top=top)
    assert len(changed) == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", COPIED)
def test_a_file_that_changes_while_it_is_copied(ending, tmp_path, monkeypatch):
    path, content = write_two(ending, tmp_path)
    module, name = COPIED[ending]
    read = getattr(module, name)

    def changing(*args):
        for place, batch in enumerate(read(*args)):
            if place == 1:
                change_silently(path, content)
            yield batch

    monkeypatch.setattr(module, name, changing)
    with pytest.raises(InputError, match="must stay as it is while it is read"):
        open_table(path)


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_file_that_changes_while_it_is_converted(is_damaged, tmp_path, monkeypatch):
    path, read = tmp_path / "rows.jsonl", json_files._of_lines
    path.write_text('{"a": 1}\n{"a": 2}\n')

    def changing(*args):
        change_silently(path, b'{"a": 3}\n{"a"; 4}\n' if is_damaged else b'{"a": 3}\n{"a": 4}\n')
        yield from read(*args)

    monkeypatch.setattr(json_files, "_of_lines", changing)
    with pytest.raises(InputError, match=r"rows.jsonl' must stay as it is while it is read"):
        open_table(path)


@pytest.mark.parametrize("ending", COPIED)
def test_a_file_that_changes_after_it_was_copied_does_not_matter(ending, tmp_path):
    path, content = write_two(ending, tmp_path)
    table = open_table(path)
    model = NAMED if ending == "csv" else MODEL
    expected = model.decision_function(table.X)
    change_silently(path, content)
    assert np.array_equal(model.decision_function(table.X), expected)


@pytest.mark.parametrize("ending", READ_LATER)
def test_a_file_that_changed_since_it_was_opened_is_not_learnt_from(ending, tmp_path):
    path, content = write_two(ending, tmp_path)
    table, y = open_table(path), np.resize([0, 1, np.nan], N_ROWS)
    evaluate_model(MODEL if ending == "npy" else NAMED, table, y)
    change_silently(path, content)
    with pytest.raises(InputError, match="must stay as it is while it is read"):
        S2AUCClassifier(random_state=0, max_iter=5).fit(table.X, y)
    with pytest.raises(InputError, match="must stay as it is while it is read"):
        evaluate_model(MODEL if ending == "npy" else NAMED, table, y)
