"""The rows of y that hold a label, found chunk by chunk: only their numbers and labels are kept, however many rows."""

from collections.abc import Iterable
from dataclasses import dataclass
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
    chunks: Iterable[Any] = y.chunks() if isinstance(y, LabelColumn) else [y]
    n_rows, has_marked = 0, False
    numbers: list[IndexArray] = []
    values: list[AnyArray] = []
    for chunk in chunks:
        present, is_unlabeled = present_values(chunk)
        labels, missing, marked = labeled_values(present, marker)
        is_unlabeled[~is_unlabeled] = missing | marked
        has_marked |= bool(marked.any())
        # Chunks without labels have no type of their own.
        if labels.size:
            numbers.append(n_rows + np.flatnonzero(~is_unlabeled))
            values.append(labels)
        n_rows += is_unlabeled.size
    if not numbers:
        return LabeledRows(n_rows, np.zeros(0, dtype=np.intp), np.zeros(0), has_marked)
    return LabeledRows(n_rows, np.concatenate(numbers), np.concatenate(values), has_marked)
