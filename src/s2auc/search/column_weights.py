"""How much each column tells by itself: weights for the kernel's distances, learnt from labelled rows."""

import numpy as np
from scipy.stats import rankdata

from s2auc.common.arrays import FloatArray


def auc_weights(positive: FloatArray, negative: FloatArray) -> FloatArray:
    """Return a weight for every column, with mean square one: the larger, the better it tells the classes apart alone.

    The measure of a column is e = |2·AUC - 1|, of its values or of their distance from the median (for columns whose
    extremes belong together), whichever is larger. It is shrunken by what chance would give, e² ← max(0, e² - s²) with
    s² the variance of e under no difference (twice that for the distance, a second look), and the weight is e + s/2: a
    column that tells nothing keeps a small weight, which the more labels there are, the smaller it gets.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(0).normal(size=(100, 2))
    >>> weights = auc_weights(noise[:50] + [3.0, 0.0], noise[50:])
    >>> bool(weights[0] > 3 * weights[1])
    True
    """
    rows = np.concatenate([positive, negative])
    n_positive, n_negative = len(positive), len(negative)
    chance = (n_positive + n_negative + 1) / (3.0 * n_positive * n_negative)
    slope = _separation(rows, n_positive) - chance
    hump = _separation(np.abs(rows - np.median(rows, axis=0)), n_positive) - 2.0 * chance
    telling = np.sqrt(np.maximum(np.maximum(slope, hump), 0.0)) + 0.5 * np.sqrt(chance)
    weights: FloatArray = telling / np.sqrt(np.mean(np.square(telling)))
    return weights


def _separation(rows: FloatArray, n_positive: int) -> FloatArray:
    """Return (2·AUC - 1)² of every column, the first rows being positive."""
    n_negative = len(rows) - n_positive
    wins = rankdata(rows, axis=0)[:n_positive].sum(axis=0) - n_positive * (n_positive + 1) / 2
    separation: FloatArray = np.square(2.0 * wins / (n_positive * n_negative) - 1.0)
    return separation
