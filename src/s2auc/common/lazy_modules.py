"""Modules of large libraries, imported when they are first used: importing pyarrow takes a second."""

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
        """Return what the module calls so."""
        return getattr(import_module(self._name), attribute)


pa: Any = LazyModule("pyarrow")
pc: Any = LazyModule("pyarrow.compute")
pads: Any = LazyModule("pyarrow.dataset")
pq: Any = LazyModule("pyarrow.parquet")
pacsv: Any = LazyModule("pyarrow.csv")
patypes: Any = LazyModule("pyarrow.types")
