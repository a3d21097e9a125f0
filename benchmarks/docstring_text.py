"""Real text that is always at hand: documentation strings of Python, NumPy, SciPy and scikit-learn.

Files are parsed, not imported. A documentation string of a module, class or function is cut into passages of 150 words;
what is left over at its end is a passage too if it has 30 words. A passage that stood elsewhere already is left out.
"""

import ast
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGES = "numpy", "scipy", "sklearn"
STANDARD_LIBRARY = "python"
FULL_LENGTH, SHORTEST = 150, 30

#: Folders whose text is not the package's own, or not documentation.
LEFT_OUT = frozenset(
    ("test", "tests", "idle_test", "site-packages", "dist-packages", "externals", "_vendor", "_lib", "lib2to3")
)


@dataclass(frozen=True)
class Passage:
    """Some words of a documentation string, and where it stands: "scipy" and "stats", say."""

    text: str
    package: str
    subpackage: str


@cache
def all_passages() -> tuple[Passage, ...]:
    """Return the passages of all packages, every text once."""
    folders = {STANDARD_LIBRARY: Path(sysconfig.get_path("stdlib"))}
    for package in PACKAGES:
        found = find_spec(package)
        folders[package] = Path(found.origin).parent
    return every_text_once(passage for package, folder in folders.items() for passage in passages_of(package, folder))


def every_text_once(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return the passages without those whose text came before."""
    found: dict[str, Passage] = {}
    for passage in passages:
        found.setdefault(passage.text, passage)
    return tuple(found.values())


def package_words(passages: tuple[Passage, ...]) -> list[str]:
    """Return words that would tell where a passage stands: names of the packages and of their subpackages."""
    named = {passage.subpackage for passage in passages if passage.package != STANDARD_LIBRARY}
    return sorted({STANDARD_LIBRARY, *PACKAGES, "np", "scikit", *named} - {""})


def passages_of(package: str, folder: Path) -> Iterator[Passage]:
    """Yield the passages of a package's files, in the order of their names."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        if LEFT_OUT.intersection(parts):
            continue
        subpackage = parts[0] if len(parts) > 1 else ""
        for docstring in docstrings(path.read_bytes()):
            for text in cut_text(docstring):
                yield Passage(text, package, subpackage)


def docstrings(code: bytes) -> Iterator[str]:
    """Yield the documentation strings of a file; none of a file that is a template and not Python."""
    with warnings.catch_warnings():
        # Some files have strings with backslashes that the parser warns of.
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(code)
        except SyntaxError:
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def cut_text(text: str) -> Iterator[str]:
    """Yield the passages of a text, in small letters."""
    words = text.lower().split()
    for start in range(0, len(words), FULL_LENGTH):
        passage = words[start : start + FULL_LENGTH]
        if len(passage) >= SHORTEST:
            yield " ".join(passage)
