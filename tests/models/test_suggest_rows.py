"""Rows that are worth a label, from tables of all kinds, and their file."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file

from model_samples import PART_SAMPLES, make_model, make_part, make_projected_part
from reference.suggestion import uncertain_and_far
from s2auc import S2AUCClassifier, S2AUCClassifierCV, fit_table, load_model, suggest_rows
from s2auc.__main__ import main
from s2auc.data.schema import Schema
from s2auc.models import save_model
from s2auc.models.uncertain_rows import DOUBTED

pytest.importorskip("pyarrow")
from pyarrow import parquet

from s2auc.data.table import open_table

N_ROWS = 600
X = np.random.default_rng(0).normal(size=(N_ROWS, 3))
MODEL = make_model(
    parts=(make_part(n_frequencies=50),),
    schema=Schema(3, {}, ("x0", "x1", "x2")),
    record={"table": {"label": "fraud", "id": None}, "settings": {"unlabeled": None}},
)
TRUTH = np.where(X[:, 0] > 0, "yes", "no")
LABELS = np.where(np.arange(N_ROWS) % 7 == 0, TRUTH, None)


def frame(**more):
    return pd.DataFrame({f"x{place}": column for place, column in enumerate(X.T)} | more)


def expected_rows(numbers, n):
    """The rows that plain loops choose among some."""
    rows = X[numbers]
    places = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    return numbers[uncertain_and_far(MODEL.decision_function(rows), places, n, DOUBTED)].tolist()


def test_rows_of_an_array_are_those_of_the_reference():
    found = suggest_rows(MODEL, X, n=12)
    assert found.rows.tolist() == expected_rows(np.arange(N_ROWS), 12)
    np.testing.assert_allclose(found.scores, MODEL.decision_function(X)[found.rows], rtol=1e-12)
    assert (len(found), found.n_rows, found.n_labeled, found.n_looked_at) == (12, N_ROWS, 0, N_ROWS)
    assert found.kept is None
    assert repr(found) == "<12 rows to label of 600>"


def test_labeled_rows_are_passed_over():
    unlabeled = np.flatnonzero(np.arange(N_ROWS) % 7)
    expected = expected_rows(unlabeled, 9)
    for table in (frame(fraud=LABELS), open_table(frame(target=LABELS), label="target")):
        found = suggest_rows(MODEL, table, n=9)
        assert found.rows.tolist() == expected
        assert found.n_labeled == N_ROWS - len(unlabeled)
    assert "86 of which have labels" in repr(found)


def test_marked_rows_are_unlabeled():
    model = make_model(parts=MODEL.parts, schema=MODEL.schema, record={"settings": {"unlabeled": -1}})
    table = open_table(frame(target=np.where(np.arange(N_ROWS) < 590, 1, -1)), label="target")
    assert sorted(suggest_rows(model, table).rows) == list(range(590, 600))


def test_many_rows_are_drawn_from(monkeypatch):
    monkeypatch.setattr("s2auc.data.training_rows.SAMPLE_ROWS", 200)
    found = suggest_rows(MODEL, frame(fraud=LABELS), n=5)
    assert 100 < found.n_looked_at <= 200
    assert not set(found.rows) & set(range(0, N_ROWS, 7))
    assert suggest_rows(MODEL, frame(fraud=LABELS), n=5).rows.tolist() == found.rows.tolist()
    assert suggest_rows(MODEL, frame(fraud=LABELS), n=5, random_state=1).rows.tolist() != found.rows.tolist()


@pytest.mark.parametrize("ending", ["parquet", "csv", "feather"])
def test_files_give_the_rows_of_the_frame_whatever_their_pieces(ending, tmp_path, monkeypatch):
    monkeypatch.setattr("s2auc.models.suggest_rows.BLOCK_ROWS", 70)
    table = frame(fraud=LABELS, name=[f"row {number}" for number in range(N_ROWS)])
    path = tmp_path / f"rows.{ending}"
    if ending == "parquet":
        table.to_parquet(path, row_group_size=90)
    else:
        getattr(table, f"to_{ending}")(path, **({"index": False} if ending == "csv" else {}))
    expected = suggest_rows(MODEL, table, n=8, keep=["name"])
    found = suggest_rows(MODEL, path, n=8, keep=["name", "x1"])
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.kept["name"].to_pylist() == [f"row {number}" for number in found.rows]
    assert found.kept["x1"].to_pylist() == X[found.rows, 1].tolist()


def test_more_rows_than_there_are():
    found = suggest_rows(MODEL, X[:7], n=50)
    assert sorted(found.rows) == list(range(7))


def test_written_files(tmp_path):
    table = frame(city=pd.Categorical(["Rome", "Oslo"] * (N_ROWS // 2)), name=np.arange(N_ROWS).astype(str))
    found = suggest_rows(MODEL, table, n=6, keep=["name", "city"])
    found.write(tmp_path / "next.csv")
    found.write(tmp_path / "next.parquet")
    text, binary = pd.read_csv(tmp_path / "next.csv"), parquet.read_table(tmp_path / "next.parquet")
    for written in (text, binary.to_pandas()):
        assert list(written.columns) == ["name", "city", "row", "score"]
        assert written["row"].tolist() == found.rows.tolist() == written["name"].astype(int).tolist()
        assert written["score"].tolist() == pytest.approx(found.scores.tolist(), rel=1e-15)
        assert written["city"].tolist() == [["Rome", "Oslo"][row % 2] for row in found.rows]


def test_suggestions_without_kept_columns_are_written(tmp_path):
    suggest_rows(MODEL, X, n=3).write(tmp_path / "next.tsv")
    assert pd.read_csv(tmp_path / "next.tsv", sep="\t").shape == (3, 2)


@pytest.mark.parametrize("make", PART_SAMPLES.values(), ids=PART_SAMPLES)
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_parts_of_every_kind(make, wrap):
    found = suggest_rows(make_model(parts=(make(),)), wrap(X), n=4)
    assert len(set(found.rows.tolist())) == 4


def test_models_that_see_components_spread_rows_in_them():
    model = make_model(parts=(make_projected_part(),))
    components = X @ model.parts[0].projection.matrix
    expected = uncertain_and_far(model.decision_function(X), components, 6, DOUBTED)
    assert suggest_rows(model, csr_array(X), n=6).rows.tolist() == expected


def test_sparse_files(tmp_path):
    path = tmp_path / "rows.svm"
    dump_svmlight_file(X, np.where(np.arange(N_ROWS) < 500, 1, 0), str(path), zero_based=False)
    model = make_model(record={"settings": {"unlabeled": 0}}, classes=np.array([-1, 1]))
    found = suggest_rows(model, path, n=5)
    assert min(found.rows) >= 500


def test_classifiers_with_missing_values_categories_and_positive_labels_only(tmp_path):
    rng = np.random.default_rng(3)
    table = frame(city=rng.choice(["Rome", "Oslo"], N_ROWS), paid=np.where(rng.random(N_ROWS) < 0.2, np.nan, 1.5))
    y = np.where((np.arange(N_ROWS) < 60) & (X[:, 0] > 0), 1, -1)
    search = S2AUCClassifierCV(judge=False, pos_label=1, random_state=0, categorical_features=["city"])
    search.fit(table, y)
    found = suggest_rows(search, table[60:], n=5)
    assert len(set(found.rows.tolist())) == 5
    path = tmp_path / "model.safetensors"
    save_model(search.model_, path)
    assert suggest_rows(path, table[60:], n=5).rows.tolist() == found.rows.tolist()


def test_estimators_of_one_part():
    y = np.where(np.arange(N_ROWS) < 40, (X[:, 0] > 0).astype(int), -1)
    ranker = S2AUCClassifier(random_state=0, max_iter=10).fit(X, y)
    assert len(suggest_rows(ranker, X[40:], n=3)) == 3


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"n": 0}, ValueError, "'n' parameter of suggest_rows must be an int >= 1"),
        ({"n": 2.5}, ValueError, "'n' parameter"),
        ({"random_state": -1}, ValueError, "'random_state' parameter"),
        ({"keep": "name"}, TypeError, "'keep' parameter of suggest_rows must be a list"),
        ({"keep": ["score"]}, ValueError, "other names than those that are written"),
        ({"keep": ["nobody"]}, ValueError, "must be columns of X"),
        ({"X": X, "keep": ["x0"]}, ValueError, "must be columns of X"),
        ({"X": X[:, :2]}, ValueError, "2"),
        ({"X": frame(fraud=TRUTH)}, ValueError, "rows without a label"),
        ({"X": X[:0]}, ValueError, "rows without a label"),
        ({"model": 3}, TypeError, "'model' parameter of suggest_rows"),
    ],
)
def test_wrong_arguments(arguments, error, sentence):
    given = {"model": MODEL, "X": frame(), **arguments}
    with pytest.raises(error, match=sentence):
        suggest_rows(given.pop("model"), given.pop("X"), **given)


def test_wrong_files(tmp_path):
    found = suggest_rows(MODEL, X, n=3)
    with pytest.raises(ValueError, match="must end in"):
        found.write(tmp_path / "next.xlsx")
    with pytest.raises(TypeError, match="must be a path"):
        found.write(3)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def fitted_table(tmp_path_factory):
    """A table with a label that is blank on most rows, and its model."""
    folder = tmp_path_factory.mktemp("suggest")
    table = frame(name=[f"r{number}" for number in range(N_ROWS)], fraud=LABELS)
    table.to_csv(folder / "claims.csv", index=False)
    model, path = folder / "model.safetensors", folder / "claims.csv"
    fit_table(path, "fraud", model, positive="yes", row_id="name", tune=False)
    return model, path


def test_the_table_is_never_replaced(fitted_table, tmp_path):
    model, table = fitted_table
    before = table.read_bytes()
    found = suggest_rows(model, table, n=3)
    (tmp_path / "link.csv").symlink_to(table)
    for path in (table, tmp_path / "link.csv"):
        with pytest.raises(ValueError, match="must be another one than those of X"):
            found.write(path)
    assert table.read_bytes() == before


def test_the_command_writes_rows_without_labels(fitted_table, capsys, tmp_path):
    model, table = map(str, fitted_table)
    out = str(tmp_path / "next.csv")
    assert main(["suggest", model, table, "-n", "9", "--keep", "name", "-o", out]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"9 of 514 unlabelled rows written to {out}: look at these next.\n"
    assert printed.err == ""
    written = pd.read_csv(out)
    assert written["name"].tolist() == [f"r{row}" for row in written["row"]]
    assert not set(written["row"]) & set(range(0, N_ROWS, 7))
    expected = suggest_rows(load_model(model), table, n=9)
    assert written["row"].tolist() == expected.rows.tolist()


def test_the_command_for_machines_and_mistakes(fitted_table, capsys, tmp_path):
    model, table = map(str, fitted_table)
    out = str(tmp_path / "next.parquet")
    assert main(["suggest", model, table, "-n", "4", "-o", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == parquet.read_table(out)["row"].to_pylist()
    assert (told["n_rows"], told["n_labeled"]) == (N_ROWS, 86)
    assert main(["suggest", model, table, "-o", out, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    for wrong, sentence in {
        ("-n", "0", "-o", out): "--rows must be an int >= 1",
        ("-o", "next.doc"): "must end in",
        ("-o", out, "--keep", "nobody"): "--keep must be columns",
        ("-o", table): "must be another one than those of X",
    }.items():
        assert main(["suggest", model, table, *wrong]) == 2
        error = capsys.readouterr().err
        assert error.startswith("Error: ")
        assert sentence in error
