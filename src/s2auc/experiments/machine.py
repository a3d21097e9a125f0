"""Description of the machine that a result was measured on."""

import platform
from functools import cache
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


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
