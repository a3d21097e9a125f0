"""The table of everything that was tried, in the form of scikit-learn's searches."""

from typing import Any

import numpy as np
from scipy.stats import rankdata

from s2auc.common.arrays import FloatArray
from s2auc.search.grid import Grid, Setting

PARAMETERS = ("preprocessing", "column_weights", "kernel", "relative_gamma", "alpha", "labeled_weight", "max_iter")


def parameters_of(setting: Setting, grid: Grid) -> dict[str, Any]:
    """Return a setting in the words of users."""
    space, point = grid.spaces[setting.space], setting.point
    values = (
        space.scaling,
        space.column_weights,
        space.kernel,
        space.relative_gamma,
        point.alpha,
        point.labeled_weight,
        point.n_iter,
    )
    return dict(zip(PARAMETERS, values, strict=True))


def make_results(grid: Grid, fold_auc: FloatArray) -> dict[str, Any]:
    """Return a dictionary of arrays, one entry a setting: `params`, `param_*`, AUC of every fold, mean, rank.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.search.grid import SpaceChoice
    >>> grid = Grid((SpaceChoice("standard", "none", "gaussian", 1.0),), (0.1, 1.0), (1.0,), (8,))
    >>> results = make_results(grid, np.array([[0.7, 0.9], [0.6, 0.6]]))
    >>> results["mean_test_score"].tolist(), results["rank_test_score"].tolist()
    ([0.8, 0.6], [1, 2])
    """
    parameters = [parameters_of(setting, grid) for setting in grid.settings]
    # Without folds nothing is known.
    mean, deviation = np.full((2, len(fold_auc)), np.nan)
    if fold_auc.shape[1]:
        mean, deviation = fold_auc.mean(axis=1), fold_auc.std(axis=1)
    results: dict[str, Any] = {"params": parameters}
    for name in PARAMETERS:
        values = [entry[name] for entry in parameters]
        results[f"param_{name}"] = np.ma.MaskedArray(values)
    for fold in range(fold_auc.shape[1]):
        results[f"split{fold}_test_score"] = fold_auc[:, fold]
    results["mean_test_score"] = mean
    results["std_test_score"] = deviation
    ranked = np.round(np.nan_to_num(mean), 12)
    results["rank_test_score"] = rankdata(-ranked, method="min").astype(np.int32)
    return results
