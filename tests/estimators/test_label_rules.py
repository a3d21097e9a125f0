"""Label columns with more than two values, and verdicts that are joined to rows by their IDs."""

import numpy as np
import pandas as pd
import pytest

from s2auc import evaluate_model, fit_table, join_labels, load_model, score_table
from s2auc.data.labels.labeled_rows import find_labeled_rows
from s2auc.data.tables.table import open_table
from s2auc.estimators.table_labels import read_table_labels

STATUS = ["fraud", "ok", "abuse", "open", None, "fraud", "ok", "ok"]
GRADES = [3, 7.5, 8, 5, None, 9, 7, 1]


def read(values, **options):
    column = open_table({"x": range(len(values)), "y": values}, label="y").y
    return read_table_labels(column, "y", **options)


@pytest.mark.parametrize(
    ("values", "options", "classes", "positive", "negative"),
    [
        (STATUS, {"positive": "fraud"}, ["not fraud", "fraud"], [0, 5], [1, 2, 3, 6, 7]),
        (STATUS, {"positive": "fraud", "ignored": ["open"]}, ["not fraud", "fraud"], [0, 5], [1, 2, 6, 7]),
        (STATUS, {"positive": "fraud", "negative": ["ok"]}, ["ok", "fraud"], [0, 5], [1, 6, 7]),
        (STATUS, {"positive": "fraud", "negative": ["ok", "abuse"]}, ["not fraud", "fraud"], [0, 5], [1, 2, 6, 7]),
        (STATUS, {"positive": "fraud", "ignored": ["open", "abuse"]}, ["ok", "fraud"], [0, 5], [1, 6, 7]),
        (GRADES, {"positive": ">=7"}, ["<7", ">=7"], [1, 2, 5, 6], [0, 3, 7]),
        (GRADES, {"positive": "< 5"}, [">=5", "<5"], [0, 7], [1, 2, 3, 5, 6]),
        (GRADES, {"positive": ">=7", "ignored": ["9"]}, ["<7", ">=7"], [1, 2, 6], [0, 3, 7]),
        ([0, 1, 2, 1], {"positive": "2"}, ["not 2", "2"], [2], [0, 1, 3]),
        (["1", "0", "9", "1"], {"ignored": ["9"]}, [0, 1], [0, 3], [1]),
        ([">50K", "<=50K", ">50K"], {"positive": ">50K"}, ["<=50K", ">50K"], [0, 2], [1]),
    ],
)
def test_two_classes_of_many_values(values, options, classes, positive, negative):
    found = read(values, **options).labels
    assert found.classes.tolist() == classes
    assert (found.positive.tolist(), found.negative.tolist()) == (positive, negative)


def test_values_that_are_passed_over_are_told():
    found = read(STATUS, positive="fraud", negative=["ok"], ignored=["open"])
    assert found.passed_over == {"abuse": 1, "open": 1}


@pytest.mark.parametrize(
    ("values", "options", "sentence"),
    [
        (
            STATUS * 2,
            {},
            r"Got 4 values \(.'ok' in 6 rows, 'fraud' in 4, .* as negative: positive='abuse'",
        ),
        ([0.5, 1.5, 2.5], {}, r"Got numbers with fractions.*; name another column in label, or .* positive='>=2.5'\."),
        ([3, 4, 5, 5, 6, 6, 6, 7, 8], {}, r"Got 6 values \(.6 in 3 rows, 5 in 2, .* as negative: positive='>=7'\."),
        (list("abcdefgh"), {}, r"Got 8 values .* in 1 row, .*; name another column in label\."),
        (STATUS, {"positive": "frud"}, r"positive must be a class of the label column. Got 'frud'; choose among"),
        (STATUS, {"positive": ">=3"}, r"positive must be a value of the label column, or compare its numbers"),
        (STATUS, {"positive": "fraud", "ignored": ["x"]}, r"ignore must be a value of the label column. Got 'x'"),
        (STATUS, {"negative": ["ok"]}, r"negative must be given with positive"),
        (STATUS, {"positive": "fraud", "negative": ["fraud"]}, r"negative must not name the positive class"),
    ],
)
def test_rules_that_cannot_be(values, options, sentence):
    with pytest.raises(ValueError, match=sentence.replace("(.", "(")):
        read(values, **options)


