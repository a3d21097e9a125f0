"""Tables that are scored to a file: the scores of the model, in order, with the columns that are kept."""

import datetime as dt
import os
import signal
import tracemalloc
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from model_samples import make_model, make_part
from s2auc import S2AUCClassifier, score_table
from s2auc.data.schema.schema import Schema
from s2auc.models.files.file import save_model
from s2auc.ranking.calibration import PlattScaling
from s2auc.scoring import table_scores
from s2auc.scoring.score_file import FORMATS

pa = pytest.importorskip("pyarrow")
from pyarrow import dataset, feather, parquet  # noqa: E402

from s2auc.data.tables.pieces import MemoryColumns  # noqa: E402
from s2auc.data.tables.table import Table, open_table  # noqa: E402


def numbers_table(X, **more):
    """Return a table of numbers, with more columns behind them."""
    columns = {f"x{number}": np.asarray(column) for number, column in enumerate(X.T)}
    return pa.table(columns | more)


def handle(table):
    """Return a handle of a table, of which only the numbers are to be scored."""
    return open_table(table, features=["x0", "x1", "x2"])


N_ROWS = 1000
X = np.random.default_rng(0).normal(size=(N_ROWS, 3))
MODEL = make_model(
    parts=(make_part(n_frequencies=50),),
    schema=Schema(3, {}, ("x0", "x1", "x2")),
    probabilities=PlattScaling(slope=2.0, intercept=-0.5),
)
SCORES = MODEL.decision_function(X)
KEPT = {
    "id": pa.array(np.arange(N_ROWS) * 7, pa.int32()),
    "name": pa.array([None if row % 5 == 0 else f'"{row}",\té' for row in range(N_ROWS)]),
    "city": pa.array([("Rome", "Oslo", None)[row % 3] for row in range(N_ROWS)]).dictionary_encode(),
    "paid": pa.array([Decimal(row).scaleb(-2) for row in range(N_ROWS)], pa.decimal128(9, 2)),
    "day": pa.array([dt.date(2020, 1, 1) + dt.timedelta(row) for row in range(N_ROWS)]),
    "at": pa.array(np.arange(N_ROWS), pa.timestamp("ms", "UTC")),
    "odd": pa.array([row % 2 == 1 for row in range(N_ROWS)]),
}
TABLE = numbers_table(X, **KEPT)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Many chunks and blocks, whose ends do not meet, on several threads."""
    monkeypatch.setattr(table_scores, "BLOCK_ROWS", 300)
    monkeypatch.setattr("s2auc.models.scoring_chunks.SCORE_CHUNK", 70)
    monkeypatch.setenv("S2AUC_NUM_THREADS", "3")


def read(path):
    """Return the table of a file of scores, by other means than it was written with where there are any."""
    name = os.fspath(path)
    if name.endswith(".parquet"):
        return parquet.read_table(path)
    if name.endswith((".feather", ".arrow")):
        return feather.read_table(path)
    return pd.read_csv(path, sep="\t" if ".tsv" in name else ",", converters={"score": float, "probability": float})


@pytest.mark.parametrize("top", [None, 5])
def test_the_column_that_named_rows_is_kept_unless_another_is_asked_for(top, tmp_path):
    model = replace(MODEL, record={**MODEL.record, "table": {"id": "id", "label": "odd"}})
    made = ["score"] if top is None else ["row", "score"]

    def columns(table, **options):
        return read(score_table(model, handle(table), tmp_path / "scores.parquet", top=top, **options)).column_names

    assert columns(TABLE) == ["id", *made]
    assert columns(TABLE, keep=[]) == made
    assert columns(TABLE, keep=["day"]) == ["day", *made]
    assert columns(TABLE.drop_columns(["id"])) == made


@pytest.mark.parametrize("ending", FORMATS)
def test_scores_and_kept_columns_in_order(ending, tmp_path):
    path = tmp_path / f"scores{ending}"
    done = score_table(MODEL, handle(TABLE), path, keep=list(KEPT), probability=True)
    found = read(path)
    assert (done.n_scored, done.n_written, done.path) == (N_ROWS, N_ROWS, path)
    assert np.array_equal(np.asarray(found["score"]), SCORES)
    assert np.array_equal(np.asarray(found["probability"]), MODEL.predict_proba(X)[:, 1])
    if isinstance(found, pd.DataFrame):
        assert found["id"].tolist() == KEPT["id"].to_pylist()
        assert found["name"].fillna("-").tolist() == [name or "-" for name in KEPT["name"].to_pylist()]
        assert found["city"].fillna("-").tolist() == [city or "-" for city in KEPT["city"].to_pylist()]
        assert found["day"].tolist() == [str(day) for day in KEPT["day"].to_pylist()]
        columns = found.columns.tolist()
    else:
        for name, column in KEPT.items():
            assert found[name].to_pylist() == column.to_pylist()
            assert found.schema.field(name).type == column.type  # codes have 32 bits already
        columns = found.column_names
    assert columns == [*KEPT, "score", "probability"]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("n_rows", [0, 1, 69, 70, 300, 301, 599, 1000])
@pytest.mark.parametrize("keep", [None, ["id"]])
@pytest.mark.parametrize("top", [None, 4])
def test_tables_of_any_size(n_rows, keep, top, tmp_path):
    path = tmp_path / "scores.parquet"
    done = score_table(MODEL, handle(TABLE.slice(0, n_rows)), path, keep=keep, top=top)
    found = read(path)
    order = np.arange(n_rows) if top is None else np.argsort(-SCORES[:n_rows])[:4]
    assert (done.n_scored, done.n_written) == (n_rows, len(order))
    assert found["score"].to_pylist() == SCORES[order].tolist()
    if keep:
        assert found["id"].to_pylist() == (7 * order).tolist()
    if top:
        assert found["row"].to_pylist() == order.tolist()


@pytest.mark.parametrize(("top", "expected"), [(7, 7), (0.07, 70), (0.0001, 1), (5000, 1000), (np.int64(3), 3)])
def test_only_the_highest(top, expected, tmp_path):
    path = tmp_path / "scores.feather"
    done = score_table(MODEL, handle(TABLE), path, keep=["city", "id"], top=top, probability=True)
    order, found = np.argsort(-SCORES)[:expected], read(path)
    assert (done.n_scored, done.n_written) == (N_ROWS, expected)
    assert found.column_names == ["city", "id", "row", "score", "probability"]
    assert found["row"].to_pylist() == order.tolist()
    assert found["score"].to_pylist() == SCORES[order].tolist()
    assert found["id"].to_pylist() == (7 * order).tolist()
    assert found["city"].to_pylist() == [TABLE["city"][int(row)].as_py() for row in order]


def test_equal_scores_come_in_the_order_of_rows(tmp_path):
    table = handle(numbers_table(np.zeros((200, 3)), id=np.arange(200)))
    score_table(MODEL, table, tmp_path / "scores.csv", keep=["id"], top=150)
    assert read(tmp_path / "scores.csv")["id"].tolist() == list(range(150))


class ChangedTable(Table):
    """A handle that somebody else has a hand in."""

    def __init__(self, table):
        opened = handle(table)
        super().__init__(opened.X, None, MemoryColumns(table), "a table")


class DifferingDictionaries(ChangedTable):
    """Every batch has categories of its own, as row groups of files do, with codes of eight bits."""

    def batches(self, names, chunk_rows):
        for batch in super().batches(names, chunk_rows):
            values = [f"city {row}" for row in range(batch.num_rows % 128)]
            first = batch["id"][0].as_py()
            codes = pa.array(np.arange(batch.num_rows) % len(values), pa.int8())
            cities = pa.DictionaryArray.from_arrays(codes, [f"{value} of {first}" for value in values])
            yield pa.record_batch({"id": batch["id"], "city": cities})


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("top", [None, 900])
def test_categories_that_differ_between_batches(ending, top, tmp_path):
    path = tmp_path / f"scores{ending}"
    score_table(MODEL, DifferingDictionaries(TABLE), path, keep=["id", "city"], top=top)
    found = read(path)
    cities = dict(zip(np.asarray(found["id"]).tolist(), np.asarray(found["city"]).tolist(), strict=True))
    for first in (0, 300, 600, 900):
        size = min(300, N_ROWS - first)
        for row in range(first, first + size):
            if 7 * row in cities:
                assert cities[7 * row] == f"city {(row - first) % (size % 128)} of {7 * first}"
    assert len(cities) == (top or N_ROWS)


def test_whoever_holds_the_model(tmp_path):
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    y = np.where(np.arange(N_ROWS) < 50, X[:, 0] > 0, -1)
    ranker = S2AUCClassifier(random_state=0, max_iter=5).fit(frame, y)
    ranker.save(tmp_path / "model.safetensors")
    for model in (ranker, ranker.model_, tmp_path / "model.safetensors", str(tmp_path / "model.safetensors")):
        score_table(model, handle(TABLE), tmp_path / "scores.parquet")
        assert read(tmp_path / "scores.parquet")["score"].to_pylist() == ranker.decision_function(frame).tolist()


def test_what_comes_back_stands_for_the_path(tmp_path):
    done = score_table(MODEL, handle(TABLE), tmp_path / "scores.csv")
    assert len(pd.read_csv(done)) == N_ROWS
    assert repr(replace(done, seconds=1.25, path="scores.csv")) == "<1,000 rows scored in 1.25 s: 'scores.csv'>"
    some = replace(done, seconds=0.5, path="a", n_written=10)
    assert repr(some) == "<1,000 rows scored in 0.5 s, 10 of them written: 'a'>"


WRONG = {
    "no path": ({"path": 5}, TypeError, r"'path' parameter .* must be a path or a binary stream\. Got 5; name a file."),
    "ending": ({"path": "scores.xlsx"}, ValueError, r"must end in .parquet, .* or .tsv.gz. Got 'scores.xlsx'; choose"),
    "no name": ({"path": ".csv"}, ValueError, r"must end in .* Got '.csv'"),
    "folder": ({"path": "missing/scores.csv"}, FileNotFoundError, "Cannot write the scores: there is no folder"),
    "keep": ({"keep": "id"}, TypeError, r"must be a list of names or None. Got 'id'; pass \['id'\]."),
    "keep of numbers": ({"keep": [1]}, TypeError, r"list of names or None. Got \[1\]; list the names"),
    "twice": ({"keep": ["id", "id"]}, ValueError, "^keep must name each column once. Got 'id' more than once"),
    "unknown": ({"keep": ["id", "ids"]}, ValueError, "^keep must name columns .* Got 'ids', .*; did you mean 'id'"),
    "score": ({"keep": ["score"]}, ValueError, r"keep must not name columns .*, 'score'. Got 'score'; rename"),
    "row": ({"keep": ["row"], "top": 3}, ValueError, r"'row', 'score'. Got 'row'; rename"),
    "no rows": ({"top": 0}, ValueError, "'top' parameter of score_table must be an int >= 1 or a float"),
    "share": ({"top": 1.0}, ValueError, r"or a float in the range \(0, 1\). Got 1.0 instead."),
    "true": ({"top": True}, ValueError, "Got True instead."),
    "word": ({"probability": "yes"}, ValueError, "'probability' parameter of score_table must be a bool. Got 'yes'"),
    "no probability": (
        {"probability": True, "model": replace(MODEL, probabilities=None)},
        ValueError,
        "The model must have calibrated probabilities",
    ),
    "not fitted": ({"model": S2AUCClassifier()}, NotFittedError, "is not fitted yet"),
    "another's": ({"model": LogisticRegression().fit([[0], [1]], [0, 1])}, TypeError, "Got LogisticRegression; fit"),
    "a class": ({"model": S2AUCClassifier}, TypeError, "Got type; fit S2AUCClassifier, or name a saved model."),
    "no model": ({"model": None}, TypeError, "Got NoneType"),
    "no file": ({"model": "missing.safetensors"}, FileNotFoundError, "There is no model file"),
}


class Unread(ChangedTable):
    """A table whose rows nobody may read."""

    def __init__(self, table):
        super().__init__(table)
        self.X = None

    def batches(self, names, chunk_rows):
        raise AssertionError("read too early")


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_before_rows_are_read(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    changes, error, words = WRONG[case]
    given = {"model": MODEL, "path": "scores.csv"} | changes
    with pytest.raises(error, match=words) as caught:
        score_table(given.pop("model"), Unread(TABLE), given.pop("path"), **given)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, b"\xff"])
def test_columns_that_no_text_can_hold(value, tmp_path):
    table = handle(TABLE.append_column("tags", pa.array([value] * N_ROWS)))
    with pytest.raises(ValueError, match=r"^Column 'tags' must have a type that a .csv file can hold. Got .*keep, or"):
        score_table(MODEL, table, tmp_path / "scores.csv", keep=["id", "tags"])
    assert not list(tmp_path.iterdir())
    for ending in ("feather", "parquet"):
        score_table(MODEL, table, tmp_path / f"scores.{ending}", keep=["id", "tags"])
        assert read(tmp_path / f"scores.{ending}")["tags"].to_pylist()[-1] == value


@pytest.mark.parametrize("keep", [None, ["id"]])
@pytest.mark.parametrize("top", [None, 5])
def test_values_that_cannot_be_scored_are_named(keep, top, tmp_path):
    rows = X.copy()
    rows[777, 1] = np.inf
    table = handle(numbers_table(rows, id=np.arange(N_ROWS)))
    with pytest.raises(ValueError, match=r"column 'x1' must hold finite numbers. Got inf in row 777"):
        score_table(MODEL, table, tmp_path / "scores.parquet", keep=keep, top=top)
    assert not list(tmp_path.iterdir())


class Growing(ChangedTable):
    """A table that somebody else still writes to."""

    def __init__(self, table, n_more):
        super().__init__(table)
        self._n_more = n_more

    def batches(self, names, chunk_rows):
        yield from handle(TABLE.slice(0, self.n_rows + self._n_more)).batches(names, chunk_rows)


@pytest.mark.parametrize("n_more", [-400, -1, 1, 400])
@pytest.mark.parametrize("top", [None, 5])
def test_a_table_that_changes_meanwhile(n_more, top, tmp_path):
    with pytest.raises(ValueError, match="must stay as they are while they are scored"):
        score_table(MODEL, Growing(TABLE.slice(0, 600), n_more), tmp_path / "a.parquet", keep=["id"], top=top)
    assert not list(tmp_path.iterdir())


def column_record(name):
    return {"name": name, "kind": "numbers", "n_missing": 0, "mean": 0.0, "deviation": 1.0, "low": -5.0, "high": 5.0}


RECORDED = replace(MODEL, record={"columns": [column_record(name) for name in ("x0", "x1", "x2")], "n_sampled": 500})


@pytest.mark.parametrize("top", [None, 5])
def test_columns_far_from_the_fit_are_warned_of_once(top, tmp_path):
    score_table(RECORDED, handle(TABLE), tmp_path / "near.csv", top=top)
    far = handle(numbers_table(X + np.array([0.0, 1e3, 0.0])))
    with pytest.warns(UserWarning, match="100 % of column 'x1' lie outside -5 to 5") as caught:
        score_table(RECORDED, far, tmp_path / "far.csv", top=top)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert len(read(tmp_path / "far.csv")) == (top or N_ROWS)
    (tmp_path / "far.csv").unlink()
    with pytest.raises(UserWarning, match="x1"):  # warnings are errors here
        score_table(RECORDED, far, tmp_path / "far.csv", top=top)
    assert {path.name for path in tmp_path.iterdir()} == {"near.csv"}


def test_a_saved_model_warns_too(tmp_path):
    save_model(RECORDED, tmp_path / "model")
    with pytest.warns(UserWarning, match="'x0'"):
        score_table(tmp_path / "model", handle(numbers_table(X + 100.0)), tmp_path / "far.csv")


def test_paths_patterns_and_frames(tmp_path):
    """Columns that are only kept are none that the model should know: no warning."""
    table = TABLE.select(["x2", "id", "x0", "x1"])
    parquet.write_table(table.slice(0, 400), tmp_path / "part-0.parquet", row_group_size=150)
    parquet.write_table(table.slice(400), tmp_path / "part-1.parquet")
    pattern = str(tmp_path / "part-*.parquet")
    for source in (pattern, sorted(tmp_path.glob("part-*.parquet")), table, table.to_pandas()):
        done = score_table(MODEL, source, tmp_path / "scores.feather", keep=["id"])
        assert read(done)["score"].to_pylist() == SCORES.tolist()
        assert read(done)["id"].to_pylist() == KEPT["id"].to_pylist()
    with pytest.warns(UserWarning, match="not fitted on, and that are ignored: 'id'"):
        score_table(MODEL, pattern, tmp_path / "scores.feather", keep=["x1"])
    assert read(tmp_path / "scores.feather")["x1"].to_pylist() == X[:, 1].tolist()
    with pytest.raises(ValueError, match=r"keep must name columns of the table. Got 'ids', .*; did you mean 'id'"):
        score_table(MODEL, pattern, tmp_path / "scores.csv", keep=["ids", "id"])
    with pytest.raises(FileNotFoundError):
        score_table(MODEL, tmp_path / "missing.parquet", tmp_path / "scores.csv", keep=["id"])
    assert not (tmp_path / "scores.csv").exists()


def test_scores_never_take_the_place_of_rows(tmp_path):
    path, link = tmp_path / "rows.parquet", tmp_path / "link.parquet"
    parquet.write_table(TABLE, path)
    link.symlink_to(path)
    before = path.read_bytes()
    hard_link = tmp_path / "hard.parquet"
    hard_link.hardlink_to(path)
    ways = (path, path), (str(path), link), (link, path), (handle(path), path), (hard_link, path)
    for source, out in (*ways, (f"file://{path}", path), (dataset.dataset(path), path)):
        with pytest.raises(ValueError, match=r"^path must not overwrite an input file. Got '.*', which is one; choose"):
            score_table(MODEL, source, out, keep=["id"])
    assert path.read_bytes() == before


def test_a_table_without_rows_keeps_its_types(tmp_path):
    score_table(MODEL, handle(TABLE.slice(0, 0)), tmp_path / "scores.parquet", keep=list(KEPT))
    found = read(tmp_path / "scores.parquet")
    assert found.num_rows == 0
    assert [found.schema.field(name).type for name in KEPT] == [column.type for column in KEPT.values()]


class Interrupted(ChangedTable):
    """A table over which somebody loses patience."""

    def batches(self, names, chunk_rows):
        for number, batch in enumerate(super().batches(names, chunk_rows)):
            if number == 2:
                signal.raise_signal(signal.SIGINT)
            yield batch


@pytest.fixture
def _interrupts():
    """Processes in the background may have been told to ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts")
