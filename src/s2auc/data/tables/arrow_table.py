"""The features and the labels of a table that Arrow reads."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.common.errors import InputError
from s2auc.common.messages import Message, Parameter
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.common.user_warnings import warn_user
from s2auc.data.schema.arrow_columns import distinct_values, is_dictionary, is_plain_text, kind_of_type, numbers_of
from s2auc.data.schema.column_names import Name, listed
from s2auc.data.schema.column_selection import marked_columns
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.tables.lazy_table import CategoricalFeatures, LabelColumn, LazyRows
from s2auc.data.tables.pieces import ArrowColumns
from s2auc.data.tables.schema_learner import LearntTable, ProfiledTable, described, learn_columns
from s2auc.data.text.vocabulary import MIN_TEXTS


class IgnoredColumnsWarning(UserWarning):
    """Columns of a table are ignored, since they say nothing of its rows."""


@dataclass(eq=False)
class ArrowLazyRows(LazyRows):
    """Features of a table that Arrow reads.

    Parameters
    ----------
    columns
        All columns of the table.
    names
        Those to learn from, in their order.
    kept
        Those of them that are never ignored.
    named
        Whether columns have names that mean something; those of arrays, and of frames that were made of arrays, go by
        their place.
    types_tell
        Whether the types of columns tell which hold categories; those of arrays do not.
    reads_all
        Whether cells that cannot be read are missing, instead of errors.
    origin, roles
        As for all lazy rows.
    types
        Columns whose type the user knows: "categorical", "numeric", "date" or "text".
    min_texts
        A term of a text column is in at least this many different texts.
    """

    columns: ArrowColumns
    names: Sequence[str]
    kept: Collection[str] = ()
    named: bool = True
    types_tell: bool = True
    reads_all: bool = False
    origin: tuple[OpenedFile, ...] | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    min_texts: int = MIN_TEXTS
    _learnt: tuple[Any, LearntTable] | None = field(default=None, init=False, repr=False)

    @cached_property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.columns.n_rows

    @property
    def learnt(self) -> LearntTable | None:
        """The columns as they were learnt last; None if they were not."""
        return None if self._learnt is None else self._learnt[1]

    def learn_schema(self, categorical_features: CategoricalFeatures, pool: LazyRows | None = None) -> Schema:
        """Return what the columns mean; a warning names those that are ignored."""
        marked = marked_columns(categorical_features, len(self.names), self.names if self.named else None)
        both = [self.names[place] for place in sorted(marked or ()) if self.types.get(self.names[place]) == "text"]
        if both:
            rule, fix = "name other columns than {text_features}", "take it out of one of the two"
            raise InputError(rule, parameter="categorical_features", found=listed(both), fix=fix)
        if marked is None and not self.types_tell:
            marked = set()
        # The pool itself, and not its id, which a later one may get.
        key = marked, pool
        if self._learnt is None or self._learnt[0] != key:
            tables = [ProfiledTable(self.columns, {name: name for name in self.names}, named=self.named)]
            if isinstance(pool, ArrowLazyRows):
                tables.append(ProfiledTable(pool.columns, self._names_in(pool), "X_unlabeled", named=pool.named))
            self._learnt = (
                key,
                learn_columns(tables, self.names, marked, kept=self.kept, types=self.types, min_texts=self.min_texts),
            )
        _, learnt = self._learnt
        if learnt.reasons:
            words = (
                "Columns of {X} that say nothing of its rows are ignored: {columns}. To use one, open the table with "
                "open_table and name all columns to use in {features}; to silence this warning, list those to ignore "
                "in {drop}."
            )
            warn_user(Message(words, columns=described(learnt.reasons)), IgnoredColumnsWarning)
        return learnt.schema

    def with_texts(self, text_features: Any) -> "ArrowLazyRows":
        """Return the rows with some columns, by name or number, that a user says hold text."""
        if text_features is None:
            return self
        marked = marked_columns(text_features, len(self.names), self.names if self.named else None, "text_features")
        texts = {self.names[place]: "text" for place in marked or ()}
        return replace(self, types={**self.types, **texts})

    def known_to(self, schema: Schema) -> LazyRows:
        """Return the rows without those columns that a schema does not know."""
        known = _known_names(schema)
        if known is None:
            return self
        return replace(self, names=[name for name in self.names if name in known], roles={})

    def open(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows."""
        return self.columns.open_rows(self.find(schema, display_name), schema, display_name, reads_all=self.reads_all)

    def open_terms(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the terms of the text columns that a schema knows as rows."""
        return self.columns.open_terms(self.find(schema, display_name), schema, display_name)

    def find(self, schema: Schema, display_name: str = "X") -> list[str]:
        """Return the names here of the columns that a schema reads, in its order; a warning lists those ignored."""
        known = _known_names(schema)
        if known is None:
            return self._by_place(schema, display_name)
        names = [str(name) for name in schema.source_names or ()]
        present = set(self.names)
        missing = [name for name in names if name not in present]
        if missing:
            rule = "have the columns that the model was fitted on. Missing: {missing}"
            raise InputError(rule, parameter=display_name, missing=listed(missing), fix="add them")
        unknown = [name for name in self.names if name not in known]
        if unknown:
            words = "{table} has columns that the model was not fitted on, and that are ignored: {columns}."
            warn_user(Message(words, table=Parameter(display_name), columns=listed(unknown)))
        return names

    def _names_in(self, pool: "ArrowLazyRows") -> dict[str, str]:
        """Return by the name of each column here its name in another table, if it has it."""
        in_pool = set(pool.names)
        if self.named or set(self.names) == in_pool:
            return {name: name for name in self.names if name in in_pool}
        return dict(zip(self.names, pool.names, strict=False))

    def _by_place(self, schema: Schema, display_name: str) -> list[str]:
        schema.check_n_columns(len(self.names), display_name)
        # A frame of numbered columns may have them in another order, with or without those that were ignored.
        numbers = list(map(str, schema.source_places))
        if set(numbers) <= set(self.names) <= set(map(str, range(schema.n_passed))):
            return numbers
        is_complete = len(self.names) == schema.n_passed
        return [self.names[place] for place in (schema.source_places if is_complete else range(schema.n_sources))]


def _known_names(schema: Schema) -> set[Name] | None:
    """Return the names that a schema knows, also of columns that were ignored; None where columns go by place."""
    names = schema.source_names
    return None if names is None else set(map(str, [*names, *schema.left_out.values()]))


class ArrowLabels(LabelColumn):
    """The column of a table that holds the labels, most of them missing, or groups.

    Parameters
    ----------
    columns
        All columns of the table.
    name
        The one.
    as_it_stands
        Whether text is taken as it stands; else blanks around it do not count, and a blank cell is missing.
    """

    def __init__(self, columns: ArrowColumns, name: str, *, as_it_stands: bool = False) -> None:
        self._columns, self.name, self._as_it_stands = columns, name, as_it_stands

    @cached_property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self._columns.n_rows

    @property
    def is_spelled(self) -> bool:
        """True if labels are text that may stand for numbers or booleans."""
        return is_plain_text(self._columns.schema.field(self.name).type)

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order: arrays, masked where labels are missing."""
        for batch in self._columns.batches([self.name]):
            yield _labels(batch.column(0), as_it_stands=self._as_it_stands)

    def map_chunks(self, work: Callable[[AnyArray], Result]) -> Iterator[Result]:
        """Yield work(labels) for all labels, in order, done where they are."""
        on_part = partial(_work_on_labels, self.name, self._as_it_stands, work)
        for results in self._columns.map_parts([self.name], on_part, "labels"):
            yield from results


def _work_on_labels(
    name: str, as_it_stands: bool, work: Callable[[AnyArray], Result], columns: ArrowColumns, _place: int
) -> list[Result]:
    return [work(chunk) for chunk in ArrowLabels(columns, name, as_it_stands=as_it_stands).chunks()]


def _labels(array: Any, *, as_it_stands: bool) -> AnyArray:
    kind = kind_of_type(array.type)
    if kind == "nothing":
        return np.full(len(array), np.nan)
    if kind == "number" and not array.null_count and not is_dictionary(array.type):
        return np.asarray(numbers_of(array))
    places, distinct = distinct_values(array, [""], as_it_stands=as_it_stands)  # words such as "NA" may be labels
    is_value = np.array([value is not None for value in distinct], dtype=bool)
    present = np.array([value for value in distinct if value is not None])
    values = np.zeros(len(distinct) + 1, dtype=present.dtype)
    values[:-1][is_value] = present
    is_missing = np.append(~is_value, True)[places]
    return np.ma.array(values[places], mask=is_missing) if is_missing.any() else values[places]
