"""What a result depends on besides its parameters: versions, source code and machine."""

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import s2auc
from s2auc.common.threads import available_cores

#: Parts of the package that decide what every method gets and how it is tuned, whatever library it comes from.
_SHARED = ("experiments",)

#: Parts that do neither change what a fit returns nor what it is given.
_APART = (
    "cli.py",
    "experiments/comparison.py",
    "experiments/report.py",
    "experiments/report_figures.py",
    "experiments/results_file.py",
    "experiments/summary.py",
    "experiments/tables.py",
)


@cache
def describe_machine() -> dict[str, str | int]:
    """Return processor, number of cores this process may run on, and platform.

    Examples
    --------
    >>> sorted(describe_machine())
    ['cores', 'platform', 'processor']
    """
    return {"processor": _processor(), "cores": available_cores(), "platform": platform.platform()}


@cache
def library_identity(library: str) -> str:
    """Return name and version of the library that a method comes from.

    A development version keeps its number while its code changes, so a digest of source files is part of the
    identity: of all of s2auc for its own methods, of the harness and the datasets for the others.

    Parameters
    ----------
    library
        Name of an installed distribution; an empty name stands for none.

    Examples
    --------
    >>> library_identity("")
    ''
    >>> library_identity("s2auc").split()[0]
    's2auc'
    """
    if not library:
        return ""
    try:
        number = version(library)
    except PackageNotFoundError as error:
        raise ModuleNotFoundError(
            f"Methods from {library} need that package, and it is not installed: pip install {library} adds it."
        ) from error
    return f"{library} {number} {source_digest(None if library == 's2auc' else _SHARED)}"


@cache
def source_digest(folders: tuple[str, ...] | None = None) -> str:
    """Return a short digest of the package's source files, or of those in some of its folders."""
    root = Path(s2auc.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        is_wanted = folders is None or name.parts[0] in folders
        if path.suffix in (".py", ".so", ".pyd") and is_wanted and name.as_posix() not in _APART:
            digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
