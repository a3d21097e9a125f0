"""Warnings that point at the user's own line, and tests of which library called."""

import os
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

_OURS = f"{Path(__file__).parents[1]}{os.sep}"
_BETWEEN = ("sklearn", "joblib", "contextlib", "functools")
"""Code that may stand between the user's line and ours, and that no user wrote."""


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and point at the innermost line on the way here that is neither ours nor scikit-learn's.

    A `Message` stays one, so that the command line can render it in its own words.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_user("mind the step")
    >>> str(caught[0].message)
    'mind the step'
    """
    skipped = _skipped_places()
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(skipped):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _skipped_places() -> tuple[str, ...]:
    found = [find_spec(name) for name in _BETWEEN]
    origins = [Path(spec.origin) for spec in found if spec is not None and spec.origin]
    # Folders end in a separator: those of others may have names that begin alike.
    places = (f"{origin.parent}{os.sep}" if origin.name == "__init__.py" else str(origin) for origin in origins)
    return (_OURS, *places)


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
