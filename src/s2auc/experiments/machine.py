"""What a result depends on besides its parameters and its code: versions and machine."""

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from s2auc.common.threads import available_cores


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
def library_version(library: str) -> str:
    """Return name and version of the library that a method comes from; nothing for none.

    Parameters
    ----------
    library
        Name of an installed distribution, or an empty text.

    Examples
    --------
    >>> library_version(""), library_version("s2auc").split()[0]
    ('', 's2auc')
    """
    if not library:
        return ""
    try:
        return f"{library} {version(library)}"
    except PackageNotFoundError as error:
        raise ModuleNotFoundError(
            f"Methods from {library} need that package, and it is not installed: pip install {library} adds it."
        ) from error


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
