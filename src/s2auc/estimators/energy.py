"""The class prior at which a mixture of the labelled classes is nearest to the unlabelled rows in energy distance.

With A_ab the mean distance between a row of group a and a row of group b, the energy distance between the mixture
θ·positive + (1-θ)·negative and the unlabelled rows is

    2·(θ·A_pu + (1-θ)·A_nu) - θ²·A_pp - 2θ(1-θ)·A_pn - (1-θ)²·A_nn - A_uu,

a parabola in θ that is least at (A_pn - A_nn - A_pu + A_nu) / (2·A_pn - A_pp - A_nn) (Kawakubo, du Plessis and
Sugiyama, 2016). Only the rows within each class matter, not how many of each class are labelled.
"""

import numpy as np
from scipy.spatial.distance import cdist

from s2auc.common.arrays import FloatArray


class EnergyEstimator:
    """Distances between three groups of rows, from which the prior of the rows, or of resamples, is read off.

    Examples
    --------
    >>> import numpy as np
    >>> estimator = EnergyEstimator(np.array([[1.0], [1.1]]), np.array([[0.0], [0.1]]), np.array([[1.0], [0.0], [0.1]]))
    >>> round(float(estimator.estimate()[0]), 2)
    0.31
    """

    def __init__(self, positive: FloatArray, negative: FloatArray, unlabeled: FloatArray) -> None:
        self._groups = positive, negative
        self._within = tuple(cdist(rows, rows) for rows in self._groups)
        self._between = cdist(positive, negative)
        self._outside = tuple(cdist(rows, unlabeled) for rows in self._groups)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of positive, negative and unlabelled rows."""
        return (*self._between.shape, self._outside[0].shape[1])

    def estimate(self, counts: tuple[FloatArray, FloatArray, FloatArray] | None = None) -> FloatArray:
        """Return the priors of resamples, or of the rows themselves.

        Parameters
        ----------
        counts
            How often each positive, negative and unlabelled row occurs in each resample, (rows, resamples).
        """
        if counts is None:
            shares = [np.full((size, 1), 1.0 / size) for size in self.sizes]
        else:
            shares = [count / len(count) for count in counts]
        positive, negative, unlabeled = shares
        within = [
            _mean(self._within[0], positive, positive) * _correction(len(positive), resampled=counts is not None),
            _mean(self._within[1], negative, negative) * _correction(len(negative), resampled=counts is not None),
        ]
        across = _mean(self._between, positive, negative)
        outside = _mean(self._outside[0], positive, unlabeled), _mean(self._outside[1], negative, unlabeled)
        curvature = 2.0 * across - within[0] - within[1]
        lead = across - within[1] - outside[0] + outside[1]
        # Classes that look the same say nothing about their shares.
        prior = np.divide(lead, curvature, out=np.full_like(lead, 0.5), where=curvature > 0)
        return np.clip(prior, 0.0, 1.0)


def _mean(distances: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    means: FloatArray = np.sum(left * (distances @ right), axis=0)
    return means


def _correction(size: int, *, resampled: bool) -> float:
    """Return what makes a mean over all pairs, a row with itself included, one over pairs of different rows.

    A resample repeats rows, whose distance is zero too: it needs the correction twice to be right on average. A single
    row has no other, and its spread stays zero.
    """
    once = size / (size - 1) if size > 1 else 1.0
    return once * once if resampled else once
