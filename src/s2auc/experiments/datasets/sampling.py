"""Collect rows that arrive in blocks: all of them, or a random subset in little memory."""

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, IndexArray
from s2auc.experiments.datasets.entries import DatasetRows, Float32Array


def _keys(seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, 0])


def sample_rows(n_total: int, n_rows: int, seed: int) -> IndexArray:
    """Return the sorted numbers of `n_rows` random rows out of `n_total`, without repetition.

    Every row gets a random key and the smallest keys win, so that a subset drawn while the rows stream by is
    the same as one drawn when all are known.
    """
    keys = _keys(seed).random(n_total)
    if n_rows >= n_total:
        return np.arange(n_total, dtype=np.intp)
    return np.sort(np.argpartition(keys, n_rows)[:n_rows])


class RowCollector:
    """Gather blocks of rows into one array.

    Parameters
    ----------
    n_columns
        Number of columns of every block.
    expected
        Number of rows that will probably come; memory for them is reserved, not yet used.
    """

    def __init__(self, n_columns: int, expected: int) -> None:
        self.n_seen = 0
        self._X = np.empty((max(expected, 1), n_columns), dtype=np.float32)
        self._y = np.empty(max(expected, 1), dtype=np.bool_)

    def add(self, X: Float32Array, y: BoolArray) -> None:
        """Append a block."""
        stop = self.n_seen + len(y)
        if stop > len(self._y):
            capacity = max(stop, len(self._y) * 3 // 2)
            self._X = np.concatenate([self._X, np.empty((capacity - len(self._y), X.shape[1]), np.float32)])
            self._y = np.concatenate([self._y, np.empty(capacity - len(self._y), np.bool_)])
        self._X[self.n_seen : stop] = X
        self._y[self.n_seen : stop] = y
        self.n_seen = stop

    def rows(self) -> DatasetRows:
        """Return the rows in the order they came."""
        if self.n_seen == len(self._y):
            return self._X, self._y
        return self._X[: self.n_seen].copy(), self._y[: self.n_seen].copy()


class RowSampler:
    """Keep a random subset of the rows that stream by, the one of `sample_rows`.

    Parameters
    ----------
    n_columns
        Number of columns of every block.
    n_rows
        Size of the subset.
    seed
        Seed of the choice.
    """

    def __init__(self, n_columns: int, n_rows: int, seed: int) -> None:
        self.n_seen = 0
        self._n_rows = n_rows
        self._rng = _keys(seed)
        X, y = np.empty((0, n_columns), dtype=np.float32), np.empty(0, dtype=np.bool_)
        # Keys, numbers, features and labels of the rows that are kept.
        self._kept: list[AnyArray] = [np.empty(0), np.empty(0, dtype=np.intp), X, y]

    def add(self, X: Float32Array, y: BoolArray) -> None:
        """Let a block stream by."""
        keys = self._rng.random(len(y))
        worst = self._kept[0].max() if len(self._kept[0]) == self._n_rows else np.inf
        good = np.flatnonzero(keys < worst)
        new: list[AnyArray] = [keys[good], self.n_seen + good, X[good], y[good]]
        self._kept = [np.concatenate(pair) for pair in zip(self._kept, new, strict=True)]
        if len(self._kept[0]) > self._n_rows:
            best = np.argpartition(self._kept[0], self._n_rows)[: self._n_rows]
            self._kept = [part[best] for part in self._kept]
        self.n_seen += len(y)

    def rows(self) -> DatasetRows:
        """Return the subset in the order its rows came."""
        _, numbers, X, y = self._kept
        order = np.argsort(numbers)
        return X[order], y[order]
