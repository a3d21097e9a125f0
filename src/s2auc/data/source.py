"""What a source of rows offers, and sources made of others: some of their rows, two in a row, one that is checked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray


class RowSource(Protocol):
    """Rows that may be too many to hold as floats at once."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    def n_columns(self) -> int:
        """Number of columns."""

    def gather(self, indices: IndexArray) -> FloatArray:
        """Return the rows with these numbers, in this order, dense and in float64."""

    def scan(self, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield all rows in order, some at a time, dense and in float64."""


@dataclass(frozen=True, eq=False)
class SelectedRows:
    """Some rows of another source, by number."""

    source: RowSource
    indices: IndexArray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.indices)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.source.n_columns

    def gather(self, indices: IndexArray) -> FloatArray:
        """Return the rows with these numbers."""
        return self.source.gather(self.indices[indices])

    def scan(self, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield all rows in order, some at a time."""
        for first in range(0, self.n_rows, chunk_rows):
            yield self.source.gather(self.indices[first : first + chunk_rows])


@dataclass(frozen=True, eq=False)
class ChainedRows:
    """The rows of one source, then those of another."""

    head: RowSource
    tail: RowSource

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.head.n_rows + self.tail.n_rows

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.head.n_columns

    def gather(self, indices: IndexArray) -> FloatArray:
        """Return the rows with these numbers."""
        rows = np.empty((len(indices), self.n_columns))
        in_head = indices < self.head.n_rows
        rows[in_head] = self.head.gather(indices[in_head])
        rows[~in_head] = self.tail.gather(indices[~in_head] - self.head.n_rows)
        return rows

    def scan(self, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield all rows in order, some at a time."""
        yield from self.head.scan(chunk_rows)
        yield from self.tail.scan(chunk_rows)


@dataclass(frozen=True, eq=False)
class FiniteRows:
    """The rows of another source, searched for NaN and infinity as they are read.

    Parameters
    ----------
    source
        Where the rows come from.
    name
        What to call them in an error.
    """

    source: RowSource
    name: str

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.source.n_rows

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.source.n_columns

    def gather(self, indices: IndexArray) -> FloatArray:
        """Return the rows with these numbers."""
        rows = self.source.gather(indices)
        self._check(rows, indices)
        return rows

    def scan(self, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield all rows in order, some at a time."""
        first = 0
        for rows in self.source.scan(chunk_rows):
            self._check(rows, np.arange(first, first + len(rows)))
            first += len(rows)
            yield rows

    def _check(self, rows: FloatArray, numbers: IndexArray) -> None:
        is_finite = np.isfinite(rows).all(axis=1)
        if not is_finite.all():
            raise ValueError(
                f"{self.name} must hold finite numbers only. Got NaN or infinity in row "
                f"{int(numbers[np.argmin(is_finite)])}; leave such rows out or fill them in."
            )
