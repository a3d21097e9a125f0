"""The command line: output, exit codes, one line for every mistake, light help."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import s2auc
import s2auc.experiments.demo as demo_module
import s2auc.kernels.versions as versions_module
from s2auc.__main__ import main

HEAVY = ("numpy", "scipy", "sklearn", "matplotlib", "pandas")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch, tmp_path):
    for name in ("FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def quick_demo(monkeypatch, demo_result):
    monkeypatch.setattr(demo_module, "run_demo", lambda data, report: report("a method") or demo_result)


@pytest.fixture
def no_training(monkeypatch):
    def never(*_, **__):
        raise AssertionError("training must not start")

    monkeypatch.setattr(demo_module, "run_demo", never)


def run_python(*arguments):
    surroundings = os.environ | {"PYTHONPATH": str(Path(s2auc.__file__).parents[1])}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=surroundings)


def one_line(text):
    assert text.endswith("\n")
    assert text.count("\n") == 1
    return text


def test_demo_runs_from_two_labels_to_files(monkeypatch, capsys, tmp_path):
    run_demo = demo_module.run_demo
    monkeypatch.setattr(demo_module, "run_demo", lambda data, report: run_demo(data, max_iter=3, report=report))
    assert main(["demo", "--labels", "2"]) == 0
    assert "2 labelled and 1196 unlabelled rows to learn from, 599 test rows" in capsys.readouterr().out
    assert len(list((tmp_path / "s2auc-demo").iterdir())) == 2


def test_demo_prints_a_table_and_writes_figures(quick_demo, capsys, tmp_path):
    assert main(["demo", "--labels", "20", "--seed", "1", "--output", "out"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.isascii()
    assert "\x1b" not in out
    for name in ("s2auc, labels only", "QSG-S2AUC, one fit", "Label spreading", "Logistic regression", "Random forest"):
        assert name in out
    assert max(len(line.rstrip()) for line in out.splitlines() if line[:1] in "#123456" and line) <= 60
    assert "The unlabelled rows " in out
    assert f"Seed 1; s2auc {s2auc.__version__}, numpy {version('numpy')}" in out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["roc.png", "training.png"]
    assert "Figures: out/roc.png and out/training.png" in out.replace("\\", "/")


def test_demo_in_a_narrow_pipe_cuts_nothing(quick_demo, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["demo", "--labels", "20"]) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert "Logistic regression" in out


def test_demo_without_matplotlib_still_prints_the_table(quick_demo, capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["demo", "--labels", "20"]) == 0
    out, err = capsys.readouterr()
    assert "pip install 's2auc[plot]'" in one_line(err)
    assert "QSG-S2AUC" in out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--labels", "1"], "from 2 (one of each class) to 1197"),
        (["--labels", "5000"], "but it is 5000"),
        (["--labels", "many"], "--labels"),
        (["--seed", "-1"], "seed must be an integer from 0"),
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


def test_unknown_command(capsys):
    assert main(["dem"]) == 2
    assert "'dem'" in one_line(capsys.readouterr().err)


def test_figure_that_cannot_be_written(quick_demo, capsys, tmp_path):
    (tmp_path / "out" / "roc.png").mkdir(parents=True)
    assert main(["demo", "--labels", "20", "--output", "out"]) == 1
    out, err = capsys.readouterr()
    assert "QSG-S2AUC" in out
    assert "could not be written" in one_line(err)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["roc.png"]


def test_interrupted_training_writes_nothing(capsys, monkeypatch, tmp_path):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo_module, "run_demo", interrupted)
    assert main(["demo"]) == 130
    assert one_line(capsys.readouterr().err) == "Interrupted: nothing was written.\n"
    assert not list(tmp_path.iterdir())


def test_interrupted_writing_names_what_was_written(quick_demo, capsys, monkeypatch):
    import s2auc.common.output as output_module

    write_file = output_module.write_file

    def interrupted(path, content):
        if path.name != "roc.png":
            raise KeyboardInterrupt
        write_file(path, content)

    monkeypatch.setattr(output_module, "write_file", interrupted)
    assert main(["demo", "--labels", "20", "--output", "out"]) == 130
    assert capsys.readouterr().err.replace("\\", "/") == "Interrupted: wrote out/roc.png.\n"


def test_help_is_light():
    commands = [["--help"], ["demo", "--help"], ["info", "--help"], ["--version"], []]
    code = f"""
import sys
from s2auc.__main__ import main
for arguments in {commands}:
    code = main(arguments)
    print(f"\\f{{code}}", *sorted(set(sys.modules) & set({HEAVY})), end="\\f")
"""
    ended = run_python("-c", code)
    assert (ended.returncode, ended.stderr) == (0, "")
    pieces = ended.stdout.split("\f")
    assert pieces[1::2] == ["0"] * len(commands)
    assert all("s2auc" in said for said in pieces[:-1:2])


def test_experiments_start_light():
    ended = run_python("-c", f"import sys, s2auc.experiments.__main__; print({{*{HEAVY}}} & set(sys.modules))")
    assert ended.stderr == ""
    assert "sklearn" not in ended.stdout
    assert "pandas" not in ended.stdout


def test_module_runs_as_a_program():
    ended = run_python("-m", "s2auc", "--version")
    assert (ended.returncode, ended.stdout) == (0, f"s2auc {s2auc.__version__}\n")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_is_named(capsys, monkeypatch, missing):
    monkeypatch.delitem(sys.modules, "s2auc.cli", raising=False)
    for name in [name for name in sys.modules if name.startswith(f"{missing}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["demo"]) == 1
    assert "pip install 's2auc[cli]'" in one_line(capsys.readouterr().err)


def test_info_and_show_versions_say_the_same(capsys):
    assert main(["info"]) == 0
    printed = capsys.readouterr().out
    s2auc.show_versions()
    assert capsys.readouterr().out == printed
    lines = dict(line.split(maxsplit=1) for line in printed.splitlines())
    assert lines["s2auc"] == s2auc.__version__
    assert lines["matplotlib"] == version("matplotlib")
    assert "philox" in printed
    assert "pytest" not in printed


def test_info_names_the_extra_that_is_missing(capsys, monkeypatch):
    def version_without_matplotlib(name):
        if name == "matplotlib":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(versions_module, "version", version_without_matplotlib)
    assert main(["info"]) == 0
    assert "pip install 's2auc[plot]'" in capsys.readouterr().out
