"""The exact minimiser on random features, for quadratic losses: one pass over the rows, many settings from it.

With H_a the mean of φφᵀ and m_a the mean of φ over group a, and pair(a, b) = H_a + H_b - m_a·m_bᵀ - m_b·m_aᵀ, a risk
whose terms are weight·mean over all pairs of (c0 + c1·z + c2·z²) is least, with penalty alpha/2·‖w‖², where

    [Σ weight·2·c2·pair(a, b) + alpha·I] w = -Σ weight·c1·(m_a - m_b).

For the square loss the right side is 2(m_positive - m_negative) whatever the labelled weight: unlabelled rows enter
through second moments only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.kernels.fourier import features
from s2auc.ranking.quadratic import QuadraticRisk
from s2auc.ranking.risk import Term


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean feature vector and mean outer product of the features of a group's rows."""

    mean: FloatArray
    second: FloatArray


def measure_moments(chunks: Iterable[AnyArray], W: FloatArray) -> Moments:
    """Return the moments of sqrt(1/m)·[cos, sin] features over chunks of rows, summed in float64."""
    total, outer, n_rows = np.zeros(2 * len(W)), np.zeros((2 * len(W), 2 * len(W))), 0
    for chunk in chunks:
        phi = features(chunk, W).astype(np.float64)
        total += phi.sum(axis=0)
        outer += phi.T @ phi
        n_rows += len(chunk)
    scale = np.sqrt(1.0 / len(W))
    return Moments(total * (scale / n_rows), outer * (scale * scale / n_rows))


def moments_of(phi: FloatArray) -> Moments:
    """Return the moments of rows that are given by their features."""
    return Moments(phi.mean(axis=0), phi.T @ phi / len(phi))


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """A quadratic risk on features, ready to be solved for any alpha.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.ranking.losses import LOSSES
    >>> from s2auc.ranking.risk import semi_supervised_terms
    >>> W = np.array([[1.0], [0.3]])
    >>> moments = {"positive": measure_moments([np.array([[1.0]])], W),
    ...            "negative": measure_moments([np.array([[-1.0]])], W)}
    >>> form = ClosedForm.of_risk(semi_supervised_terms(LOSSES["square"], 1.0), moments)
    >>> cosine, sine = form.solve(alpha=0.1)
    >>> sine.shape
    (2,)
    """

    eigenvalues: FloatArray
    eigenvectors: FloatArray
    slope: FloatArray

    @classmethod
    def of_risk(cls, terms: Sequence[Term], moments: Mapping[str, Moments]) -> "ClosedForm":
        """Return the risk in its own coordinates: one eigendecomposition, whatever the number of alphas."""
        risk = QuadraticRisk.of_terms(terms, moments)
        means = np.stack([moments[group].mean for group in risk.groups])
        matrix, slope = means.T @ (risk.cross @ means), risk.slope @ means
        for group, weight in zip(risk.groups, risk.second, strict=True):
            if weight:
                matrix += weight * moments[group].second
        eigenvalues, eigenvectors = np.linalg.eigh(matrix)
        return cls(eigenvalues, eigenvectors, eigenvectors.T @ slope)

    @property
    def smallest_alpha(self) -> float:
        """The alpha below which rounding errors decide the solution."""
        return float(10 * len(self.slope) * np.finfo(np.float64).eps * max(self.eigenvalues[-1], 1e-300))

    def solve(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of plain cosines and sines that minimise risk + alpha/2·‖w‖²."""
        w = self.weights(alpha)
        m = len(w) // 2
        cosine, sine = (w / np.sqrt(float(m))).reshape(2, m)
        return cosine, sine

    def weights(self, alpha: float) -> FloatArray:
        """Return the w that minimises risk + alpha/2·‖w‖², whatever the features are."""
        if alpha < self.smallest_alpha:
            raise ValueError(
                f"alpha is too small for the closed form, whose equations are then singular to working precision. "
                f"Got {alpha:g}; use at least {self.smallest_alpha:.1e}."
            )
        return self.minimise(alpha)

    def minimise(self, alpha: float) -> FloatArray:
        """Return the weights of the features that minimise risk + alpha/2·‖w‖²; alpha is not checked."""
        weights: FloatArray = self.eigenvectors @ (-self.slope / (self.eigenvalues + alpha))
        return weights
