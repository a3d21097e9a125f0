"""One way in: everything that users pass as rows becomes a lazy table, a matrix of numbers or a source of rows."""

from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, is_missing, is_sparse
from s2auc.common.errors import InputError
from s2auc.common.messages import one_line
from s2auc.data.labels.values import kind_of
from s2auc.data.schema.column_names import short
from s2auc.data.schema.column_selection import ColumnSelection
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import ScannedOnce
from s2auc.data.sources.finite import FiniteRows, open_matrix
from s2auc.data.sources.source import RowSource
from s2auc.data.sources.sparse_structure import checked_structure
from s2auc.data.tables.arrow_table import ArrowLazyRows
from s2auc.data.tables.engines import is_dask_collection, load_engine
from s2auc.data.tables.frames import as_columns, is_numbered, is_table, table_of
from s2auc.data.tables.lazy_table import LazyRows
from s2auc.data.tables.paths import is_path
from s2auc.data.tables.pieces import MemoryColumns
from s2auc.data.tables.schema_learner import matrix_schema
from s2auc.data.tables.table import Table, open_table

# Methods that make a data frame or an array of the tables of other libraries.
_CONVERSIONS = {"dask": "compute()", "pyspark": "toPandas()"}


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


def mark_texts(X: Any, text_features: Any) -> Any:
    """Return rows, as `as_rows` gives these, with the columns that a user says hold text, by name or number."""
    if text_features is None or isinstance(X, ArrowLazyRows):
        return X if text_features is None else X.with_texts(text_features)
    rule, fix = "be left out where X holds numbers only", "pass a data frame or another table with text"
    raise InputError(rule, parameter="text_features", found=repr(text_features), fix=fix)


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
            rule = "be left alone where X is a source of rows, whose schema names its categories"
            found = f"{categorical_features!r}; mark the columns in the schema"
            raise ValueError(f"categorical_features must {rule}. Got {found}.")
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


def open_terms(X: Any, schema: Schema, display_name: str = "X") -> RowSource | None:
    """Return the terms of the text columns of rows, as `as_rows` gives these; None if there are none."""
    if not any(encoding.vocabulary.n_terms for _, encoding in schema.texts.values()) or not isinstance(X, LazyRows):
        return None
    return ScannedOnce(X.open_terms(schema, display_name), X.origin)


def _check_source(source: RowSource, schema: Schema, name: str) -> None:
    """Raise a ValueError unless a source has the columns of a schema: as many, with their names and categories."""
    labels, names = source.schema.column_labels, (source.schema.names, schema.names)
    if source.n_columns != schema.n_columns or (None not in names and names[0] != names[1]):
        rule = f"have the {schema.n_columns} columns of the rows that were fitted, in their order"
        found = f"{source.n_columns} columns ({', '.join(labels[:5])}{', ...' if source.n_columns > 5 else ''})"
        raise ValueError(f"{name} must {rule}. Got {found}; pass a source of the same table.")
    for column, levels in source.schema.levels.items():
        fitted = schema.levels.get(column)
        if levels is not None and fitted is not None and levels != fitted:
            # Codes would stand for other categories than they did in the fit.
            rule = "have the categories of the rows that were fitted, in their order"
            raise ValueError(f"{name} must {rule}. Got others in column {labels[column]}; pass the same table.")


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
            if kind_of(example) not in ("number", "boolean", "text") and not is_missing(example):
                # scikit-learn expects these words, and this type of error, of objects that are no numbers.
                rule = "hold numbers or text: an argument must be a string or a real number"
                found = f"{example!r} ({type(example).__name__}); convert the column, or leave it out"
                raise TypeError(f"Column {place} of {display_name} must {rule}. Got {found}.")


