"""Dask frames, arrays and series, and files that workers read, opened for `s2auc.data.tables.engines`."""

from typing import Any

import dask.dataframe  # noqa: F401 whose absence is told here, and not by the first frame
import distributed  # noqa: F401

from s2auc.data.schema.column_names import check_distinct
from s2auc.data.tables.arrow_table import ArrowLabels, ArrowLazyRows
from s2auc.data.tables.lazy_table import LabelColumn, LazyRows
from s2auc.data.tables.pieces import ArrowColumns
from s2auc.distributed.columns import FileColumns, FrameColumns
from s2auc.distributed.matrices import DaskMatrix, DaskVector

_LABEL = "label"


def open_rows(X: Any) -> LazyRows:
    """Return the columns of a frame or an array."""
    if X.ndim != 2:
        raise ValueError(
            f"X must have rows and columns. Got a {type(X).__name__} of Dask of {X.ndim} dimensions; reshape it, "
            "or pass its to_frame()."
        )
    if not hasattr(X, "columns"):
        return DaskMatrix(X)
    columns = open_columns(X)
    return ArrowLazyRows(columns, columns.names)


def open_labels(y: Any) -> LabelColumn:
    """Return the labels of a series or of an array of one dimension."""
    if y.ndim != 1:
        raise ValueError(
            f"y should be one column with one label a row. Got a {type(y).__name__} of Dask of {y.ndim} "
            "dimensions; choose one column of it."
        )
    return ArrowLabels(FrameColumns(y.to_frame(_LABEL)), _LABEL) if hasattr(y, "to_frame") else DaskVector(y)


def open_columns(X: Any) -> FrameColumns:
    """Return the columns of a frame as Arrow has them."""
    if not hasattr(X, "columns"):
        raise TypeError(
            f"A table of Dask must be a data frame. Got {type(X).__name__}; pass it to estimators as it is."
        )
    check_distinct(list(X.columns), "X")
    return FrameColumns(X.rename(columns={name: str(name) for name in X.columns}))


def spread(columns: ArrowColumns) -> ArrowColumns:
    """Return columns of files that workers read, each a part of the files."""
    return FileColumns(columns)
