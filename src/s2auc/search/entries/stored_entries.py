"""Trained entries in a checkpoint: kept as soon as they are trained, and found again by a run that goes on."""

from typing import Any

from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.models.parts.kinds import PLAIN_PARTS
from s2auc.search.entries.forest import N_TREES
from s2auc.search.grids.grid import TREES, Entry, TrainedEntry

COLUMN_BYTES = 16 * 1024
"""Of a column in an entry, at most: two numbers for each of the knots of its ranks, and what else is known of it."""


def load_entry(checkpoint: Checkpoint | None, number: int) -> TrainedEntry | None:
    """Return an entry of the grid, by its number, if a checkpoint has it."""
    found = None if checkpoint is None else checkpoint.load(_name(number))
    if found is None:
        return None
    words, arrays = found
    scores = arrays.pop("scores")
    numbers = {name: arrays.pop(f"settings.{name}") for name in words["numbers"]}
    common: Any = PLAIN_PARTS[words["kind"]].from_file(words["description"], arrays)
    return TrainedEntry(scores, common, numbers)


def save_entry(checkpoint: Checkpoint | None, number: int, trained: TrainedEntry) -> None:
    """Keep a trained entry in a checkpoint, if there is one and its parts are of a kind that files can hold."""
    part = trained.common
    kinds = [kind for kind, known in PLAIN_PARTS.items() if type(part) is known]
    if checkpoint is None or not kinds:
        return
    words = {"kind": kinds[0], "description": part.description(), "numbers": list(trained.numbers)}
    numbers = {f"settings.{name}": values for name, values in trained.numbers.items()}
    checkpoint.save(_name(number), words, {"scores": trained.scores, **numbers, **part.arrays()})


def most_bytes(entry: Entry, *, n_masks: int, n_followed: int, n_labeled: int, n_columns: int) -> int:
    """Return the size of a trained entry in a checkpoint, at most: scores, coefficients or trees, columns.

    Parameters
    ----------
    entry
        The entry.
    n_masks, n_followed
        How many models each setting has, and how many rows they score.
    n_labeled, n_columns
        How many rows are labelled, and how many columns rows have.
    """
    settings = entry.settings
    scores = 4 * len(settings) * n_masks * n_followed
    # Two coefficients a frequency; a node of a tree has two numbers, and a tree less than two nodes a row.
    # Models of fewer steps have room for the coefficients of all.
    n_frequencies = max(setting.n_frequencies for setting in settings)
    numbers = len(settings) * (2 * n_frequencies + n_columns)
    if any(setting.member == TREES for setting in settings):
        numbers += 4 * N_TREES * n_labeled
    return scores + 8 * numbers + COLUMN_BYTES * n_columns


def _name(number: int) -> str:
    return f"entry-{number:04d}"
