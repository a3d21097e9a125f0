"""Encodings of text files: told by the first bytes, by what UTF-8 allows, or by the user."""

import codecs
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, TextIO

from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.user_warnings import warn_user
from s2auc.data.tables.pieces import readable

UTF8 = "utf-8"
_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"}  # before that of UTF-16, which is its beginning
_MARKS |= {codecs.BOM_UTF8: UTF8, codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_OF_OFFICES = "cp1252", "latin-1"
"""What programs write that do not write UTF-8; any bytes at all are text in the last."""

_BLOCK_BYTES = 2**22

_MAX_ACCIDENTS = 0.01
"""Lines that may be valid UTF-8 in a file of another encoding, as a share of those that are not."""


def find_encoding(path: Path, encoding: str | None = None) -> str:
    """Return the encoding of a text file, and warn where it is a guess.

    Parameters
    ----------
    path
        The file, which may be compressed by gzip.
    encoding
        What the user says it is.
    """
    name = repr(path.name)
    if encoding is not None:
        try:
            "a".encode(encoding)  # some codecs are not for text
            return codecs.lookup(encoding).name
        except LookupError as error:
            fix = "try 'utf-8', 'cp1252' or 'utf-16'"
            raise InputError(
                "name an encoding that Python knows", parameter="encoding", found=repr(encoding), fix=fix
            ) from error
    with readable(path.name, "text"), open_bytes(path) as file:
        start = file.read(_BLOCK_BYTES)
        marked = next((found for mark, found in _MARKS.items() if start.startswith(mark)), None)
        if marked is not None:
            return marked
        if b"\0" in start:
            if start[1::2].count(0) > 0.4 * len(start[1::2]):
                return "utf-16-le"
            if start[::2].count(0) > 0.4 * len(start[::2]):
                return "utf-16-be"
            found, fix = "zero bytes, as in binary files", "name its format in {file_format}"
            raise InputError("hold text", subject="{file}", found=found, fix=fix, file=name)
    found = next(each for each in (UTF8, *_OF_OFFICES) if _is_encoded(path, each))
    if found != UTF8:
        _check_mixture(path)
        told = "{file} is not in UTF-8, so it was read as {codec}; if letters come out wrong, name another {encoding}."
        warn_user(Message(told, file=name, codec=found))
    return found


def _is_encoded(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with readable(path.name, "text"), open_bytes(path) as file:
        try:
            while block := file.read(_BLOCK_BYTES):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _check_mixture(path: Path) -> None:
    """Raise an InputError if a file that is not in UTF-8 has many lines that are, beyond those in ASCII.

    Text in another encoding is valid UTF-8 by accident only: "Ã©" in place of "é".
    """
    n_lines, firsts = {True: 0, False: 0}, {True: 0, False: 0}
    with readable(path.name, "text"), open_bytes(path) as file:
        for number, line in enumerate(iter(partial(file.readline, _BLOCK_BYTES), b""), start=1):
            if line.isascii():
                continue
            try:
                line.decode(UTF8)
                fits = True
            except UnicodeDecodeError:
                fits = False
            n_lines[fits] += 1
            firsts[fits] = firsts[fits] or number
    if n_lines[True] > _MAX_ACCIDENTS * n_lines[False]:
        found = f"UTF-8 in line {firsts[True]} and something else in line {firsts[False]}"
        fix = "save it in one, or name the one to use in {encoding}"
        raise InputError("be in one encoding", subject="{file}", found=found, fix=fix, file=repr(path.name))


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file, or what it holds if it is compressed by gzip."""
    opening: Any = gzip.open if path.suffix.lower() == ".gz" else open
    opened: IO[bytes] = opening(path, "rb")
    return opened


@contextmanager
def open_text(path: Path, encoding: str) -> Iterator[TextIO]:
    """Open a text file, without the mark that some programs put at the beginning."""
    codec = "utf-8-sig" if encoding == UTF8 else encoding
    try:
        with readable(path.name, "text"), TextIOWrapper(open_bytes(path), codec, newline="") as file:
            yield file
    except UnicodeError as error:
        raise wrong_encoding(path, encoding) from error


def wrong_encoding(path: Path, encoding: str) -> InputError:
    """Return the error about a file that is not in the encoding that it was said to be in."""
    rule, found, fix = (
        "be text in {encoding_name}",
        "bytes that are not",
        "name another encoding, or leave {encoding} out",
    )
    return InputError(rule, subject="{file}", found=found, fix=fix, file=repr(path.name), encoding_name=encoding)
