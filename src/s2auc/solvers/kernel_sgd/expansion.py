"""The steps of the paper's h_t: a sum of kernels at the rows that were drawn, extended step by step.

Iteration t needs the current function at the rows of its batch. As in `solvers/qsg/panels.py`, the rows of the next
iterations are known beforehand, so that a *panel* of them is prepared at once:

1. the kernels at all rows drawn before are summed at the new rows of the panel, block by block;
2. the kernel between the rows of the panel is formed, once;
3. the steps are then small products: a score is what the earlier rows give, decayed, and what the panel's rows gained.

Rows that are followed carry their scores from step to step.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.threads import single_blas_thread
from s2auc.kernels.products import kernel_product, kernel_values
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.tiles import dense_part
from s2auc.solvers.qsg.panels import MAX_PANEL, Followed, Panel, Problem, check_bounded

PANEL_ROWS = 2048
"""Rows of a panel, at most: their kernel takes 16 megabytes."""


@dataclass(eq=False)
class Expansion:
    """The coefficients of the last iterate and of the t-weighted average, one number per row of the problem."""

    iterate: FloatArray
    average: FloatArray

    @classmethod
    def empty(cls, n_rows: int) -> "Expansion":
        """Return the function that is zero everywhere."""
        return cls(np.zeros(n_rows), np.zeros(n_rows))


def run_expansion(
    problem: Problem, kernel: str, gamma: float, step_sizes: FloatArray, expansion: Expansion, *, averaged: bool
) -> Generator[Panel]:
    """Make all iterations of a problem of one model, yielding after every panel of them.

    Parameters
    ----------
    problem
        Rows, steps and risk.
    kernel, gamma
        The kernel, and its inverse width.
    step_sizes
        η of every iteration, (iterations, 1).
    expansion
        The coefficients, all zero; they are kept up to date in place, a panel at a time.
    averaged
        Whether the panels report averages of iterates instead of iterates.
    """
    n_followed = len(problem.followed)
    scores, average = np.zeros((n_followed, 1)), np.zeros((n_followed, 1))
    length = panel_length(problem)
    with single_blas_thread:
        for first in range(0, problem.n_iterations, length):
            last = min(first + length, problem.n_iterations)
            table = _PanelTable(problem, kernel, gamma, expansion, first, last, scores[:, 0])
            decay = 1.0 - step_sizes[first:last, 0] * float(problem.alpha[0])
            risk, reported = np.empty((last - first, 1)), np.empty((last - first, n_followed, 1))
            for step in range(last - first):
                risk[step] = table.step(step, float(step_sizes[first + step, 0]), float(decay[step]))
                done = first + step + 1
                scores = table.followed_scores[:, None]
                average = average + (scores - average) * (2.0 / (done + 1.0))
                table.add_to_average(2.0 / (done + 1.0))
                reported[step] = average if averaged else scores
            table.write_back()
            yield Panel(first, step_sizes[first:last], risk, reported, Followed(last, scores, average))


def panel_length(problem: Problem) -> int:
    """Return how many iterations to prepare at once."""
    n_new = sum(int((~np.isin(index[0], problem.followed)).sum()) for index in problem.steps.values())
    return min(MAX_PANEL, max(1, (PANEL_ROWS - len(problem.followed)) // max(1, n_new)))


class _PanelTable:
    """Scores and kernel of the rows of one panel, and the coefficients that its steps give them.

    The iterate is decay·(coefficients before the panel) + gained, the average is
    kept·(average before) + mixed·(coefficients before) + gained_average.
    """

    def __init__(
        self,
        problem: Problem,
        kernel: str,
        gamma: float,
        expansion: Expansion,
        first: int,
        last: int,
        scores: FloatArray,
    ) -> None:
        self._problem, self._expansion, self._first = problem, expansion, first
        self._n_followed = n_followed = len(problem.followed)
        steps = {group: index[first:last] for group, index in problem.steps.items()}
        used = np.unique(np.concatenate([index.ravel() for index in steps.values()]))
        others = np.setdiff1d(used, problem.followed, assume_unique=True)
        self._rows = rows = np.concatenate([problem.followed, others])
        place = np.empty(len(problem.X), dtype=np.intp)
        place[rows] = np.arange(len(rows))
        self._local = {group: place[index] for group, index in steps.items()}
        X = dense_part(problem.X, rows)
        earlier = np.flatnonzero(expansion.iterate)
        self._earlier = kernel_product(
            KERNELS[kernel], gamma, X[n_followed:], problem.X[earlier], expansion.iterate[earlier]
        )
        self._kernel = kernel_values(KERNELS[kernel], gamma, X, X)
        self._gained, self._gained_average = np.zeros(len(rows)), np.zeros(len(rows))
        self._decay, self._kept, self._mixed = 1.0, 1.0, 0.0
        self.followed_scores = scores

    def step(self, step: int, size: float, decay: float) -> float:
        """Make one iteration and return the risk of its batch before it."""
        problem = self._problem
        local = {group: index[step] for group, index in self._local.items()}
        weights = problem.weights_of({group: self._rows[index] for group, index in local.items()}, slice(None))
        batch = {group: self._scores(index)[:, None] for group, index in local.items()}
        risk = problem.objective.evaluate(batch, weights)
        self._gained *= decay
        self._decay *= decay
        self.followed_scores = self.followed_scores * decay
        for group, index in local.items():
            born = -size * risk.gradient[group][:, 0]
            np.add.at(self._gained, index, born)
            self.followed_scores += self._kernel[: self._n_followed, index] @ born.astype(np.float32)
        largest = max(float(np.abs(scores).max(initial=0.0)) for scores in (self.followed_scores, *batch.values()))
        check_bounded(largest, self._first + step + 1)
        return float(risk.value[0])

    def add_to_average(self, weight: float) -> None:
        """Move the average by this share of the way to the iterate."""
        self._gained_average += (self._gained - self._gained_average) * weight
        self._kept *= 1.0 - weight
        self._mixed += (self._decay - self._mixed) * weight

    def write_back(self) -> None:
        """Hand the coefficients over."""
        before = self._expansion.iterate
        self._expansion.average = self._kept * self._expansion.average + self._mixed * before
        self._expansion.average[self._rows] += self._gained_average
        self._expansion.iterate = self._decay * before
        self._expansion.iterate[self._rows] += self._gained

    def _scores(self, index: IndexArray) -> FloatArray:
        """Return the current scores of some rows of the panel."""
        is_other = index >= self._n_followed
        if not is_other.any():
            return self.followed_scores[index]
        others, scores = index[is_other], np.empty(len(index))
        scores[~is_other] = self.followed_scores[index[~is_other]]
        gained = self._kernel[others] @ self._gained.astype(np.float32)
        scores[is_other] = self._decay * self._earlier[others - self._n_followed] + gained
        return scores
