"""Tables in memory as columns, by way of Arrow: pandas, polars, pyarrow, dicts of columns, DuckDB, Hugging Face."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from s2auc.common.arrays import is_missing, is_sparse
from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pads
from s2auc.common.messages import Parameter, one_line
from s2auc.common.storage.files import ScratchFolder
from s2auc.data.schema.column_names import NO_NAME, check_distinct
from s2auc.data.tables.engines import is_dask_collection, load_engine
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import ArrowColumns, DatasetColumns, MemoryColumns, open_files

# Methods of tables that Arrow can read; every library has one or another.
_SIGNS = "__arrow_c_stream__", "to_pyarrow", "to_batches", "sink_parquet", "with_format"


def is_table(X: Any) -> bool:
    """Return whether something is a table in memory whose columns may have names and types of their own.

    Examples
    --------
    >>> is_table({"age": [31, 45]}), is_table([[31], [45]])
    (True, False)
    """
    if is_sparse(X):  # some of which are dicts
        return False
    return isinstance(X, Mapping) or hasattr(X, "iloc") or any(hasattr(X, sign) for sign in _SIGNS)


def is_numbered(where: Any) -> bool:
    """Return whether the columns of a table are called 0, 1, 2, …, as those of a frame made of an array are."""
    names = where if isinstance(where, Mapping) else getattr(where, "columns", ()) if hasattr(where, "iloc") else ()
    return len(names) > 0 and list(names) == list(range(len(names)))


def as_columns(where: Any, display_name: str = "the table") -> ArrowColumns:
    """Return the columns of a table in memory, or of a lazy frame, whose result is written to a file first.

    Names become text. Cells of a column that holds values of several types become text, too, as Excel's do.

    Parameters
    ----------
    where
        The table.
    display_name
        What errors call it.

    Raises
    ------
    TypeError
        If it is no table.
    ValueError
        If columns have the same name or different lengths.
    """
    if is_dask_collection(where):
        opened: ArrowColumns = load_engine("dask").open_columns(where)
        return opened
    if isinstance(where, pads.Dataset):
        return DatasetColumns(where)
    if hasattr(where, "sink_parquet"):
        folder = ScratchFolder()
        where.sink_parquet(folder.path / "rows.parquet")
        return open_files(TableFiles((folder.path / "rows.parquet",), "parquet"), folder)
    if type(where).__name__ == "Series" or isinstance(where, pa.Array | pa.ChunkedArray):
        found = f"{type(where).__name__}; pass its to_frame() for a table of one column"
        raise TypeError(f"A table must have rows and columns. Got {found}.")
    if not is_table(where):
        rule = "be a path, a list of paths, a data frame, a table of pyarrow or a dict of columns"
        raise TypeError(f"A table must {rule}. Got {type(where).__name__}; make it one of these.")
    if hasattr(where, "iloc"):  # pandas, whose index says nothing of rows
        columns = (where.iloc[:, place] for place in range(where.shape[1]))
        return MemoryColumns(table_of(where.columns, columns, display_name))
    if isinstance(where, Mapping):
        return MemoryColumns(table_of(list(where), iter(where.values()), display_name))
    if not hasattr(where, "__arrow_c_stream__") and hasattr(where, "to_pyarrow"):
        where = where.to_pyarrow()
    elif hasattr(where, "with_format"):  # Hugging Face datasets, whose rows may be a selection
        where = where.with_format("arrow")[:]
    if isinstance(where, pads.Scanner):
        where = where.to_reader()
    if any(str(dtype) == "Object" for dtype in getattr(where, "dtypes", ())):  # of polars, which Arrow does not take
        columns = (column.to_list() for column in where.get_columns())
        return MemoryColumns(table_of(where.columns, columns, display_name))
    table = pa.table(where)
    return MemoryColumns(table.rename_columns(_text_names(table.column_names, display_name)))


def table_of(names: Sequence[Any], columns: Iterator[Any], display_name: str = "the table") -> Any:
    """Return a `pyarrow.Table` of columns, each a series, an array or a list, with names as text."""
    texts = _text_names(names, display_name)
    arrays = [_arrow_array(column, name) for column, name in zip(columns, texts, strict=True)]
    lengths = {len(array): name for array, name in zip(arrays, texts, strict=True)}
    if len(lengths) > 1:
        shown = " and ".join(f"{length} in {name!r}" for length, name in list(lengths.items())[:2])
        raise ValueError(f"Columns of {display_name} must be of one length. Got {shown} values; make them alike.")
    return pa.table(arrays, names=texts) if arrays else pa.table({})


def _text_names(names: Sequence[Any], display_name: str) -> list[str]:
    """Return names of columns as text, or raise a ValueError if one occurs twice."""
    texts = [_text_name(name, place, display_name) for place, name in enumerate(names)]
    check_distinct(texts, display_name)
    return texts


def _text_name(name: Any, place: int, display_name: str) -> str:
    if isinstance(name, str):
        if not _is_utf8(name):
            rule, table = "have names that UTF-8 can carry", Parameter(display_name)
            raise InputError(rule, subject="Columns of {table}", table=table, found=repr(name), fix="rename them")
        return str.__str__(name) or NO_NAME.format(place)
    if isinstance(name, Integral) and not isinstance(name, bool):
        return str(int(name))
    found = f"{name!r} ({type(name).__name__}); rename them, such as by X.columns = X.columns.map(str)"
    raise TypeError(f"Columns of {display_name} must have names that are text or whole numbers. Got {found}.")


def _is_utf8(text: str) -> bool:
    return text.isascii() or text.encode(errors="ignore").decode() == text


def _arrow_array(column: Any, name: str) -> Any:
    """Return a column as an Arrow array; values of several types become text."""
    if hasattr(getattr(column, "dtype", None), "subtype") and hasattr(column, "sparse"):
        column = column.sparse.to_dense()
    try:
        array = pa.array(column, from_pandas=True)
        if pa.types.is_date32(array.type) and _holds_times(column):
            raise TypeError("dates and times")  # of which Arrow would drop the time of day
        return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        if not hasattr(column, "__len__") and not hasattr(column, "__iter__"):
            found = f"{column!r} in {name!r} ({one_line(error)}); pass a list or an array"
            raise TypeError(f"Columns of a table must hold one value per row. Got {found}.") from error
        values = column.tolist() if hasattr(column, "tolist") else list(column)
        texts = [spelled(value) for value in values]
        if any(text is None and not is_missing(value) for text, value in zip(texts, values, strict=True)):
            return pa.nulls(len(values), pa.struct([]))  # a type that is not read
        lone = next((row for row, text in enumerate(texts) if text is not None and not _is_utf8(text)), None)
        if lone is not None:
            rule, found = "hold text that UTF-8 can carry", repr(texts[lone])
            raise InputError(rule, column=name, found=found, row=lone, fix="replace it") from error
        return pa.array(texts, pa.string())


def _holds_times(column: Any) -> bool:
    """Return whether some objects are dates with a time of day."""
    return str(getattr(column, "dtype", "object")) == "object" and any(isinstance(value, datetime) for value in column)


def spelled(value: Any) -> str | None:
    """Return a cell as text: as it would stand in a CSV file; None if it is missing or has no such form.

    Examples
    --------
    >>> spelled(29.0), spelled(29.85), spelled("-"), spelled(float("nan"))
    ('29', '29.85', '-', None)
    """
    if isinstance(value, str):
        return str.__str__(value)
    if is_missing(value):
        return None
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, bool | np.bool_ | date | time):
        return str(value)
    if isinstance(value, Real | Decimal):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else str(value)
    return None
