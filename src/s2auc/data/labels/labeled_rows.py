"""The rows of y that hold a label, found chunk by chunk: only their numbers and labels are kept, however many rows."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.data.labels.values import labeled_values, present_values
from s2auc.data.tables.lazy_table import LabelColumn

_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]{0,14})(\.[0-9]*)?([eE][+-]?[0-9]+)?")

CHUNK_ROWS = 2**20
"""Rows of known labels that are given at a time."""


@dataclass(frozen=True, eq=False)
class LabeledRows:
    """The labelled rows of y.

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

    def without(self, marker: Any) -> "LabeledRows":
        """Return the rows that do not hold a marker, the text of the others as what it stands for."""
        values, _, marked = labeled_values(self.values, marker)
        return LabeledRows(self.n_rows, self.numbers[~marked], typed_labels(values), bool(marked.any()))


def find_labeled_rows(y: Any, marker: Any, *, as_text: bool = False) -> LabeledRows:
    """Return the rows that are neither missing nor marked.

    Parameters
    ----------
    y
        One label per row.
    marker
        The value that marks unlabelled rows; None if there is none.
    as_text
        Whether labels that are the text of cells stay text; else they become the numbers or booleans they stand for.

    Examples
    --------
    >>> found = find_labeled_rows([1, None, 0, -1], marker=-1)
    >>> found.numbers.tolist(), found.values.tolist(), found.has_marked
    ([0, 2], [1, 0], True)
    """
    find = partial(_find_in_chunk, marker)
    parts: list[LabeledRows] = list(y.map_chunks(find)) if isinstance(y, LabelColumn) else [find(y)]
    *firsts, n_rows = accumulate((part.n_rows for part in parts), initial=0)
    has_marked = any(part.has_marked for part in parts)
    # Chunks without labels have no type of their own.
    found = [(first + part.numbers, part.values) for first, part in zip(firsts, parts, strict=True) if part.values.size]
    if not found:
        return LabeledRows(n_rows, np.zeros(0, dtype=np.intp), np.zeros(0), has_marked)
    numbers, values = map(np.concatenate, zip(*found, strict=True))
    labeled = LabeledRows(n_rows, numbers, values, has_marked)
    if as_text or not getattr(y, "is_spelled", False):
        return labeled
    typed = replace(labeled, values=typed_labels(labeled.values))
    return replace(rest := typed.without(marker), has_marked=rest.has_marked or has_marked)


def typed_labels(values: AnyArray) -> AnyArray:
    """Return labels that are text as the booleans, whole numbers or numbers that all of them stand for, if they do.

    Examples
    --------
    >>> typed_labels(np.array(["1", "0"])).tolist(), typed_labels(np.array(["1", "NA"])).tolist()
    ([1, 0], ['1', 'NA'])
    """
    if values.dtype.kind != "U":
        return values
    distinct, places = np.unique(values, return_inverse=True)
    lower = np.char.lower(distinct)
    if len(distinct) and np.isin(lower, ["true", "false"]).all():
        return np.asarray((lower == "true")[places])
    for number in (int, float):
        with suppress(ValueError, OverflowError):
            typed = np.array([_number_spelled(text, number) for text in distinct.tolist()])
            return np.asarray(typed[places])
    return values


def _number_spelled(text: str, number: type) -> Any:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return number(text)


def _find_in_chunk(marker: Any, chunk: Any) -> LabeledRows:
    """Return the labelled rows of a chunk, by their numbers in it."""
    present, is_unlabeled = present_values(chunk)
    labels, missing, marked = labeled_values(present, marker)
    is_unlabeled[~is_unlabeled] = missing | marked
    return LabeledRows(is_unlabeled.size, np.flatnonzero(~is_unlabeled), labels, bool(marked.any()))


class KnownLabels(LabelColumn):
    """The labels that were found in a table, as if it were read once more.

    Parameters
    ----------
    found
        The labelled rows and their labels.
    chunk_rows
        How many labels are handed out at a time.
    rule
        The `LabelRule` that made two classes of the column; None where it has just two.

    Examples
    --------
    >>> known = KnownLabels(find_labeled_rows(["yes", None, "no"], marker=None))
    >>> [chunk.tolist() for chunk in known.chunks()]
    [['yes', None, 'no']]
    """

    def __init__(self, found: LabeledRows, chunk_rows: int = CHUNK_ROWS, rule: Any = None) -> None:
        self._found, self.n_rows, self._chunk_rows, self.rule = found, found.n_rows, chunk_rows, rule

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order: masked arrays."""
        for first in range(0, self.n_rows, self._chunk_rows):
            n_rows = min(self._chunk_rows, self.n_rows - first)
            part = slice(*np.searchsorted(self._found.numbers, [first, first + n_rows]))
            chunk = np.ma.array(np.zeros(n_rows, self._found.values.dtype), mask=True)
            chunk[self._found.numbers[part] - first] = self._found.values[part]
            yield chunk
