"""Columns, labels and partitions of all kinds mean on workers what they mean here."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from dask_runs import LABEL
from s2auc import S2AUCClassifier, S2AUCClassifierCV, evaluate_model, open_table
from s2auc.data.labels.labels import read_labels
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning
from s2auc.data.tables.engines import open_labels
from table_sources import make_frame, parquet_folder


@pytest.fixture(scope="module")
def messy():
    """Columns of many types, with missing values, an identifier and one that never changes."""
    frame = make_frame(400)
    return frame.assign(row_id=np.arange(400) + 7, same=1.5, color=frame["city"].astype("category"))


def schema_of(X):
    with pytest.warns(IgnoredColumnsWarning, match="are ignored"):
        return X.learn_schema("from_dtype")


def test_columns_are_understood_as_they_are_here(client, messy, tmp_path, monkeypatch):
    monkeypatch.setattr("s2auc.distributed.columns.PART_ROWS", 60)
    files = parquet_folder(messy, tmp_path)
    here, there = (open_table(files, label=LABEL, engine=engine) for engine in (None, "dask"))
    assert len(there.X.columns.lengths()) > 4
    assert schema_of(there.X) == schema_of(here.X)
    assert repr(there).splitlines()[1:] == repr(here).splitlines()[1:]
    assert set(schema_of(there.X).left_out.values()) == {"row_id", "same"}


def test_frames_are_understood_as_tables_in_memory_are(client, messy):
    frame = dd.from_pandas(messy, npartitions=6)
    here, there = open_table(messy, label=LABEL), open_table(frame, label=LABEL)
    mine, theirs = schema_of(here.X), schema_of(there.X)
    assert theirs == mine
    numbers = np.array([399, 0, 7, 7, 250])
    np.testing.assert_array_equal(there.X.open(theirs).gather(numbers), here.X.open(mine).gather(numbers))
    chunks = there.X.open(theirs).scan(50)
    np.testing.assert_array_equal(np.concatenate(list(chunks)), here.X.open(mine).gather(np.arange(400)))


def test_partitions_without_rows_and_of_unknown_categories(client, messy):
    frame = dd.from_pandas(messy, npartitions=6)
    frame["color"] = frame["color"].astype(object).astype("category")
    few = frame[frame["row_id"] < 100]
    expected = messy[messy["row_id"] < 100].astype({"color": object})
    assert not few["color"].cat.known
    there, here = open_table(few, label=LABEL), open_table(expected, label=LABEL)
    assert (there.n_rows, there.X.columns.lengths()[-1]) == (93, 0)
    assert schema_of(there.X).levels == schema_of(here.X).levels


def test_text_is_read_by_what_all_partitions_hold(client, tmp_path):
    """Only the last rows tell days from months, thousands from decimals and numbers from codes."""
    cells = pd.DataFrame(
        {
            "when": ["05/03/2024", "06/03/2024", "07/04/2024"] * 39 + ["31/03/2024", "-", "unknown"],
            "price": ["1,234", "2", "3,456"] * 39 + ["1,5", "?", "12345"],
            "zip": ["12345", "23456", "34567"] * 39 + ["01234", "12345", "12345"],
            "city": [" Rome", "Oslo ", "NA"] * 40,
            "row_id": [str(row) for row in range(1000, 1120)],
            "same": "x",
        }
    ).astype("str")
    files = parquet_folder(cells, tmp_path)
    here = open_table(cells)
    expected = schema_of(here.X)
    assert expected.readings == {0: "dates, day first", 3: "numbers with decimal commas"}
    assert expected.levels == {4: ("01234", "12345", "23456", "34567"), 5: ("Oslo", "Rome")}
    for there in (open_table(dd.from_pandas(cells, npartitions=7)), open_table(files, engine="dask")):
        assert schema_of(there.X) == expected
        assert [str(role) for role in there.column_roles] == [str(role) for role in here.column_roles]
        rows = there.X.open(expected).gather(np.arange(120))
        np.testing.assert_array_equal(rows, here.X.open(expected).gather(np.arange(120)))


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(lambda y: dd.from_pandas(y, npartitions=3), id="series"),
        pytest.param(lambda y: dd.from_pandas(y.map({0.0: "no", 1.0: "yes"}), npartitions=3), id="text"),
        pytest.param(lambda y: dd.from_pandas(y.fillna(-1).astype(int), npartitions=3), id="marker"),
        pytest.param(lambda y: da.from_array(y.to_numpy(), chunks=90), id="array"),
    ],
)
def test_labels(client, messy, labels):
    found, expected = read_labels(open_labels(labels(messy[LABEL]))), read_labels(messy[LABEL])
    np.testing.assert_array_equal(found.positive, expected.positive)
    np.testing.assert_array_equal(found.negative, expected.negative)
    assert found.n_rows == 400
    assert found.classes.tolist() in ([0, 1], ["no", "yes"])


def test_rows_here_and_unlabelled_ones_there(client, rows):
    X, y = rows
    is_labeled = y.notna()
    pool = dd.from_pandas(X[~is_labeled], npartitions=3)
    settings = {"random_state": 0, "members": ["linear"], "judge": False}
    there = S2AUCClassifierCV(**settings).fit(X[is_labeled], y[is_labeled], pool)
    here = S2AUCClassifierCV(**settings).fit(X[is_labeled], y[is_labeled], X[~is_labeled])
    np.testing.assert_allclose(there.decision_function(X), here.decision_function(X), rtol=1e-6)


def test_sparse_blocks(client, rows):
    X = csr_matrix(rows[0][list("abcd")].clip(lower=0.0).to_numpy()[:3000])
    y = rows[1].to_numpy()[:3000]
    parts = [da.from_delayed(delayed_part(X[first : first + 1000]), (1000, 4), meta=X[:0]) for first in (0, 1000, 2000)]
    there = S2AUCClassifier(random_state=0).fit(da.concatenate(parts), y)
    here = S2AUCClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(there.decision_function(X), here.decision_function(X))


def delayed_part(rows):
    import dask

    return dask.delayed(rows)


def test_groups_scores_and_evaluation_of_files(client, folder, own, rows):
    X, y = rows
    table = open_table(folder, label=LABEL, engine="dask")
    assert own.score(table.X, table.y) == own.score(X, y)
    found = evaluate_model(own, table)
    assert found.auc.value == evaluate_model(own, X, y).auc.value
    grouped = S2AUCClassifierCV(random_state=0, members=["linear"], judge=False, cv=2)
    there = grouped.fit(table.X, table.y, groups=table.column("city")).best_score_
    assert there == grouped.fit(X, y, groups=X["city"].to_numpy()).best_score_


def test_a_checkpoint_takes_entries_from_workers(client, folder, own, tmp_path):
    from dask_runs import saved, small_search

    fitted = []
    for _ in range(2):
        table = open_table(folder, label=LABEL, engine="dask")
        fitted.append(small_search(checkpoint=tmp_path / "work").fit(table.X, table.y))
    assert len(list((tmp_path / "work").glob("*/entry-*.kept"))) >= 5
    files = {saved(ranker, tmp_path / "model") for ranker in (*fitted, own)}
    assert len(files) == 1


def test_data_frames_of_numbers_without_names(client):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(90, 3)))
    y = np.where(np.arange(90) < 20, np.arange(90) % 2, -1)
    there = S2AUCClassifier(random_state=0, max_iter=5).fit(dd.from_pandas(frame, npartitions=2), y)
    here = S2AUCClassifier(random_state=0, max_iter=5).fit(frame.to_numpy(), y)
    np.testing.assert_array_equal(
        there.decision_function(frame.rename(columns=str)), here.decision_function(frame.to_numpy())
    )
