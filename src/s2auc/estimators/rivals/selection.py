"""Grids of settings, and their scores on held-out rows in scikit-learn's form."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.estimators.rivals.base import KernelRanker, KernelSpace
from s2auc.search.results import make_results

USUAL_GAMMAS = ("0.1 median", "0.3 median", "median", "3 median", "10 median")
"""Kernel widths that are tried by default."""


class SearchedRanker(KernelRanker):
    """Base of classifiers that choose their settings from a grid."""

    cv_results_: dict[str, Any]
    best_index_: int
    best_score_: float
    best_params_: dict[str, Any]
    n_splits_: int

    def _spaces(self, kernel_gammas: Sequence[float | str] | None) -> list[KernelSpace]:
        """Return the space of every width that is to be tried."""
        return [self._space(gamma) for gamma in (USUAL_GAMMAS if kernel_gammas is None else kernel_gammas)]

    def _record(self, candidates: Sequence[dict[str, Any]], scores: FloatArray) -> dict[str, Any]:
        """Keep what the search found and return the best setting."""
        self.cv_results_ = make_results(candidates, scores)
        self.best_index_ = int(np.argmin(self.cv_results_["rank_test_score"]))
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.best_params_ = candidates[self.best_index_]
        self.n_splits_ = scores.shape[1]
        return self.best_params_
