"""Entries that are trained for comparison: as if unlabelled rows had not taught what words mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import UNLABELED
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import dense_rows
from s2auc.data.text.labeled_terms import labeled_components
from s2auc.search.grids.grid import Entry, Setting, TrainedEntry
from s2auc.search.training import Training
from s2auc.solvers.work_rows import WorkRows


@dataclass(frozen=True, eq=False)
class LabeledOnlyEntry:
    """Another entry on rows whose texts are represented by what labelled rows alone tell of words.

    Its settings tell whether unlabelled rows helped, and never take part in a model.
    """

    entry: Entry
    view = None
    points = None
    is_wide = False

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The settings of the other entry."""
        return tuple(replace(setting, uses_unlabeled=False, is_candidate=False) for setting in self.entry.settings)

    def train(self, training: Training) -> TrainedEntry:
        """Train the other entry on rows without what unlabelled ones taught."""
        if training.labeled_only is None:
            raise ValueError("Entries for comparison need rows that labelled rows alone have represented. Got none.")
        return self.entry.train(training.labeled_only)


def compared_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that others are compared with, as they are trained on rows that labelled rows represent."""
    return [entry.entry for entry in entries if isinstance(entry, LabeledOnlyEntry)]


def represented_by_labeled(work: WorkRows, terms: csr_array, schema: Schema) -> WorkRows:
    """Return labelled and reference rows with texts as labelled rows alone represent them.

    Parameters
    ----------
    work
        The rows of a search.
    terms
        The terms of the same labelled and reference rows, weighted by labelled rows.
    schema
        What the columns are.
    """
    n_labeled = work.order.n_rows
    X = dense_rows(work.X[: work.reference.stop]).copy()
    encodings = [encoding for _, encoding in schema.texts.values()]
    blocks: list[FloatArray] = np.split(
        labeled_components(terms, encodings, n_labeled),
        np.cumsum([encoding.n_numbers for encoding in encodings])[:-1],
        axis=1,
    )
    for place, numbers in zip(schema.text_blocks.values(), blocks, strict=True):
        X[:, place] = numbers
    steps = {group: places for group, places in work.steps.items() if group != UNLABELED}
    return replace(work, X=X, steps=steps, n_spread=0, edge_draw=None)
