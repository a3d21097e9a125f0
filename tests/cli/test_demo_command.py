"""`s2auc demo`: from a table to figures, and what it says where something is missing or wrong."""

import json
import sys

import pytest

import s2auc
import s2auc.experiments.demo as demo_module
from command_runs import one_line
from demo_methods import fast_methods
from s2auc.__main__ import main

FILES = ["digits.csv", "model.safetensors", "roc.png", "test.csv", "training.png"]


@pytest.fixture
def quick_demo(monkeypatch, demo_result):
    """The comparison is at hand; the table is fitted, and figures are small."""
    monkeypatch.setattr("s2auc.common.figure_style._DOTS_PER_INCH", 10)
    monkeypatch.setattr(demo_module, "run_demo", lambda data, own: demo_result)
    with fast_methods():
        yield


@pytest.fixture
def no_training(monkeypatch):
    def never(*_, **__):
        raise AssertionError("training must not start")

    monkeypatch.setattr(demo_module, "run_demo", never)
    monkeypatch.setattr("s2auc.estimators.table_fit.S2AUCClassifierCV", never)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_demo_runs_from_two_labels_to_files(monkeypatch, capsys, tmp_path):
    run_demo = demo_module.run_demo
    monkeypatch.setattr(demo_module, "run_demo", lambda data, own: run_demo(data, own, max_iter=3))
    with fast_methods():
        assert main(["demo", "--labels", "2"]) == 0
    out, err = capsys.readouterr()
    assert all(line.startswith("Warning: ") for line in err.splitlines())
    assert "s2auc fit s2auc-demo/digits.csv --label five_or_above --id image -o s2auc-demo/model.safetensors\n" in out
    assert "  1,196  unlabelled (blank)\n" in out
    assert "AUC on rows held out: unknown: too few labels to hold rows out\n" in out
    assert "Beside other methods, on 599 test rows:\n" in out
    assert names_in(tmp_path / "s2auc-demo") == FILES
    # The commands that come next work.
    following = [line.split()[2:] for line in out.splitlines() if line.startswith("Next: s2auc")]
    assert [words[0] for words in following] == ["evaluate", "score"]
    assert main(following[0]) == 0


def test_demo_prints_a_table_and_writes_figures(quick_demo, capsys, tmp_path):
    assert main(["demo", "--labels", "20", "--seed", "1", "--output", "out"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.isascii()
    assert "\x1b" not in out
    for name in ("s2auc, labels only", "QSG-S2AUC, one fit", "Label spreading", "Logistic regression", "Random forest"):
        assert name in out
    assert "The unlabelled rows " in out
    assert f"Seed 1; s2auc {s2auc.__version__}, numpy " in out
    assert names_in(tmp_path / "out") == FILES
    assert "Figures: out/roc.png and out/training.png" in out.replace("\\", "/")


def test_demo_for_machines_and_in_silence(quick_demo, capsys):
    assert main(["demo", "--labels", "20", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(one_line(out))
    assert err == ""
    assert len(found["methods"]) == 6
    assert set(found) == {"methods", "gain_of_unlabeled_rows", "model", "figures", "seed", "warnings"}
    assert main(["demo", "--labels", "20", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_demo_without_matplotlib_still_prints_the_table(quick_demo, capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["demo", "--labels", "20"]) == 0
    out, err = capsys.readouterr()
    assert one_line(err).startswith("Warning: ")
    assert "pip install 's2auc[plot]'" in err
    assert "QSG-S2AUC" in out
    assert names_in(tmp_path / "s2auc-demo") == ["digits.csv", "model.safetensors", "test.csv"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--labels", "1"], "from 2 (one of each class) to 1197"),
        (["--labels", "5000"], "but it is 5000"),
        (["--labels", "many"], "--labels"),
        (["--seed", "-1"], "but it is -1; try 0."),
        (["--seed", str(2**40)], "seed must be an integer from 0"),
        (["--output", "taken"], "must be a folder, but taken is not one"),
        (["--output", "taken/deep"], "must be a folder"),
        (["--colour"], "--colour"),
        (["surplus"], "surplus"),
    ],
)
def test_mistakes_cost_one_line_and_exit_code_2(no_training, capsys, tmp_path, arguments, sentence):
    (tmp_path / "taken").write_text("mine")
    assert main(["demo", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: ")
    assert sentence in one_line(err)
    assert names_in(tmp_path) == ["taken"]


@pytest.mark.parametrize("taken", ["roc.png", "model.safetensors", "test.csv"])
def test_files_that_cannot_be_written(taken, quick_demo, capsys, tmp_path):
    (tmp_path / "out" / taken).mkdir(parents=True)
    assert main(["demo", "--labels", "20", "--output", "out"]) == 2
    said = one_line(capsys.readouterr().err)
    assert said.startswith("Error: Cannot ")
    assert f"{taken}' is a folder, name a file in it." in said
    assert "training.png" not in names_in(tmp_path / "out")


def test_interrupted_comparison_keeps_tables_and_model(quick_demo, capsys, monkeypatch, tmp_path):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo_module, "run_demo", interrupted)
    assert main(["demo", "--labels", "20"]) == 130
    said = one_line(capsys.readouterr().err)
    assert said == "Interrupted: figures were not drawn; what is done is in s2auc-demo.\n"
    assert names_in(tmp_path / "s2auc-demo") == ["digits.csv", "model.safetensors", "test.csv"]
