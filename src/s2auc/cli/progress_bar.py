"""What a terminal shows while a command works: the stage, how much of it is done, the AUC so far, the time left."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskID, TextColumn

from s2auc.cli.screen import Screen
from s2auc.cli.text import clean, show_seconds
from s2auc.common.progress import Progress as WorkDone
from s2auc.common.progress import listening

STAGES = {
    "reading": "Reading the table",
    "labels": "Reading labels",
    "columns": "Looking at columns",
    "rows": "Gathering rows",
    "search": "Trying settings",
    "steps": "Making steps",
    "judging": "Judging the choice",
    "scoring": "Scoring rows",
    "method": "Training",
}
"""The stages of work in the words of users."""


@contextmanager
def progress_bar(screen: Screen) -> Iterator[None]:
    """Show how work gets on while the block runs, if somebody looks; the bar is gone afterwards."""
    if not screen.shows_progress:
        yield
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[state]}"),
        console=screen.errors,
        transient=True,
        expand=True,
    )
    with bar:
        task = bar.add_task("Starting", total=None, state="")
        with listening(lambda done: _show(bar, task, done)):
            yield


def _show(bar: Progress, task: TaskID, done: WorkDone) -> None:
    name = STAGES.get(done.stage)
    if name is None:
        return
    if done.stage == "method":
        name = f"{name} {clean(done.detail)}"
    words = []
    if done.n_done is not None and done.n_all is not None:
        words.append(f"{done.n_done:,} of {done.n_all:,}")
    if done.auc is not None:
        words.append(f"best AUC {done.auc:.3f}" if done.stage == "search" else f"AUC {done.auc:.3f}")
    if done.seconds_left is not None and done.seconds_left >= 1:
        words.append(f"{show_seconds(done.seconds_left)} left")
    bar.update(task, description=name, completed=done.n_done or 0, total=done.n_all, state=", ".join(words))
