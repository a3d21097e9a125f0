"""Grids of settings, and their scores on held-out rows in scikit-learn's form."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.search.results import make_results

USUAL_GAMMAS = ("0.1 median", "0.3 median", "median", "3 median", "10 median")
"""Kernel widths that are tried by default."""


def search_attributes(candidates: Sequence[dict[str, Any]], scores: FloatArray) -> dict[str, Any]:
    """Return the fitted attributes that tell of a search.

    Parameters
    ----------
    candidates
        The settings, in the words of users.
    scores
        Their scores on held-out rows, (settings, folds).
    """
    results = make_results(candidates, scores)
    best = int(np.argmin(results["rank_test_score"]))
    return {
        "cv_results_": results,
        "best_index_": best,
        "best_score_": float(results["mean_test_score"][best]),
        "best_params_": candidates[best],
        "n_splits_": scores.shape[1],
    }
