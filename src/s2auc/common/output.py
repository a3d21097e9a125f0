"""Files of results: a folder that is checked before long work, files that are whole or absent, images."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from s2auc.common.files import check_target, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IMAGE_FORMATS = ("png", "svg")
"""What figures are written as."""

_DOTS_PER_INCH = 150


def check_folder(folder: Path) -> None:
    """Raise an error unless files can be written into the folder, which need not exist yet; nothing is created.

    Parameters
    ----------
    folder
        Where files will go.
    """
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists() or path.is_symlink())
    if not nearest.is_dir():
        raise NotADirectoryError(f"The output {folder} must be a folder, but {nearest} is not one: name another.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise PermissionError(
            f"The output {folder} must be a folder that can be written to, but {nearest} cannot: name another."
        )


def write_file(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all.

    Parameters
    ----------
    path
        Where to; folders are made as needed, and an older file is replaced.
    content
        All of it.
    """
    write_files({path: content})


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write several files: they take their places when all of them are on the disk.

    Parameters
    ----------
    contents
        What each file holds; folders are made as needed, and older files are replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_files({Path(folder, name): name.encode() for name in ("one", "two")})
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['one', 'two']
    """
    for path in contents:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_target(Path(os.path.realpath(path)), f"write {path.name}")
    with ExitStack() as stack:
        for path, content in contents.items():
            stack.enter_context(whole_file(path)).write(content)


def figure_bytes(figure: Figure, format: str = "png") -> bytes:  # noqa: A002 matplotlib's own word
    """Return a figure as an image, of the same bytes each time; no window system is touched.

    Parameters
    ----------
    figure
        The figure.
    format
        One of `IMAGE_FORMATS`.
    """
    from matplotlib import rc_context

    buffer = BytesIO()
    # The identifiers in a drawing would be drawn at random, and its date written down.
    with rc_context({"svg.hashsalt": "s2auc"}):
        metadata = {"Date": None} if format == "svg" else None
        figure.savefig(buffer, format=format, dpi=_DOTS_PER_INCH, metadata=metadata)
    return buffer.getvalue()
