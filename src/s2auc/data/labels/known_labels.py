"""Labels of a long table that are known already: only those of labelled rows are held."""

from collections.abc import Iterator

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.data.labels.labeled_rows import LabeledRows
from s2auc.data.tables.lazy_table import LabelColumn

CHUNK_ROWS = 2**20


class KnownLabels(LabelColumn):
    """The labels that were found in a table, as if it were read once more.

    Parameters
    ----------
    found
        The labelled rows and their labels.

    Examples
    --------
    >>> from s2auc.data.labels.labeled_rows import find_labeled_rows
    >>> known = KnownLabels(find_labeled_rows(["yes", None, "no"], marker=None))
    >>> [chunk.tolist() for chunk in known.chunks()]
    [['yes', None, 'no']]
    """

    def __init__(self, found: LabeledRows) -> None:
        self._found = found

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._found.n_rows

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order: masked arrays."""
        for first in range(0, self.n_rows, CHUNK_ROWS):
            yield self._chunk(first, min(first + CHUNK_ROWS, self.n_rows))

    def _chunk(self, first: int, last: int) -> AnyArray:
        numbers: IndexArray = self._found.numbers
        part = slice(*np.searchsorted(numbers, [first, last]))
        values = np.zeros(last - first, dtype=self._found.values.dtype)
        values[numbers[part] - first] = self._found.values[part]
        mask = np.ones(last - first, dtype=bool)
        mask[numbers[part] - first] = False
        return np.ma.array(values, mask=mask)
