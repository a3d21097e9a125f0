"""How long steps may be: the curvature that the steps of a run really meet, and the noise they can bear.

Two things bound a step η = 1/L, and both are measured on draws of rows and fresh frequencies as the run makes them.

*Curvature.* Along the features Φ of one step's block, the risk bends by the top eigenvalue of ΦᵀCΦ, C being its
curvature between scores. The worst case over all rows is ten to a hundred times what real data show.

*Noise.* A step with m frequencies and few rows moves every score at random, in each direction of the kernel's space in
proportion to the eigenvalue μ_i of that direction, and in proportion to the scores themselves. Direction i forgets at
rate c·μ_i + alpha, c being the trace of C. The noise feeds on itself unless

    η · (D/(2m) + Σμ_i) · E‖CΦ‖² / c  <  2,    D = Σ_i c·μ_i / (c·μ_i + alpha + 1/(2ηT)),

D being the number of directions that a run of T steps comes to know, T at least `HORIZON`. A quarter of that is
allowed. It decides the step only where a step has few rows or few frequencies: with one of each, by a factor of two to
twenty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigvalsh
from scipy.sparse.linalg import eigsh

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.threads import single_blas_thread
from s2auc.data.features.scaled_rows import ScaledRows
from s2auc.kernels.fourier import features
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS, Kernel
from s2auc.kernels.tiles import dense_part
from s2auc.ranking.objective import Objective
from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.panels import Problem

N_DRAWS = 20
"""Iterations on whose rows and frequencies the curvature is measured at most, however few a run makes."""

FEW_DRAWS, MANY_FREQUENCIES = 5, 64
"""Draws differ little where a step has so many frequencies: a few are enough."""

HORIZON = 1000
"""Steps are short enough for a run of this length, whatever its own: those of a run that is stopped early are those of
a longer one."""

MARGIN = 1.1
SPECTRUM_ROWS = 256
_DENSE_LIMIT = 256


@dataclass(frozen=True)
class BlockCurvature:
    """What one draw shows: the top eigenvalue of ΦᵀCΦ, the noise ‖CΦ‖² and the trace of C."""

    top: float
    noise: float
    trace: float


def measure_curvature(problem: Problem, stream: FrequencyStream, iterates: Iterates) -> FloatArray:
    """Return the L of each model on the draws that a run is about to make: steps of 1/L are as long as they may be.

    Parameters
    ----------
    problem, stream
        What the run works on, and its frequencies.
    iterates
        The iterations that came before.
    """
    with single_blas_thread:
        m, n_models = problem.n_frequencies, len(problem.alpha)
        n_draws = min(n_draws_for(m), problem.n_iterations)
        blocks: list[list[BlockCurvature]] = [[] for _ in range(n_models)]
        for draw in range(n_draws):
            rows = {group: index[draw] for group, index in problem.steps.items()}
            first = iterates.n_frequencies + draw * m
            W = stream.take(first, first + m)
            phi = {group: features(problem.X[index], W) / np.sqrt(float(m)) for group, index in rows.items()}
            known: dict[bytes, BlockCurvature] = {}
            for model, found in enumerate(blocks):
                objective = problem.objective.of_model(model, n_models)
                weights = problem.weights_of(rows, model)
                # Models that differ in alpha only meet the same curvature.
                key = repr([term.weight for term in objective.terms]).encode()
                key += b"".join(weight.tobytes() for weight in (weights or {}).values())
                if key not in known:
                    known[key] = measure_block(objective, phi, weights)
                found.append(known[key])
        top = MARGIN * np.array([max(block.top for block in found) for found in blocks])
        # Few steps are short of rows and frequencies, and only those need the kernel's spectrum.
        limit = np.array([noise_limit(found, n_frequencies=m, directions=SPECTRUM_ROWS, power=1.0) for found in blocks])
        if np.any(limit > top):
            common, sees_constants = problem.X[: problem.n_common], problem.objective.sees_constants
            spectrum = kernel_spectrum(KERNELS[stream.kernel], stream.gamma, common, with_constants=sees_constants)
            n_steps = max(HORIZON, iterates.n_iterations + problem.n_iterations)
            for model, found in enumerate(blocks):
                rate = found[0].trace * spectrum
                # D, how many directions a run of so many steps of 1/top comes to know.
                directions = float(np.sum(rate / (rate + problem.alpha[model] + top[model] / (2.0 * n_steps))))
                limit[model] = noise_limit(found, n_frequencies=m, directions=directions, power=float(spectrum.sum()))
        largest: FloatArray = np.maximum(top, limit)
        return largest


def n_draws_for(n_frequencies: int) -> int:
    """Return how many iterations the curvature is measured on, for so many frequencies a step.

    Examples
    --------
    >>> n_draws_for(32), n_draws_for(64)
    (20, 5)
    """
    return FEW_DRAWS if n_frequencies >= MANY_FREQUENCIES else N_DRAWS


def measure_block(
    objective: Objective, phi: Mapping[str, FloatArray], weights: Mapping[str, FloatArray] | None = None
) -> BlockCurvature:
    """Return the curvature of a risk along the features of one block, given by group as (rows, columns).

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.ranking.losses import LOSSES
    >>> from s2auc.ranking.objective import semi_supervised
    >>> objective = semi_supervised(LOSSES["square"], labeled_weight=1.0)
    >>> block = measure_block(objective, {"positive": np.array([[1.0, 0.0]]), "negative": np.array([[0.0, 1.0]])})
    >>> round(block.top, 6), round(block.noise, 6), block.trace
    (4.0, 16.0, 4.0)
    """
    products = objective.curvature_product(phi, weights)
    matrix: FloatArray = np.sum([phi[group].T @ products[group] for group in phi], axis=0)
    return BlockCurvature(
        top=_top_eigenvalue(matrix),
        noise=float(sum(np.sum(np.square(product)) for product in products.values())),
        # Every pair bends both of its scores, but for that of the origin, and the pairs of a term weigh one in all.
        trace=sum(
            len(term.row_groups) * float(np.abs(term.weight)) * term.loss.curvature_bound
            for term in objective.terms
            if all(_has_weight(group, phi, weights) for group in term.row_groups)
        ),
    )


def kernel_spectrum(
    kernel: Kernel, gamma: float, X: AnyArray | ScaledRows, *, with_constants: bool = False
) -> FloatArray:
    """Return the eigenvalues μ_i of the kernel over up to `SPECTRUM_ROWS` evenly spaced rows.

    Constants are set aside, unless they are asked for: objectives of pairs do not see them.
    """
    rows = dense_part(X, slice(None, None, -(-len(X) // SPECTRUM_ROWS)))
    K = kernel.matrix(rows, rows, gamma)
    if not with_constants:
        K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    spectrum: FloatArray = np.maximum(np.linalg.eigvalsh(K), 0.0) / len(rows)
    return spectrum


def noise_limit(blocks: Sequence[BlockCurvature], *, n_frequencies: int, directions: float, power: float) -> float:
    """Return the L below which noise would feed on itself; `power` is Σμ_i."""
    trace = blocks[0].trace
    noise = float(np.mean([block.noise for block in blocks]))
    return 2.0 * (directions / (2.0 * n_frequencies) + power) * noise / trace if trace > 0.0 else 0.0


def _top_eigenvalue(matrix: FloatArray) -> float:
    last = len(matrix) - 1
    if last < _DENSE_LIMIT:
        return float(eigvalsh(matrix, subset_by_index=(last, last))[0])
    return float(eigsh(matrix, k=1, which="LA", v0=np.ones(last + 1), tol=1e-3, return_eigenvectors=False)[0])


def _has_weight(group: str, phi: Mapping[str, FloatArray], weights: Mapping[str, FloatArray] | None) -> bool:
    has_rows = group in phi and len(phi[group]) > 0
    return has_rows and (not weights or group not in weights or float(weights[group].sum()) > 0.0)
