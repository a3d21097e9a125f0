"""Files of results: a folder that is checked before long work, files that are whole or absent, images."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from s2auc.common.whole_files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def png_bytes(figure: Figure) -> bytes:
    """Return a figure as a PNG image; no window system is touched."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=_DOTS_PER_INCH)
    return buffer.getvalue()
