"""Options of the second update rule, its step sizes, and its run."""

from collections.abc import Generator, Mapping
from typing import ClassVar

import numpy as np
from scipy.linalg import cholesky
from sklearn.base import BaseEstimator

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.parameters import Number, Rule
from s2auc.common.threads import single_blas_thread
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.tiles import dense_part
from s2auc.solvers.job import Job
from s2auc.solvers.kernel_sgd.expansion import Expansion, run_expansion
from s2auc.solvers.qsg.curvature import (
    MARGIN,
    kernel_spectrum,
    measure_block,
    noise_limit,
)
from s2auc.solvers.qsg.panels import Panel, Problem
from s2auc.solvers.qsg.qsg import QSG, SCHEDULES
from s2auc.solvers.work_rows import DrawRule

N_DRAWS = 5
"""Iterations on whose rows the curvature is measured, however few a run makes. The kernel is exact here, so that draws
differ by their rows only."""

_JITTER = 1e-8
"""Added to the diagonal of a kernel between rows, of which some may be equal."""


@describes_parameters_like(QSG)
class KernelSGD(BaseEstimator):  # type: ignore[misc]
    """Stochastic gradients over the kernel itself, the paper's second update rule: options of `solver="kernel_sgd"`.

    Steps, rows and step sizes are those of `QSG`, but the model is a sum of kernels at the rows that were drawn instead
    of a sum of random cosines. There is no noise of random features, which decides where kernels are narrow and columns
    many. In return the model keeps rows, and both the fit and scoring take time in proportion to their number.

    Parameters
    ----------
    max_centers
        Most unlabelled rows that may carry a kernel. Where a run would draw more, its steps draw from that many rows,
        chosen at random. All labelled rows may carry one too.

    Examples
    --------
    >>> KernelSGD(max_centers=2000)
    KernelSGD(max_centers=2000)
    """

    name: ClassVar[str] = "kernel_sgd"
    needs_quadratic_loss: ClassVar[bool] = False
    makes_steps: ClassVar[bool] = False
    usual_frequencies: ClassVar[int] = 1
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {"max_centers": (Number(1, integer=True),), **QSG.rules}

    def __init__(
        self,
        max_centers: int = 10_000,
        step_scale: float = 1.0,
        schedule: str = "shifted",
        average: bool = True,
        pairing: str = "all",
    ) -> None:
        self.max_centers = max_centers
        self.step_scale = step_scale
        self.schedule = schedule
        self.average = average
        self.pairing = pairing

    def as_qsg(self) -> QSG:
        """Return the options that this rule shares with the first one."""
        shared = {name: value for name, value in self.get_params(deep=False).items() if name in QSG.rules}
        return QSG(**shared)

    def warn_unproved(self) -> None:
        """Warn if the steps are those of the paper but its theorem does not cover their scale."""
        self.as_qsg().warn_unproved()

    def draw_rule(self, max_iter: int, batch_size: int) -> DrawRule:
        """Return that every step draws a batch, from `max_centers` unlabelled rows at most."""
        return DrawRule(max(max_iter, N_DRAWS), batch_size, self.pairing, most_unlabeled=int(self.max_centers))

    def problem(self, job: Job, followed: IndexArray) -> Problem:
        """Return the problem of a job that has one point, the model of all labelled rows."""
        return self.as_qsg().problem(job, followed)

    def run(
        self, problem: Problem, kernel: str, gamma: float, curvature: float, expansion: Expansion
    ) -> Generator[Panel]:
        """Make all iterations of a problem, and yield every panel; the expansion is kept up to date.

        Parameters
        ----------
        problem
            Rows, steps and objective.
        kernel, gamma
            The kernel, and its inverse width.
        curvature
            What was measured on this problem.
        expansion
            The coefficients, all zero.
        """
        iterations = np.arange(1, problem.n_iterations + 1, dtype=np.float64)[:, None]
        sizes = SCHEDULES[self.schedule](iterations, problem.alpha / self.step_scale, np.array([curvature]))
        return run_expansion(problem, kernel, gamma, sizes, expansion, averaged=bool(self.average))


def measure_kernel_curvature(problem: Problem, kernel: str, gamma: float) -> float:
    """Return the L of a problem with the exact kernel: what `measure_curvature` gives for ever more frequencies.

    Parameters
    ----------
    problem
        Rows, steps and objective of one model.
    kernel, gamma
        The kernel, and its inverse width.
    """
    objective, found = problem.objective.of_model(0, 1), []
    with single_blas_thread:
        for draw in range(min(N_DRAWS, problem.n_iterations)):
            rows = {group: index[draw] for group, index in problem.steps.items()}
            found.append(measure_block(objective, _roots(problem, rows, kernel, gamma), problem.weights_of(rows, 0)))
        top = MARGIN * max(block.top for block in found)
        if noise_limit(found, n_frequencies=1, directions=0.0, power=1.0) <= top:
            return top
        common = problem.X[: problem.n_common]
        sees_constants = problem.objective.sees_constants
        spectrum = kernel_spectrum(KERNELS[kernel], gamma, common, with_constants=sees_constants)
        # Without random features no direction is met by chance.
        return max(top, noise_limit(found, n_frequencies=1, directions=0.0, power=float(spectrum.sum())))


def _roots(problem: Problem, rows: Mapping[str, IndexArray], kernel: str, gamma: float) -> dict[str, FloatArray]:
    """Return features of the rows of a step, by group, whose products are the kernel."""
    X = dense_part(problem.X, np.concatenate(list(rows.values())))
    K = KERNELS[kernel].matrix(X, X, gamma)
    K[np.diag_indices(len(K))] += _JITTER
    parts = np.split(cholesky(K, lower=True), np.cumsum([len(index) for index in rows.values()])[:-1])
    return dict(zip(rows, parts, strict=True))