def test_an_interruption_leaves_what_was_there(tmp_path):
    path = tmp_path / "scores.parquet"
    path.write_bytes(b"what was there")
    with pytest.raises(KeyboardInterrupt):
        score_table(MODEL, Interrupted(TABLE), path, keep=["id"])
    assert path.read_bytes() == b"what was there"
    assert list(tmp_path.iterdir()) == [path]


def test_unknown_categories_after_a_fit(tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"age": random.normal(size=200), "city": random.choice(["Rome", "Oslo"], 200)})
    y = np.where(np.arange(200) < 40, frame["age"] > 0, -1)
    ranker = S2AUCClassifier(random_state=0, max_iter=5).fit(frame, y)
    score_table(ranker, frame, tmp_path / "scores.csv")
    with pytest.warns(UserWarning, match="100 % of column 'city' are missing or unknown categories, 0 % were"):
        score_table(ranker, frame.assign(city="Lima"), tmp_path / "scores.csv")


def test_sparse_files_and_files_of_numpy(tmp_path):
    dump_svmlight_file(X, np.zeros(N_ROWS), str(tmp_path / "rows.libsvm"))
    np.save(tmp_path / "rows.npy", X)
    for name in ("rows.libsvm", "rows.npy"):
        model = replace(MODEL, schema=Schema(3, {}))
        done = score_table(model, tmp_path / name, tmp_path / "scores.parquet")
        assert np.allclose(read(done)["score"].to_numpy(), SCORES)
    with pytest.raises(ValueError, match=r"keep must name .* Got 'id', which does not exist; leave it out, as columns"):
        score_table(model, tmp_path / "rows.libsvm", tmp_path / "other.parquet", keep=["id"])
    done = score_table(model, open_table(tmp_path / "rows.npy"), tmp_path / "scores.parquet", keep=["1"])
    assert read(done)["1"].to_pylist() == X[:, 1].tolist()


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_text_files(ending, tmp_path):
    frame = TABLE.select(["id", "x0", "x1", "x2", "name"]).to_pandas()
    frame.to_csv(tmp_path / f"rows.{ending}", sep="\t" if ending == "tsv" else ",", index=False)
    done = score_table(MODEL, tmp_path / f"rows.{ending}", tmp_path / "scores.parquet", keep=["name", "id"], top=40)
    order, found = np.argsort(-SCORES)[:40], read(done)
    assert found["row"].to_pylist() == order.tolist()
    assert found["id"].to_pylist() == [str(7 * row) for row in order], "text as it stands in the file"
    assert found["name"].to_pylist() == [KEPT["name"][int(row)].as_py() or "" for row in order]


@pytest.mark.parametrize("top", [None, 100])
def test_less_memory_than_the_scores_alone_would_take(top, tmp_path, monkeypatch):
    """What Python and NumPy hold; the memory of Arrow is measured by benchmarks/memory.py."""
    monkeypatch.setattr("s2auc.models.scoring_chunks.SCORE_CHUNK", 1000)
    monkeypatch.setattr("s2auc.scoring.top_scores.SPARE_SCORES", 1000)
    monkeypatch.setattr(table_scores, "BLOCK_ROWS", 4000)
    n_rows, path = 100_000, tmp_path / "rows.parquet"
    parquet.write_table(numbers_table(np.ones((n_rows, 3)), id=np.arange(n_rows)), path, row_group_size=10_000)
    model = replace(MODEL, parts=(make_part(n_frequencies=1),))
    score_table(model, handle(TABLE), tmp_path / "scores.parquet", top=top)  # imports
    tracemalloc.start()
    try:
        score_table(model, path, tmp_path / "scores.parquet", keep=["id"], top=top)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * n_rows
