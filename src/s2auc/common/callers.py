"""Who called: what is right for a user's own call may mean something else inside another library's."""

import sys
from collections.abc import Iterator
from types import FrameType


def is_called_from(module: str) -> bool:
    """Return whether code of a module, or of a module inside it, is on the way from here to the outermost call.

    Work that a library hands to a worker process counts if the library's own function runs there.

    Examples
    --------
    >>> is_called_from("doctest"), is_called_from("sklearn.calibration")
    (True, False)
    """
    return next(frames_of(module), None) is not None


def frames_of(module: str) -> Iterator[FrameType]:
    """Yield the calls on the way from here to the outermost one that run code of a module, or of one inside it."""
    frame = sys._getframe().f_back
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name == module or name.startswith(f"{module}."):
            yield frame
        frame = frame.f_back