@pytest.mark.parametrize("values", [["yes"] * 10 + ["no"] * 6, [1] * 27 + [0] * 13])
def test_the_majority_at_the_top_is_told(values):
    told = rf"{values[0]!r} is ranked at the top, and most labelled rows have it \({values.count(values[0])} of "
    with pytest.warns(UserWarning, match=told):
        read(values)
    read(values, positive=values[0])


def test_numbers_have_an_order_that_is_no_accident():
    assert read([1] * 7 + [0] * 6).labels.n_positive == 7  # and no warning, which would be an error


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    size = rng.normal(size=300)
    status = np.select([size > 0.8, size > 0.5, size < -1], ["fraud", "abuse", "open"], "ok").astype(object)
    status[rng.random(300) < 0.5] = None
    return pd.DataFrame({"claim": np.arange(300) + 1000, "size": size, "noise": rng.normal(size=300), "status": status})


def test_a_model_remembers_the_rule(frame, tmp_path):
    options = {"positive": "fraud", "ignore": ["open"], "tune": False, "row_id": "claim"}
    fitted = fit_table(frame, "status", tmp_path / "m.safetensors", **options)
    assert fitted.understood.passed_over == (("open", int((frame["status"] == "open").sum())),)
    assert load_model(tmp_path / "m.safetensors").record["label_rule"]["ignored"] == ["open"]
    found = evaluate_model(tmp_path / "m.safetensors", frame, label="status")
    assert (found.n_positive, found.n_negative) == (
        (frame["status"] == "fraud").sum(),
        frame["status"].isin(["ok", "abuse"]).sum(),
    )
    assert found.auc.value > 0.9


def test_verdicts_are_those_of_a_label_column(frame, tmp_path):
    known = frame[frame["status"].isin(["ok", "fraud"])]
    verdicts = known[["claim", "status"]].rename(columns={"status": "verdict"}).sample(frac=1, random_state=0)
    verdicts.to_csv(tmp_path / "verdicts.csv", index=False)
    rows = frame.drop(columns="status")
    joined = fit_table(rows, labels=tmp_path / "verdicts.csv", row_id="claim", positive="fraud", tune=False)
    both = frame.assign(status=frame["status"].where(frame["status"].isin(["ok", "fraud"])))
    whole = fit_table(both, "status", row_id="claim", positive="fraud", tune=False)
    np.testing.assert_array_equal(
        joined.ranker.decision_function(rows.drop(columns="claim")),
        whole.ranker.decision_function(rows.drop(columns="claim")),
    )


def labels_of(*args, **options):
    found = find_labeled_rows(join_labels(*args, **options), None)
    return dict(zip(found.numbers.tolist(), found.values.tolist(), strict=True))


TABLE = {"id": ["a", "b", "c", "d"], "size": [1, 2, 3, 4], "old": ["yes", None, None, None]}
RICH = {
    "id": ["b", "c", "b", "z"],
    "verdict": ["no", "yes", "yes", "yes"],
    "time": ["2026-01-03", "2026-01-02", "2026-01-01", "2026-01-01"],
    "strategy": ["top", "random", "top", "top"],
    "reviewer": ["ann", "bob", "bob", "bob"],
}


@pytest.mark.filterwarnings("ignore:Row IDs")
def test_contradictions_and_who_wins():
    assert labels_of(TABLE, RICH, "id") == {2: "yes"}
    assert labels_of(TABLE, RICH, "id", latest_wins=True) == {1: "no", 2: "yes"}
    without_times = {name: column for name, column in RICH.items() if name != "time"}
    assert labels_of(TABLE, without_times, "id", latest_wins=True) == {1: "yes", 2: "yes"}
    assert labels_of(TABLE, {"id": ["a", "d"], "v": ["no", "no"]}, "id", label="old") == {3: "no"}
    assert labels_of(TABLE, {"id": ["a", "d"], "v": ["no", ""]}, "id", label="old", latest_wins=True) == {0: "no"}


