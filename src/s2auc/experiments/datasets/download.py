"""Download a file so that it is there whole or not at all."""

import hashlib
import http.client
import logging
import os
import time
import urllib.error
import urllib.request
from pathlib import Path

logger = logging.getLogger(__name__)

_CHUNK = 2**18
#: HTTP answers after which a second try may succeed.
_PASSING = frozenset({408, 429, 500, 502, 503, 504})


class DownloadError(OSError):
    """A file could not be downloaded; what arrived of it stays in a ``.part`` file where that helps."""


_DROPPED = (urllib.error.URLError, ConnectionError, TimeoutError, http.client.HTTPException)


def download(
    url: str, target: Path, *, sha256: str | None = None, retries: int = 3, wait: float = 1.0, timeout: float = 30.0
) -> Path:
    """Download `url` to `target` and return `target`.

    Bytes go to ``target.part`` first; `target` appears in one step when all have arrived and the digest is
    right. A ``.part`` file that an earlier call left behind is continued where the server allows it.

    Parameters
    ----------
    url
        Address of the file.
    target
        Where the file goes; its folder is made if need be.
    sha256
        Digest that the file must have, None to accept any.
    retries
        How many times to try again after a dropped connection.
    wait
        Seconds before the first new try, doubled for each further one.
    timeout
        Seconds without an answer after which a connection counts as dropped.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    logger.info("downloading %s to %s", url, target)
    for attempt in range(retries + 1):
        try:
            _transfer(url, part, timeout)
            break
        except (OSError, http.client.HTTPException) as error:
            if attempt == retries or not _may_pass(error):
                way_out = "fetch the file by other means"
                if part.exists():
                    way_out = f"the part that arrived is kept in {part}, call again to continue"
                raise DownloadError(f"Could not download {url}: {error}; {way_out}.") from error
            logger.warning("download of %s interrupted (%s), trying again", url, error)
            time.sleep(wait * 2**attempt)
    _check_digest(part, target, url, sha256)
    os.replace(part, target)
    return target


def _transfer(url: str, part: Path, timeout: float) -> None:
    """Fetch what is missing of the part file."""
    n_have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "s2auc", "Accept-Encoding": "identity"})
    if n_have:
        request.add_header("Range", f"bytes={n_have}-")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            start = answer.headers.get("Content-Range", "").removeprefix("bytes ").split("-")[0]
            resumed = answer.status == 206 and start == str(n_have)
            if answer.status == 206 and not resumed:
                part.unlink()
                raise ConnectionError("the server sent another range than the one asked for")
            length = answer.headers.get("Content-Length", "")
            n_total = int(length) + (n_have if resumed else 0) if length.isdigit() else None
            with part.open("ab" if resumed else "wb") as sink:
                while chunk := answer.read(_CHUNK):
                    sink.write(chunk)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code != 416 or not n_have:
            raise
        if error.headers.get("Content-Range", "") == f"bytes */{n_have}":
            return
        part.unlink()
        raise ConnectionError("the part file did not fit the file on the server") from error
    n_have = part.stat().st_size
    if n_total is not None and n_have != n_total:
        raise ConnectionError(f"{n_have:,} of {n_total:,} bytes arrived")


def _may_pass(error: Exception) -> bool:
    """Tell whether a further try may help: not after a clear no of the server or a full disk."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code in _PASSING
    return isinstance(error, _DROPPED)


def _check_digest(part: Path, target: Path, url: str, sha256: str | None) -> None:
    if sha256 is None:
        return
    with part.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != sha256:
        part.unlink()
        raise DownloadError(
            f"The SHA-256 digest of {target.name} must be {sha256}. Got {digest} from {url} instead and "
            "deleted the file; try again or fetch it by other means."
        )
