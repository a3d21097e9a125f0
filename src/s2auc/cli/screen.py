"""Printing: results on standard output, warnings, errors and progress on standard error."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Table
from rich.text import Text

from s2auc.cli.text import command_line, show_seconds
from s2auc.common.messages import printable
from s2auc.common.progress import Progress as WorkDone
from s2auc.common.progress import listening

FILE_WIDTH = 500
"""Columns of a file or a pipe, whose lines need not fit a window."""

STAGES = {
    "reading": "Reading the table",
    "labels": "Reading labels",
    "columns": "Looking at columns",
    "files": "Reading files for the checkpoint",
    "rows": "Gathering rows",
    "search": "Trying settings",
    "steps": "Making steps",
    "judging": "Judging the choice",
    "scoring": "Scoring rows",
    "method": "Training",
}
"""The stages of work in the words of users."""


class Screen:
    """Where a command prints.

    Parameters
    ----------
    as_json
        Whether results are printed for machines, once, in the end.
    is_quiet
        Whether only results for machines, warnings and errors are printed.
    output_is_taken
        Whether standard output holds data, so that sentences go to standard error.
    """

    def __init__(self, *, as_json: bool = False, is_quiet: bool = False, output_is_taken: bool = False) -> None:
        self.as_json, self.is_quiet = as_json, is_quiet
        self.errors = _console(is_error=True)
        self._output = _console(is_error=output_is_taken)
        self._warnings: list[str] = []

    @contextmanager
    def progress(self) -> Iterator[None]:
        """Show the progress of work on a terminal while the block runs; the bar is gone afterwards."""
        if not self.errors.is_terminal or self.is_quiet or self.as_json:
            yield
            return
        columns = TextColumn("{task.description}"), BarColumn(bar_width=None), TextColumn("{task.fields[state]}")
        with Progress(*columns, console=self.errors, transient=True, expand=True) as bar:
            task = bar.add_task("Starting", total=None, state="")
            with listening(lambda done: _show(bar, task, done)):
                yield

    def say(self, sentence: str = "", *, style: str = "") -> None:
        """Print a sentence for people: wrapped between words on a terminal, one line elsewhere."""
        if not (self.as_json or self.is_quiet):
            self._output.print(Text(printable(sentence), style=style), soft_wrap=not self._output.is_terminal)

    def say_next(self, *words: object) -> None:
        """Print a command to type next, in one line, so that it can be copied."""
        if not (self.as_json or self.is_quiet):
            self._output.print(Text(printable(f"Next: {command_line(*words)}")), soft_wrap=True)

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]], *, best: int | None = None) -> None:
        """Print a table for people; in a narrow window it folds and cuts nothing.

        Parameters
        ----------
        headings
            One a column, with ">" before those of columns of numbers; all of them may be empty.
        rows
            The cells.
        best
            The number of a row to stand out.
        """
        if self.as_json or self.is_quiet:
            return
        names = [heading.lstrip(">") for heading in headings]
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(names))
        for name, heading in zip(names, headings, strict=True):
            table.add_column(name, justify="right" if heading[:1] == ">" else "left", overflow="fold")
        for place, row in enumerate(rows):
            table.add_row(*(Text(printable(cell)) for cell in row), style="bold" if place == best else None)
        if self._output.is_terminal:
            self._output.print(table)
            return
        with self._output.capture() as captured:
            self._output.print(table)
        # In a file nobody needs the blanks that fill a column.
        for line in captured.get().splitlines():
            self._output.print(Text(line.rstrip()), soft_wrap=True)

    def warn(self, sentence: str) -> None:
        """Print a warning, once."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)
            self._complain("Warning", sentence, "yellow")

    def fail(self, sentence: str) -> None:
        """Print an error."""
        self._complain("Error", sentence, "red")

    def result(self, values: Mapping[str, Any]) -> None:
        """Print results for machines, with all warnings, if that is wanted."""
        if self.as_json:
            text = json.dumps({**values, "warnings": self._warnings}, ensure_ascii=False, allow_nan=False)
            # JSON escapes of characters that would steer a terminal, or turn the direction of text.
            shown = "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
            sys.stdout.write(f"{shown}\n")

    def _complain(self, word: str, sentence: str, style: str) -> None:
        text = Text.assemble((f"{word}: ", f"bold {style}"), printable(sentence))
        self.errors.print(text, soft_wrap=not self.errors.is_terminal)


def _show(bar: Progress, task: TaskID, done: WorkDone) -> None:
    name = STAGES.get(done.stage)
    if name is None:
        return
    if done.stage == "method":
        name = f"{name} {printable(done.detail)}"
    words = []
    if done.n_done is not None and done.n_all is not None:
        words.append(f"{done.n_done:,} of {done.n_all:,}")
    if done.auc is not None:
        words.append(f"best AUC {done.auc:.3f}" if done.stage == "search" else f"AUC {done.auc:.3f}")
    if done.seconds_left is not None and done.seconds_left >= 1:
        words.append(f"{show_seconds(done.seconds_left)} left")
    bar.update(task, description=name, completed=done.n_done or 0, total=done.n_all, state=", ".join(words))


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        # Rich would end the process with an exit code of its own.
        raise BrokenPipeError


def _console(*, is_error: bool) -> Console:
    console = _Console(stderr=is_error, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = FILE_WIDTH
    return console