def as_matrix(X: Any, display_name: str = "X") -> Any:
    """Return a sparse matrix as it is, and anything else that has rows and columns as an array.

    Masked entries of arrays become NaN, or None where the array holds objects.

    Parameters
    ----------
    X
        What a user passed as a table.
    display_name
        What errors call it.

    Raises
    ------
    TypeError
        If it is none: a series, a generator, …
    ValueError
        If it has not two dimensions, rows of different lengths, or complex numbers.

    Examples
    --------
    >>> as_matrix(np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])).tolist()
    [[1.0, nan], [3.0, 4.0]]
    >>> as_matrix(range(3))
    Traceback (most recent call last):
    TypeError: X must be an array, a sparse matrix, a data frame or a list of rows. Got range; pass list(X).
    """
    if is_sparse(X):  # some of which are dicts
        return X
    way_out = _way_out(X, display_name)
    if way_out is not None:
        rule = "be an array, a sparse matrix, a data frame or a list of rows"
        raise TypeError(f"{display_name} must {rule}. Got {_type_name(X)}; {way_out}.")
    values = X if isinstance(X, np.ndarray) else _numpy_array(X, display_name)
    if values.ndim != 2:
        found = f"Expected 2D array, got {values.ndim}D array instead"
        way = "with reshape(-1, 1) if it is one column, or reshape(1, -1) if it is one row"
        way = way if values.ndim < 2 else "to (n_rows, n_columns)"
        raise ValueError(f"{found}: {display_name} must have rows and columns. Reshape your data {way}.")
    if values.dtype.kind == "c":
        found = f"Got {values.dtype}; pass real and imaginary parts as columns of their own"
        raise ValueError(f"Complex data not supported: {display_name} must hold real numbers. {found}.")
    return _without_mask(values) if isinstance(values, np.ma.MaskedArray) else values


def _way_out(X: Any, display_name: str) -> str | None:
    """Return what to do with something that is no table; None if it may be one."""
    library, name = type(X).__module__.partition(".")[0], type(X).__name__
    if library in _CONVERSIONS:
        return f"pass {display_name}.{_CONVERSIONS[library]}"
    if "GroupBy" in name:
        return f"pass the frame that was grouped, or one row per group, such as {display_name}.mean()"
    if library in ("pandas", "polars") and "Series" in name:
        return f"pass {display_name}.to_frame() for a table of one column"
    if isinstance(X, Iterator | Set | range):
        return f"pass list({display_name})"
    is_readable = any(hasattr(X, name) for name in ("__array__", "__array_interface__", "__len__", "shape"))
    return None if is_readable else "pass rows and columns in one of these"


def _type_name(X: Any) -> str:
    library, name = type(X).__module__.partition(".")[0], type(X).__name__
    if isinstance(X, str):
        return f"the text {short(X)}"
    return "None" if X is None else name if library in ("builtins", "__main__") else f"{name} of {library}"


def _numpy_array(X: Any, display_name: str) -> AnyArray:
    is_list = isinstance(X, list | tuple)
    try:
        if is_list and any(isinstance(row, np.ma.MaskedArray) for row in X):
            return np.ma.stack([np.ma.asarray(row) for row in X])
        values = np.asarray(X)
        # NumPy makes text of the numbers that stand beside text.
        return np.array(X, dtype=object) if is_list and values.dtype.kind in "US" else values
    except Exception as error:  # whatever the library that made X raises
        lengths = [len(row) if hasattr(row, "__len__") else 1 for row in X] if is_list else []
        other = next((place for place, length in enumerate(lengths) if length != lengths[0]), None)
        if other is not None:
            found = f"{lengths[0]} values in row 0 and {lengths[other]} in row {other}; fill them up, such as with NaN"
            raise ValueError(f"Rows of {display_name} must be of one length. Got {found}.") from error
        found = f"{_type_name(X)} ({one_line(error)}); turn it into a NumPy array first"
        raise TypeError(f"{display_name} must be something that NumPy can read. Got {found}.") from error


def _without_mask(X: Any) -> AnyArray:
    """Return what a masked array holds, with missing values where it is masked."""
    mask, values = np.ma.getmaskarray(X), np.asarray(X.data)
    if not mask.any() or values.dtype.kind in "mM":
        return values
    is_object = values.dtype.kind in "OUS"
    values = values.astype(object if is_object else values.dtype if values.dtype.kind == "f" else np.float64)
    values[mask] = None if is_object else np.nan
    return values
