"""Names for what a result depends on: equal values have equal names, in every process."""

from typing import Any

from joblib import hash as joblib_hash

from s2auc.common.arrays import is_sparse


def digest_of(*values: Any) -> str:
    """Return a name of 32 characters for some values: numbers, texts, arrays, sparse rows, and what is made of these.

    Arrays are named by what they hold, objects by their attributes.

    Examples
    --------
    >>> import numpy as np
    >>> digest_of("a", np.arange(3)) == digest_of("a", np.arange(3))
    True
    >>> digest_of("a", np.arange(3)) == digest_of("a", np.arange(4))
    False
    """
    name: str = joblib_hash([_plain(value) for value in values])
    return name


def _plain(value: Any) -> Any:
    """Return sparse rows as what they store: beside it they keep notes of what is known about it so far."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return (value.shape, value.data, value.indices, value.indptr) if is_sparse(value) else value
