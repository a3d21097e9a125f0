"""Commands in a terminal: progress, windows that are narrow, and Ctrl-C at every stage."""

import re
import time

import pytest

from command_runs import surroundings
from s2auc.__main__ import main
from s2auc.cli.screen import Screen
from s2auc.common.progress import Progress, tell_progress
from terminals import Terminal, pty

needs_terminal = pytest.mark.skipif(pty is None, reason="no pseudo-terminals here")

WIDTH = 60
PATIENCE = 60.0
"""Maximum number of seconds from Ctrl-C to the end: many on a busy machine, few next to the minutes of a held stage."""


@pytest.fixture
def scratch(tmp_path):
    """The folder of temporary files of a command."""
    (tmp_path / "scratch").mkdir()
    return tmp_path / "scratch"


def fit_in_terminal(table, scratch, *more, **options):
    arguments = "fit", table, "--label", "fraud", "--id", "id", "-o", scratch.parent / "model.safetensors", *more
    return Terminal(*arguments, environment=surroundings(TMPDIR=str(scratch)), **options)


def interrupt(terminal, scratch):
    """Press Ctrl-C and return the one line that is said then."""
    pressed = time.monotonic()
    terminal.press_control_c()
    assert terminal.end() == 130
    assert time.monotonic() - pressed < PATIENCE
    assert not any("Traceback" in line or "rror" in line for line in terminal.lines)
    assert not list(scratch.iterdir())
    assert not (scratch.parent / "model.safetensors").exists()
    (said,) = (line for line in terminal.lines if line.startswith("Interrupted: "))
    assert [line for line in terminal.lines if line.strip()][-1] == said
    return said


def without_commands(lines):
    """Return lines but for commands to copy, which stay in one piece."""
    return [line for line in lines if not line.startswith(("Next: ", "s2auc fit "))]


@needs_terminal
def test_a_fit_in_a_narrow_window(whole_fit):
    lines = whole_fit.lines
    assert max(map(len, without_commands(lines))) <= WIDTH
    assert not any("…" in line for line in lines)
    assert any(re.match(r"Trying settings .* \d+ of \d+, best AUC 0\.\d{3}", line) for line in lines)
    assert any(line.startswith("AUC on rows held out: 0.") for line in lines)
    assert not whole_fit.left_behind


@pytest.mark.parametrize(
    ("done", "shown"),
    [
        (Progress("search", "a", 5, 37, 0.9, 125.0), "Trying settings .* 5 of 37, best AUC 0.900, 2 min 5 s left"),
        (Progress("steps", "a", 1000, 9000, 0.75, 7400.0), "Making steps .* 1,000 of 9,000, AUC 0.750, 2 h 3 min left"),
        (Progress("scoring", n_done=7, n_all=10, seconds_left=0.2), "Scoring rows .* 7 of 10"),
        (Progress("method", "\x1b[1mspread"), r"Training \\x1b\[1mspread .*"),
        (Progress("judging", "weights"), "Judging the choice .*"),
    ],
)
def test_progress_tells_stage_and_auc_and_time_left(done, shown, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "70")
    with Screen().progress():
        tell_progress(done)
    lines = Terminal.plain(capsys.readouterr().err.encode())
    assert any(re.fullmatch(f"{shown} *", line) for line in lines)
    assert max(map(len, lines)) <= 70


@pytest.mark.parametrize("silence", [{"is_quiet": True}, {"as_json": True}])
def test_progress_is_shown_to_those_who_look_only(silence, capsys, monkeypatch):
    with Screen().progress():
        tell_progress(Progress("judging"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Screen(**silence).progress():
        tell_progress(Progress("judging"))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", ["evaluate", "inspect", "wrong", "warned"])
def test_nothing_is_cut_in_a_narrow_window(command, small, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    moved = tmp_path / "moved.csv"
    moved.write_text(small.table.read_text().replace("Rome", "Bonn").replace("Oslo", "Kyiv").replace("Lima", "Pisa"))
    arguments = {
        "evaluate": ["evaluate", small.model, small.test],
        "inspect": ["inspect", small.model],
        "wrong": ["evaluate", small.model, small.test, "--label", "frau"],
        "warned": ["score", small.model, moved, "-o", "scores.csv"],
    }[command]
    assert main(list(map(str, arguments))) == (2 if command == "wrong" else 0)
    out, err = capsys.readouterr()
    lines = Terminal.plain((out + err).encode())
    assert max(map(len, lines)) <= WIDTH
    assert not any("…" in line for line in lines)
    words = {"evaluate": "Mean probability", "inspect": "interval", "wrong": "Error: ", "warned": "Warning: "}
    assert any(words[command] in line for line in lines)


BEFORE_THE_SEARCH = {"reading": "Reading the table ", "columns": "Looking at columns "}


@needs_terminal
@pytest.mark.parametrize("stage", BEFORE_THE_SEARCH)
def test_control_c_while_the_table_is_read(stage, small, scratch):
    with fit_in_terminal(small.table, scratch, held_at=stage) as terminal:
        terminal.wait_for(BEFORE_THE_SEARCH[stage])
        said = interrupt(terminal, scratch)
    assert said == "Interrupted: nothing was written; with --checkpoint FOLDER a run can go on where it was."


@needs_terminal
def test_control_c_in_the_search_and_then_while_the_choice_is_judged(small, scratch):
    work = scratch.parent / "work"
    kept = f"Interrupted: the same command goes on from what is kept in {work}."
    with fit_in_terminal(small.table, scratch, "--checkpoint", work, columns=200, held_at="search") as terminal:
        terminal.wait_for(", best AUC 0.")
        assert interrupt(terminal, scratch) == kept
    assert len(list(work.glob("*/entry-*"))) >= 1
    with fit_in_terminal(small.table, scratch, "--checkpoint", work, columns=200, held_at="judging") as terminal:
        terminal.wait_for("Judging the choice ")
        assert interrupt(terminal, scratch) == kept


@needs_terminal
def test_control_c_while_rows_are_scored(small, scratch):
    target = scratch.parent / "scores.csv"
    arguments = "score", small.model, small.table, "-o", target
    with Terminal(*arguments, environment=surroundings(TMPDIR=str(scratch)), held_at="scoring") as terminal:
        terminal.wait_for("Scoring rows ")
        assert interrupt(terminal, scratch) == "Interrupted: nothing was written."
    assert not target.exists()
    assert [path.name for path in scratch.parent.iterdir()] == ["scratch"]
