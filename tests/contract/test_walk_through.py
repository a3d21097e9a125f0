"""The walk-through of the command line is true: every command on the page runs, and prints what the page shows."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import s2auc
from s2auc.__main__ import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guide" / "command-line.md").read_text()
PROGRAM = re.search(r"```py\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)


def steps():
    """The commands of the page, each with the lines that it is shown to print."""
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, shown.splitlines()


def masked(line):
    """A line without its numbers, which other versions of libraries may change, and without the width of columns."""
    words = " ".join(re.sub(r"[+-]?\d[\d.,]*(e-\d+)?", "#", line).split())
    return words.replace("after # min # s", "after # s")


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """A function that runs a command in a folder of its own: `s2auc` in this process, pipes and others in a shell.

    `s2auc` and `python` are those of the tests.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "bin").mkdir()
    for name, start in {"s2auc": "-m s2auc", "python": ""}.items():
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {start} "$@"\n')
        script.chmod(0o755)
    surroundings = os.environ | {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(s2auc.__file__).parents[1]),
    }

    def run(command):
        name, *arguments = shlex.split(command)
        if name == "s2auc" and "|" not in arguments:
            code = main(arguments)
        else:
            code = subprocess.run(["bash", "-c", command], env=surroundings, check=False).returncode
        return code, *capfd.readouterr()

    return run


def test_every_command_of_the_page_runs_and_prints_what_is_shown(run, tmp_path, few_trees):
    (tmp_path / PROGRAM[1]).write_text(PROGRAM[2])
    commands = list(steps())
    assert len(commands) >= 10
    for command, shown in commands:
        code, out, err = run(command)
        assert (code, err) == (0, ""), command
        printed = [masked(line) for line in out.splitlines()]
        if "..." in shown:
            assert {masked(line) for line in shown if line != "..."} <= set(printed), command
        else:
            assert printed == [masked(line) for line in shown], command
    assert (tmp_path / "top.csv").read_text().count("\n") == 101
    assert len(list((tmp_path / "pictures").iterdir())) == 3
