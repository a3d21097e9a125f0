"""The text columns of a schema in a model file.

There is one `{"column": 3, "source": "note", "words": 90, "pairs": 20, "grams": 400}` per text column: the first of the
columns that it gives, its name, and how many terms there are of each kind. Three arrays belong to it: `texts.3.terms`,
bytes of UTF-8 with a line per term; `texts.3.weights`, a float64 vector; and `texts.3.components`, a float32 matrix
with a row per term.
"""

from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.data.schema.column_names import Name
from s2auc.data.schema.schema import Schema, text_names
from s2auc.data.text.terms import Terms
from s2auc.data.text.text_encoding import TextEncoding
from s2auc.data.text.vocabulary import Vocabulary
from s2auc.models.checks import require
from s2auc.models.strict_json import decode_count, fields_of, is_text

PREFIX = "texts."
"""Of the names of arrays that belong to text columns."""

MAX_TERMS, MAX_NUMBERS, MAX_WEIGHT, MAX_COMPONENT = 10**6, 10**4, 1e6, 1e6
"""Terms of a text column, numbers that they give, and sizes of weights and components, at most."""

TEXT_TYPES: Mapping[str, Any] = {"U8": np.dtype("u1"), "F32": np.dtype("<f4")}
"""Types of arrays of text columns, besides that of all others, by their names in files."""

_KINDS = "words", "pairs", "grams"
_DTYPES = {"terms": np.dtype("u1"), "weights": np.dtype("f8"), "components": np.dtype("f4")}


def encode_texts(schema: Schema) -> tuple[list[dict[str, Any]], dict[str, AnyArray]]:
    """Return the JSON value of the text columns of a sound schema, and their arrays."""
    described: list[dict[str, Any]] = []
    arrays: dict[str, AnyArray] = {}
    for column, (source, encoding) in sorted(schema.texts.items()):
        terms = encoding.vocabulary.terms
        described.append({"column": column, "source": source} | {kind: len(getattr(terms, kind)) for kind in _KINDS})
        arrays[f"{PREFIX}{column}.terms"] = np.frombuffer("\n".join(terms.names).encode(), dtype=np.uint8)
        arrays[f"{PREFIX}{column}.weights"] = encoding.vocabulary.weights
        arrays[f"{PREFIX}{column}.components"] = encoding.components
    return described, arrays


def decode_texts(value: Any, arrays: Mapping[str, AnyArray]) -> dict[int, tuple[Name, TextEncoding]]:
    """Return the text columns that a JSON value describes; whether their values make sense is for `check_texts`."""
    require(isinstance(value, list) and len(value) > 0, f"texts of its schema must be a list, got {shown(value)}")
    texts: dict[int, tuple[Name, TextEncoding]] = {}
    for entry in value:
        fields = fields_of(entry, "entry of texts", {"column", "source", *_KINDS})
        column = decode_count(fields["column"])
        require(column not in texts, f"texts of its schema must name each column once, got {column} twice")
        found: dict[str, Any] = {name: arrays.get(f"{PREFIX}{column}.{name}") for name in _DTYPES}
        for name, array in found.items():
            is_sound = array is not None and array.dtype == _DTYPES[name] and array.ndim == 1 + (name == "components")
            require(is_sound, f"its array {PREFIX}{column}.{name} must be there as {_DTYPES[name]} in one shape")
        terms = _decode_terms(found["terms"], [decode_count(fields[kind]) for kind in _KINDS], column)
        texts[column] = fields["source"], TextEncoding(Vocabulary(terms, found["weights"]), found["components"])
    strange = arrays.keys() - {f"{PREFIX}{column}.{name}" for column in texts for name in _DTYPES}
    require(not strange, f"its arrays must be those of its text columns, got {shown(sorted(strange))}")
    return texts


def _decode_terms(data: Any, sizes: list[int], column: int) -> Terms:
    of_column = f"the terms of text column {column}"
    try:
        text = data.tobytes().decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{of_column} must be UTF-8, got {error.reason} at byte {error.start}") from error
    names = text.split("\n") if text else []
    require(len(names) == sum(sizes) <= MAX_TERMS, f"{of_column} must be {sum(sizes)} lines, got {len(names)}")
    n_words, n_pairs, _ = sizes
    return Terms(names[:n_words], names[n_words : n_words + n_pairs], names[n_words + n_pairs :])


def check_texts(schema: Schema) -> None:
    """Raise a ValueError that names the first thing wrong with the text columns of a schema."""
    last = 0
    for column, (source, encoding) in sorted(schema.texts.items()):
        of_column, terms = f"text column {column}", encoding.vocabulary.terms
        for kind in _KINDS:
            found = getattr(terms, kind)
            is_sound = len(set(found)) == len(found) and all(found) and all(map(is_text, found))
            require(is_sound, f"{kind} of {of_column} must be different texts, got {shown(found)}")
        are_pairs = all(len(pair.split()) == 2 for pair in terms.pairs)
        require(are_pairs, f"pairs of {of_column} must be two words each, got {shown(terms.pairs)}")
        weights, components = encoding.vocabulary.weights, encoding.components
        require(
            len(weights) == len(terms.names) and bool(np.all((weights > 0) & (weights <= MAX_WEIGHT))),
            f"weights of {of_column} must be {len(terms.names)} numbers above 0, {MAX_WEIGHT:g} at most",
        )
        require(
            components.shape[0] == len(terms.names)
            and 2 <= components.shape[1] <= MAX_NUMBERS
            and bool(np.all(np.abs(components) <= MAX_COMPONENT)),
            f"components of {of_column} must be a matrix of finite numbers with a row for each of {len(terms.names)} "
            f"terms, got shape {components.shape}",
        )
        block = schema.names[column : column + encoding.n_numbers] if schema.names is not None else ()
        require(
            is_text(source) and last <= column and list(block) == text_names(str(source), encoding),
            f"columns of {of_column} must be named after it, side by side, got {shown(block)}",
        )
        last = column + encoding.n_numbers
        strange = [number for number in range(column, last) if number in schema.levels or number in schema.parts]
        require(not strange, f"columns of {of_column} must hold numbers, got {shown(strange)} of another kind")
