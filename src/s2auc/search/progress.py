"""What a search tells while it runs: the stage it is in, what has been trained of all, and about how long is left."""

import logging
from collections.abc import Callable, Sequence
from time import perf_counter

from s2auc.common.progress import Progress, tell_progress
from s2auc.search.grids.grid import KERNEL_FUNCTIONS, TREES, Entry

QUIET_SECONDS = 2.0
"""Entries that are trained within so many seconds of the last line are told of only where everything is."""

logger = logging.getLogger("s2auc")


class SearchProgress:
    """The log of a search.

    Parameters
    ----------
    verbose
        0: for debugging only. 1: every stage, and entries at most every `QUIET_SECONDS`. 2 or more: every entry.
    wants_stop
        Asked after every entry: whether to leave the others out.
    clock
        Seconds since some moment.

    Examples
    --------
    >>> SearchProgress(verbose=1).stage("rows", "%d labelled ones read", 40)
    """

    def __init__(
        self,
        verbose: int = 0,
        wants_stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._verbose, self._wants_stop, self._clock = verbose, wants_stop, clock
        self._started = self._last_line = self._last_stage = clock()

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return self._clock() - self._started

    def stage(self, name: str, line: str, *values: object) -> None:
        """Tell of a stage, always with the seconds so far."""
        self._log(f"{name}: {line % values}, {self.seconds:.1f} s", is_wanted=self._verbose >= 1)
        self._last_stage = self._clock()
        tell_progress(Progress(name, line % values))

    def entry_done(self, entries: Sequence[Entry], seconds: Sequence[float | None], auc: float | None = None) -> bool:
        """Tell that one more entry is trained; return whether to stop.

        Parameters
        ----------
        entries
            All entries, in the order of their training.
        seconds
            What each of those that are done took by itself; None for those that were at hand.
        auc
            The highest mean AUC of a setting on folds so far, if known.
        """
        n_done, n_entries, name = len(seconds), len(entries), name_of(entries[len(seconds) - 1])
        left = seconds_left(entries, seconds, self._clock() - self._last_stage)
        tell_progress(Progress("search", name, n_done, n_entries, auc, left))
        is_due = n_done == n_entries or self._clock() - self._last_line >= QUIET_SECONDS
        trained = f"{n_done} of {n_entries} entries, the last {name}"
        line = f"search: {trained}, {self.seconds:.1f} s, about {left:.0f} s left"
        self._log(line, is_wanted=self._verbose >= 2 or (self._verbose == 1 and is_due))
        is_over = self._wants_stop()
        if is_over:
            self.stage("search", "stopped by a callback after %d of %d entries", n_done, n_entries)
        return is_over

    def _log(self, line: str, *, is_wanted: bool) -> None:
        logger.log(logging.INFO if is_wanted else logging.DEBUG, line)
        if is_wanted:
            self._last_line = self._clock()


def name_of(entry: Entry) -> str:
    """Return an entry in the words of users.

    Examples
    --------
    >>> from s2auc.data.features.scaling import ColumnView
    >>> from s2auc.search.entries.linear import LinearEntry
    >>> name_of(LinearEntry(ColumnView("standard"), (0.1,)))
    'standard linear'
    """
    setting = entry.settings[0]
    words = setting.parameters
    if setting.member != KERNEL_FUNCTIONS:
        member = "forest" if setting.member == TREES else setting.member
        return " ".join(str(word) for word in (words.get("scaling"), words.get("max_features"), member) if word)
    weighting = words["column_weighting"]
    return (
        f"{words['scaling']} {words['kernel']} {words['kernel_gamma']}"
        + ("" if weighting == "none" else f", columns by {weighting}")
        + (", neighbours" if entry.points is not None and entry.points.uses_neighbors else "")
    )


def kind_of(entry: Entry) -> tuple[str, str, bool]:
    """Return what entries that take about equally long have in common."""
    setting = entry.settings[0]
    weighting = str(setting.parameters.get("column_weighting", "none"))
    return setting.member, weighting, entry.points is not None and entry.points.uses_neighbors


def seconds_left(entries: Sequence[Entry], seconds: Sequence[float | None], elapsed: float) -> float:
    """Return about how long the other entries will take: as long as those of their kind did, or as all did.

    Parameters
    ----------
    entries, seconds
        All entries, and what each of those that are done took by itself, whatever ran beside it; None for those that
        were at hand, which tell nothing of the others.
    elapsed
        What those that are done took together.
    """
    trained = [(kind_of(entry), taken) for entry, taken in zip(entries, seconds, strict=False) if taken is not None]

    def expected(entry: Entry) -> float:
        alike = [taken for kind, taken in trained if kind == kind_of(entry)] or [taken for _, taken in trained]
        return sum(alike) / max(1, len(alike))

    work = sum(expected(entry) for entry in entries[len(seconds) :])
    return work * elapsed / max(sum(taken for _, taken in trained), 1e-9)
