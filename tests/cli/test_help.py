"""Help, versions, completion and the ways to start the program: light, and there even where extras are not."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import s2auc
import s2auc.kernels.versions as versions_module
from command_runs import one_line, run_command, surroundings
from s2auc.__main__ import main, program

COMMANDS = "fit", "score", "evaluate", "inspect", "demo", "info"
PURPOSES = "Labels", "Columns", "Reading tables", "How it works", "What is printed"
HEAVY = "numpy", "scipy", "sklearn", "matplotlib", "pandas", "pyarrow", "joblib", "safetensors"
LIGHT = (
    "import sys; from s2auc.__main__ import main; codes = [main(line.split()) for line in sys.argv[1:]];"
    f"sys.exit(' '.join(sorted(set(sys.modules) & set({HEAVY}))) or any(codes))"
)


def test_help_is_light():
    lines = ["--help", "--version", "", *(f"{name} --help" for name in COMMANDS)]
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, *lines], capture_output=True, text=True, check=False, env=surroundings()
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Usage: s2auc") == len(lines) - 1


def test_experiments_start_light():
    code = f"import sys, s2auc.experiments.__main__; print({{*{HEAVY}}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=surroundings())
    assert (done.returncode, done.stderr) == (0, "")
    assert "sklearn" not in done.stdout
    assert "pandas" not in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_and_fits_a_window(name, capsys):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Example" in out
    assert f"s2auc {name}" in out.partition("Example")[2]
    assert "--json" in out
    assert "\x1b" not in out
    assert "\\[" not in out  # as some versions of Typer escape defaults
    assert max(map(len, out.splitlines())) <= 80


def test_help_tells_exit_codes(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for code in ("0 done", "1 it could", "2 what was given", "130 interrupted", "141 nobody", "143 asked to end"):
        assert code in out
    assert all(f"  {name} " in out for name in COMMANDS)


def test_the_program_has_two_names(capsys, monkeypatch):
    done = run_command("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"s2auc {s2auc.__version__}\n", "")
    described = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert described["project"]["scripts"] == {"s2auc": "s2auc.__main__:program"}
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["s2auc", "nonsense"])
    with pytest.raises(SystemExit) as ended:
        program()
    assert ended.value.code == 2
    assert "'nonsense'" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize(("typed", "found"), [("s2auc ev", "evaluate"), ("s2auc fit --chec", "--checkpoint")])
def test_words_are_completed(typed, found):
    asked = {"_S2AUC_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = run_command(env=surroundings(**asked))
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [found], "")


def test_completion_can_be_shown():
    # Which shell it is for is found among the processes above it.
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m s2auc --show-completion; exit $?"],
        capture_output=True,
        text=True,
        check=False,
        env=surroundings(SHELL="/bin/bash"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "_S2AUC_COMPLETE=complete_bash" in done.stdout
    assert "complete -o default -F" in done.stdout


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_is_named(capsys, monkeypatch, missing):
    for name in [name for name in sys.modules if name.startswith((f"{missing}.", "s2auc.cli"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["info"]) == 1
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


def test_colours_follow_the_terminal_only(capsys, monkeypatch):
    for name in ("CLICOLOR", "COLORTERM"):
        monkeypatch.setitem(os.environ, name, "1")
    assert main(["fit"]) == 2
    assert main(["info"]) == 0
    assert "\x1b" not in "".join(capsys.readouterr())


def test_help_of_fit_fits_two_screens_with_an_example_per_group(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["fit", "--help"]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) <= 100
    examples, *groups = re.split(r"\n(?=[A-Z][a-z ]+:\n)", out.partition("Examples:")[2])
    named = dict(group.split(":\n", 1) for group in groups)
    assert [*named] == [
        "Arguments",
        "Options",
        "Labels",
        "Columns",
        "Reading tables",
        "How it works",
        "What is printed",
    ]
    for name in PURPOSES:
        options = set(re.findall(r"--[a-z-]+", named[name]))
        assert options & set(examples.split()), name
    assert "{" not in out
    assert "<" not in out.replace("'<", "")


@pytest.mark.parametrize("name", ["fit", "score", "evaluate", "report"])
def test_examples_are_commands(name, capsys):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    examples = [line.strip() for line in out.splitlines() if line.startswith(f"    s2auc {name} ")]
    known = set(re.findall(r"(?<!-)--?[a-z-]+", out.partition("Arguments:")[2]))
    assert examples
    for example in examples:
        words = {word for word in example.split() if re.fullmatch(r"--?[a-z-]+", word)}
        assert words <= known | {"-"}
