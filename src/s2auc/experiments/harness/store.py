"""Results as rows of a JSON-lines file that survives anything but the loss of the disk.

A row is written by one call and flushed before the next trial starts. A last line that was torn by a kill is no row and
is cut off when the file is opened for writing. Rows are never changed: of several rows of one cell the last one counts.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self, TypeAlias

Row: TypeAlias = dict[str, Any]


def read_rows(path: str | Path) -> list[Row]:
    """Return the last row of every cell, in the order in which cells first came.

    Parameters
    ----------
    path
        The file; it may be in use by a run.
    """
    return latest_rows(_parse(Path(path), Path(path).read_bytes()))


def latest_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the last row of every cell, in the order in which cells first came.

    Examples
    --------
    >>> latest_rows([{"cell": "a", "trial": 0}, {"cell": "b"}, {"cell": "a", "trial": 1}])
    [{'cell': 'a', 'trial': 1}, {'cell': 'b'}]
    """
    return list({row["cell"]: row for row in rows}.values())


class RowStore:
    """A file of rows, opened for adding some; one run at a time.

    Parameters
    ----------
    path
        The file, made with its folders if it is not there.

    Attributes
    ----------
    rows
        The last row of every cell by the cell's key.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            self._lock()
            content = self.path.read_bytes()
            self.rows = {row["cell"]: row for row in _parse(self.path, content)}
            os.ftruncate(self._file, content.rfind(b"\n") + 1)
            _flush_folder(self.path.parent)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, which lets another run have it."""
        os.close(self._file)

    def add(self, row: Row) -> None:
        """Append a row; when this returns, the row is on disk.

        Parameters
        ----------
        row
            Plain JSON values, among them the key of the "cell".
        """
        line = json.dumps(row, allow_nan=False).encode() + b"\n"
        end = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, line)
            if written < len(line):
                raise OSError(f"{self.path} took {written} of {len(line)} bytes of a row; make room on the disk.")
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, end)
            raise
        self.rows[row["cell"]] = row

    def _lock(self) -> None:
        import fcntl  # POSIX only

        # The lock belongs to the open file and ends with this process, however it ends.
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BlockingIOError(
                f"The rows file {self.path} must belong to one run at a time, and another one is writing to it; wait "
                "for it or name another file."
            ) from error


def _parse(path: Path, content: bytes) -> list[Row]:
    rows = []
    # What follows the last line break is empty or torn.
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or "cell" not in row:
            raise ValueError(
                f"Every line of the rows file {path} must be a JSON object with the key 'cell'. Got {line[:60]!r} in "
                f"line {number}; name another file, or remove the line."
            )
        rows.append(row)
    return rows


def _flush_folder(folder: Path) -> None:
    """Make the file's entry in its folder as durable as its rows."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
