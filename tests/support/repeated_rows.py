"""Labelled rows with whole weights, and the same rows without weights, each as often as its weight says."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.groups import PositiveFirst


@dataclass(frozen=True, eq=False)
class Weighted:
    """Some labelled rows, positive ones first, that count by whole numbers."""

    labeled: np.ndarray
    order: PositiveFirst
    times: np.ndarray

    @classmethod
    def make(cls, n_positive=7, n_negative=9, n_columns=4, seed=0):
        rng = np.random.default_rng(seed)
        times = rng.integers(1, 5, n_positive + n_negative)
        labeled = rng.normal(size=(n_positive + n_negative, n_columns))
        labeled[:n_positive, :2] += 1.0
        # In an arbitrary unit: only ratios matter.
        return cls(labeled, PositiveFirst(n_positive, n_negative, 0.3 * times), times)

    @property
    def repeated_order(self):
        is_positive = self.repeated(self.order.is_positive)
        return PositiveFirst(int(is_positive.sum()), int((~is_positive).sum()))

    def repeated(self, of_rows):
        return np.repeat(of_rows, self.times, axis=0)
