"""JSON files: an object per line, or an array of objects. Keys are columns, and values are text as in a CSV file."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa
from s2auc.data.schema.column_names import header_names
from s2auc.data.tables.formats.encodings import find_encoding, open_text
from s2auc.data.tables.formats.scratch import BATCH_ROWS, as_text, keep_batches
from s2auc.data.tables.pieces import ArrowColumns

MAX_ARRAY_LENGTH = 2**30
"""Characters of an array of objects, which is read into memory whole: more must be written as an object per line."""

MAX_LINE_LENGTH = 2**24
"""Characters of a line, so that a file without line breaks is refused before it fills the memory."""

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)
"""Numbers stay as they are spelled."""


def read_json(paths: Iterable[Path], encoding: str | None, *, by_line: bool) -> ArrowColumns:
    """Return the columns of JSON files, all as text; a key that an object lacks is a missing value.

    Parameters
    ----------
    paths
        The files.
    encoding
        Their encoding; None to tell it from their bytes.
    by_line
        Whether every line holds an object; else a file is one array of them.
    """
    return keep_batches(batch for path in paths for batch in _batches(path, find_encoding(path, encoding), by_line))


def _batches(path: Path, encoding: str, by_line: bool) -> Iterator[Any]:
    records = (_of_lines if by_line else _of_array)(path, encoding)
    keys: dict[str, None] = {}
    while part := list(islice(records, BATCH_ROWS)):
        for _, record in part:
            keys |= dict.fromkeys(record)
        names = header_names([*keys], repr(path.name)) if keys else []
        columns = {
            name: [_cell(path, place, key, record.get(key)) for place, record in part]
            for name, key in zip(names, keys, strict=True)
        }
        yield pa.RecordBatch.from_pydict(columns, schema=pa.schema([(name, pa.string()) for name in names]))
    if not keys:
        raise _error(path, "hold objects with keys, which are columns", "none", "save it again")


def _of_lines(path: Path, encoding: str) -> Iterator[tuple[str, dict[str, Any]]]:
    with open_text(path, encoding) as file:
        for number, line in enumerate(iter(partial(file.readline, MAX_LINE_LENGTH + 1), ""), start=1):
            if len(line) > MAX_LINE_LENGTH:
                found = f"more in line {number}"
                raise _error(path, f"have at most {MAX_LINE_LENGTH:,} characters in a line", found, "break the line")
            if text := line.strip():
                yield f"line {number}", _checked(path, f"line {number}", _decoded(path, text, number))


def _of_array(path: Path, encoding: str) -> Iterator[tuple[str, dict[str, Any]]]:
    with open_text(path, encoding) as file:
        text = file.read(MAX_ARRAY_LENGTH + 1)
    if len(text) > MAX_ARRAY_LENGTH:
        fix = "write an object per line, and name it .jsonl"
        raise _error(path, f"have at most {MAX_ARRAY_LENGTH:,} characters as an array of objects", "more", fix)
    found = _decoded(path, text, 1)
    if not isinstance(found, list):
        lines = "name it .jsonl if every line holds an object"
        raise _error(path, "hold an array of objects", f"{_kind(found)}", lines)
    for number, record in enumerate(found):
        yield f"object {number}", _checked(path, f"object {number}", record)


def _decoded(path: Path, text: str, first_line: int) -> Any:
    try:
        return _DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = first_line + getattr(error, "lineno", 1) - 1
        reason = getattr(error, "msg", "nested too deeply")
        raise _error(path, "hold JSON", f"an error in line {line} ({reason})", "correct the line") from error


def _checked(path: Path, place: str, record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise _error(path, "hold an object for every row", f"{_kind(record)} in {place}", "write objects")
    return record


def _cell(path: Path, place: str, name: str, value: Any) -> str | None:
    if isinstance(value, dict | list):
        found, fix = f"{_kind(value)} in {place}, key {name!r}", "write its parts as keys of their own"
        raise _error(path, "hold text, numbers, true, false and null as values", found, fix)
    return as_text(value)


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "an array", str: "a text or a number"}
    return next((words for kind, words in kinds.items() if isinstance(value, kind)), json.dumps(value))


def _error(path: Path, rule: str, found: str, fix: str) -> InputError:
    return InputError(rule, subject="{file}", found=found, fix=fix, file=repr(path.name))
