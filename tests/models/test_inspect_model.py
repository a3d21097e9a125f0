"""What a model tells about itself: all of its table, as JSON carries it, whatever its record holds."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given

from forged_files import ODD_RECORDS, is_sound
from model_samples import CLASSES, RECORD, make_golden_model, make_model
from s2auc import S2AUCClassifier, inspect_model
from s2auc.data.schema.schema import Schema
from s2auc.models.files.file import save_model
from s2auc.models.record import Record
from s2auc.models.summary import model_facts

BARE = {
    "fitted_by": None,
    "classes": [0, 1],
    "n_columns": 3,
    "columns": None,
    "n_categorical": 0,
    "texts": {},
    "left_out": [],
    "parts": {"cosines": 1},
    "n_numbers": 16,
    "has_probabilities": False,
    "threshold": 1 / 3,
    "held_out_auc": None,
    "table": {},
    "rows": None,
    "n_settings_tried": None,
    "n_settings_chosen": None,
    "chosen": [],
    "learning_curve": [],
    "learning_curve_sentence": None,
    "unlabeled": None,
    "shift": None,
    "settings": None,
    "versions": None,
    "seed": None,
}


def told(model):
    """Return what a model tells, once it is known to be JSON."""
    found = inspect_model(model)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return found


def test_a_record_is_told():
    assert told(make_golden_model()) == {
        "fitted_by": "S2AUCClassifierCV",
        "classes": ["no", "yes"],
        "n_columns": 7,
        "columns": list("abcdefg"),
        "n_categorical": 6,
        "texts": {},
        "left_out": [],
        "parts": {"cosines": 2, "kernels": 1},
        "n_numbers": 211,
        "has_probabilities": True,
        "threshold": -1 / 3,
        "held_out_auc": RECORD["held_out_auc"],
        "table": {},
        "rows": RECORD["rows"],
        "n_settings_tried": 2,
        "n_settings_chosen": 1,
        "chosen": [RECORD["settings_tried"][0] | {"share": None}],
        "learning_curve": [],
        "learning_curve_sentence": None,
        "unlabeled": RECORD["unlabeled"],
        "shift": RECORD["shift"],
        "settings": None,
        "versions": RECORD["versions"],
        "seed": 2**64 - 1,
    }


def test_without_a_record_the_model_itself_is_told():
    assert told(make_model()) == BARE


def test_classifiers_and_files_tell_the_same(tmp_path):
    ranker = S2AUCClassifier(max_iter=5, random_state=3).fit([[0.0], [1.0], [2.0]], ["a", "b", -1])
    save_model(ranker.model_, tmp_path / "a.model")
    found = told(ranker)
    assert found == told(ranker.model_) == told(tmp_path / "a.model")
    assert (found["seed"], found["settings"]["max_iter"], found["settings"]["unlabeled"]) == (3, 5, -1)
    assert "numpy" in found["versions"]


def test_chosen_settings_come_with_their_shares_the_largest_first():
    tried = [{"alpha": 0.1}, {"alpha": 1.0}, {"alpha": 10.0}]
    record = {"settings_tried": tried, "settings_chosen": [2, 0, 1], "shares": [0.2, 0.5, 0.3]}
    assert told(make_model(record=record))["chosen"] == [
        {"alpha": 0.1, "share": 0.5},
        {"alpha": 1.0, "share": 0.3},
        {"alpha": 10.0, "share": 0.2},
    ]
    del record["shares"]
    assert told(make_model(record=record))["chosen"][0] == {"alpha": 10.0, "share": None}


def test_points_of_a_learning_curve():
    point = {"n_labels": 40, "value": 0.8, "low": 0.7, "high": 0.9, "level": 0.95}
    record = {"learning_curve": [point], "learning_curve_sentence": "More labels helped."}
    found = told(make_model(record=record))
    assert (found["learning_curve"], found["learning_curve_sentence"]) == ([point], "More labels helped.")


@pytest.mark.parametrize("kind", CLASSES)
def test_classes_of_any_type(kind):
    negative, positive = told(make_model(classes=CLASSES[kind]))["classes"]
    if kind == "bytes":
        assert (negative, positive) == ("a\\xff", "b")
    else:
        assert [negative, positive] == CLASSES[kind].tolist()


def test_columns_that_were_left_out():
    schema = Schema(3, {}, names=("x", "y", "z"), left_out={1: "id"})
    found = told(make_model(schema=schema))
    assert (found["columns"], found["left_out"]) == (["x", "y", "z"], ["id"])


@given(ODD_RECORDS)
def test_records_are_refused_or_told(record):
    assume(is_sound(record))
    found = told(make_model(record=record))
    assert found.keys() == BARE.keys()
    assert found["parts"] == {"cosines": 1}


@pytest.mark.parametrize("key", Record.__annotations__)
def test_any_entry_may_be_missing_or_is_refused_if_it_is_something_else(key):
    fewer = {name: value for name, value in RECORD.items() if name != key}
    if is_sound(fewer):  # no places among settings that are not there
        assert told(make_model(record=fewer))["classes"] == [0, 1]
    for value in ([], {}, "x", 7, True, [None], {"value": None}, float("nan"), 10**400, np.ones(2), {3: {1, 2}}, None):
        record = RECORD | {key: value}
        if is_sound(record):
            assert told(replace(make_golden_model(), record=record))["classes"] == ["no", "yes"]


def test_what_is_told_is_a_copy():
    model = make_golden_model()
    inspect_model(model)["versions"].clear()
    assert told(model)["versions"] == RECORD["versions"]


@pytest.mark.parametrize("model", [3, None, make_model])
def test_what_is_no_model(model):
    with pytest.raises(TypeError, match="The 'model' parameter of inspect_model must be a fitted classifier"):
        inspect_model(model)


def test_facts_can_be_printed():
    schema = Schema(3, {}, names=("\x1b[31mred", "\ud800", "naïve 東京"))
    facts = model_facts(make_model(schema=schema, record={"estimator": "two\nlines"}))
    assert facts == {
        "Fitted by": "two\\nlines",
        "Score": "1 part (cosines), 16 numbers",
        "Columns": "3: \\x1b[31mred, \\ud800, naïve 東京",
        "Classes": "0 (negative), 1 (positive)",
        "Probabilities": "no",
    }
