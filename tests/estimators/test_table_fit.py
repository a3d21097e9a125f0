"""fit_table: what a label column means, which columns are set aside, and the model that comes out of a file."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

pytest.importorskip("pyarrow")

from checkpointed_fits import items, model_bytes, subfolders
from s2auc import S2AUCClassifierCV, fit_table, load_model, open_table, score_table
from s2auc.common.progress import listening
from s2auc.estimators import table_fit
from s2auc.estimators.table_fit import TableFit
from searches import SMALL

N_ROWS = 120
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N_ROWS, 2))
IS_POSITIVE = X[:, 0] + 0.3 * RNG.normal(size=N_ROWS) > 0
IS_LABELED = np.arange(N_ROWS) < 40
FRAME = pd.DataFrame({"size": X[:, 0], "age": X[:, 1]})


def labels(negative, positive, other=None):
    """Return labels of the first rows, and something else for the others."""
    values = [positive if is_positive else negative for is_positive in IS_POSITIVE]
    return pd.Series([value if known else other for value, known in zip(values, IS_LABELED, strict=True)], dtype=object)


def inferred(series):
    return series.infer_objects()


@pytest.fixture(autouse=True)
def _fast(monkeypatch):
    """Fits that are over in a moment."""
    asked = SMALL | {"alphas": (1e-2,), "n_frequencies": 8, "cv": 2, "judge": False, "scalings": ("standard",)}
    monkeypatch.setattr(table_fit, "S2AUCClassifierCV", lambda **shared: S2AUCClassifierCV(**asked | shared))


N_POSITIVE = int(IS_POSITIVE[IS_LABELED].sum())
MEANINGS = {
    "numbers and blanks": (labels(0, 1), {}, (0, 1, None)),
    "-1 beside two classes": (labels(0, 1, -1), {}, (0, 1, -1)),
    "-1 beside two others": (labels(2, 5, -1), {}, (2, 5, -1)),
    "-1 and 1 with blanks": (labels(-1, 1), {}, (-1, 1, None)),
    "-1 and 1 with a marker": (labels(-1, 1, 0), {"unlabeled": 0}, (-1, 1, 0)),
    "booleans": (labels(False, True), {}, (False, True, None)),
    "text": (labels("no", "yes"), {}, ("no", "yes", None)),
    "text with a marker": (labels("no", "yes", "?"), {"unlabeled": "?"}, ("no", "yes", "?")),
    "a number spelled as text": (labels(1, 0), {"positive": "0"}, (1, 0, None)),
    "a number spelled otherwise": (labels(1, 0), {"positive": "0.0"}, (1, 0, None)),
    "a boolean spelled as text": (labels(True, False), {"positive": "false"}, (True, False, None)),
    "a marker spelled as text": (labels(0, 1, 9), {"unlabeled": "9"}, (0, 1, 9)),
    "text is called by its name": (labels("b", "a"), {"positive": "a"}, ("b", "a", None)),
}


@pytest.mark.parametrize("case", MEANINGS)
def test_what_a_label_column_means(case):
    column, asked, (negative, positive, marker) = MEANINGS[case]
    understood = TableFit(FRAME.assign(label=inferred(column)), "label", **asked).understood
    assert (understood.negative, understood.positive, understood.marker) == (negative, positive, marker)
    counts = understood.n_rows, understood.n_positive, understood.n_negative, understood.n_unlabeled
    assert counts == (N_ROWS, N_POSITIVE, 40 - N_POSITIVE, 80)
    assert understood.label == "label"
    json.dumps(understood.as_dict())


@pytest.mark.parametrize("case", MEANINGS)
def test_classifiers_are_told_what_was_understood(case):
    column, asked, (negative, positive, _) = MEANINGS[case]
    fitted = fit_table(FRAME.assign(label=inferred(column)), "label", tune=False, **asked)
    assert fitted.ranker.classes_.tolist() == [negative, positive]
    assert fitted.model.record["rows"] == {"positive": N_POSITIVE, "negative": 40 - N_POSITIVE, "unlabeled": 80}
    assert fitted.path is None
    scores = fitted.ranker.decision_function(FRAME)
    assert scores[IS_POSITIVE].mean() > scores[~IS_POSITIVE].mean()


def test_one_class_that_is_named():
    column = labels(None, 1)
    for asked in ({"positive": 1}, {"positive": "1"}):
        understood = TableFit(FRAME.assign(label=inferred(column)), "label", **asked).understood
        assert (understood.positive, understood.n_negative, understood.n_unlabeled) == (1, 0, N_ROWS - N_POSITIVE)
    fitted = fit_table(FRAME.assign(label=inferred(column)), "label", positive=1, tune=False)
    assert fitted.model.record["rows"]["negative"] == 0


THREE = pd.Series([0, 1, 2] * 40)
WRONG = {
    "one class": (
        labels(None, 1),
        {},
        r"Column 'label' must hold two classes, or one that positive names. Got 1.* only; .* pass '1",
    ),
    "one text": (
        labels(None, "yes"),
        {},
        "Got 'yes' only; label rows of the other class, or pass 'yes' as positive",
    ),
    "three classes": (THREE, {}, r"two classes, apart from blanks. Got 3 values \(0.*, 1.*, 2.*\); name"),
    "no such marker": (THREE, {"unlabeled": 7}, "unlabeled must be a value of the label col"),
    "-1 among four values": (pd.Series([-1, 0, 1, 2] * 30), {}, "Got 4 values"),
    "fractions": (pd.Series(X[:, 0]), {}, r"Got numbers with fractions, which are not classes \(.*, \.\.\.\); name"),
    "two fractions": (
        labels(0.5, 1.5),
        {},
        r"Got numbers with fractions, which are not classes \([01].5 in \d+ rows, [01].5",
    ),
    "all blank": (pd.Series([None] * N_ROWS, dtype=float), {}, "Column 'label' must .* Got blanks in all 120 rows"),
    "no such class": (
        labels("no", "yes"),
        {"positive": "maybe"},
        "positive must be a class of the label column. Got 'maybe'; choose among 'no', 'yes'",
    ),
    "text is not a number": (labels("no", "yes"), {"positive": 1}, "positive must be a class of"),
    "a boolean is not a number": (labels(False, True), {"positive": 1}, "positive must be a class of"),
    "the marker is no class": (labels(0, 1, -1), {"positive": -1}, "must be a class .* Got -1; choose among 0, 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_label_columns_that_cannot_be_meant(case):
    column, asked, sentence = WRONG[case]
    with pytest.raises(ValueError, match=sentence) as caught:
        TableFit(FRAME.assign(label=inferred(column)), "label", **asked)
    assert str(caught.value).endswith(".")


def test_labels_that_are_not_there():
    with pytest.raises(ValueError, match=r"Got 'labels', which does not exist; did you mean 'label'"):
        TableFit(FRAME.assign(label=labels(0, 1)), "labels")
    with pytest.raises(ValueError, match=r"^label must name the label column. Got none; choose among 's"):
        TableFit(FRAME)
    with pytest.raises(ValueError, match=r"row_id must name a column of the table. Got 'nr', which does not exist"):
        TableFit(FRAME.assign(label=labels(0, 1)), "label", row_id="nr")


# Columns that are set aside

WHOLE = FRAME.assign(
    key=np.arange(N_ROWS) * 3 % 7, patient=[f"p{row // 4}" for row in range(N_ROWS)], label=labels(0, 1).astype(float)
)


@pytest.fixture(params=[".csv", ".parquet"])
def path(request, tmp_path):
    path = tmp_path / f"rows{request.param}"
    if request.param == ".csv":
        WHOLE.to_csv(path, index=False)
    else:
        WHOLE.to_parquet(path)
    return path


def test_columns_that_are_set_aside_are_remembered(path, tmp_path):
    fitted = fit_table(path, "label", tmp_path / "a.model", row_id="key", group="patient")
    assert fitted.understood.name == str(path)
    assert fitted.path == tmp_path / "a.model"
    assert repr(fitted).endswith(f"saved as {str(tmp_path / 'a.model')!r}>")
    assert {column.name: column.role for column in fitted.understood.columns} == {
        "size": "",
        "age": "",
        "key": "row ID",
        "patient": "group",
        "label": "label",
    }
    loaded = load_model(tmp_path / "a.model")
    assert loaded.record["table"] == {"label": "label", "id": "key", "group": "patient"}
    assert list(loaded.schema.names) == ["size", "age"]
    # Whoever scores the same file is not told of columns that the model does not know: warnings are errors here.
    done = score_table(tmp_path / "a.model", path, tmp_path / "scores.csv", keep=["key"], probability=True)
    assert pd.read_csv(done)["key"].tolist() == WHOLE["key"].tolist()
    stranger = WHOLE.assign(more=1.0)
    with pytest.warns(UserWarning, match=r"not fitted on, and that are ignored: 'more'"):
        score_table(tmp_path / "a.model", stranger, tmp_path / "scores.csv")


def test_groups_are_those_of_the_classifier(path, tmp_path):
    fitted = fit_table(path, "label", tmp_path / "a.model", group="patient", drop=["key"], random_state=3)
    table = open_table(path, label="label", drop=["key", "patient"])
    table.X.roles = {"label": "label", "group": "patient"}
    asked = {"unlabeled": None, "random_state": 3}
    same = table_fit.S2AUCClassifierCV(**asked).fit(table.X, table.y, groups=WHOLE["patient"])
    assert (tmp_path / "a.model").read_bytes() == model_bytes(same, tmp_path)
    alone = table_fit.S2AUCClassifierCV(**asked).fit(table.X, table.y)
    assert fitted.ranker.cv_results_["mean_test_score"].tolist() != alone.cv_results_["mean_test_score"].tolist()


def test_a_labelled_row_without_a_group_is_named(tmp_path):
    frame = WHOLE.drop(columns="key")
    frame.loc[7, "patient"] = None
    with pytest.raises(ValueError, match=r"groups must name the group of every labelled row. Got None in row 7; give"):
        fit_table(frame, "label", group="patient")
    frame = WHOLE.drop(columns="key")
    frame.loc[100, "patient"] = None  # which is not labelled
    fit_table(frame, "label", group="patient")


def test_groups_need_a_search():
    with pytest.raises(ValueError, match=r"^group must be left out with tune=False, .* Got 'patient'; leave out one"):
        fit_table(WHOLE, "label", group="patient", tune=False)


def test_features_and_drop():
    assert open_names(features=["age"]) == ["age"]
    assert open_names(drop=["size", "patient"]) == ["age", "key"]
    assert open_names(features=["age", "key"], row_id="key") == ["age"]


def open_names(**asked):
    return [column.name for column in TableFit(WHOLE, "label", **asked).understood.columns if column.is_used]


def test_columns_that_say_nothing_are_told_and_not_warned_of():
    frame = WHOLE[["size", "age", "label"]].assign(same=1)
    fitted = fit_table(frame, "label", tune=False)
    (role,) = [column.role for column in fitted.understood.columns if column.name == "same"]
    assert role.startswith("ignored: ")
    assert "same" not in fitted.model.schema.names


# More unlabelled rows


def test_more_unlabelled_rows(tmp_path):
    parts = tmp_path / "parts"
    parts.mkdir()
    more = WHOLE.drop(columns=["label", "key"])
    more[:50].to_parquet(parts / "0.parquet")
    more[50:].to_parquet(parts / "1.parquet")
    files = sorted(map(str, parts.iterdir()))
    base = WHOLE.drop(columns="key")
    expected = None
    pools = [str(parts), [str(parts)], f"{parts}/*.parquet", [f"{parts}/0.*", files[1]], files, more, open_table(more)]
    # Labels of unlabelled rows are not looked at, and no columns to learn from.
    pools.append(base)
    for pool in pools:
        fitted = fit_table(base, "label", row_id="patient", unlabeled_table=pool, tune=False)
        assert fitted.understood.n_more_unlabeled == N_ROWS
        assert fitted.model.record["rows"]["unlabeled"] == 80 + N_ROWS
        scores = fitted.ranker.decision_function(FRAME)
        expected = scores if expected is None else expected
        np.testing.assert_array_equal(scores, expected)
    alone = fit_table(base, "label", row_id="patient", unlabeled_table=[], tune=False)
    assert alone.understood.n_more_unlabeled == 0
    assert not np.array_equal(alone.ranker.decision_function(FRAME), expected)


def test_unlabelled_rows_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"Got .*nowhere.parquet"):
        TableFit(WHOLE, "label", row_id="key", unlabeled_table=[str(tmp_path / "nowhere.parquet")])


# Files


def test_the_model_file_is_checked_before_the_table_is_read(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"Cannot save the model: there is no folder"):
        TableFit(tmp_path / "missing.csv", "label", tmp_path / "nowhere" / "a.model")
    with pytest.raises(IsADirectoryError, match=r"is a folder, name a file in it"):
        TableFit(tmp_path / "missing.csv", "label", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_sparse_files(tmp_path):
    y = np.where(IS_LABELED, IS_POSITIVE.astype(int), -1)
    dump_svmlight_file(X, y, str(tmp_path / "rows.svm"))
    fitted = fit_table(tmp_path / "rows.svm", path=tmp_path / "a.model", tune=False)
    assert (fitted.understood.label, fitted.understood.marker, fitted.understood.columns) == (None, -1, ())
    assert fitted.understood.n_unlabeled == 80
    score_table(tmp_path / "a.model", tmp_path / "rows.svm", tmp_path / "scores.csv")
    assert len(pd.read_csv(tmp_path / "scores.csv")) == N_ROWS
    with pytest.raises(ValueError, match=r"must not be given for LIBSVM files"):
        TableFit(tmp_path / "rows.svm", "label")


def test_files_of_numpy(tmp_path):
    y = np.where(IS_LABELED, IS_POSITIVE.astype(float), np.nan)
    np.save(tmp_path / "rows.npy", np.column_stack([np.arange(N_ROWS) % 5, X, y]))
    fitted = fit_table(tmp_path / "rows.npy", "3", tmp_path / "a.model", row_id="0", tune=False)
    assert fitted.understood.n_unlabeled == 80
    assert fitted.model.n_columns == 2
    assert fitted.model.record["table"] == {"label": "3", "id": "0"}


def test_checkpoints_of_tables(path, tmp_path):
    asked = {"label": "label", "row_id": "key", "group": "patient"}
    expected = model_bytes(fit_table(path, **asked).ranker, tmp_path)
    for _ in range(2):
        fitted = fit_table(path, **asked, path=tmp_path / "a.model", checkpoint=tmp_path / "kept", n_jobs=1)
        assert (tmp_path / "a.model").read_bytes() == expected
    assert len(subfolders(tmp_path / "kept")) == 1
    assert "rows.kept" in items(tmp_path / "kept")
    assert fitted.seconds > 0


def test_stages_are_told(path):
    told = []
    with listening(lambda progress: told.append(progress.stage)):
        fit_table(path, "label", row_id="key", group="patient")
    assert list(dict.fromkeys(told)) == ["reading", "labels", "columns", "rows", "search", "judging", "done"]
