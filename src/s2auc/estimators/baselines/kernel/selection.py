"""Search over kernel widths and other settings, with results in scikit-learn's form."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.baselines.base import KernelSpace
from s2auc.search.results import make_results

USUAL_GAMMAS = ("0.1 median", "0.3 median", "median", "3 median", "10 median")
"""Kernel widths that are tried by default."""


def search_settings(
    ranker: Any, sample: ColumnSample, axes: Mapping[str, Sequence[float]], scan: Callable[[KernelSpace], FloatArray]
) -> tuple[KernelSpace, dict[str, Any]]:
    """Score all combinations of kernel widths and other values; return the best space and the fitted attributes.

    Parameters
    ----------
    ranker
        The classifier, with the parameters kernel, kernel_gammas and scaling.
    sample
        The sample of rows that settles scaling and widths.
    axes
        Values of the other parameters to try, by name.
    scan
        Gives the scores of these values on held-out rows in a space, (combinations, folds).
    """
    gammas = USUAL_GAMMAS if ranker.kernel_gammas is None else ranker.kernel_gammas
    spaces = [KernelSpace.of_sample(sample, ranker.scaling, ranker.kernel, gamma) for gamma in gammas]
    scores = np.concatenate([scan(space) for space in spaces])
    settings = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    candidates = [{"kernel_gamma": space.bandwidth.value, **setting} for space in spaces for setting in settings]
    results = make_results(candidates, scores)
    best = int(np.argmin(results["rank_test_score"]))
    return spaces[best // len(settings)], {
        "cv_results_": results,
        "best_index_": best,
        "best_score_": float(results["mean_test_score"][best]),
        "best_params_": candidates[best],
        "n_splits_": scores.shape[1],
    }
