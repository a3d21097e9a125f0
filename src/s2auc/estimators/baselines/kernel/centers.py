"""Kernels at centres as features: moments of each group in chunks, so that memory is O(centres² + chunk·centres).

`Regressors` are the subset of regressors: a kernel's space narrowed to the span of some centres, in coordinates of its
own. f = Σ_c β_c·k(x_c, ·) with penalty alpha/2·βᵀ·K_cc·β becomes f = wᵀφ with alpha/2·‖w‖² for φ(x) = Tᵀ·k_c(x) and
β = T·w, T = Q·Λ^(-½) from K_cc = Q·Λ·Qᵀ. Directions that K_cc does not know to working precision are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg.blas import dsyrk

from s2auc.common.arrays import FloatArray
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.objective import QuadraticForm
from s2auc.solvers.exact.by_features import Moments

CHUNK_NUMBERS = 2**22
"""Kernel values between rows and centres that are formed at a time: 32 megabytes."""


class CenterFeatures:
    """The features k(centre_j, x) of a row x.

    Examples
    --------
    >>> import numpy as np
    >>> CenterFeatures("gaussian", 1.0, np.zeros((1, 2)))(np.zeros((1, 2))).tolist()
    [[1.0]]
    """

    def __init__(self, kernel: str, gamma: float, centers: FloatArray, chunk_numbers: int = CHUNK_NUMBERS) -> None:
        self.kernel, self.gamma, self.centers = kernel, gamma, centers
        self._chunk_rows = max(1, chunk_numbers // len(centers))

    def __call__(self, X: FloatArray) -> FloatArray:
        """Return the features of rows that are rescaled already."""
        return KERNELS[self.kernel].matrix(X, self.centers, self.gamma)

    def of_group(self, groups: ScaledGroups, group: str) -> Iterator[FloatArray]:
        """Yield the features of a group's rows, some rows at a time."""
        yield from map(self, groups.chunks(group, self._chunk_rows))

    def moments(self, groups: ScaledGroups) -> dict[str, Moments]:
        """Return mean and mean outer product of every group's features, from one pass over the rows."""
        moments = {}
        for group in groups.sizes:
            mean, outer = np.zeros(len(self.centers)), _zeros(len(self.centers))
            for phi, share in self._shared(groups, group):
                mean += share @ phi
                outer = _add_outer(outer, phi, share, 1.0)
            moments[group] = Moments(mean, _mirrored(outer, self._chunk_rows))
        return moments

    def equations(self, risk: QuadraticForm, groups: ScaledGroups) -> tuple[FloatArray, FloatArray]:
        """Return second derivative and slope at zero of a risk: one matrix, however many groups there are."""
        matrix, means = _zeros(len(self.centers)), np.zeros((len(risk.groups), len(self.centers)))
        for place, group in enumerate(risk.groups):
            for phi, share in self._shared(groups, group):
                means[place] += share @ phi
                if risk.second[place]:
                    matrix = _add_outer(matrix, phi, share, risk.second[place])
        step = self._chunk_rows
        _mirrored(matrix, step)
        mixed = risk.cross @ means
        for first in range(0, len(self.centers), step):
            # The matrix is in column order, so whole columns are added to.
            matrix[:, first : first + step] += means.T @ mixed[:, first : first + step]
        return matrix, risk.slope @ means

    def _shared(self, groups: ScaledGroups, group: str) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the features of a group's rows, some rows at a time, and how much of the group each row is."""
        weight, mass, first = groups.weights.get(group), groups.masses[group], 0
        for phi in self.of_group(groups, group):
            # The pool may be large: equal shares are not kept for all of it.
            counts = np.ones(len(phi)) if weight is None else weight[first : first + len(phi)]
            yield phi, counts / mass
            first += len(phi)


@dataclass(frozen=True, eq=False)
class Regressors:
    """Orthonormal coordinates of the functions that some centres span."""

    features: CenterFeatures
    transform: FloatArray

    @classmethod
    def of_centers(cls, features: CenterFeatures) -> "Regressors":
        """Return the coordinates: one eigendecomposition of the kernel between the centres."""
        eigenvalues, eigenvectors = np.linalg.eigh(features(features.centers))
        kept = eigenvalues > len(eigenvalues) * np.finfo(np.float64).eps * eigenvalues[-1]
        return cls(features, eigenvectors[:, kept] / np.sqrt(eigenvalues[kept]))

    def moments(self, groups: ScaledGroups) -> dict[str, Moments]:
        """Return the moments of every group in these coordinates."""
        T, raw = self.transform, self.features.moments(groups)
        return {group: Moments(T.T @ moments.mean, T.T @ moments.second @ T) for group, moments in raw.items()}


def _zeros(size: int) -> FloatArray:
    return np.zeros((size, size), order="F")


def _add_outer(total: FloatArray, phi: FloatArray, share: FloatArray, weight: float) -> FloatArray:
    """Add weight·Σ share·φφᵀ over rows to the lower triangle, in place: half the work of a full product."""
    # Chunks belong to nobody else; where rows count alike they need not be touched.
    if np.ptp(share) > 0:
        phi *= np.sqrt(share)[:, None]
    else:
        weight *= float(share[0])
    added: FloatArray = dsyrk(weight, phi.T, beta=1.0, c=total, lower=1, overwrite_c=1)
    return added


def _mirrored(matrix: FloatArray, step: int) -> FloatArray:
    """Copy the lower triangle to the upper one, in place, some columns at a time."""
    size = len(matrix)
    for first in range(0, size, step):
        last = min(first + step, size)
        matrix[first:last, last:] = matrix[last:, first:last].T
        corner = matrix[first:last, first:last]
        corner[...] = np.tril(corner) + np.tril(corner, -1).T
    return matrix