def test_what_may_surprise_is_counted_and_named():
    table = {"id": ["a", "b", "c", "c", None], "size": range(5)}
    verdicts = {
        "id": ["b", "c", "b", "z", "a", "a", None, ""],
        "verdict": ["no", "yes", "yes", "yes", "no", "no", "yes", "yes"],
    }
    with pytest.warns(UserWarning, match="[Rr]ow ID") as caught:
        assert labels_of(table, verdicts, "id") == {0: "no", 2: "yes", 3: "yes"}
    assert [str(one.message) for one in caught] == [
        "Row IDs in labels that are not in the table: 1 ('z').",
        "Row IDs with the same verdict several times: 1 ('a'). It counts once.",
        "Row IDs with contradictory verdicts: 1 ('b'). "
        "These rows count as unlabelled; with latest_wins the latest verdict counts.",
        "Row IDs in labels that several rows have: 1 ('c'). The verdict counts for each row.",
        "Verdicts without a row ID, which are left out: 2.",
    ]


@pytest.mark.parametrize(
    "times",
    [
        ["2026-01-03T10:00:00Z", "2026-01-02T10:00:00Z", "2026-01-01T23:59:59.5Z"],
        ["2026-01-03", "2026-01-02T10:00:00", "2026-01-01 23:59"],
        ["3.1.2026", "14.12.2025", "13.12.2025"],  # as text the second and third would be the latest
        [10, 9, 8],
        ["10", "9", "8"],
        pd.to_datetime(["2026-01-03", "2026-01-02", "2026-01-01"]),
        ["2026-01-03", "", None],
    ],
)
@pytest.mark.filterwarnings("ignore:Row IDs")
def test_the_latest_verdict_is_that_of_the_latest_time(times):
    # The columns of a review page, in another order.
    file = {"verdict": ["no", "yes", "yes"], "time": times, "id": ["b"] * 3, "strategy": ["top"] * 3, "score": [1] * 3}
    assert labels_of(TABLE | {"claim": TABLE["id"]}, file, "claim", latest_wins=True) == {1: "no"}


@pytest.mark.filterwarnings("ignore:Row IDs")
def test_times_that_cannot_be_read():
    file = {"id": ["b", "b"], "verdict": ["no", "yes"], "time": ["soon", "later"]}
    assert labels_of(
        TABLE | {"y": [1, 0, 1, 0]}, {"id": ["a", "b"], "verdict": ["no", "yes"], "time": ["x", "y"]}, "id"
    )
    with pytest.raises(
        ValueError, match=r"Column 'time' must hold times in one spelling\. Got text such as 'soon'; write"
    ):
        join_labels(TABLE, file, "id", latest_wins=True)


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (
            {"id": ["x", "y"], "verdict": [1, 0]},
            r"labels must hold row IDs of the table. Got 'x', 'y'; check",
        ),
        (
            {"id": ["a"], "one": [1], "two": [2]},
            r"hold a column of row IDs and one of verdicts. Got 'id', 'one'",
        ),
        ({"id": ["a"]}, r"hold a column of row IDs and one of verdicts"),
    ],
)
def test_verdicts_that_cannot_be_joined(verdicts, sentence):
    with pytest.raises(ValueError, match=sentence):
        join_labels(TABLE, verdicts, "id")


def test_numbers_are_the_same_id_in_text():
    assert labels_of({"id": [11, 12], "x": [1, 2]}, {"id": ["12", "11"], "verdict": ["1", "0"]}, "id") == {0: 0, 1: 1}


def test_verdicts_need_ids(frame):
    with pytest.raises(ValueError, match=r"row_id must be given with labels\. Got none; name the column of row IDs"):
        fit_table(frame, labels={"claim": [1], "verdict": [1]})


@pytest.mark.filterwarnings("ignore:Row IDs")
def test_rows_with_a_verdict_are_not_listed(frame, tmp_path):
    fitted = fit_table(frame, "status", positive="fraud", row_id="claim", tune=False)
    rows = frame.drop(columns="status")
    every = pd.read_csv(score_table(fitted.ranker, rows, tmp_path / "all.csv", top=6))
    judged = join_labels(rows, {"claim": every["claim"][:3], "verdict": ["yes", "no", "yes"]}, "claim")
    rest = pd.read_csv(score_table(fitted.ranker, rows, tmp_path / "rest.csv", top=3, y=judged))
    pd.testing.assert_frame_equal(rest, every[3:].reset_index(drop=True))
    with pytest.raises(ValueError, match=r"y must be left out without top"):
        score_table(fitted.ranker, rows, tmp_path / "rest.csv", y=judged)
