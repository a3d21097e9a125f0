"""Collections whose rows are on other machines: the room that knows them is loaded when the first one is met.

Imports point down only, so this table names that room, `s2auc.distributed`, and nothing here imports it until then.
What it gives are tables, sources and labels like all others.
"""

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, cast

from s2auc.data.tables.lazy_table import LabelColumn, LazyRows
from s2auc.data.tables.pieces import ArrowColumns

ENGINES = {"dask": "s2auc.distributed.engine"}
"""By the name of a library, the module whose `ENGINE` opens its collections."""


class Engine(ABC):
    """What opens the collections of a library."""

    @abstractmethod
    def open_rows(self, X: Any) -> LazyRows:
        """Return the columns of a frame or an array."""

    @abstractmethod
    def open_labels(self, y: Any) -> LabelColumn:
        """Return the labels of a series or of an array of one dimension."""

    @abstractmethod
    def open_columns(self, X: Any) -> ArrowColumns:
        """Return the columns of a frame as Arrow has them."""

    @abstractmethod
    def spread(self, columns: ArrowColumns) -> ArrowColumns:
        """Return columns of files that workers read, each a part of the files."""


def load_engine(name: str) -> Engine:
    """Return the engine of a library, or raise an error that says how to get it."""
    if name not in ENGINES:
        raise ValueError(f"engine must be None or one of {', '.join(map(repr, ENGINES))}. Got {name!r}; choose one.")
    try:
        return cast(Engine, import_module(ENGINES[name]).ENGINE)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"Rows on other machines need {name}, of which {error.name} is not installed: pip install 's2auc[{name}]'."
        ) from error


def is_dask_collection(X: Any) -> bool:
    """Return whether something is a frame, a series or an array of Dask.

    Examples
    --------
    >>> is_dask_collection([[1.0]])
    False
    """
    # Whatever is asked of a delayed value, it has it.
    return hasattr(X, "__dask_graph__") and isinstance(getattr(X, "ndim", None), int)


def open_labels(y: Any) -> Any:
    """Return the labels of a collection whose rows are on other machines, and anything else as it is."""
    return load_engine("dask").open_labels(y) if is_dask_collection(y) else y
