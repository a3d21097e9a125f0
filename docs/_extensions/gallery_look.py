"""One look for all figures of the gallery."""

from typing import Any

import matplotlib as mpl


def reset(_settings: dict[str, Any], _example: str) -> None:
    """Set it, before an example runs."""
    mpl.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "savefig.bbox": "tight"})
