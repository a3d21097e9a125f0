"""Collections whose rows are on other machines: the package for them is loaded when the first one is met.

Imports point down only, so this table names `s2auc.distributed.engine`, and nothing imports it until then. What its
functions `open_rows`, `open_labels`, `open_columns` and `spread` return is like all other tables, sources and labels.
"""

from importlib import import_module
from typing import Any

ENGINES = {"dask": "s2auc.distributed.engine"}
"""By the name of a library, the module that opens its collections."""


def load_engine(name: str) -> Any:
    """Return the module that opens collections of a library, or raise an error that says how to get it."""
    if name not in ENGINES:
        raise ValueError(f"engine must be None or one of {', '.join(map(repr, ENGINES))}. Got {name!r}; choose one.")
    try:
        return import_module(ENGINES[name])
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
