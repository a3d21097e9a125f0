"""The walk-through of the command line is true: every command on the page runs, and prints what the page shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import s2auc

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
    return " ".join(re.sub(r"[+-]?\d[\d.,]*(e-\d+)?", "#", line).split())


@pytest.fixture
def shell(tmp_path):
    """A shell in a folder of its own, whose `s2auc` and `python` are those of the tests."""
    (tmp_path / "bin").mkdir()
    for name, start in {"s2auc": "-m s2auc", "python": ""}.items():
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {start} "$@"\n')
        script.chmod(0o755)
    surroundings = os.environ | {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(s2auc.__file__).parents[1]),
    }
    surroundings.pop("COLUMNS", None)

    def run(command):
        return subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
        )

    return run


def test_every_command_of_the_page_runs_and_prints_what_is_shown(shell, tmp_path):
    (tmp_path / PROGRAM[1]).write_text(PROGRAM[2])
    commands = list(steps())
    assert len(commands) >= 10
    for command, shown in commands:
        ended = shell(command)
        assert (ended.returncode, ended.stderr) == (0, ""), command
        printed = [masked(line) for line in ended.stdout.splitlines()]
        if "..." in shown:
            assert {masked(line) for line in shown if line != "..."} <= set(printed), command
        else:
            assert printed == [masked(line) for line in shown], command
    assert (tmp_path / "top.csv").read_text().count("\n") == 101
    assert len(list((tmp_path / "pictures").iterdir())) == 3
