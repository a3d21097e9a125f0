"""What a model file says about the two classes: `{"dtype": "<U4", "values": ["ham", "spam"]}`, negative first.

Values of floats and of bytes are in hexadecimal.
"""

import re
from collections.abc import Callable
from math import isfinite
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.models.strict_json import decode_float, fields_of, is_text

CLASS_DTYPE = re.compile(r"\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U[1-9][0-9]{0,4}|\|S[1-9][0-9]{0,4}")
"""Types of classes: booleans, integers, floats, text and bytes. The width of text is bounded, as it costs memory."""


def encode_classes(classes: AnyArray) -> dict[str, Any]:
    """Return the JSON value of sound classes.

    Examples
    --------
    >>> encode_classes(np.array(["ham", "spam"]))
    {'dtype': '<U4', 'values': ['ham', 'spam']}
    """
    values: list[Any] = classes.tolist()
    if classes.dtype.kind in "fS":
        values = [value.hex() for value in values]
    return {"dtype": classes.dtype.str, "values": values}


def decode_classes(value: Any) -> AnyArray:
    """Return the classes that a JSON value stands for."""
    fields = fields_of(value, "classes", {"dtype", "values"})
    if not isinstance(fields["dtype"], str) or not CLASS_DTYPE.fullmatch(fields["dtype"]):
        raise ValueError(f"its classes have an unknown dtype, got {shown(fields['dtype'])}")
    dtype, values = np.dtype(fields["dtype"]), fields["values"]
    stored_type = {"b": bool, "i": int, "u": int}.get(dtype.kind, str)
    if not isinstance(values, list) or len(values) != 2 or any(type(value) is not stored_type for value in values):
        raise ValueError(f"its classes must be two values of dtype {dtype.str}, got {shown(values)}")
    try:
        if dtype.kind == "f":
            values = [decode_float(value, "a class") for value in values]
        elif dtype.kind == "S":
            values = [bytes.fromhex(value) for value in values]
        with np.errstate(over="ignore"):  # the comparison tells
            classes = np.array(values, dtype=dtype)
        fits = classes.tolist() == values
    except (ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"its classes do not fit their dtype {dtype.str}, got {shown(values)}")
    return classes


def check_classes(classes: AnyArray) -> None:
    """Raise a ValueError unless these are two different values of a type that a file can hold."""
    if classes.shape != (2,) or not CLASS_DTYPE.fullmatch(classes.dtype.str):
        raise ValueError(
            "its classes must be two booleans, integers, floats or texts, "
            f"got shape {classes.shape} of dtype {classes.dtype.str[:20]}"
        )
    negative, positive = classes.tolist()
    tests: dict[str, Callable[[Any], bool]] = {"f": isfinite, "U": is_text}
    is_sound = tests.get(classes.dtype.kind, lambda _: True)
    if negative == positive or not is_sound(negative) or not is_sound(positive):
        raise ValueError(
            "its classes must be two different values, finite numbers or text that UTF-8 can carry, got "
            f"{shown([negative, positive])}"
        )
