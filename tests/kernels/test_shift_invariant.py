"""Kernels against their formulas, and their frequencies against the kernels."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

import reference
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS

rng = np.random.default_rng(3)
X, Z = rng.normal(size=(7, 3)), rng.normal(size=(5, 3))


@pytest.fixture(params=KERNELS)
def kernel(request):
    return KERNELS[request.param]


def test_exact_values_match_the_formulas(kernel):
    for gamma in (0.1, 1.0, 3.0):
        np.testing.assert_allclose(
            kernel.matrix(X, Z, gamma), reference.kernel_matrix(kernel.name, X, Z, gamma), rtol=1e-12
        )
    np.testing.assert_allclose(np.diag(kernel.matrix(X, X, 2.0)), 1.0)


def test_gamma_means_what_scikit_learn_means():
    np.testing.assert_allclose(KERNELS["gaussian"].matrix(X, Z, 0.7), rbf_kernel(X, Z, gamma=0.7), rtol=1e-10)
    np.testing.assert_allclose(KERNELS["laplacian"].matrix(X, Z, 0.7), laplacian_kernel(X, Z, gamma=0.7), rtol=1e-10)
    for name, nu in (("matern32", 1.5), ("matern52", 2.5)):
        matern = Matern(length_scale=1 / np.sqrt(2 * 0.7), nu=nu)
        np.testing.assert_allclose(KERNELS[name].matrix(X, Z, 0.7), matern(X, Z), rtol=1e-10)


def test_sampled_features_reproduce_the_kernel_at_the_monte_carlo_rate(kernel):
    """The root mean square error over repetitions falls as 1/sqrt(m), from the size that theory gives."""
    gamma, counts, repetitions = 0.4, np.array([32, 128, 512, 2048]), 40
    exact = kernel.matrix(X, Z, gamma)
    variance = (1 + kernel.matrix(2 * X, 2 * Z, gamma)) / 2 - exact**2  # of cos ωᵀδ, by cos² = (1 + cos 2·)/2
    errors = []
    for m in counts:
        squares = []
        for seed in range(repetitions):
            W = draw_frequencies(kernel, gamma, 3, seed, 0, m)
            estimate = reference.features(X, W) @ reference.features(Z, W).T
            squares.append((estimate - exact) ** 2)
        errors.append(np.sqrt(np.mean(squares)))
    slope = np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert -0.6 < slope < -0.4
    np.testing.assert_allclose(errors, np.sqrt(variance.mean() / counts), rtol=0.2)
