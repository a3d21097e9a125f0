"""Shift-invariant kernels: the exact value and the spectral sampler of each, side by side.

By Bochner's theorem k(x, x') = E cos(ωᵀ(x - x')) for frequencies ω drawn from the kernel's spectral density. A sampler
turns standard normal numbers into such frequencies by sums, products, ratios and square roots only, operations that
give the same bits on every processor (`tan` and `log` do not).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist

from s2auc.common.arrays import AnyArray, FloatArray


@dataclass(frozen=True)
class Kernel:
    """A kernel k(x, x') = shape(distance(x, x')) with k(x, x) = 1.

    Attributes
    ----------
    name
        The key in `KERNELS`.
    metric
        The distance the kernel uses, in `scipy.spatial.distance` terms.
    shape
        The kernel's value as a function of (distance, gamma).
    scale
        What unit frequencies are multiplied by for a given gamma.
    normals_per_frequency
        How many standard normal numbers one frequency in `n_columns` dimensions takes.
    unit_frequencies
        Turns an array (n, normals) of standard normals into frequencies (n, n_columns) of the kernel with scale 1.
    """

    name: str
    metric: Literal["sqeuclidean", "cityblock"]
    shape: Callable[[FloatArray, float], FloatArray]
    scale: Callable[[float], float]
    normals_per_frequency: Callable[[int], int]
    unit_frequencies: Callable[[FloatArray, int], FloatArray]

    def matrix(self, X: AnyArray, Z: AnyArray, gamma: float) -> FloatArray:
        """Return the exact kernel values between the rows of X and the rows of Z.

        Examples
        --------
        >>> import numpy as np
        >>> KERNELS["laplacian"].matrix(np.zeros((1, 2)), np.ones((1, 2)), gamma=0.5).round(4).tolist()
        [[0.3679]]
        """
        left, right = np.asarray(X, dtype=np.float64), np.asarray(Z, dtype=np.float64)
        return self.shape(cdist(left, right, self.metric), gamma)


def _matern(degrees_of_freedom: int, polynomial: Callable[[FloatArray], FloatArray]) -> Kernel:
    """Return the Matérn kernel with ν = degrees_of_freedom / 2.

    With a = sqrt(4·ν·g)·‖x - x'‖ the kernel is

    - ν = 1.5: (1 + a)·exp(-a), a = sqrt(6·g)·‖x - x'‖
    - ν = 2.5: (1 + a + a²/3)·exp(-a), a = sqrt(10·g)·‖x - x'‖

    so that g means what it means for the Gaussian kernel, to which Matérn kernels tend for large ν (length scale
    1/sqrt(2g)). The spectral density is Student's t with 2ν degrees of freedom: a normal vector over the square root of
    a mean of 2ν squared normals.
    """

    def shape(distance: FloatArray, gamma: float) -> FloatArray:
        reduced = np.sqrt((2.0 * degrees_of_freedom * gamma) * distance)
        return polynomial(reduced) * np.exp(-reduced)

    def student_frequencies(normals: FloatArray, n_columns: int) -> FloatArray:
        # Added column by column: the order of a library's sum may change, and the bits with it.
        squares = np.square(normals[:, n_columns])
        for column in range(n_columns + 1, n_columns + degrees_of_freedom):
            squares = squares + np.square(normals[:, column])
        return normals[:, :n_columns] / np.sqrt(squares / degrees_of_freedom)[:, None]

    return Kernel(
        name=f"matern{degrees_of_freedom}2",
        metric="sqeuclidean",
        shape=shape,
        scale=lambda gamma: sqrt(2.0 * gamma),
        normals_per_frequency=lambda n_columns: n_columns + degrees_of_freedom,
        unit_frequencies=student_frequencies,
    )


_TABLE = (
    Kernel(
        name="gaussian",  # exp(-g·‖x - x'‖²), frequencies N(0, 2g·I)
        metric="sqeuclidean",
        shape=lambda distance, gamma: np.exp(-gamma * distance),
        scale=lambda gamma: sqrt(2.0 * gamma),
        normals_per_frequency=lambda n_columns: n_columns,
        unit_frequencies=lambda normals, n_columns: normals[:, :n_columns],
    ),
    Kernel(
        name="laplacian",  # exp(-g·‖x - x'‖₁), frequencies Cauchy with scale g in every column
        metric="cityblock",
        shape=lambda distance, gamma: np.exp(-gamma * distance),
        scale=lambda gamma: gamma,
        normals_per_frequency=lambda n_columns: 2 * n_columns,
        # The ratio of two normals is Cauchy. The generator never returns a normal that is exactly zero.
        unit_frequencies=lambda normals, n: normals[:, :n] / normals[:, n : 2 * n],
    ),
    _matern(3, lambda reduced: 1.0 + reduced),
    _matern(5, lambda reduced: 1.0 + reduced * (1.0 + reduced / 3.0)),
)

KERNELS: dict[str, Kernel] = {kernel.name: kernel for kernel in _TABLE}
"""Every kernel by its name. An entry that is added is there for all; models that use it need it to be loaded."""
