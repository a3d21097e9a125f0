"""Tables in database files, SQLite and DuckDB, opened for reading only."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import import_optional, pa
from s2auc.common.messages import one_line
from s2auc.data.schema.column_names import check_distinct, header_names, listed
from s2auc.data.tables.formats.scratch import BATCH_ROWS, keep_batches, text_batches
from s2auc.data.tables.pieces import ArrowColumns

_SQLITE_TABLES = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
)
_DUCKDB_TABLES = "SELECT table_name FROM information_schema.tables ORDER BY table_name"
_BUSY_SECONDS = 5.0
_CLOSED = {"enable_external_access": "false"}  # else views and queries can read any file, and addresses
_READING = sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE


def read_sqlite(path: Path, query: str | None) -> ArrowColumns:
    """Return the columns of a query, or of the only table, as text: columns of SQLite hold values of any type.

    Parameters
    ----------
    path
        The file.
    query
        A SELECT statement, or the name of a table or view.
    """
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        ) as database:
            database.text_factory = lambda text: text.decode("utf-8", "replace")
            database.set_authorizer(_allow_reading)  # "read only" does not keep ATTACH from making files
            tables = [str(name) for (name,) in database.execute(_SQLITE_TABLES)]
            cursor = database.execute(_statement(path, query, tables))
            if cursor.description is None:
                raise _no_rows(query)
            names = header_names([str(column[0]) for column in cursor.description], repr(path.name))
            return keep_batches(text_batches(names, _fetched(cursor, names)))
    except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
        raise _error(path, "SQLite", error) from error


def read_duckdb(path: Path, query: str | None) -> ArrowColumns:
    """Return the columns of a query, or of the only table, in the types that they have; parameters as `read_sqlite`."""
    duckdb = import_optional("duckdb", "DuckDB files need the duckdb library", "duckdb")
    try:
        with closing(duckdb.connect(str(path), read_only=True, config=_CLOSED)) as database:
            tables = [str(name) for (name,) in database.execute(_DUCKDB_TABLES).fetchall()]
            statement = _statement(path, query, tables)
            if [one.type for one in duckdb.extract_statements(statement)] != [duckdb.StatementType.SELECT]:
                raise _no_rows(query)
            relation = database.sql(statement)
            check_distinct(relation.columns, repr(path.name))
            with pa.RecordBatchReader.from_stream(relation) as reader:
                return keep_batches([*reader] or [pa.RecordBatch.from_pylist([], schema=reader.schema)])
    except duckdb.Error as error:
        raise _error(path, "DuckDB", error) from error


def _allow_reading(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _statement(path: Path, query: str | None, tables: list[str]) -> str:
    """Return what to execute for a statement, the name of a table, or None where there is one table."""
    if query is not None and query not in tables and len(query.split()) > 1:
        return query
    if query is None and len(tables) == 1:
        query = tables[0]
    if query not in tables:
        found = "none" if query is None else f"{query!r}, which does not exist"
        fix = "choose among {tables}, or write a SELECT statement" if tables else "name another file"
        rule = "name a table of {file}"
        file, names = repr(path.name), listed(tables)
        raise InputError(rule, parameter="query", found=found, fix=fix, file=file, tables=names)
    quoted = query.replace('"', '""')
    return f'SELECT * FROM "{quoted}"'


def _fetched(cursor: sqlite3.Cursor, names: list[str]) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(BATCH_ROWS):
        for row in rows:
            blob = next((name for name, value in zip(names, row, strict=True) if isinstance(value, bytes)), None)
            if blob is not None:
                fix = "leave the column out of {query}"
                raise InputError("hold text and numbers", column=blob, found="binary data", fix=fix)
            yield row


def _no_rows(query: str | None) -> InputError:
    fix = "write a SELECT statement"
    return InputError("return rows", parameter="query", found=repr(query), fix=fix)


def _error(path: Path, kind: str, error: Exception) -> InputError:
    rule, fix = "be a {kind} file that can be read", "check that nothing else writes to it, and that {query} is right"
    found = f"an error ({one_line(error)})"
    return InputError(rule, subject="{file}", found=found, fix=fix, file=repr(path.name), kind=kind)
