"""Whether columns of sparse rows have anything to do with each other: only then do components say something."""

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils.extmath import randomized_svd

from s2auc.common.arrays import IndexArray
from s2auc.common.randomness import derived_seed
from s2auc.common.threads import single_blas_thread

MAX_ROWS, MAX_COMPONENTS = 3000, 10
"""Rows and components that tell."""

CLEARLY_MORE = 1.05
"""Columns have to do with each other if their components explain this many times what those of shuffled columns do."""


def have_common_components(rows: csr_array, seed: int) -> bool:
    """Return whether the leading components of rows explain more than those of rows whose columns were shuffled.

    Shuffling puts the values of every column into other rows, which leaves the columns as they are and takes away what
    they have in common. The first component, which shows how large values are, does not count.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> chance = random.random((500, 400))
    >>> have_common_components(csr_array(chance < 0.1, dtype=np.float64), seed=0)
    False
    >>> topic = random.integers(4, size=(500, 1))
    >>> of_topic = np.where(topic == np.arange(400) % 4, 0.3, 0.03)
    >>> have_common_components(csr_array(chance < of_topic, dtype=np.float64), seed=0)
    True
    """
    some = rows[:: -(-rows.shape[0] // MAX_ROWS)]
    # Many components of few columns would explain nearly all of either.
    n_components = min(MAX_COMPONENTS, min(some.shape) // 4)
    if n_components < 2 or not some.nnz:
        return False
    explained = [_explained(matrix, n_components, seed) for matrix in (some, shuffled(some, seed))]
    return explained[0] > CLEARLY_MORE * explained[1]


def shuffled(rows: csr_array, seed: int) -> csr_array:
    """Return rows in which every column has its values in other rows, each in one of its own.

    The rows of a column are an arithmetic progression, modulo the number of rows, whose start and step are drawn.
    """
    random = np.random.default_rng(derived_seed(seed, "shuffled columns"))
    by_column, n_rows = rows.tocsc(), rows.shape[0]
    counts = np.diff(by_column.indptr)
    steps = _coprime(n_rows)
    start, step = random.integers(n_rows, size=len(counts)), steps[random.integers(len(steps), size=len(counts))]
    place = np.arange(by_column.nnz) - np.repeat(by_column.indptr[:-1], counts)
    columns = np.repeat(np.arange(len(counts)), counts)
    return csr_array((by_column.data, ((start[columns] + place * step[columns]) % n_rows, columns)), shape=rows.shape)


def _coprime(number: int) -> IndexArray:
    """Return the steps that visit so many rows before they meet one again."""
    steps = np.arange(1, max(number, 2))
    coprime: IndexArray = steps[np.gcd(steps, number) == 1]
    return coprime


def _explained(rows: csr_array, n_components: int, seed: int) -> float:
    """Return the sum of squares that the leading components explain, without the first."""
    with single_blas_thread:
        _, sizes, _ = randomized_svd(rows, n_components=n_components, n_iter=2, random_state=seed % 2**32)
    return float(np.square(sizes[1:]).sum())
