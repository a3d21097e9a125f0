"""One pass of a model over a table: batches of scores, with kept columns beside them, and what columns look like."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.lazy_modules import pa
from s2auc.common.progress import Progress, tell_progress
from s2auc.data.sources.rows import Rows
from s2auc.data.tables.table import Table
from s2auc.models.model import Model
from s2auc.models.scoring_chunks import map_scores
from s2auc.scoring.column_drift import FittedColumns, Tally
from s2auc.scoring.dictionary_columns import with_wide_codes
from s2auc.scoring.top_scores import TopScores, count_top

BLOCK_ROWS = 2**16
"""Rows that are written at a time: a row group of a Parquet file."""


class TableScores:
    """The scores of a table, and columns that are kept beside them, as Arrow batches; to be read once.

    Parameters
    ----------
    model
        What scores the rows.
    table
        The handle of the table.
    names
        Columns of the table to keep.
    probability
        Whether probabilities are wanted too.
    """

    def __init__(self, model: Model, table: Table, names: list[str], *, probability: bool) -> None:
        self._model, self._names, self._probability = model, names, probability
        self._source = model.open_rows(table)
        self._fitted_columns = FittedColumns.from_model(model)
        self.tally: Tally | None = None
        self._batches: Iterator[Any] = map(with_wide_codes, table.batches(names, BLOCK_ROWS) if names else ())
        self.kept_schema = with_wide_codes(table.no_rows(names)).schema if names else pa.schema([])
        self.n_scored = 0

    def all_rows(self) -> Iterator[Any]:
        """Yield batches of all rows, in order."""
        scores = _Pieces(self._scores())
        if not self._names:
            while len(piece := scores.take(BLOCK_ROWS)):
                yield self._batch([], piece)
            return
        for batch in self._batches:
            piece = scores.take(batch.num_rows)
            if len(piece) != batch.num_rows:
                raise self._changed()
            yield self._batch(batch.columns, piece)
        if len(scores.take(1)):
            raise self._changed()

    def top_rows(self, top: int | float, skipped: IndexArray | None = None) -> Iterator[Any]:
        """Yield batches of the rows with the highest scores, from the highest down, without those of some numbers."""
        best = TopScores(count_top(top, self._source.n_rows))
        left_out, first = np.zeros(0, dtype=np.intp) if skipped is None else skipped, 0
        for scores in self._scores():
            low, high = np.searchsorted(left_out, [first, first + len(scores)])
            best.add(scores, left_out[low:high] - first)
            first += len(scores)
        ranked = best.ranked()
        kept = self._kept_rows(np.sort(ranked.rows))
        place = np.argsort(np.argsort(ranked.rows))
        for first in range(0, len(ranked.rows), BLOCK_ROWS):
            part = slice(first, first + BLOCK_ROWS)
            columns = [column.combine_chunks() for column in kept.take(pa.array(place[part])).columns]
            yield self._batch(columns, ranked.scores[part], pa.array(ranked.rows[part], pa.int64()))

    def _scores(self) -> Iterator[FloatArray]:
        """Yield the scores of all rows, in order, some at a time."""
        started, n_rows = perf_counter(), self._source.n_rows
        for scores, tally in map_scores(self._score, self._source):
            self.n_scored += len(scores)
            left = (perf_counter() - started) * (n_rows / max(1, self.n_scored) - 1.0)
            tell_progress(Progress("scoring", n_done=self.n_scored, n_all=n_rows, seconds_left=left))
            if tally is not None:
                self.tally = tally if self.tally is None else self.tally + tally
            yield scores

    def _score(self, rows: Rows) -> tuple[FloatArray, Tally | None]:
        tally = None if self._fitted_columns is None else self._fitted_columns.tally(rows)
        return self._model.score_rows(rows), tally

    def _kept_rows(self, numbers: IndexArray) -> Any:
        """Return the kept columns of some rows, in order, in one more pass over these columns."""
        found, first = [], 0
        for batch in self._batches:
            low, high = np.searchsorted(numbers, [first, first + batch.num_rows])
            found.append(batch.take(pa.array(numbers[low:high] - first)))
            first += batch.num_rows
        if self._names and first != self.n_scored:
            raise self._changed()
        return pa.Table.from_batches(found, schema=self.kept_schema).unify_dictionaries().combine_chunks()

    def _batch(self, kept: Sequence[Any], scores: FloatArray, rows: Any = None) -> Any:
        columns = [*kept, *([] if rows is None else [rows]), pa.array(scores)]
        if self._probability:
            columns.append(pa.array(self._model.probabilities_of(scores)[:, 1]))
        schema = written_schema(self.kept_schema, numbered=rows is not None, probability=self._probability)
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    def _changed(self) -> ValueError:
        return ValueError(
            "The rows of X must stay as they are while they are scored. Got other numbers of rows in two columns; wait "
            "until the table is written, and score it again."
        )


class _Pieces:
    """A stream of numbers, cut into pieces of other lengths."""

    def __init__(self, stream: Iterator[FloatArray]) -> None:
        self._stream, self._rest = stream, np.zeros(0)

    def take(self, wanted: int) -> FloatArray:
        """Return the next numbers, as many as are wanted, or all that are left."""
        parts, n_held = [self._rest], len(self._rest)
        while n_held < wanted and (piece := next(self._stream, None)) is not None:
            parts.append(piece)
            n_held += len(piece)
        numbers = np.concatenate(parts)
        self._rest = numbers[wanted:]
        return numbers[:wanted]


def written_schema(kept_schema: Any, *, numbered: bool, probability: bool) -> Any:
    """Return the Arrow schema of a file of scores: kept columns, the number of the row if wanted, and scores."""
    made = [("row", pa.int64())] if numbered else []
    made += [(name, pa.float64()) for name in ("score", "probability")[: 1 + probability]]
    return pa.schema([*kept_schema, *(pa.field(*column) for column in made)])
