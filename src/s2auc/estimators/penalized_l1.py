"""The class prior from positive and unlabelled rows, by du Plessis' penalised L1 distance.

Where θ·p₊ exceeds the density p of the unlabelled rows, θ is too large for a prior, and an infinite penalty on that
excess makes the L1 distance between θ·p₊ and p least at the largest θ that fits. With basis functions φ_l ≥ 0, their
coefficients kept non-negative and penalised by λ/2·‖·‖², the estimate of the distance has a closed form,

    penL1(θ) = Σ_l max(0, β_l)² / λ - θ + 1,    β_l = θ·(mean of φ_l over positives) - (mean of φ_l over unlabelled),

(du Plessis, Niu and Sugiyama, 2017). The basis functions are Gaussians at rows; their width and λ are chosen, at every
θ of a grid, by the distance that held-out rows show. That distance grows as λ falls as long as there is an excess at
all, so the smallest λ usually wins. The estimate is the θ of the grid with the least distance.
"""

import numpy as np
from scipy.spatial.distance import cdist

from s2auc.common.arrays import FloatArray

N_BASES, N_FOLDS = 200, 5
PENALTIES = np.logspace(-3, 1, 9)
RELATIVE_WIDTHS = np.logspace(-1, 1, 5)
"""Widths are tried relative to the median distance between the centres."""

PRIORS = np.linspace(0.01, 0.99, 99)
"""The priors among which the estimate is chosen."""


class PenalizedL1Estimator:
    """Basis functions and folds, from which the prior of the rows, or of resamples, is read off.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([rng.normal(4, 1, (120, 1)), rng.normal(0, 1, (280, 1))])
    >>> estimator = PenalizedL1Estimator(rng.normal(4, 1, (100, 1)), unlabeled, rng)
    >>> bool(0.2 < estimator.estimate()[0] < 0.4)
    True
    """

    def __init__(self, positive: FloatArray, unlabeled: FloatArray, rng: np.random.Generator) -> None:
        rows = np.concatenate([positive, unlabeled])
        centers = rows[rng.choice(len(rows), min(N_BASES, len(rows)), replace=False)]
        median = float(np.median(cdist(centers, centers, "sqeuclidean"))) or 1.0
        self._distances = [cdist(group, centers, "sqeuclidean") / median for group in (positive, unlabeled)]
        self._folds = [rng.permutation(np.arange(len(group)) % N_FOLDS) for group in (positive, unlabeled)]

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of positive and unlabelled rows."""
        return len(self._distances[0]), len(self._distances[1])

    def estimate(self, counts: tuple[FloatArray, FloatArray] | None = None) -> FloatArray:
        """Return the priors of resamples, or of the rows themselves; each chooses widths and penalties anew.

        Parameters
        ----------
        counts
            How often each positive and each unlabelled row occurs in each resample, (rows, resamples).
        """
        if counts is None:
            counts = np.ones((self.sizes[0], 1)), np.ones((self.sizes[1], 1))
        shape = len(PRIORS), counts[0].shape[1]
        best_bound, distance = np.full(shape, -np.inf), np.empty(shape)
        for width in RELATIVE_WIDTHS:
            bases = [np.exp(to_centers / (-2.0 * width * width)) for to_centers in self._distances]
            whole = [_means(values, count) for values, count in zip(bases, counts, strict=True)]
            excess = np.sum(np.square(np.maximum(0.0, _gaps(*whole))), axis=2)
            bound = self._held_out_bound(bases, counts)
            for penalty in PENALTIES:
                better = bound / penalty > best_bound
                best_bound[better] = bound[better] / penalty
                distance[better] = (excess / penalty - PRIORS[:, None] + 1.0)[better]
        best: FloatArray = PRIORS[np.argmin(distance, axis=0)]
        return best

    def _held_out_bound(self, bases: list[FloatArray], counts: tuple[FloatArray, FloatArray]) -> FloatArray:
        """Return the mean over folds of Σ_l max(0, β_l)·β_l, the first β from the other folds; λ divides it."""
        bound = np.zeros((len(PRIORS), counts[0].shape[1]))
        for fold in range(N_FOLDS):
            inside, outside = (
                [
                    _means(
                        values, count * (of_rows == fold)[:, None] if held_out else count * (of_rows != fold)[:, None]
                    )
                    for values, count, of_rows in zip(bases, counts, self._folds, strict=True)
                ]
                for held_out in (False, True)
            )
            bound += np.sum(np.maximum(0.0, _gaps(*inside)) * _gaps(*outside), axis=2) / N_FOLDS
        return bound


def _means(values: FloatArray, count: FloatArray) -> FloatArray:
    """Return the means of the basis functions in every resample; zero where it has no rows."""
    means: FloatArray = (count / np.maximum(count.sum(axis=0), 1.0)).T @ values
    return means


def _gaps(positive: FloatArray, unlabeled: FloatArray) -> FloatArray:
    """Return β, (priors, resamples, basis functions)."""
    gaps: FloatArray = PRIORS[:, None, None] * positive - unlabeled
    return gaps
