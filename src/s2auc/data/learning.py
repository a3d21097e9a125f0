"""What the columns of the tables of a fit mean: learnt from both of them, before their rows are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from s2auc.common.user_warnings import warn_user
from s2auc.data.categorical_choice import FROM_DTYPE, marked_columns
from s2auc.data.column_matching import MOST_LISTED, Name, check_distinct, checked_names, short
from s2auc.data.date_parts import TEMPORAL_KINDS, varying_parts
from s2auc.data.frames import Column, Level, check_text, column_names, holds_objects, is_frame, read_columns
from s2auc.data.identifiers import is_doubtful, why_left_out
from s2auc.data.lazy_table import LazyRows
from s2auc.data.learnt_columns import LearntColumn
from s2auc.data.schema import Schema
from s2auc.data.tables import as_table


def learn_schema(
    X: Any, categorical_features: str | Sequence[str | int] | None = FROM_DTYPE, called: str = "X"
) -> Schema:
    """Return what the columns of a table mean, each of which is used.

    Parameters
    ----------
    X
        A pandas or polars data frame, or anything else of two dimensions: array, sparse matrix, list of rows.
    categorical_features
        Which columns hold categories. "from_dtype": those of a data frame that hold text or booleans or have a type
        made for categories. None: none. Or the names (text) and numbers (integers, from 0) of the columns.
    called
        What errors call the table.

    Raises
    ------
    ValueError
        If a listed column does not exist, two columns have one name, or a column holds neither numbers nor, where
        these are allowed, categories.
    TypeError
        If X is no table, or its columns have names that are neither all text nor all whole numbers.

    Examples
    --------
    >>> learn_schema([[1.5, 7], [2.5, 9]], categorical_features=[1]).is_categorical.tolist()
    [False, True]
    """
    return _learn(as_table(X, called), categorical_features, called).schema


def learn_tables(
    X: Any, X_unlabeled: Any, categorical_features: str | Sequence[str | int] | None
) -> tuple[Schema, Any]:
    """Return what the columns of two tables mean, and the second one with the columns that are used.

    Columns of data frames that name rows instead of describing them (`s2auc.data.identifiers`) are left out, with a
    warning. Categories may occur in either table.

    Parameters
    ----------
    X, X_unlabeled
        Tables as `s2auc.data.tables.as_table` gives them; the second may be None, or anything that is not one.
    categorical_features
        As for `learn_schema`.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [31.0, 45.0], "city": ["Rome", "Oslo"]})
    >>> schema, pool = learn_tables(X, pd.DataFrame({"city": ["Lima"], "age": [20.0]}), "from_dtype")
    >>> schema.levels, pool.columns.tolist()
    ({1: ('Oslo', 'Rome', 'Lima')}, ['age', 'city'])
    """
    learnt = _learn(X, categorical_features, "X")
    if not (is_frame(X) or holds_objects(X)):
        return learnt.schema, X_unlabeled
    is_alike = holds_objects(X) and holds_objects(X_unlabeled) and X.shape[1] == X_unlabeled.shape[1]
    pool = X_unlabeled if is_frame(X_unlabeled) or is_alike else None
    schema = _leave_out(learnt, _columns_of_pool(learnt, pool))
    if pool is None:
        return schema, X_unlabeled
    # Columns are counted anew where some are left out.
    marked = (
        learnt.marked
        if learnt.marked is None
        else [n for n, p in enumerate(schema.source_places) if p in learnt.marked]
    )
    aligned = schema.align(pool, "X_unlabeled")
    more = _learn(aligned, FROM_DTYPE if marked is None else marked, "X_unlabeled")
    return schema.joined(more.schema), aligned


def learn_lazy_tables(X: Any, X_unlabeled: Any, categorical_features: str | Sequence[str | int] | None) -> Schema:
    """Return what the columns of two tables mean, of which one at least is read when it is needed only.

    Categories may occur in either. What is left out, and why, is for the first table to say.

    Parameters
    ----------
    X, X_unlabeled
        Tables, lazy or not; the second may be None.
    categorical_features
        As for `learn_schema`.
    """
    schemas = [
        table.learn_schema(categorical_features)
        if isinstance(table, LazyRows)
        else learn_schema(table, categorical_features, called)
        for table, called in ((X, "X"), (X_unlabeled, "X_unlabeled"))
        if table is not None
    ]
    return schemas[0] if len(schemas) == 1 else schemas[0].joined(schemas[1])


@dataclass(frozen=True, eq=False)
class _Learnt:
    """What one table says: its schema, the columns that are called categorical, and those that may name rows."""

    schema: Schema
    marked: set[int] | None
    doubtful: Mapping[int, Column]


def _learn(X: Any, categorical_features: Any, called: str) -> _Learnt:
    n_columns = int(X.shape[1])
    levels: dict[int, tuple[Level, ...] | None] = {}
    if not is_frame(X):
        marked = marked_columns(categorical_features, n_columns, None)
        columns = None
        if marked and holds_objects(X):
            check_text(X, marked, called)
            columns = list(read_columns(X, called))
        for number in sorted(marked or ()):
            column = None if columns is None else columns[number]
            levels[number] = column.levels() if column is not None and column.kind == "text" else None
        return _Learnt(Schema(n_columns, levels), marked, {})
    names = checked_names(X, called)
    marked = marked_columns(categorical_features, n_columns, column_names(X))
    doubtful: dict[int, Column] = {}
    learnt: list[LearntColumn] = []
    for number, column in enumerate(read_columns(X, called)):
        learnt.append(_learn_column(column, names[number], None if marked is None else number in marked))
        if not (marked and number in marked) and is_doubtful(column):
            doubtful[number] = column
    has_no_names = names == tuple(range(n_columns))
    return _Learnt(Schema.of_columns(learnt, named=not has_no_names), marked, doubtful)


def _learn_column(column: Column, name: Name, is_marked: bool | None) -> LearntColumn:
    """Return what a column is; None leaves it to the type whether it holds categories."""
    if column.kind in TEMPORAL_KINDS and not is_marked:
        return LearntColumn(name, parts=varying_parts(column.kind, column.values))
    has_type_of_categories = column.kind != "number" or column.declared is not None
    if has_type_of_categories if is_marked is None else is_marked:
        return LearntColumn(name, is_categorical=True, levels=checked_levels(column))
    column.numbers()
    return LearntColumn(name)


def _columns_of_pool(learnt: _Learnt, pool: Any) -> dict[int, Column]:
    """Return the columns that are doubtful as they stand in a data frame of more rows, if they do."""
    if pool is None or not is_frame(pool) or not learnt.doubtful:
        return {}
    names, found = learnt.schema.source_names or range(learnt.schema.n_columns), list(pool.columns)
    there = {place: names[place] for place in learnt.doubtful if names[place] in found}
    check_distinct([name for name in found if name in there.values()], "X_unlabeled")
    return dict(zip(there, read_columns(pool[list(there.values())], "X_unlabeled"), strict=True))


def _leave_out(learnt: _Learnt, pool: Mapping[int, Column]) -> Schema:
    """Return the schema without columns that name rows, and warn of them."""
    schema, reasons = learnt.schema, {}
    names = schema.source_names or range(schema.n_columns)
    for place, column in learnt.doubtful.items():
        columns = [column, pool[place]] if place in pool else [column]
        name = names[place]
        reason = why_left_out(str(name), columns)
        if reason is not None:
            reasons[place] = f"{short(name)} ({reason})"
    if not reasons:
        return schema
    words = ", ".join(list(reasons.values())[:MOST_LISTED])
    if len(reasons) > MOST_LISTED:
        words += f" and {len(reasons) - MOST_LISTED} more"
    way_out = (
        "list it in categorical_features, of a classifier that has them, if it holds categories, or convert it to "
        "float if it holds numbers"
    )
    if len(reasons) == schema.n_sources:
        raise ValueError(
            f"X must have columns that describe its rows. Got only ones that name them: {words}; add others, or to "
            f"keep one, {way_out}."
        )
    warn_user(f"Columns of X that name rows instead of describing them are left out: {words}. To keep one, {way_out}.")
    return schema.without(reasons)


def checked_levels(column: Column) -> tuple[Level, ...]:
    """Return the categories of a column, or raise a ValueError if it cannot hold any."""
    if column.kind in TEMPORAL_KINDS:
        raise ValueError(
            f"Column {column.name} must hold numbers, booleans or text to be categorical. Got "
            f"{TEMPORAL_KINDS[column.kind]}; take it out of categorical_features, or convert it to text."
        )
    levels = column.levels()
    strange = [level for level in levels if isinstance(level, float) and not isfinite(level)]
    if strange:
        raise ValueError(
            f"Column {column.name} must hold finite numbers or other categories. Got {strange[0]}; replace "
            "infinity by a missing value."
        )
    return levels
