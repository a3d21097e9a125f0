"""Tables in memory as columns, by way of Arrow's streams: pandas, polars, pyarrow, DuckDB and others."""

from typing import Any

from s2auc.common.scratch_folders import ScratchFolder
from s2auc.data.arrow_files import open_files
from s2auc.data.arrow_pieces import ArrowColumns, DatasetColumns, MemoryColumns, load_pyarrow, one_line
from s2auc.data.column_matching import check_distinct
from s2auc.data.engines import is_elsewhere, load_engine
from s2auc.data.frames import Level, declared_categories, is_frame
from s2auc.data.table_files import TableFiles


def as_columns(where: Any) -> ArrowColumns:
    """Return the columns of a table in memory, or of a lazy frame, whose result is written to a file first.

    Raises
    ------
    TypeError
        If it is no table.
    ValueError
        If a column holds values of several types.
    """
    pyarrow, dataset = load_pyarrow(), load_pyarrow("pyarrow.dataset")
    if is_elsewhere(where):
        return load_engine("dask").open_columns(where)
    if isinstance(where, dataset.Dataset):
        return DatasetColumns(where)
    if _is_lazy(where):
        folder = ScratchFolder()
        path = folder.path / "rows.parquet"
        where.sink_parquet(path)
        return open_files(TableFiles((path,), "parquet"), folder)
    if type(where).__name__ == "Series":
        raise TypeError(
            "A table must have rows and columns. Got Series; pass its to_frame() for a table of one column."
        )
    try:
        if isinstance(where, pyarrow.Table):
            return MemoryColumns(where)
        if is_frame(where):
            check_distinct(list(where.columns), "the table")
        if hasattr(where, "iloc"):  # pandas, whose index says nothing of rows
            return MemoryColumns(pyarrow.Table.from_pandas(where, preserve_index=False))
        if hasattr(where, "__arrow_c_stream__"):
            return MemoryColumns(pyarrow.table(where))
    except (pyarrow.ArrowException, TypeError) as error:
        words = " ".join(str(part) for part in error.args)
        raise ValueError(
            f"Columns of a table must hold values of one type that Arrow knows. Got others ({one_line(words)}); "
            "convert them, or leave the column out."
        ) from error
    raise TypeError(
        "A table must be a path, a list of paths, a data frame of pandas or polars, or a table of pyarrow. Got "
        f"{type(where).__name__}; make it one of these."
    )


def declared_levels(where: Any) -> dict[str, tuple[Level, ...]]:
    """Return the categories that the types of a data frame's columns name, by the names of the columns."""
    if is_elsewhere(where):
        return load_engine("dask").declared_levels(where)
    return declared_categories(where) if not _is_lazy(where) and is_frame(where) else {}


def _is_lazy(where: Any) -> bool:
    """Return whether something is a lazy frame of polars."""
    return hasattr(where, "sink_parquet")
