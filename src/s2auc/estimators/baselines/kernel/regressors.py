"""The subset of regressors: a kernel's space narrowed to the span of some centres, in coordinates of its own.

f = Σ_c β_c·k(x_c, ·) with penalty alpha/2·βᵀ·K_cc·β becomes f = wᵀφ with alpha/2·‖w‖² for φ(x) = Tᵀ·k_c(x) and
β = T·w, T = Q·Λ^(-½) from K_cc = Q·Λ·Qᵀ. Directions that K_cc does not know to working precision are left out.
"""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.estimators.baselines.kernel.centers import CenterFeatures
from s2auc.solvers.exact.by_features import Moments


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

    def moments(self, raw: dict[str, Moments]) -> dict[str, Moments]:
        """Return moments of the kernels at the centres in these coordinates."""
        T = self.transform
        return {group: Moments(T.T @ moments.mean, T.T @ moments.second @ T) for group, moments in raw.items()}
