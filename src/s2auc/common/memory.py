"""How much memory this process could still get, and numbers of bytes in words."""

import os
from pathlib import Path

UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

_MEMORY_FILE = Path("/proc/meminfo")
_CONTROL_GROUPS = (
    # Limit and use, as version 2 and version 1 of control groups tell them to a container.
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def show_bytes(n_bytes: float) -> str:
    """Return a number of bytes in words, with two or three digits.

    Examples
    --------
    >>> show_bytes(36_900_000_000), show_bytes(4e9), show_bytes(1_230_000)
    ('37 GB', '4 GB', '1.2 MB')
    """
    if n_bytes >= 1e6 * UNITS["TB"]:
        return "more than a million TB"
    for unit in ("TB", "GB", "MB", "kB"):
        amount = n_bytes / UNITS[unit]
        if amount >= 1:
            return f"{amount:.0f} {unit}" if amount >= 10 else f"{amount:.1f}".removesuffix(".0") + f" {unit}"
    return f"{n_bytes:.0f} B"


def available_bytes() -> int | None:
    """Return the memory that could still be had without swapping, within the limit of a container; None if unknown."""
    found = [amount for amount in (_system_bytes(), *map(_left_in, _CONTROL_GROUPS)) if amount is not None]
    return min(found, default=None)


def check_fits(needed: int, owner: str, advice: str) -> None:
    """Raise a MemoryError that names the bytes, before they are asked for, if they are not to be had.

    Parameters
    ----------
    needed
        Bytes that the work will hold.
    owner
        What needs them: the beginning of the sentence.
    advice
        A way out: the end of the sentence.

    Examples
    --------
    >>> check_fits(8 * 10**12, "The kernel of 1,000,000 rows", "use fewer rows")
    Traceback (most recent call last):
    ...
    MemoryError: The kernel of 1,000,000 rows needs 8 TB of memory. Got ... available; use fewer rows.
    """
    available = available_bytes()
    if available is not None and needed > available:
        raise MemoryError(
            f"{owner} needs {show_bytes(needed)} of memory. Got {show_bytes(available)} available; {advice}."
        )


def _system_bytes() -> int | None:
    try:
        for line in _MEMORY_FILE.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _left_in(files: tuple[Path, Path]) -> int | None:
    try:
        limit, used = (file.read_text(encoding="ascii").strip() for file in files)
        return max(0, int(limit) - int(used)) if limit != "max" else None
    except (OSError, ValueError):
        return None
