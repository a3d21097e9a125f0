"""The table of everything that was tried, in the form of scikit-learn's searches."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

from s2auc.common.arrays import FloatArray


def make_results(candidates: Sequence[Mapping[str, Any]], scores: FloatArray) -> dict[str, Any]:
    """Return what `cv_results_` holds: `params`, `param_*`, the score of every fold, mean, spread, rank.

    Parameters
    ----------
    candidates
        The settings, by the names of their parameters; they need not have the same.
    scores
        One score a candidate and fold, (candidates, folds), the higher the better; there may be no folds.

    Examples
    --------
    >>> results = make_results([{"alpha": 0.1}, {"alpha": 1.0}], np.array([[0.5, 0.7], [0.8, 0.9]]))
    >>> results["rank_test_score"].tolist(), results["mean_test_score"].round(2).tolist()
    ([2, 1], [0.6, 0.85])
    """
    # Without folds nothing is known.
    mean, deviation = np.full((2, len(scores)), np.nan)
    if scores.shape[1]:
        mean, deviation = scores.mean(axis=1), scores.std(axis=1)
    results: dict[str, Any] = {"params": [dict(candidate) for candidate in candidates]}
    for name in dict.fromkeys(name for candidate in candidates for name in candidate):
        known = [candidate[name] for candidate in candidates if name in candidate]
        # Candidates of another kind lack the parameter: what stands there is masked.
        values = [candidate.get(name, known[0]) for candidate in candidates]
        # Numbers and texts may stand beside each other, as in widths of kernels.
        is_mixed = len({isinstance(value, str) for value in known}) > 1
        is_masked = [name not in candidate for candidate in candidates]
        results[f"param_{name}"] = np.ma.MaskedArray(values, mask=is_masked, dtype=object if is_mixed else None)
    for fold in range(scores.shape[1]):
        results[f"split{fold}_test_score"] = scores[:, fold]
    results["mean_test_score"] = mean
    results["std_test_score"] = deviation
    # Rounded, so that ties are ties whatever the last bits are; what is not known comes last.
    ranked = np.round(np.where(np.isnan(mean), -np.inf, mean), 12)
    results["rank_test_score"] = rankdata(-ranked, method="min").astype(np.int32)
    return results
