"""The columns to learn from and the labels of a table that Arrow reads."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.common.user_warnings import warn_user
from s2auc.data.arrow_columns import distinct_values, is_dictionary, kind_of_type, numbers_of
from s2auc.data.arrow_learning import LearntTable, described, learn_arrow_schema
from s2auc.data.arrow_pieces import ArrowColumns
from s2auc.data.column_matching import Name, listed
from s2auc.data.frames import Level
from s2auc.data.lazy_table import LabelColumn, LazyRows
from s2auc.data.schema import Schema
from s2auc.data.source import Result, RowSource


class LeftOutColumnsWarning(UserWarning):
    """Columns of a table are not learnt from, since they say nothing of its rows."""


class ArrowLazyRows(LazyRows):
    """Columns of a table that Arrow reads.

    Parameters
    ----------
    columns
        All columns of the table.
    names
        Those to learn from, in their order.
    kept
        Those of them that are never left out.
    declared
        Categories that a type names, by the name of the column.
    """

    def __init__(
        self,
        columns: ArrowColumns,
        names: Sequence[str],
        kept: Collection[str] = (),
        declared: Mapping[str, tuple[Level, ...]] | None = None,
    ) -> None:
        self._columns, self.names, self._kept, self._declared = columns, list(names), kept, declared
        self._learnt: dict[Any, LearntTable] = {}

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._columns.n_rows

    @property
    def learnt(self) -> LearntTable | None:
        """What was learnt last, if anything was."""
        return next(reversed(self._learnt.values()), None)

    def learn_schema(self, categorical_features: str | Sequence[str | int] | None) -> Schema:
        """Return what the columns mean; a warning names those that are left out."""
        is_listed = not isinstance(categorical_features, str | None)
        key = tuple(categorical_features) if is_listed else categorical_features  # type: ignore[arg-type]
        if key not in self._learnt:
            self._learnt[key] = learn_arrow_schema(
                self._columns, self.names, categorical_features, kept=self._kept, declared=self._declared
            )
        learnt = self._learnt[key]
        if learnt.reasons:
            warn_user(
                f"Columns of X that say nothing of its rows are left out: {described(learnt.reasons)}. To keep one, "
                "name it, and all others to keep, in features of open_table; to be rid of this warning, list them in "
                "drop.",
                LeftOutColumnsWarning,
            )
        return learnt.schema

    def known_to(self, schema: Schema) -> LazyRows:
        """Return the rows without those columns that a schema does not know."""
        known = _known_names(schema)
        if known is None:
            return self
        return ArrowLazyRows(self._columns, [name for name in self.names if name in known], self._kept, self._declared)

    def open(self, schema: Schema, called: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows."""
        names = self._find(schema, called)
        # Categories that were text may look like numbers here.
        text = [
            name
            for name, column in zip(names, schema.columns(), strict=True)
            if column.levels and isinstance(column.levels[0], str) and self._kind(name) not in ("text", "nothing")
        ]
        return (self._columns.with_text(text) if text else self._columns).open_rows(names, schema, called)

    def names_read(self, schema: Schema) -> list[str]:
        """Return the names here of the columns that a schema reads, in its order."""
        return self._find(schema, "X")

    def _kind(self, name: str) -> str | None:
        return kind_of_type(self._columns.schema.field(name).type)

    def _find(self, schema: Schema, called: str) -> list[str]:
        """Return the names here of the columns that a schema reads."""
        names, known = schema.source_names, _known_names(schema)
        if names is None or known is None:
            return self._by_place(schema, called)
        missing = [name for name in names if name not in self.names]
        if missing:
            raise ValueError(
                f"{called} must have the columns that the model was fitted on. Missing: {listed(missing)}; add them."
            )
        strangers = [name for name in self.names if name not in known]
        if strangers:
            warn_user(
                f"{called} has columns that the model was not fitted on, and that are ignored: {listed(strangers)}. "
                "Leave them out."
            )
        return [str(name) for name in names]

    def _by_place(self, schema: Schema, called: str) -> list[str]:
        if schema.left_out and len(self.names) == schema.n_passed:
            return [self.names[place] for place in schema.source_places]
        if len(self.names) != schema.n_sources:
            raise ValueError(
                f"{called} must have the {schema.n_passed} columns that the model was fitted on. Got "
                f"{len(self.names)}; pass rows of the same table."
            )
        return self.names


def _known_names(schema: Schema) -> set[Name] | None:
    """Return the names that a schema knows, also of columns that were left out; None where columns go by place."""
    names = schema.source_names
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return {*names, *schema.left_out.values()}


class ArrowLabels(LabelColumn):
    """The column of a table that holds the labels, most of them missing."""

    def __init__(self, columns: ArrowColumns, name: str) -> None:
        self._columns, self.name = columns, name

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._columns.n_rows

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order: arrays, masked where labels are missing."""
        for batch in self._columns.batches([self.name]):
            yield _labels(batch.column(0))

    def map_chunks(self, work: Callable[[AnyArray], Result]) -> Iterator[Result]:
        """Yield work(labels) for all labels, in order, done where they are."""
        if not self._columns.is_spread:
            yield from super().map_chunks(work)
            return
        for results in self._columns.map_parts([self.name], partial(_work_on_labels, self.name, work), "labels"):
            yield from results


def _work_on_labels(name: str, work: Callable[[AnyArray], Result], columns: ArrowColumns, place: int) -> list[Result]:  # noqa: ARG001
    return [work(chunk) for chunk in ArrowLabels(columns, name).chunks()]


def _labels(array: Any) -> AnyArray:
    kind = kind_of_type(array.type)
    if kind == "nothing":
        return np.full(len(array), np.nan)
    if kind == "number" and not array.null_count and not is_dictionary(array.type):
        return np.asarray(numbers_of(array))
    places, distinct = distinct_values(array)
    is_value = np.array([value is not None for value in distinct], dtype=bool)
    present = np.array([value for value in distinct if value is not None])
    values = np.zeros(len(distinct) + 1, dtype=present.dtype)
    values[:-1][is_value] = present
    is_missing = np.append(~is_value, True)[places]
    return np.ma.array(values[places], mask=is_missing) if is_missing.any() else values[places]
