"""How the entries of a grid are trained: on threads of this process, or by workers on other machines; in order."""

from collections.abc import Generator, Sequence
from time import perf_counter
from typing import TypeAlias

from s2auc.common.checkpoints import Checkpoint
from s2auc.common.crews import Crew
from s2auc.common.threads import map_in_order
from s2auc.search.entries.stored_entries import load_entry, save_entry
from s2auc.search.grids.grid import Entry, TrainedEntry
from s2auc.search.training import Training

EntryRun: TypeAlias = tuple[TrainedEntry, float | None]
"""A trained entry, and the seconds that it took; None if it was at hand."""


def run_entries(
    entries: Sequence[Entry], training: Training, checkpoint: Checkpoint | None = None, crew: Crew | None = None
) -> Generator[EntryRun]:
    """Yield entries as they are trained, in the order of the grid; those that a checkpoint has are taken from it.

    Parameters
    ----------
    entries, training
        What is trained, and with what.
    checkpoint
        Where entries are kept; None for nowhere.
    crew
        Who trains on other machines; None for threads of this process.
    """
    if crew is None:
        return map_in_order(lambda number: _kept_or_trained(entries, training, checkpoint, number), range(len(entries)))
    return _run_by_crew(entries, training, checkpoint, crew)


def _kept_or_trained(
    entries: Sequence[Entry], training: Training, checkpoint: Checkpoint | None, number: int
) -> EntryRun:
    found = None if checkpoint is None else load_entry(checkpoint, number)
    if found is not None:
        return found, None
    result = _timed(training, entries[number])
    if checkpoint is not None:
        save_entry(checkpoint, number, result[0])
    return result


def _run_by_crew(
    entries: Sequence[Entry], training: Training, checkpoint: Checkpoint | None, crew: Crew
) -> Generator[EntryRun]:
    at_hand = {} if checkpoint is None else {number: load_entry(checkpoint, number) for number in range(len(entries))}
    runs = crew.map_in_order(
        _timed, training, [entry for number, entry in enumerate(entries) if at_hand.get(number) is None]
    )
    try:
        for number in range(len(entries)):
            found = at_hand.get(number)
            if found is not None:
                yield found, None
                continue
            result = next(runs)
            if checkpoint is not None:
                save_entry(checkpoint, number, result[0])
            yield result
    finally:
        runs.close()


def _timed(training: Training, entry: Entry) -> tuple[TrainedEntry, float]:
    started = perf_counter()
    trained = entry.train(training)
    return trained, perf_counter() - started
