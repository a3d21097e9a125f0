"""Partitions of data frames as Arrow has them, on their worker; the first that is not like the others is named."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import pyarrow as pa

from s2auc.data.schema.arrow_columns import is_dictionary
from s2auc.data.schema.column_names import listed
from s2auc.data.tables.frames import table_of
from s2auc.data.tables.pieces import MemoryColumns, one_line


def arrow_table(frame: Any, names: Sequence[str], place: int) -> Any:
    """Return a partition as an Arrow table with these columns, or raise a ValueError that names the partition."""
    found = list(map(str, frame.columns))
    if sorted(found) != sorted(names):
        odd = [f"without {listed([name])}" for name in names if name not in found]
        odd += [f"with {listed([name])}" for name in found if name not in names]
        raise ValueError(
            f"Partitions must have the columns that the frame says it has, {listed(list(names))}. Got partition "
            f"{place} {', '.join(odd[:5]) or 'with a column twice'}; make partitions alike."
        )
    return table_of(found, (frame.iloc[:, column] for column in range(len(found)))).select(list(names))


def frame_columns(frame: Any, schema: Any, place: int) -> MemoryColumns:
    """Return the columns of a partition, with the types of the whole frame."""
    table = arrow_table(frame, schema.names, place)
    for number, field in enumerate(schema):
        column = table.column(number)
        if column.type == field.type or is_dictionary(column.type):
            continue
        try:
            table = table.set_column(number, field, column.cast(field.type))
        except pa.ArrowException as error:
            raise ValueError(
                f"Column {field.name!r} must have one type in all partitions, {field.type}. Got {column.type} in "
                f"partition {place} ({one_line(error)}); convert it."
            ) from error
    return MemoryColumns(table)


def plain_schema(schema: Any) -> Any:
    """Return types without what differs between partitions by chance: the width of codes, and that of no categories."""
    return pa.schema([pa.field(field.name, _plain_type(field.type)) for field in schema])


def _plain_type(found: Any) -> Any:
    if not is_dictionary(found):
        return found
    values = found.value_type
    return values if pa.types.is_null(values) else pa.dictionary(pa.int32(), values, ordered=found.ordered)


def joined_schema(schemas: Sequence[Any]) -> Any:
    """Return the types that hold the values of all partitions; text where they have nothing else in common."""
    return pa.schema([reduce(_joined_field, fields) for fields in zip(*schemas, strict=True)])


def _joined_field(one: Any, other: Any) -> Any:
    try:
        return pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive").field(0)
    except pa.ArrowException:
        return pa.field(one.name, pa.string())


def known_schema(meta: Any) -> Any:
    """Return the types that an empty frame tells of; None if it says nothing of a column, as of one of objects."""
    try:
        schema = pa.Schema.from_pandas(meta, preserve_index=False).remove_metadata()
    except (pa.ArrowException, TypeError):
        return None
    is_open = any(pa.types.is_null(field.type) or is_dictionary(field.type) for field in schema)
    return None if is_open else schema
