"""The interface of tables whose rows are read when they are needed: the columns to learn from, and the labels."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.source import Result, RowSource

CategoricalFeatures: TypeAlias = str | Sequence[str | int] | None
"""The parameter `categorical_features` of estimators."""

NO_ROLES: Mapping[str, str] = MappingProxyType({})


class LazyRows(ABC):
    """The columns of a table to learn from or to score, not yet read.

    What the columns mean is learnt first, from this table and perhaps another (`learn_schema`, `Schema.joined`), or it
    is known from a model; then the rows are opened with it, as often as need be.
    """

    origin: tuple[OpenedFile, ...] | None = None
    """The files that the rows come from, whose content tells the table from all others; None if unknown."""

    roles: Mapping[str, str] = NO_ROLES
    """Columns of the table that are no features because they are something else, such as "label", "id" or "group"."""

    @cached_property
    def n_rows(self) -> int:
        """Number of rows; an attribute where it is known from the start."""
        raise NotImplementedError

    @abstractmethod
    def learn_schema(self, categorical_features: CategoricalFeatures, pool: "LazyRows | None" = None) -> Schema:
        """Return what the columns mean.

        Parameters
        ----------
        categorical_features
            "from_dtype": columns of text or booleans, or of a type made for categories, hold categories. None: no
            column does. Or the names (text) and numbers (integers, from 0) of those that do.
        pool
            More rows of the same fit, whose categories and dates count too.
        """

    def known_to(self, schema: Schema) -> "LazyRows":
        """Return the rows without those columns that a schema does not know, of which `open` would warn."""
        return self

    @abstractmethod
    def open(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows, found by name; errors call the table what it is called.

        Raises
        ------
        ValueError
            If a column is missing or holds something else than it did, in one sentence that names it.
        """

    def open_terms(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the terms of the text columns that a schema knows as rows."""
        raise NotImplementedError(f"{type(self).__name__} has no text columns")


class LabelColumn(ABC):
    """The labels of a table, not yet read."""

    @cached_property
    def n_rows(self) -> int:
        """Number of rows; an attribute where it is known from the start."""
        raise NotImplementedError

    @property
    def is_spelled(self) -> bool:
        """True if labels are text that may stand for numbers or booleans, as the cells of a file do."""
        return False

    @abstractmethod
    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order, some at a time: arrays of numbers, booleans or text, or of objects with None."""

    def map_chunks(self, work: Callable[[AnyArray], Result]) -> Iterator[Result]:
        """Yield work(labels) for all labels, in order, some at a time; it is done where the labels are."""
        return map(work, self.chunks())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Return all labels at once, for tools that know arrays only: NaN for missing numbers, None for others."""
        chunks = [_filled(chunk) for chunk in self.chunks()]
        values = np.concatenate(chunks) if chunks else np.zeros(0)
        return values if dtype is None else values.astype(dtype)

    def __len__(self) -> int:
        return self.n_rows


def values_at(column: LabelColumn, numbers: IndexArray) -> AnyArray:
    """Return the values of some rows of a column, in the order of their numbers as given; None where one is missing."""
    found = np.full(len(numbers), None, dtype=object)
    first = 0
    for chunk in column.chunks():
        is_here = (numbers >= first) & (numbers < first + len(chunk))
        here = chunk[numbers[is_here] - first]
        values = np.asarray(here).astype(object)
        values[np.ma.getmaskarray(here)] = None
        found[is_here] = values
        first += len(chunk)
    return found


def _filled(labels: AnyArray) -> AnyArray:
    if not isinstance(labels, np.ma.MaskedArray):
        return labels
    is_number = labels.dtype.kind in "iuf"
    filled: AnyArray = np.asarray(labels.data).astype(np.float64 if is_number else object)
    filled[np.ma.getmaskarray(labels)] = np.nan if is_number else None
    return filled
