"""Codes of categorical columns of Arrow batches, in a form that files can hold."""

from collections.abc import Callable
from typing import Any

from s2auc.common.lazy_modules import pa


def with_wide_codes(batch: Any) -> Any:
    """Return a batch with codes of 32 bits: those of several files together may outgrow fewer.

    Examples
    --------
    >>> codes = pa.array([0, 1, 0], pa.int8())
    >>> batch = pa.record_batch({"city": pa.DictionaryArray.from_arrays(codes, ["Rome", "Oslo"])})
    >>> with_wide_codes(batch).schema.field("city").type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    columns = list(batch.columns)
    for place, column in enumerate(columns):
        if pa.types.is_dictionary(column.type):
            codes = column.indices.cast(pa.int32())
            columns[place] = pa.DictionaryArray.from_arrays(codes, column.dictionary, ordered=column.type.ordered)
    fields = [field.with_type(column.type) for field, column in zip(batch.schema, columns, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def growing_dictionaries() -> Callable[[Any], Any]:
    """Return a function that gives batch after batch the same codes: categories that are new come last.

    Examples
    --------
    >>> grown = growing_dictionaries()
    >>> first, then = (pa.record_batch({"city": pa.array(city).dictionary_encode()}) for city in (["Rome"], ["Oslo"]))
    >>> grown(first)["city"].dictionary.to_pylist(), grown(then)["city"].dictionary.to_pylist()
    (['Rome'], ['Rome', 'Oslo'])
    """
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
