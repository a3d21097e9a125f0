"""Modules that are imported when they are first used: large ones (pyarrow takes a second), and optional ones."""

from importlib import import_module
from typing import Any


class LazyModule:
    """A module that is imported when something in it is first asked for.

    Parameters
    ----------
    name : str
        Its full name.

    Examples
    --------
    >>> LazyModule("math").pi
    3.141592653589793
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Return what the module calls so, and keep it: it may be asked for very often."""
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


def import_optional(name: str, need: str, extra: str) -> Any:
    """Return a library, or raise an ImportError that says how to install it.

    Parameters
    ----------
    name
        The name that it is imported by.
    need
        The beginning of the error: what needs which library.
    extra
        The extra of this package that installs it.

    Examples
    --------
    >>> import_optional("nowhere", "Flying needs the nowhere library", "air")
    Traceback (most recent call last):
    ...
    ImportError: Flying needs the nowhere library, which is not installed: pip install 's2auc[air]'
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{need}, which is not installed: pip install 's2auc[{extra}]'") from error


pa: Any = LazyModule("pyarrow")
pc: Any = LazyModule("pyarrow.compute")
pads: Any = LazyModule("pyarrow.dataset")
pq: Any = LazyModule("pyarrow.parquet")
pacsv: Any = LazyModule("pyarrow.csv")
patypes: Any = LazyModule("pyarrow.types")
