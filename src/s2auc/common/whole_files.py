"""Files that are whole or absent, never half-written."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_whole(target: Path, data: bytes) -> None:
    """Write to a file beside the target, then put it in the target's place in one step.

    Whatever happens meanwhile, the target is the old file or the new one, and nothing else is left behind. A file that
    is replaced hands on its permissions.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "result"), b"all of it")
    ...     Path(folder, "result").read_bytes()
    b'all of it'
    """
    temporary = target.with_name(f".s2auc-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
