"""A digest of the source that a result depends on: whatever some modules import of this package, and no more.

Comments, docstrings and layout do not count, nor do rooms that a fit never enters, so that stored results outlive
most changes of the package.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import s2auc

_PACKAGE = "s2auc"
_ROOT = Path(s2auc.__file__).parent

#: Modules that others import, and that have no say in scores: the front door, the table of methods (what it says is
#: part of every trial's key), what is written down of a fit, and files of models.
_WITHOUT_A_SAY = frozenset(
    {
        _PACKAGE,
        "s2auc.experiments.methods.table",
        "s2auc.estimators.fitting.record",
        "s2auc.models.record",
        "s2auc.models.files.file",
    }
)


def code_digest(modules: Iterable[str]) -> str:
    """Return a short digest of the code of modules and of all that they import of this package.

    Parameters
    ----------
    modules
        Full names; those of other packages are passed over.

    Examples
    --------
    >>> code_digest(["s2auc.ranking.metrics"]) == code_digest(["s2auc.ranking.metrics", "numpy"])
    True
    """
    return _digest(tuple(sorted(reachable_modules(modules))))


def reachable_modules(modules: Iterable[str]) -> set[str]:
    """Return the modules of this package that some modules are made of: themselves, and what they import, in turn.

    Parameters
    ----------
    modules
        Full names.

    Examples
    --------
    >>> "s2auc.common.arrays" in reachable_modules(["s2auc.ranking.metrics"])
    True
    """
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found | _WITHOUT_A_SAY and _file_of(module) is not None:
            found.add(module)
            waiting += _imports_of(module)
    return found


@cache
def _digest(modules: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for module in modules:
        digest.update(f"{module}\0".encode() + _content(module))
    return digest.hexdigest()[:12]


@cache
def _file_of(module: str) -> Path | None:
    """Return the file of a module of this package: a source file, a package's front door, or compiled code."""
    if module.partition(".")[0] != _PACKAGE:
        return None
    path = _ROOT.joinpath(*module.split(".")[1:])
    endings = (".py", "/__init__.py", *EXTENSION_SUFFIXES)
    return next((file for ending in endings if (file := Path(f"{path}{ending}")).is_file()), None)


@cache
def _imports_of(module: str) -> tuple[str, ...]:
    """Return the modules that a module names in its import statements, wherever they stand."""
    tree = _tree(module)
    return tuple(dict.fromkeys(_named(tree))) if tree is not None else ()


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from _named(node)


@cache
def _content(module: str) -> bytes:
    """Return what a module does: its statements without comments and docstrings, or compiled code as it is."""
    tree = _tree(module)
    if tree is None:
        file = _file_of(module)
        return file.read_bytes() if file is not None else b""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            # A text that stands alone does nothing, be it a docstring or a word on the name before it.
            node.body = [line for line in body if not _is_text(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree).encode()


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _tree(module: str) -> ast.Module | None:
    """Return a new syntax tree of a module's source, None for compiled code."""
    file = _file_of(module)
    if file is None or file.suffix != ".py":
        return None
    return ast.parse(file.read_bytes(), file.name)
