"""Models judged by rows with labels: the numbers of slow references, from every kind of rows; mistakes are told."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score, roc_auc_score

from model_samples import make_linear_part, make_model
from s2auc import S2AUCClassifier, evaluate_model, open_table
from s2auc.data.schema.schema import Schema
from s2auc.models.files.file import save_model
from s2auc.ranking.calibration import PlattScaling
from s2auc.ranking.intervals import delong_interval
from s2auc.ranking.reliability import judge_probabilities

N_ROWS = 240
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N_ROWS, 3))
NAMES = ("x0", "x1", "x2")
MODEL = make_model(
    parts=(make_linear_part(),),
    schema=Schema(3, {}, NAMES),
    probabilities=PlattScaling(slope=0.8, intercept=5.0),
)
SCORES = MODEL.decision_function(X)
TRUTH = SCORES + 2 * RNG.normal(size=N_ROWS) > np.median(SCORES)
IS_LABELED = RNG.random(N_ROWS) < 0.7
Y = np.where(IS_LABELED, TRUTH, np.nan)
FRAME = pd.DataFrame(X, columns=NAMES).assign(fraud=Y, id=[f"row {place}" for place in range(N_ROWS)])
LABELED_TRUTH, LABELED_SCORES = TRUTH[IS_LABELED], SCORES[IS_LABELED]
PU_RECORD = {"rows": {"positive": 9, "negative": 0, "unlabeled": 90}, "settings": {"unlabeled": -1}}


def without_names(**changes):
    return replace(MODEL, schema=Schema(3, {}), **changes)


def check_same_numbers(found, expected):
    assert found.as_dict() == expected.as_dict()


def top_by_sorting(truth, scores, n_top):
    """Return (positive rows, precision, recall, lift) of the highest scores, none of which are tied."""
    ranked = [label for _, label in sorted(zip(scores.tolist(), truth.tolist(), strict=True), reverse=True)]
    hits = sum(ranked[:n_top])
    return hits, hits / n_top, hits / sum(ranked), (hits / n_top) / (sum(ranked) / len(ranked))


def test_numbers_are_those_of_slow_references():
    found = evaluate_model(MODEL, FRAME, label="fraud", top=(0.1, 7, 0.5))
    assert (found.n_rows, found.n_unlabeled) == (N_ROWS, int((~IS_LABELED).sum()))
    assert (found.n_positive, found.n_negative) == (int(LABELED_TRUTH.sum()), int((~LABELED_TRUTH).sum()))
    assert found.auc.value == pytest.approx(roc_auc_score(LABELED_TRUTH, LABELED_SCORES))
    assert found.auc == delong_interval(LABELED_TRUTH, LABELED_SCORES)
    assert found.average_precision == pytest.approx(average_precision_score(LABELED_TRUTH, LABELED_SCORES))
    n_labeled = int(IS_LABELED.sum())
    for cut, n_top in zip(found.top, (math.ceil(0.1 * n_labeled), 7, math.ceil(0.5 * n_labeled)), strict=True):
        assert cut.n_rows == n_top
        expected = top_by_sorting(LABELED_TRUTH, LABELED_SCORES, n_top)
        assert (cut.n_positive, cut.precision, cut.recall, cut.lift) == pytest.approx(expected)
    assert sorted(zip(found.is_positive, found.scores, strict=True)) == sorted(
        zip(LABELED_TRUTH, LABELED_SCORES, strict=True)
    )


def test_calibration_is_that_of_plain_sums():
    found = evaluate_model(MODEL, X, Y).calibration
    probabilities = [1 / (1 + math.exp(-(0.8 * score + 5.0))) for score in LABELED_SCORES.tolist()]
    pairs = list(zip(probabilities, LABELED_TRUTH.tolist(), strict=True))
    assert found.brier == pytest.approx(sum((p - t) ** 2 for p, t in pairs) / len(pairs))
    assert found.log_loss == pytest.approx(-sum(math.log(p if t else 1 - p) for p, t in pairs) / len(pairs))
    assert found.mean_probability == pytest.approx(sum(probabilities) / len(pairs))
    assert found.share_positive == pytest.approx(sum(t for _, t in pairs) / len(pairs))
    ranked, first = sorted(pairs), 0
    assert len(found.bins) == 10
    for part in found.bins:
        members = ranked[first : first + part.n_rows]
        assert abs(part.n_rows - len(pairs) / 10) < 1
        assert part.n_positive == sum(t for _, t in members)
        assert part.share_positive == part.n_positive / part.n_rows
        assert part.mean_probability == pytest.approx(sum(p for p, _ in members) / part.n_rows)
        first += part.n_rows
    assert first == len(pairs)


@pytest.mark.parametrize("n_rows", [1, 2, 9, 10, 49, 50, 51])
def test_groups_of_like_probability_are_never_too_small_and_keep_ties_together(n_rows):
    is_positive = np.arange(n_rows) % 3 == 0
    assert [part.n_rows for part in judge_probabilities(is_positive, np.full(n_rows, 0.5)).bins] == [n_rows]
    spread = judge_probabilities(is_positive, np.linspace(0, 1, n_rows + 2)[1:-1]).bins
    assert len(spread) == max(1, min(10, n_rows // 5))
    assert min(part.n_rows for part in spread) >= min(5, n_rows)
    rounded = np.round(np.linspace(0.1, 0.9, n_rows), 1)
    means = [part.mean_probability for part in judge_probabilities(is_positive, rounded).bins]
    assert means == sorted(set(means))
    assert len(np.unique(rounded)) >= len(means)


def table_of(make):
    return lambda folder: {"table": make(folder), "label": "fraud"}


def sparse_file(folder):
    dump_svmlight_file(X[IS_LABELED], LABELED_TRUTH.astype(int), str(folder / "rows.svm"), zero_based=True)
    return folder / "rows.svm"


def matrix_file(folder):
    np.save(folder / "rows.npy", np.column_stack([X, Y]))
    return folder / "rows.npy"


def written(kind):
    def write(folder):
        getattr(FRAME, f"to_{kind}")(folder / f"rows.{kind}", index=False)
        return folder / f"rows.{kind}"

    return write


SOURCES = {
    "csv": table_of(written("csv")),
    "parquet": table_of(lambda folder: str(written("parquet")(folder))),
    "parquet pattern": table_of(lambda folder: str(written("parquet")(folder).with_name("*.parquet"))),
    "pandas": table_of(lambda folder: FRAME),
    "pandas index": table_of(lambda folder: FRAME.set_index(np.arange(N_ROWS)[::-1])),
    "polars lazy": table_of(lambda folder: pl.from_pandas(FRAME).lazy()),
    "open table": lambda folder: {"table": open_table(FRAME, label="fraud")},
    "open table without label": lambda folder: {"table": open_table(FRAME, drop=["fraud"]), "y": Y},
    "columns of a table": lambda folder: {
        "table": open_table(FRAME, label="fraud", drop=["id"]).X,
        "y": open_table(FRAME, label="fraud").y,
    },
    "file with y": lambda folder: {"table": written("parquet")(folder), "y": Y},
    "frame with y": lambda folder: {"table": FRAME[["x2", "x0", "x1"]], "y": FRAME["fraud"]},
    "array": lambda folder: {"table": X, "y": Y},
    "lists": lambda folder: {"table": X.tolist(), "y": [None if np.isnan(label) else bool(label) for label in Y]},
    "numpy file": lambda folder: {"table": matrix_file(folder), "label": "3"},
}


@pytest.mark.parametrize("kind", SOURCES)
def test_rows_may_come_from_anywhere(kind, tmp_path):
    model = without_names() if kind == "numpy file" else MODEL
    check_same_numbers(evaluate_model(model, **SOURCES[kind](tmp_path)), evaluate_model(MODEL, X, Y))


def test_sparse_rows():
    found, expected = evaluate_model(MODEL, csr_array(X), Y), evaluate_model(MODEL, X, Y)
    assert found.auc.value == pytest.approx(expected.auc.value, rel=1e-12)
    assert found.calibration.log_loss == pytest.approx(expected.calibration.log_loss, rel=1e-12)


def test_files_that_hold_labels_need_not_be_asked_for_them(tmp_path):
    found = evaluate_model(without_names(), sparse_file(tmp_path))
    expected = evaluate_model(MODEL, X[IS_LABELED], LABELED_TRUTH)
    assert found.auc.value == pytest.approx(expected.auc.value)
    with pytest.raises(ValueError, match=r"^Labels must come from one place\. Got y and those of X; leave one out\.$"):
        evaluate_model(without_names(), sparse_file(tmp_path), LABELED_TRUTH)


def test_models_may_be_classifiers_and_files(tmp_path):
    ranker = S2AUCClassifier(max_iter=5, n_frequencies=8, random_state=0).fit(X, np.where(IS_LABELED, TRUTH, -1))
    ranker.save(tmp_path / "ranker.model")
    found = evaluate_model(ranker, X, Y)
    assert found.auc.value == pytest.approx(ranker.score(X, Y))
    assert found.calibration is None
    check_same_numbers(evaluate_model(tmp_path / "ranker.model", X, Y), found)
    check_same_numbers(evaluate_model(str(tmp_path / "ranker.model"), X, np.where(IS_LABELED, TRUTH, -1)), found)


def test_rows_that_may_be_those_of_the_fit_are_told():
    ranker = S2AUCClassifier(max_iter=5, n_frequencies=8, random_state=0).fit(X, np.where(IS_LABELED, TRUTH, -1))
    assert evaluate_model(ranker, X, Y).may_flatter
    first = np.flatnonzero(IS_LABELED)[0]
    assert not evaluate_model(ranker, np.delete(X, first, axis=0), np.delete(Y, first)).may_flatter
    assert not evaluate_model(ranker, X, TRUTH).may_flatter
    assert not evaluate_model(MODEL, X, Y).may_flatter


@pytest.mark.parametrize("model", [MODEL, replace(MODEL, probabilities=None)])
def test_numbers_go_into_json(model):
    found = evaluate_model(model, X, Y, top=[np.int64(3), np.float32(0.25)])
    told = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert told == found.as_dict()
    assert told["auc_low"] < told["auc"] < told["auc_high"]
    assert told["level"] == 0.95
    assert [cut["cut"] for cut in told["top"]] == [3, 0.25]
    assert (told["calibration"] is None) == (model.probabilities is None)
    assert (
        repr(found)
        == f"<Evaluation: AUC {found.auc}, {found.n_positive} positive and {found.n_negative} negative rows>"
    )


def test_a_count_beyond_the_rows_is_all_of_them():
    (cut,) = evaluate_model(MODEL, X, Y, top=[10**6]).top
    assert (cut.cut, cut.n_rows, cut.recall, cut.lift) == (10**6, IS_LABELED.sum(), 1.0, 1.0)


def test_ties_at_the_cut_count_by_expectation():
    rows = np.repeat(X[:2][np.argsort(SCORES[:2])], 4, axis=0)
    (cut,) = evaluate_model(MODEL, rows, [0, 0, 0, 1, 0, 1, 0, 0], top=[2]).top
    assert (cut.n_positive, cut.precision, cut.recall, cut.lift) == (0.5, 0.25, 0.25, 1.0)


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        ([0, 1], TRUTH.astype(float)),
        ([0, 1], TRUTH),
        ([False, True], TRUTH.astype(np.int8)),
        (["ham", "spam"], np.where(TRUTH, "spam", "ham")),
        (["0", "1"], np.where(TRUTH, "1", "0")),
        ([3, 7], pd.Series(np.where(TRUTH, 7, 3), dtype="Int64")),
        ([b"a", b"b"], np.where(TRUTH, b"b", b"a")),
    ],
)
def test_classes_of_any_type(classes, labels):
    model = replace(MODEL, classes=np.array(classes))
    check_same_numbers(evaluate_model(model, X, labels), evaluate_model(MODEL, X, TRUTH))


@pytest.mark.parametrize(
    ("classes", "column", "sentence"),
    [
        (
            ["0", "1"],
            TRUTH.astype(int),
            r"classes \['0', '1'\] \(text\) .*, got \d \(number\): convert the labels to text",
        ),
        ([0, 1], np.where(TRUTH, "1", "no"), r"\(number\) .*, got '\w+' \(text\): convert the labels to number"),
        (
            [0, 1],
            TRUTH + 4,
            r"^Column 'fraud' should hold the classes \[0, 1\] and unlabelled rows only, got \d: leave",
        ),
    ],
)
@pytest.mark.parametrize("record", [{}, PU_RECORD])
def test_labels_that_are_no_classes(classes, column, sentence, record):
    model = replace(MODEL, classes=np.array(classes), record=record)
    with pytest.raises(ValueError, match=sentence):
        evaluate_model(model, FRAME.assign(fraud=column), label="fraud")


def test_text_of_a_label_column_is_what_it_stands_for():
    """As the cells of a file are: all of them numbers, or all booleans."""
    expected = evaluate_model(MODEL, X, TRUTH)
    for positive, negative in (("1", "0"), ("1.0", "0.0"), ("True", "False"), (" 1", "0 ")):
        labels = np.where(TRUTH, positive, negative)
        check_same_numbers(evaluate_model(MODEL, FRAME.assign(fraud=labels), label="fraud"), expected)
    with pytest.raises(ValueError, match=r"\(number\) .*, got '\d' \(text\): convert the labels to number"):
        evaluate_model(MODEL, X, np.where(TRUTH, "1", "0"))


def test_without_negative_rows_in_the_fit_another_label_is_negative():
    model = replace(MODEL, classes=np.array(["not spam", "spam"]), record=PU_RECORD)
    check_same_numbers(evaluate_model(model, X, np.where(TRUTH, "spam", "eggs")), evaluate_model(MODEL, X, TRUTH))
    with pytest.raises(ValueError, match=r"got '(eggs|ham)'"):
        evaluate_model(model, X, np.where(TRUTH, "spam", np.where(X[:, 0] > 0, "eggs", "ham")))
    with pytest.raises(ValueError, match="got 'eggs'"):
        evaluate_model(replace(model, record={}), X, np.where(TRUTH, "spam", "eggs"))


def test_the_marker_of_the_fit_is_no_label_unless_it_is_a_class():
    marked = np.where(IS_LABELED, TRUTH, -1)
    with_marker = replace(MODEL, record={"settings": {"unlabeled": -1}})
    check_same_numbers(evaluate_model(with_marker, X, marked), evaluate_model(MODEL, X, Y))
    with pytest.raises(ValueError, match="got -1"):
        evaluate_model(MODEL, X, marked)
    for classes in ([0, 1], [False, True]):
        positive_unlabeled = PU_RECORD | {"settings": {"unlabeled": 0}}
        model = replace(MODEL, classes=np.array(classes), record=positive_unlabeled)
        check_same_numbers(evaluate_model(model, X, TRUTH.astype(int)), evaluate_model(MODEL, X, TRUTH))


@pytest.mark.parametrize("record", [{}, {"settings": {}}, {"settings": {"unlabeled": [1]}}, {"rows": {}}])
def test_records_may_lack_any_entry(record):
    check_same_numbers(evaluate_model(replace(MODEL, record=record), X, Y), evaluate_model(MODEL, X, Y))


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (
            np.full(N_ROWS, np.nan),
            r"Got 0 positive and 0 negative rows, and 240 that are missing; add rows of the missin",  # codespell:ignore
        ),
        (
            np.ones(N_ROWS),
            r"^The AUC needs at least 2 labelled rows of each class\. Got 240 positive and 0 negative row",
        ),
        (np.arange(N_ROWS) > 0, r"Got 239 positive and 1 negative rows; label more rows\.$"),
        (Y[:-1], r"X has 240 rows and y has 239; pass one label per row"),
    ],
)
def test_too_few_labels(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        evaluate_model(MODEL, X, y)


def test_only_labelled_rows_are_scored(monkeypatch):
    seen = []
    monkeypatch.setattr(type(MODEL), "score_rows", lambda model, rows: seen.append(rows) or rows[:, 0])
    evaluate_model(MODEL, FRAME, label="fraud")
    np.testing.assert_array_equal(np.concatenate(seen), X[IS_LABELED])


MISTAKES = {
    "share of one": (
        {"top": [1.0]},
        ValueError,
        r"'top' parameter of evaluate_model must be a list of which every entry is",
    ),
    "zero rows": ({"top": [0]}, ValueError, r"an int >= 1 or a float in the range \(0, 1\)\. Got \[0\] instead"),
    "one number": ({"top": 0.1}, ValueError, r"must be a list .* Got 0\.1 instead"),
    "no labels": (
        {"y": None},
        ValueError,
        r"^The rows to evaluate on must have labels\. Got none; pass y, or",
    ),
    "labels twice": (
        {"label": "fraud"},
        ValueError,
        r"^Labels must come from one place\. Got y and label; leave one out\.$",
    ),
    "labels of the table twice": (
        {"table": open_table(FRAME, label="fraud")},
        ValueError,
        r"^Labels must come from one place\. Got y and the label column of X; leave one out\.$",
    ),
    "table without label": (
        {"table": open_table(FRAME), "y": None},
        ValueError,
        r"Got none; open the table with label\.$",
    ),
    "path without label": (
        {"table": "rows.csv", "y": None},
        FileNotFoundError,
        "where there is none; correct the path",
    ),
    "unknown column": (
        {"table": FRAME, "y": None, "label": "frau"},
        ValueError,
        r"which does not exist; did you mean 'fraud'\?",
    ),
    "scored column": (
        {"table": FRAME, "y": None, "label": "x1"},
        ValueError,
        r"^label must not name a feature of the model\. Got 'x1'; name another\.$",
    ),
    "list of labels": (
        {"table": FRAME, "y": None, "label": ["fraud"]},
        TypeError,
        r"must be the name of a column or None\. G",
    ),
    "missing column": (
        {"table": FRAME.drop(columns="x1"), "y": None, "label": "fraud"},
        ValueError,
        r"X must have the columns that the model was fitted on\. Missing: 'x1'; add them",
    ),
    "unfitted": ({"model": S2AUCClassifier()}, NotFittedError, "not fitted yet"),
    "no model": (
        {"model": 3},
        TypeError,
        r"'model' parameter of evaluate_model must be a fitted classifier .* Got int",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_told_before_rows_are_scored(case, monkeypatch):
    changes, kind, sentence = MISTAKES[case]
    monkeypatch.setattr(type(MODEL), "score_rows", lambda *_: pytest.fail("rows were scored"))
    given = {"model": MODEL, "table": X, "y": Y} | changes
    with pytest.raises(kind, match=sentence):
        evaluate_model(given.pop("model"), given.pop("table"), **given)


def test_a_text_file_without_label_is_not_read(tmp_path):
    (tmp_path / "rows.csv").write_text("not,a\ntable")
    with pytest.raises(ValueError, match=r"must have labels\. Got none; name the label column in label\.$"):
        evaluate_model(MODEL, tmp_path / "rows.csv")


def test_a_model_file_that_is_none(tmp_path):
    save_model(MODEL, tmp_path / "a.model")
    with pytest.raises(FileNotFoundError):
        evaluate_model(tmp_path / "b.model", X, Y)
