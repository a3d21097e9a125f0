"""How much memory a process holds, and words for bytes as numbers."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from s2auc.common.memory import UNITS

_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*")
_IS_LINUX = sys.platform.startswith("linux")


def read_bytes(text: str) -> int:
    """Return the number of bytes that a text such as "4 GB" names.

    Examples
    --------
    >>> read_bytes("4 GB"), read_bytes("1.5MiB")
    (4000000000, 1572864)
    """
    match = _AMOUNT.fullmatch(text)
    if match is None or match.group(2) not in UNITS:
        raise ValueError(
            f"An amount of memory must be a number and one of the units {', '.join(UNITS)}, such as '4 GB'. "
            f"Got {text!r} instead."
        )
    return int(float(match.group(1)) * UNITS[match.group(2)])


def resident_bytes(pid: int) -> int:
    """Return the memory that a process holds right now, 0 if it has ended.

    Resident memory is what counts: address space that threads and allocators reserve without using it would
    make a limit strike far too early.
    """
    if _IS_LINUX:
        try:
            pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        except (OSError, IndexError):
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False).stdout
    return int(shown) * 1024 if shown.strip().isdigit() else 0


def reset_peak() -> None:
    """Let `peak_bytes` start again from the memory held now, where the system can."""
    if _IS_LINUX:
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_bytes() -> int:
    """Return the most memory this process held since `reset_peak`, or since its start where that cannot be."""
    if _IS_LINUX:
        # getrusage would count what the parent process held before this one was started.
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource  # POSIX only

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
