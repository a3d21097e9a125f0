"""The rows of y that hold a label, found chunk by chunk: only their numbers and labels are kept, however many rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.data.label_values import labeled_values, present_values
from s2auc.data.lazy_table import LabelColumn


@dataclass(frozen=True, eq=False)
class LabeledRows:
    """What is known of the rows of y.

    Attributes
    ----------
    n_rows
        How many rows y has.
    numbers, values
        Numbers of the labelled rows, ascending, and their labels.
    has_marked
        Whether some row holds the marker of unlabelled ones.
    """

    n_rows: int
    numbers: IndexArray
    values: AnyArray
    has_marked: bool


def find_labeled_rows(y: Any, marker: Any) -> LabeledRows:
    """Return the rows that are neither missing nor marked.

    Examples
    --------
    >>> found = find_labeled_rows([1, None, 0, -1], marker=-1)
    >>> found.numbers.tolist(), found.values.tolist(), found.has_marked
    ([0, 2], [1, 0], True)
    """
    find = partial(_find_in_chunk, marker)
    found: Iterable[LabeledRows] = y.map_chunks(find) if isinstance(y, LabelColumn) else [find(y)]
    n_rows, has_marked = 0, False
    numbers: list[IndexArray] = []
    values: list[AnyArray] = []
    for part in found:
        has_marked |= part.has_marked
        # Chunks without labels have no type of their own.
        if part.values.size:
            numbers.append(n_rows + part.numbers)
            values.append(part.values)
        n_rows += part.n_rows
    if not numbers:
        return LabeledRows(n_rows, np.zeros(0, dtype=np.intp), np.zeros(0), has_marked)
    return LabeledRows(n_rows, np.concatenate(numbers), np.concatenate(values), has_marked)


def _find_in_chunk(marker: Any, chunk: Any) -> LabeledRows:
    """Return the labelled rows of a chunk, by their numbers in it."""
    present, is_unlabeled = present_values(chunk)
    labels, missing, marked = labeled_values(present, marker)
    is_unlabeled[~is_unlabeled] = missing | marked
    return LabeledRows(is_unlabeled.size, np.flatnonzero(~is_unlabeled), labels, bool(marked.any()))
