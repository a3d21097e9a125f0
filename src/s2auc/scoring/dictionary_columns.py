"""Columns of Arrow batches in the forms that files can hold: categories as codes, or as themselves."""

from collections.abc import Callable
from typing import Any


def decoded(batch: Any) -> Any:
    """Return a batch with the values of categorical columns in place of their codes.

    Examples
    --------
    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"city": pa.array(["Rome", "Oslo"]).dictionary_encode()})
    >>> decoded(batch).schema.field("city").type
    DataType(string)
    """
    return _with_columns(batch, lambda column: column.cast(column.type.value_type))


def with_wide_codes(batch: Any) -> Any:
    """Return a batch with codes of 32 bits: those of several files together may outgrow fewer.

    Examples
    --------
    >>> import pyarrow as pa
    >>> codes = pa.array([0, 1, 0], pa.int8())
    >>> batch = pa.record_batch({"city": pa.DictionaryArray.from_arrays(codes, ["Rome", "Oslo"])})
    >>> with_wide_codes(batch).schema.field("city").type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    return _with_columns(batch, _wide)


def growing_dictionaries() -> Callable[[Any], Any]:
    """Return a function that gives batch after batch the same codes: categories that are new come last.

    Examples
    --------
    >>> import pyarrow as pa
    >>> grown = growing_dictionaries()
    >>> first, then = (pa.record_batch({"city": pa.array(city).dictionary_encode()}) for city in (["Rome"], ["Oslo"]))
    >>> grown(first)["city"].dictionary.to_pylist(), grown(then)["city"].dictionary.to_pylist()
    (['Rome'], ['Rome', 'Oslo'])
    """
    import pyarrow as pa

    known: dict[int, Any] = {}

    def grown(batch: Any) -> Any:
        columns = list(batch.columns)
        for place, column in enumerate(columns):
            if not pa.types.is_dictionary(column.type):
                continue
            if place in known and not column.dictionary.equals(known[place]):
                codes = pa.array([], column.type.index_type)
                before = pa.DictionaryArray.from_arrays(codes, known[place], ordered=column.type.ordered)
                columns[place] = pa.chunked_array([before, column]).unify_dictionaries().chunk(1)
            known[place] = columns[place].dictionary
        return pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    return grown


def decoded_schema(schema: Any) -> Any:
    """Return the schema of batches that went through `decoded`."""
    import pyarrow as pa

    is_coded = pa.types.is_dictionary
    fields = [field.with_type(field.type.value_type) if is_coded(field.type) else field for field in schema]
    return pa.schema(fields)


def _with_columns(batch: Any, change: Callable[[Any], Any]) -> Any:
    import pyarrow as pa

    is_coded = pa.types.is_dictionary
    columns = [change(column) if is_coded(column.type) else column for column in batch.columns]
    fields = [field.with_type(column.type) for field, column in zip(batch.schema, columns, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _wide(column: Any) -> Any:
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(
        column.indices.cast(pa.int32()), column.dictionary, ordered=column.type.ordered
    )
