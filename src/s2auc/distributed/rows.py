"""Rows in partitions on other machines: gathered, and worked on, by one task a partition."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import nan
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows, stack_rows
from s2auc.data.sources.source import Result, RowSource
from s2auc.distributed.crew import DaskCrew, Parts
from s2auc.distributed.tasks import Work

CHUNK_ROWS = 2**14
"""Rows that are worked on at a time where nobody asks for others."""


class DaskRows(RowSource):
    """Rows of partitions by the columns of a schema.

    Parameters
    ----------
    parts
        The partitions, read as sources of their rows.
    lengths
        What tells how many rows each has, when that is first asked for; it is told whether it may take reading them.
    schema
        What the columns are.
    """

    def __init__(self, parts: Parts, lengths: Callable[[bool], Sequence[int] | None], schema: Schema) -> None:
        self._parts, self._find_lengths, self.schema = parts, lengths, schema
        self.crew = DaskCrew()

    @cached_property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self._ends[-1])

    @property
    def _ends(self) -> IndexArray:
        """Where partitions begin and end among all rows."""
        return np.cumsum([0, *(self._find_lengths(True) or ())], dtype=np.intp)

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers: one task for each partition that has some."""
        wanted, order = np.unique(np.asarray(numbers, dtype=np.intp), return_inverse=True)
        ends = self._ends
        cuts = np.searchsorted(wanted, ends)
        # Of no rows, the first partition tells whether they are sparse.
        places = np.flatnonzero(np.diff(cuts)).tolist() or [0]
        asked = [wanted[cuts[place] : cuts[place + 1]] - ends[place] for place in places]
        gathered = self._parts.map("gather", lambda source, _, numbers: source.gather(numbers), asked, places)
        return stack_rows(list(gathered))[order]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order, done by the workers."""
        for results in self._parts.map("scan", _on_chunks(work, chunk_rows), self._ends[:-1].tolist()):
            yield from results

    def mapped(
        self, work: Callable[[Rows, int], AnyArray], shape: tuple[int, ...] = (), dtype: Any = np.float64
    ) -> Any:
        """Return a Dask array of work over all rows, with their partitions."""
        import dask.array

        lengths = self._find_lengths(False)
        n_parts = len(self._parts.values)
        # Where lengths are not known, errors count rows from the beginning of their partition.
        firsts = [0] * n_parts if lengths is None else np.cumsum([0, *lengths])[:-1].tolist()
        on_chunks, empty = _on_chunks(work, CHUNK_ROWS), np.zeros((0, *shape), dtype=dtype)
        results = self._parts.tasks("score", lambda *given: np.concatenate([empty, *on_chunks(*given)]), firsts)
        return dask.array.concatenate(
            [
                dask.array.from_delayed(result, (n_rows, *shape), dtype=dtype)
                for result, n_rows in zip(results, [nan] * n_parts if lengths is None else lengths, strict=True)
            ],
            allow_unknown_chunksizes=True,
        )


def _on_chunks(work: Callable[[Rows, int], Result], chunk_rows: int) -> Work:
    """Return what does work on the chunks of a partition, given the number of its first row."""

    def on_source(source: RowSource, _: int, n_before: int) -> list[Result]:
        return list(source.map_chunks(lambda rows, first: work(rows, n_before + first), chunk_rows))

    return on_source
