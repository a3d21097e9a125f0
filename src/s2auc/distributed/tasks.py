"""How work and results travel between client and workers, and what holds inside a worker.

Both travel as bytes, not as arrays: those that Dask sends arrive at addresses where NumPy gives other last bits. And a
function with its data travels once, as the result of a task that any worker can make again; a worker reads it once.
"""

import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cloudpickle
import numpy as np

from s2auc.common.threads import single_blas_thread, thread_limit

_PROTOCOL = 4
"""Of pickles: later ones leave arrays where they lie among the bytes."""

_MAX_AT_HAND = 4
"""Functions that a worker holds with their data, for the next tasks of the same work."""


def pack(value: Any) -> bytes:
    """Return something as bytes, functions of scripts and notebooks included.

    Examples
    --------
    >>> unpack(pack(lambda x: x + 1))(1)
    2
    """
    return bytes(cloudpickle.dumps(value, protocol=_PROTOCOL))


def unpack(packed: bytes) -> Any:
    """Return what `pack` was given, its arrays where NumPy wants them."""
    return pickle.loads(packed)


unpack_once = lru_cache(maxsize=_MAX_AT_HAND)(unpack)
"""Return the same, for bytes that come again: who gets it must not change it."""


def hand_over(packed: bytes) -> bytes:
    """Return the bytes: a task whose result is what many others need, and can be made again."""
    return packed


def run(packed_work: bytes, part: Any, packed_arguments: bytes) -> Any:
    """Return what work makes of a partition and of what it needs besides, for whoever goes on with it on the workers.

    Array work is held to the thread of its task: the threads of a worker, each with a task, are the parallelism.
    """
    (reader, work), (place, *more) = unpack_once(packed_work), unpack(packed_arguments)
    with thread_limit(1), single_blas_thread:
        taken = settled(part) if reader is None else reader(settled(part), place)
        return work(taken, place, *more)


def run_packed(packed_work: bytes, part: Any, packed_arguments: bytes) -> bytes:
    """Return the same as bytes, for the client."""
    return pack(run(packed_work, part, packed_arguments))


def settled(part: Any) -> Any:
    """Return a partition as work takes it: arrays where NumPy wants them, whichever way they came."""
    if isinstance(part, bytes):
        return unpack(part)
    return np.require(part, requirements=("A", "C")) if isinstance(part, np.ndarray) else part


Reader = Callable[[Any, int], Any]
"""From a partition and its number to what work takes."""

Work = Callable[..., Any]
"""From a partition, its number and, if there is any, what is needed besides to a result."""
