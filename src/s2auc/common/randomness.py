"""Random numbers by index: any of them from (seed, stream, index), the same bits for years, in any order.

Words come from the counter-based generator philox4x64-10 with the key (seed, stream), of which NumPy promises the
integers. What each stream is used for is listed here, once, so that no two uses of a seed ever meet.
"""

import hashlib

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, NODE, POSITIVE, UNLABELED

SEED_LIMIT = 2**64
"""Seeds are integers in [0, SEED_LIMIT)."""

FREQUENCY_STREAM = 0
SAMPLE_STREAM = 1
GROUP_STREAMS = {POSITIVE: 2, NEGATIVE: 3, UNLABELED: 4, NODE: 5}
SPREAD_STREAM = 6
SHUFFLE_STREAM = 7
CENTER_STREAM = 8
"""Second words of the generator's key: frequencies, the sample that settles columns, the rows of each group that steps
draw (of nodes, the edges), the unlabelled rows whose neighbours are looked for, the order of rows in each pass, and the
unlabelled rows that may carry kernels."""

_WORDS_PER_COUNTER = 4


def group_stream(group: str) -> int:
    """Return the stream that draws rows of a group: its own, or for other groups one that its name stands for.

    Examples
    --------
    >>> group_stream("unlabeled"), group_stream("customers") > 7
    (4, True)
    """
    if group in GROUP_STREAMS:
        return GROUP_STREAMS[group]
    return 2**32 + int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "little")


def derived_seed(seed: int, *words: str) -> int:
    """Return another seed, a function of this one and of some words: for things that share a seed and must differ.

    Examples
    --------
    >>> derived_seed(0, "gaussian") != derived_seed(0, "laplacian")
    True
    """
    digest = hashlib.sha256("\0".join([str(seed), *words]).encode()).digest()
    return int.from_bytes(digest[:8], "little")


def random_words(seed: int, stream: int, first: int, last: int, width: int) -> AnyArray:
    """Return `width` random 64-bit words for each index in [first, last), one row an index.

    Examples
    --------
    >>> whole = random_words(seed=7, stream=0, first=0, last=10, width=3)
    >>> bool((whole[4:9] == random_words(seed=7, stream=0, first=4, last=9, width=3)).all())
    True
    """
    counters = -(-width // _WORDS_PER_COUNTER)
    generator = np.random.Philox(key=seed + (stream << 64), counter=first * counters)
    words = generator.random_raw((last - first) * counters * _WORDS_PER_COUNTER)
    return words.reshape(last - first, counters * _WORDS_PER_COUNTER)[:, :width]


def draw_rows(seed: int, stream: int, n_rows: int, size: int, first: int, last: int) -> IndexArray:
    """Return `size` row numbers below `n_rows` for each index in [first, last), uniformly and with replacement.

    Examples
    --------
    >>> draw_rows(seed=0, stream=2, n_rows=10, size=4, first=0, last=2).shape
    (2, 4)
    """
    rows = (_uniforms(seed, stream, size, first, last) * n_rows).astype(np.intp)
    # The product may round up to n_rows itself.
    return np.minimum(rows, n_rows - 1)


def shuffled_rows(seed: int, n_rows: int, index: int) -> IndexArray:
    """Return the numbers below `n_rows` in the random order of one pass over rows.

    Examples
    --------
    >>> sorted(shuffled_rows(seed=0, n_rows=4, index=3).tolist())
    [0, 1, 2, 3]
    """
    words = random_words(seed, SHUFFLE_STREAM, index, index + 1, n_rows)[0]
    return np.argsort(words, kind="stable")


def draw_weighted_rows(seed: int, stream: int, weight: FloatArray, size: int, first: int, last: int) -> IndexArray:
    """Return `size` row numbers for each index in [first, last), with replacement, each as often as its weight says.

    Examples
    --------
    >>> draw_weighted_rows(seed=0, stream=2, weight=np.array([0.0, 1.0, 0.0]), size=4, first=0, last=1).tolist()
    [[1, 1, 1, 1]]
    """
    upto = np.cumsum(weight)
    rows = np.searchsorted(upto, _uniforms(seed, stream, size, first, last) * upto[-1], side="right")
    # The product may round up to the sum of all weights.
    numbers: IndexArray = np.minimum(rows, int(np.flatnonzero(weight)[-1]))
    return numbers


def _uniforms(seed: int, stream: int, size: int, first: int, last: int) -> FloatArray:
    """Return `size` numbers in [0, 1) for each index in [first, last)."""
    words = random_words(seed, stream, first, last, size)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
