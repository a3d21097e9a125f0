"""One way in: whatever users pass as rows becomes a lazy table, a matrix of numbers or a source of rows."""

from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.data.labels.values import kind_of
from s2auc.data.matrix_inputs import as_matrix
from s2auc.data.schema.column_selection import ColumnSelection
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import ScannedOnce
from s2auc.data.sources.finite import FiniteRows, open_matrix
from s2auc.data.sources.source import RowSource
from s2auc.data.sources.sparse_structure import checked_structure
from s2auc.data.tables.arrow_table import ArrowLazyRows
from s2auc.data.tables.engines import is_dask_collection, load_engine
from s2auc.data.tables.frames import as_columns, is_missing_object, is_numbered, is_table, table_of
from s2auc.data.tables.lazy_table import LazyRows
from s2auc.data.tables.paths import is_path
from s2auc.data.tables.pieces import MemoryColumns
from s2auc.data.tables.schema_learner import matrix_schema
from s2auc.data.tables.table import Table, open_table


def as_rows(X: Any, display_name: str = "X") -> Any:
    """Return rows as what the rest of the package takes: lazy rows, a source of rows, or a matrix.

    Parameters
    ----------
    X
        An open table, a path, a data frame of any library that Arrow can read, a dict of columns, a collection of
        Dask, an array, a sparse matrix, a list of rows, or a source of rows.
    display_name
        What errors call it.

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If it cannot be read, or has not two dimensions.

    Examples
    --------
    >>> as_rows({"age": [31, 45]}).n_rows, as_rows([[31], [45]]).shape
    (2, (2, 1))
    """
    if isinstance(X, LazyRows | RowSource):
        return X
    if isinstance(X, Table):
        return X.X
    if is_dask_collection(X):
        return load_engine("dask").open_rows(X)
    if is_path(X):
        return open_table(X).X
    if is_table(X) and type(X).__name__ != "Series" and "GroupBy" not in type(X).__name__:
        columns = as_columns(X, display_name)
        return ArrowLazyRows(columns, ColumnSelection().used(columns.schema.names), named=not is_numbered(X))
    matrix = checked_structure(as_matrix(X, display_name), display_name)
    is_of_objects = isinstance(matrix, np.ndarray) and matrix.dtype.kind in "OUS"
    return _object_rows(matrix, display_name) if is_of_objects else matrix


def learn_schema(X: Any, categorical_features: Any = "from_dtype", pool: Any = None) -> Schema:
    """Return what the columns of the rows of a fit mean.

    Parameters
    ----------
    X, pool
        Rows as `as_rows` gives them, and more of them or None.
    categorical_features
        "from_dtype": columns of text or booleans, or of a type made for categories, hold categories. None: no
        column does. Or the names (text) and numbers (integers, from 0) of those that do.

    Examples
    --------
    >>> learn_schema(as_rows({"age": [31, 45], "city": ["Rome", "Oslo"]})).levels
    {1: ('Oslo', 'Rome')}
    """
    if isinstance(X, LazyRows):
        return X.learn_schema(categorical_features, pool if isinstance(pool, LazyRows) else None)
    if isinstance(X, RowSource):
        if not isinstance(categorical_features, str | None):
            raise ValueError(
                "categorical_features must be left alone where X is a source of rows, whose schema names its "
                f"categories. Got {categorical_features!r}; mark the columns in the schema."
            )
        return X.schema
    return matrix_schema(int(X.shape[1]), categorical_features)


def open_rows(X: Any, schema: Schema, display_name: str = "X", *, allows_missing: bool, min_rows: int = 0) -> RowSource:
    """Return rows as a source of numbers by the columns of a schema, whose values are known to be finite.

    Parameters
    ----------
    X
        Rows as `as_rows` takes or gives them.
    schema
        What the columns are.
    display_name
        What errors call the rows.
    allows_missing
        Whether NaN may stand for a missing value.
    min_rows
        With fewer rows in a matrix, an error says so.
    """
    rows = as_rows(X, display_name)
    if isinstance(rows, LazyRows):
        rows = ScannedOnce(rows.open(schema, display_name), rows.origin)
    if isinstance(rows, RowSource):
        _check_source(rows, schema, display_name)
        return FiniteRows(rows, display_name, allows_missing=allows_missing)
    return open_matrix(rows, schema, display_name, allows_missing=allows_missing, min_rows=min_rows)


def _check_source(source: RowSource, schema: Schema, name: str) -> None:
    """Raise a ValueError unless a source has the columns of a schema: as many, with their names and categories."""
    names = (source.schema.names, schema.names)
    if source.n_columns != schema.n_columns or (None not in names and names[0] != names[1]):
        shown = ", ".join(source.schema.column_labels[:5]) + (", ..." if source.n_columns > 5 else "")
        raise ValueError(
            f"{name} must have the {schema.n_columns} columns of the rows that were fitted, in their order. Got "
            f"{source.n_columns} columns ({shown}); pass a source of the same table."
        )
    for column, levels in source.schema.levels.items():
        fitted = schema.levels.get(column)
        if levels is not None and fitted is not None and levels != fitted:
            # Codes would stand for other categories than they did in the fit.
            raise ValueError(
                f"{name} must have the categories of the rows that were fitted, in their order. Got others in column "
                f"{source.schema.column_labels[column]}; pass a source of the same table."
            )


def _object_rows(X: AnyArray, display_name: str) -> LazyRows:
    """Return an array of objects, some of which may be text, as columns that go by their place."""
    _check_objects(X, display_name)
    names = list(map(str, range(X.shape[1])))
    columns = table_of(names, (X[:, place].tolist() for place in range(X.shape[1])))
    return ArrowLazyRows(MemoryColumns(columns), names, kept=names, named=False, types_tell=False)


def _check_objects(X: AnyArray, display_name: str) -> None:
    """Raise a TypeError that names the first object that is neither a number nor text nor missing."""
    for place in range(X.shape[1]):
        for example in dict(zip(map(type, X[:, place]), X[:, place], strict=True)).values():
            if kind_of(example) not in ("number", "boolean", "text") and not is_missing_object(example):
                # scikit-learn expects these words, and this type of error, of objects that are no numbers.
                raise TypeError(
                    f"Column {place} of {display_name} must hold numbers or text: an argument must be a string "
                    "or a real "
                    f"number. Got {example!r} ({type(example).__name__}); turn dates into numbers and other things "
                    "into numbers or text, or leave the column out."
                )
