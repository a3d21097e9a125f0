"""Folders for what is kept while it is used: removed with the object that holds them, or when the process ends."""

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize


class ScratchFolder:
    """A new folder among the system's temporary ones, which goes when this object goes.

    Attributes
    ----------
    path
        Where it is.

    Examples
    --------
    >>> folder = ScratchFolder()
    >>> path = folder.path
    >>> del folder
    >>> path.exists()
    False
    """

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="s2auc-"))
        finalize(self, rmtree, self.path, ignore_errors=True)
