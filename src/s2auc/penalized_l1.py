"""The class prior from positive and unlabelled rows, by du Plessis' penalised L1 distance.

Where θ·p₊ exceeds the density p of the unlabelled rows, θ is too large for a prior, and an infinite penalty on that
excess makes the L1 distance between θ·p₊ and p least at the largest θ that fits. With basis functions φ_l ≥ 0, their
coefficients kept non-negative and penalised by λ/2·‖·‖², the estimate of the distance has a closed form,

    penL1(θ) = Σ_l max(0, β_l)² / λ - θ + 1,    β_l = θ·(mean of φ_l over positives) - (mean of φ_l over unlabelled),

which is convex in θ (du Plessis, Niu and Sugiyama, 2017). The basis functions are Gaussians at rows; their width and λ
are chosen, at every θ, by the distance that held-out rows show. That distance grows as λ falls as long as there is an
excess at all, so the smallest λ usually wins.
"""

import numpy as np
from scipy.spatial.distance import cdist

from s2auc.arrays import FloatArray

N_BASES, N_FOLDS = 200, 5
PENALTIES = np.logspace(-3, 1, 9)
RELATIVE_WIDTHS = np.logspace(-1, 1, 5)
"""Widths are tried relative to the median distance between the centres."""

PRIORS = np.linspace(0.01, 0.99, 99)


class PenalizedL1Estimator:
    """Basis functions and penalty chosen for the rows, from which the prior of the rows, or of resamples, is read off.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([rng.normal(4, 1, (120, 1)), rng.normal(0, 1, (280, 1))])
    >>> estimator = PenalizedL1Estimator(rng.normal(4, 1, (100, 1)), unlabeled, rng)
    >>> 0.2 < estimator.estimate()[0] < 0.4
    True
    """

    def __init__(self, positive: FloatArray, unlabeled: FloatArray, rng: np.random.Generator) -> None:
        rows = np.concatenate([positive, unlabeled])
        centers = rows[rng.choice(len(rows), min(N_BASES, len(rows)), replace=False)]
        distances = cdist(positive, centers, "sqeuclidean"), cdist(unlabeled, centers, "sqeuclidean")
        median = float(np.median(cdist(centers, centers, "sqeuclidean"))) or 1.0
        folds = [rng.permutation(np.arange(len(group)) % N_FOLDS) for group in (positive, unlabeled)]
        best_bound, distance = np.full(len(PRIORS), -np.inf), np.empty(len(PRIORS))
        chosen = [(RELATIVE_WIDTHS[0], PENALTIES[0])] * len(PRIORS)
        for width in RELATIVE_WIDTHS:
            bases = [_gaussians(distance_to, width, median) for distance_to in distances]
            bounds = _held_out_bounds(bases, folds)
            excess = np.maximum(0.0, PRIORS[:, None] * bases[0].mean(axis=0) - bases[1].mean(axis=0))
            for penalty in PENALTIES:
                better = bounds / penalty > best_bound
                best_bound[better] = bounds[better] / penalty
                distance[better] = (np.square(excess).sum(axis=1) / penalty - PRIORS + 1.0)[better]
                for place in np.flatnonzero(better):
                    chosen[place] = width, penalty
        self.width, self.penalty = chosen[int(np.argmin(distance))]
        self._positive, self._unlabeled = (_gaussians(distance_to, self.width, median) for distance_to in distances)

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of positive and unlabelled rows."""
        return len(self._positive), len(self._unlabeled)

    def estimate(self, counts: tuple[FloatArray, FloatArray] | None = None) -> FloatArray:
        """Return the priors of resamples, or of the rows themselves.

        Parameters
        ----------
        counts
            How often each positive and each unlabelled row occurs in each resample, (rows, resamples).
        """
        if counts is None:
            counts = np.ones((self.sizes[0], 1)), np.ones((self.sizes[1], 1))
        positive, unlabeled = (
            (count / count.sum(axis=0)).T @ bases
            for count, bases in zip(counts, (self._positive, self._unlabeled), strict=True)
        )
        return np.array([_least(*means, self.penalty) for means in zip(positive, unlabeled, strict=True)])


def _gaussians(distance: FloatArray, width: float, median: float) -> FloatArray:
    return np.exp(-distance / (2.0 * width * width * median))


def _held_out_bounds(bases: list[FloatArray], folds: list[FloatArray]) -> FloatArray:
    """Return the mean over folds of Σ_l max(0, β_l)·β_l, the first β from the other folds; λ divides it."""
    bounds = np.zeros(len(PRIORS))
    for fold in range(N_FOLDS):
        held_out = [of_group == fold for of_group in folds]
        if not all(mask.any() and not mask.all() for mask in held_out):
            continue
        inside = [values[~mask].mean(axis=0) for values, mask in zip(bases, held_out, strict=True)]
        outside = [values[mask].mean(axis=0) for values, mask in zip(bases, held_out, strict=True)]
        coefficients = np.maximum(0.0, PRIORS[:, None] * inside[0] - inside[1])
        bounds += np.sum(coefficients * (PRIORS[:, None] * outside[0] - outside[1]), axis=1) / N_FOLDS
    return bounds


def _least(positive: FloatArray, unlabeled: FloatArray, penalty: float) -> float:
    """Return the θ in [0, 1] at which Σ max(0, θ·positive - unlabelled)² / λ - θ is least.

    The slope rises with θ and is linear between the points where a basis function begins to count.
    """
    counts = positive > 0
    begins = unlabeled[counts] / positive[counts]
    order = np.argsort(begins)
    begins = begins[order]
    steepness = np.cumsum(np.square(positive[counts][order]))
    level = np.cumsum((positive[counts] * unlabeled[counts])[order])
    # The slope is zero here if the first k basis functions count.
    zeros = (level + 0.5 * penalty) / steepness
    ends = np.append(begins[1:], np.inf)
    return float(np.clip(zeros[np.argmax(zeros <= ends)], 0.0, 1.0)) if len(zeros) else 1.0
