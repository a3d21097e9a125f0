"""Text columns on the command line."""

import json
import re

import numpy as np
import pytest

from command_runs import one_line
from s2auc import load_model
from s2auc.__main__ import main
from text_tables import make_text_table


@pytest.fixture
def table(tmp_path):
    frame, labels, _ = make_text_table(n_rows=300, n_labeled=40)
    frame["label"] = np.where(labels < 0, None, np.where(labels == 1, "spam", "ham"))
    frame["code"] = [f"{word}-{place % 3}" for place, word in enumerate(["red", "green"] * 150)]
    frame.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "rows.csv"


def fit(table, *more):
    return main(["fit", str(table), "--label", "label", "--positive", "spam", "-o", "m.safetensors", *more])


def test_texts_are_recognised_fitted_scored_and_inspected(table, fast_search, capsys):
    assert fit(table) == 0
    assert "note" in capsys.readouterr().out
    assert main(["score", "m.safetensors", str(table), "-o", "scores.csv"]) == 0
    capsys.readouterr()
    assert main(["inspect", "m.safetensors", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["texts"]["note"] > 100
    assert "note" in found["columns"]
    assert main(["export", "m.safetensors", "-o", "m.onnx"]) != 0
    assert "must hold no text" in capsys.readouterr().err


def test_columns_are_named_as_text(table, fast_search, capsys):
    assert fit(table, "--text", "note,code", "--min-text-rows", "2") == 0
    schema = load_model("m.safetensors").schema
    assert [source for source, _ in schema.texts.values()] == ["note", "code"]
    few = schema.columns()[0].text.vocabulary.n_terms
    assert fit(table, "--text", "note", "--min-text-rows", "9", "--no-tune") == 0
    assert load_model("m.safetensors").schema.columns()[0].text.vocabulary.n_terms < few


WRONG = {
    "unknown": (["--text", "nope"], "--text must name a column of the table.*'nope'"),
    "none": (["--min-text-rows", "0"], "--min-text-rows must be a whole number from 1. Got 0"),
    "twice": (["--text", "note", "--categorical", "note"], "must name other columns. Got 'note'"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_options_cost_one_line(options, message, table, capsys):
    assert fit(table, *options) != 0
    assert re.search(message, one_line(capsys.readouterr().err))
