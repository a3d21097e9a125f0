"""The table of methods that experiments compare.

A plugin, a module that a specification names, adds its own: ``METHODS["mine"] = Method(name="mine", ...)``.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from s2auc.common.memory import show_bytes
from s2auc.experiments.methods import builders, learners
from s2auc.experiments.methods.learners import Learner

_installed_version = cache(version)


@dataclass(frozen=True)
class Sizes:
    """Numbers of training rows and of columns."""

    n_labeled: int
    n_unlabeled: int
    n_columns: int


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method of the table.

    Attributes
    ----------
    name
        Name in specifications and reports.
    description
        What it is and how it is tuned, in one line.
    build
        Makes a learner from a seed and the parameters.
    parameters
        Keyword arguments of `build`, plain JSON values. They identify results: change them with the method.
    version
        Version of the method's results: raise it by hand with every change of code that changes them.
    library
        Distribution that brings the method; empty for none. The version of a library other than s2auc also identifies
        results.
    extra
        Extra of this package that brings the library; empty where it is always there.
    needs_unlabeled
        Whether it cannot do without unlabelled rows.
    max_labeled
        Most labelled rows it can handle in reasonable time.
    memory
        Estimate of the bytes that `fit` needs; None where it is of the order of the rows themselves.
    """

    name: str
    description: str
    build: Callable[..., Learner] = field(repr=False)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    library: str = ""
    extra: str = ""
    needs_unlabeled: bool = False
    max_labeled: int | None = None
    memory: Callable[[Sizes], int] | None = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """Library, its version unless it is s2auc, and version of the results: part of the key of stored results.

        Examples
        --------
        >>> METHODS["samult"].identity
        's2auc, results 1'
        """
        library = self.library
        if library not in ("", "s2auc"):
            try:
                library = f"{library} {_installed_version(library)}"
            except PackageNotFoundError as error:
                needs, source = f"Methods from {library} need that package", library
                if self.extra:
                    needs, source = f"The method {self.name} needs the package {library}", f"'s2auc[{self.extra}]'"
                raise ModuleNotFoundError(f"{needs}, and it is not installed: pip install {source} adds it.") from error
        return ", ".join(filter(None, [library, f"results {self.version}"]))

    def obstacle(self, sizes: Sizes, memory_limit: int | None) -> str:
        """Return why the method cannot run on a problem of this size, or an empty text.

        Examples
        --------
        >>> METHODS["self_training"].obstacle(Sizes(10, 0, 3), None)
        'needs unlabelled rows, there are none'
        """
        if self.needs_unlabeled and not sizes.n_unlabeled:
            return "needs unlabelled rows, there are none"
        if self.max_labeled is not None and sizes.n_labeled > self.max_labeled:
            return f"takes at most {self.max_labeled:,} labelled rows, there are {sizes.n_labeled:,}"
        needed = self.memory(sizes) if self.memory is not None else 0
        if memory_limit is not None and needed > memory_limit:
            return f"needs {show_bytes(needed)}, the limit is {show_bytes(memory_limit)}"
        return ""


def neighbor_graph_bytes(sizes: Sizes) -> int:
    """Return the bytes that label spreading needs."""
    # Twenty entries per row (ten neighbours, both directions) of 12 bytes, some copies, and the scaled rows.
    max_unlabeled: int = METHODS["label_spreading"].parameters["max_unlabeled"]
    n_rows = sizes.n_labeled + min(sizes.n_unlabeled, max_unlabeled)
    return n_rows * (20 * 12 * 6 + 8 * 3 * sizes.n_columns)


def full_kernel_bytes(sizes: Sizes) -> int:
    """Return the bytes that a fit with every row as a centre needs."""
    from s2auc.estimators.baselines.kernel.full_kernel import needed_bytes

    # The kernel of all rows, and the rows in some copies.
    n_rows = sizes.n_labeled + sizes.n_unlabeled
    return needed_bytes(n_rows) + 8 * 4 * n_rows * sizes.n_columns


_MEMORY = {"neighbor_graph_bytes": neighbor_graph_bytes, "full_kernel_bytes": full_kernel_bytes}


def read_methods(path: Path, **build: Callable[..., Learner]) -> dict[str, Method]:
    """Return the methods of a TOML file by their names.

    Parameters
    ----------
    path
        The file.
    **build
        What makes learners, by name, beside the functions and classes of `builders` and `learners`.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    known = {**vars(learners), **vars(builders), **build}
    for values in tables.values():
        values["build"] = known[values["build"]]
        values["memory"] = _MEMORY.get(values.get("memory"))
    return {name: Method(name=name, **values) for name, values in tables.items()}


#: Every method by its name; plugins add theirs.
METHODS = read_methods(Path(__file__).with_name("methods.toml"))


def load_plugins(names: Iterable[str]) -> None:
    """Import the modules that add methods to `METHODS` or datasets to `LOADERS`.

    Parameters
    ----------
    names
        Module names, found as any import is.
    """
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise ValueError(
                f"A plugin must name a module that can be imported. Got {name!r} instead ({error}); put its folder "
                "on PYTHONPATH."
            ) from error
