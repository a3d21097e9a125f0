"""Trained entries in a checkpoint: kept as soon as they are trained, and found again by a run that goes on."""

from typing import Any

from s2auc.common.checkpoints import Checkpoint
from s2auc.search.entries.forest import N_TREES, TrainedForest
from s2auc.search.entries.linear import TrainedLinear
from s2auc.search.grids.grid import TREES, Entry, TrainedEntry
from s2auc.search.grids.spaces import TrainedSpace

COLUMN_BYTES = 16 * 1024
"""Of a column in an entry, at most: two numbers for each of the knots of its ranks, and what else is known of it."""


STORED: dict[str, Any] = {kind.__name__: kind for kind in (TrainedSpace, TrainedLinear, TrainedForest)}
"""Kinds of entries that are kept."""


def load_entry(checkpoint: Checkpoint, number: int) -> TrainedEntry | None:
    """Return an entry of the grid, by its number, if it was trained before."""
    found = checkpoint.load(_name(number))
    if found is None:
        return None
    words, arrays = found
    entry: TrainedEntry = STORED[words["kind"]].from_arrays(words["description"], arrays)
    return entry


def save_entry(checkpoint: Checkpoint, number: int, trained: TrainedEntry) -> None:
    """Keep a trained entry, if it is of a kind that can be."""
    kind = type(trained).__name__
    if kind in STORED:
        stored: Any = trained
        checkpoint.save(_name(number), {"kind": kind, "description": stored.description()}, stored.arrays())


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
