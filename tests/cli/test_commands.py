"""Every command: what it prints for people and for machines, and how little where it is told to be quiet."""

import json
import warnings
from pathlib import Path

import pytest

from command_runs import one_line
from s2auc import evaluate_model
from s2auc.__main__ import main
from s2auc.cli.runs import command

COMMANDS = {
    "fit": ["fit", "claims.csv", "--label", "fraud", "--id", "id", "--no-tune"],
    "score": ["score", "model.safetensors", "claims.csv", "-o", "scores.csv"],
    "evaluate": ["evaluate", "model.safetensors", "checked.csv"],
    "inspect": ["inspect", "model.safetensors"],
    "info": ["info"],
}
"""One use of each command; the demonstration has a file of its own."""


@pytest.fixture(autouse=True)
def files(small, tmp_path):
    for path in small.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_one_document_and_nothing_else(name, capsys):
    assert main([*COMMANDS[name], "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found = json.loads(one_line(out))
    assert found["warnings"] == []
    assert "\x1b" not in out


@pytest.mark.parametrize("name", COMMANDS)
def test_quiet_commands_print_nothing(name, capsys):
    assert main([*COMMANDS[name], "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_gets_whole_lines_without_colours(name, capsys):
    assert main(COMMANDS[name]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out
    assert "…" not in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_fit_says_what_it_understood_and_what_comes_next(capsys):
    assert main([*COMMANDS["fit"], "-o", "my model.safetensors"]) == 0
    out = capsys.readouterr().out
    for line in (
        "claims.csv: 300 rows, 7 columns",
        "  4  numbers     size, age, weight, height",
        "  1  categories  city",
        "  id     row ID",
        "  fraud  label",
        "  260  unlabelled (blank)",
        "Next: s2auc score 'my model.safetensors' claims.csv --top 100 --keep id -o top.csv",
    ):
        assert line in out.splitlines()
    assert Path("my model.safetensors").exists()


def test_results_of_a_fit_for_machines(capsys):
    assert main([*COMMANDS["fit"], "--json", "--unlabeled", "checked.csv", "--drop", "age"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["path"] == "model.safetensors"
    assert found["table"]["n_rows"] == 300
    assert found["table"]["n_more_unlabeled"] == 300
    assert found["table"]["positive"] == "yes"
    assert found["model"]["columns"] == ["size", "weight", "height", "city"]
    assert found["model"]["table"] == {"label": "fraud", "id": "id"}


def test_results_of_an_evaluation_are_those_of_the_library(small, capsys):
    expected = evaluate_model(small.model, small.test, label="fraud", top=[7]).as_dict()
    assert main([*COMMANDS["evaluate"], "--json", "--top", "7"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.pop("warnings") == found.pop("figures") == []
    assert found == json.loads(json.dumps(expected))
    assert 0.5 < found["auc"] < 1


def test_an_evaluation_for_people_draws_figures(capsys):
    assert main([*COMMANDS["evaluate"], "--top", "7", "--top", "5%", "--figures", "pictures"]) == 0
    out = capsys.readouterr().out
    assert {path.name for path in Path("pictures").iterdir()} == {"roc.png", "precision_recall.png", "calibration.png"}
    assert "\nAUC 0." in out
    assert out.count("\n5 %") == out.count("\n7 ") == 1


def test_rows_that_a_model_was_fitted_on_are_warned_of(capsys):
    assert main(["evaluate", "model.safetensors", "claims.csv"]) == 0
    assert "Warning: There are just as many labels as the model was fitted on" in capsys.readouterr().err


def test_the_top_of_the_list_with_what_names_its_rows(capsys):
    assert main([*COMMANDS["score"], "--top", "1%", "--keep", "id,city", "--probability", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_written"] == 3
    head, *rows = Path("scores.csv").read_text().splitlines()
    assert head == '"id","city","row","score","probability"'
    scores = [float(row.split(",")[3]) for row in rows]
    assert scores == sorted(scores, reverse=True)


def test_scores_go_to_standard_output_and_sentences_do_not(capfdbinary):
    assert main(["score", "model.safetensors", "claims.csv", "-o", "-", "--keep", "id"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b'"id","score"\n"r0",')
    assert out.count(b"\n") == 301
    assert err.startswith(b"300 rows scored in ")


def test_warnings_are_lines_and_entries(capsys):
    moved = Path("claims.csv").read_text().replace("Rome", "Bonn").replace("Oslo", "Kyiv").replace("Lima", "Pisa")
    Path("claims.csv").write_text(moved)
    assert main([*COMMANDS["score"], "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert all(line.startswith("Warning: ") for line in err.splitlines())
    assert "'city'" in err
    assert main([*COMMANDS["score"], "--json"]) == 0
    out, again = capsys.readouterr()
    assert again == err
    assert [f"Warning: {warning}" for warning in json.loads(out)["warnings"]] == err.splitlines()


def test_deprecations_are_not_shown_to_users(capsys):
    class Deprecated(UserWarning, DeprecationWarning):
        """As pyparsing has one, which Matplotlib raises."""

    with command(False, False, False):
        warnings.warn("old", Deprecated, stacklevel=1)
        warnings.warn("new", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "Warning: new\n"


def test_inspect_tells_where_a_model_comes_from(capsys):
    assert main(COMMANDS["inspect"]) == 0
    out = capsys.readouterr().out
    assert "Columns          5, 1 of them categorical: size, age, weight, height, city\n" in out
    assert main([*COMMANDS["inspect"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == {"positive": 19, "negative": 21, "unlabeled": 260}
