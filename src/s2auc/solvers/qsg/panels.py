"""The blocked solver: the iterates of Algorithm 1, at the speed of matrix products.

Iteration t needs the current function, a sum over all earlier blocks of frequencies, at the rows of its batch. Which
rows the next iterations touch is known beforehand, so a *panel* of iterations is prepared at once:

1. the earlier blocks are evaluated on the rows of the whole panel in one go (rows that are followed all the way carry
   their scores from panel to panel instead);
2. the features of the panel's new blocks on the same rows are computed in one go;
3. the steps are then small products: a row's score is put together from the blocks before, in the step that uses it.

A *bundle* of models that differ in alpha, labelled weight or left-out rows shares the draws, the frequencies and every
cosine; arrays carry them on a last axis.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.groups import NEIGHBOR, NODE
from s2auc.common.threads import single_blas_thread
from s2auc.data.features.scaled_rows import ScaledRows
from s2auc.kernels.fourier import features
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.kernels.tiles import TILE_FREQUENCIES
from s2auc.ranking.objective import Objective
from s2auc.solvers.qsg.iterates import Iterates


@dataclass(frozen=True, eq=False)
class Problem:
    """What a run works on.

    Attributes
    ----------
    X
        The rows, rescaled, that the steps use.
    steps
        By group, the numbers of the rows that each iteration uses, (iterations, rows a step).
    objective
        What is minimised; weights of its terms may be arrays (n_models,).
    alpha
        Regularisation of each model, (n_models,).
    followed
        Numbers of the rows whose scores are followed all the way.
    row_weight
        Weight of every row in every model, (rows, n_models); None for ones. Zero leaves a row out.
    n_frequencies
        Fresh frequencies an iteration.
    dtype
        Precision of cosines.
    n_common
        How many of the first rows are there whatever the terms of the objective are; None for all. They tell of the
        kernel's spectrum, so that models that share rows with others take the steps that they would take alone.
    """

    X: AnyArray | ScaledRows
    steps: Mapping[str, IndexArray]
    objective: Objective
    alpha: FloatArray
    followed: IndexArray
    row_weight: FloatArray | None
    n_frequencies: int
    dtype: DTypeLike = np.float32
    n_common: int | None = None

    @property
    def n_iterations(self) -> int:
        """How many iterations the steps are for."""
        return min(len(rows) for rows in self.steps.values())

    def first(self, n_iterations: int) -> "Problem":
        """Return the problem with its first iterations only."""
        return replace(self, steps={group: rows[:n_iterations] for group, rows in self.steps.items()})

    def weights_of(self, rows: Mapping[str, IndexArray], model: int | slice) -> dict[str, FloatArray] | None:
        """Return the weights of a step's rows, by group, for one model or for all.

        Ends of edges have none: rows that a model leaves out for their labels are neighbours all the same.
        """
        if self.row_weight is None:
            return None
        weighted = {group: index for group, index in rows.items() if group not in (NODE, NEIGHBOR)}
        return {group: self.row_weight[index, model] for group, index in weighted.items()}


PANEL_BYTES = 2**24
"""Features of a panel take about this many bytes."""

MAX_PANEL = 64
SCORE_LIMIT = 1e6


class DivergenceError(RuntimeError):
    """Scores left all bounds: the steps are too long for this risk."""


def check_bounded(largest: float, iteration: int) -> None:
    """Raise a `DivergenceError` if the largest score of an iteration is beyond `SCORE_LIMIT`, or NaN."""
    if not largest <= SCORE_LIMIT:
        raise DivergenceError(
            f"The scores left all bounds (|f| = {largest:.1e}) at iteration {iteration}: "
            "the steps are too long; use schedule='shifted', a smaller step_scale or a larger alpha."
        )


@dataclass(frozen=True, eq=False)
class Followed:
    """Scores of followed rows after so many iterations of a problem, by the last iterate and by the average of all.

    With the iterates it is what a run needs to go on, bit by bit as if it had never stopped; both are (followed rows,
    n_models).
    """

    n_done: int
    iterate: FloatArray
    average: FloatArray


@dataclass(frozen=True, eq=False)
class Panel:
    """What some iterations left behind: risk of each batch, and the scores of followed rows after each step.

    `step_sizes` and `risk`, taken before the step, are (iterations, n_models); `scores` is (iterations, followed rows,
    n_models), of the iterates or of their averages, whichever the run reports; `followed` is where the run stands.
    """

    first: int
    step_sizes: FloatArray
    risk: FloatArray
    scores: FloatArray
    followed: Followed


def run_panels(
    problem: Problem,
    iterates: Iterates,
    stream: FrequencyStream,
    step_sizes: FloatArray,
    *,
    averaged: bool,
    followed: Followed | None = None,
) -> Generator[Panel]:
    """Extend the iterates by all iterations of the problem, yielding after every panel of them.

    Parameters
    ----------
    problem
        Rows, steps and risk.
    iterates
        Where to go on from; it is extended in place, a panel at a time.
    stream
        The frequencies.
    step_sizes
        η of every iteration and model, (iterations, n_models).
    averaged
        Whether the panels report averages of iterates instead of iterates.
    followed
        Where the iterations of this problem stopped, after a panel, if some are made already; the iterates hold them.
    """
    with single_blas_thread:
        length = panel_length(problem)
        if followed is None:
            followed = _start_following(problem, iterates, stream)
        scores, average = followed.iterate, followed.average
        for first in range(followed.n_done, problem.n_iterations, length):
            last = min(first + length, problem.n_iterations)
            table = _PanelTable(problem, iterates, stream, first, last, scores)
            decay = 1.0 - step_sizes[first:last] * problem.alpha
            risk = np.empty_like(decay)
            reported = np.empty((last - first, *scores.shape))
            for step in range(last - first):
                risk[step] = table.step(step, step_sizes[first + step], decay[step])
                done = iterates.n_iterations + step + 1
                scores = table.followed_scores
                average = average + (scores - average) * (2.0 / (done + 1.0))
                reported[step] = average if averaged else scores
            iterates.extend(table.blocks, decay)
            yield Panel(first, step_sizes[first:last], risk, reported, Followed(last, scores, average))


def _start_following(problem: Problem, iterates: Iterates, stream: FrequencyStream) -> Followed:
    """Return the scores of followed rows before the first iteration of a problem."""
    rows = problem.X[problem.followed]
    scores, average = (
        stream.evaluate(rows, *iterates.coefficients(averaged=averaged), dtype=problem.dtype)
        for averaged in (False, True)
    )
    return Followed(0, scores, average)


def panel_length(problem: Problem) -> int:
    """Return how many iterations to prepare at once: a function of the problem's sizes only."""
    others = sum(int((~np.isin(index[0], problem.followed)).sum()) for index in problem.steps.values())
    itemsize = np.dtype(problem.dtype).itemsize
    length = MAX_PANEL
    while length > 1:
        n_rows = len(problem.followed) + length * others
        if n_rows * length * 2 * problem.n_frequencies * itemsize <= PANEL_BYTES:
            break
        length //= 2
    return length


class _PanelTable:
    """Scores and features of the rows of one panel, and the blocks of coefficients that its steps make.

    Scores of followed rows are kept up to date. Those of other rows are put together in the one step that uses them,
    from what earlier panels gave them and the panel's blocks so far.
    """

    def __init__(
        self, problem: Problem, iterates: Iterates, stream: FrequencyStream, first: int, last: int, scores: FloatArray
    ) -> None:
        m, n_models = problem.n_frequencies, len(problem.alpha)
        self._problem = problem
        self._first_iteration = iterates.n_iterations + 1
        self._n_followed = len(problem.followed)
        steps = {group: index[first:last] for group, index in problem.steps.items()}
        used = np.unique(np.concatenate([index.ravel() for index in steps.values()]))
        others = np.setdiff1d(used, problem.followed, assume_unique=True)
        rows = np.concatenate([problem.followed, others])
        place = np.empty(len(problem.X), dtype=np.intp)
        place[rows] = np.arange(len(rows))
        # The rows of a batch, group after group: one look-up for all of them.
        self._batch = np.concatenate([place[index] for index in steps.values()], axis=1)
        ends = np.cumsum([index.shape[1] for index in steps.values()])
        self._groups = {
            group: slice(int(end) - index.shape[1], int(end))
            for (group, index), end in zip(steps.items(), ends, strict=True)
        }
        self._rows = rows
        self._earlier = _earlier_scores(problem, iterates, stream, problem.X[others])
        self._decay = np.ones(n_models)
        start = iterates.n_frequencies
        self._waves = features(problem.X[rows], stream.take(start, start + m * (last - first)), dtype=problem.dtype)
        # What the blocks so far have become, cosines and sines: the blocks as born shrink with every step.
        self._current = np.zeros((2, m * (last - first), n_models), dtype=problem.dtype)
        self.followed_scores = scores
        self.blocks = np.zeros((2, last - first, m, n_models))

    def step(self, step: int, size: FloatArray, decay: FloatArray) -> FloatArray:
        """Make one iteration and return the risk of its batch before it."""
        problem, m = self._problem, self._problem.n_frequencies
        index = self._batch[step]
        weights = None
        if problem.row_weight is not None:
            rows = {group: self._rows[index[place]] for group, place in self._groups.items()}
            weights = problem.weights_of(rows, slice(None))
        scores = self._scores(index, step)
        risk = problem.objective.evaluate({group: scores[place] for group, place in self._groups.items()}, weights)
        block = slice(m * step, m * (step + 1))
        of_cosines, of_sines = self._waves_of(block)
        born = self.blocks[:, step]
        gradient = np.concatenate([risk.gradient[group] for group in self._groups]).astype(problem.dtype)
        born[0] -= of_cosines[index].T @ gradient
        born[1] -= of_sines[index].T @ gradient
        # The features carry sqrt(1/m) twice: once in the coefficients, once where these are used.
        born *= size / m
        with np.errstate(over="ignore", invalid="ignore"):
            self._current[:, : m * step] *= decay.astype(problem.dtype)
            self._current[:, block] = born
            self._decay = self._decay * decay
            n = self._n_followed
            self.followed_scores = self.followed_scores * decay
            self.followed_scores += of_cosines[:n] @ self._current[0, block]
            self.followed_scores += of_sines[:n] @ self._current[1, block]
            largest = max(float(np.abs(each).max(initial=0.0)) for each in (self.followed_scores, scores))
        check_bounded(largest, self._first_iteration + step)
        return risk.value

    def _scores(self, index: IndexArray, step: int) -> FloatArray:
        """Return the current scores of some rows of the panel."""
        is_other = index >= self._n_followed
        if not is_other.any():
            return self.followed_scores[index]
        others = index[is_other]
        of_cosines, of_sines = self._waves_of(slice(0, self._problem.n_frequencies * step))
        scores = np.empty((len(index), len(self._decay)))
        scores[~is_other] = self.followed_scores[index[~is_other]]
        with np.errstate(over="ignore", invalid="ignore"):
            gained = of_cosines[others] @ self._current[0, : of_cosines.shape[1]]
            gained += of_sines[others] @ self._current[1, : of_cosines.shape[1]]
            scores[is_other] = self._earlier[others - self._n_followed] * self._decay + gained
        return scores

    def _waves_of(self, frequencies: slice) -> tuple[AnyArray, AnyArray]:
        half = self._waves.shape[1] // 2
        return self._waves[:, :half][:, frequencies], self._waves[:, half:][:, frequencies]


def _earlier_scores(
    problem: Problem, iterates: Iterates, stream: FrequencyStream, X: AnyArray | ScaledRows
) -> FloatArray:
    """Return the scores that the iterates so far give some rows, (rows, n_models)."""
    coefficients = iterates.coefficients()
    if iterates.n_models == 1:
        return stream.evaluate(X, *coefficients, dtype=problem.dtype)
    # Many models share the cosines, and the matrix product is nearly all of the work.
    scores = np.zeros((len(X), iterates.n_models))
    for first in range(0, iterates.n_frequencies, TILE_FREQUENCIES):
        last = min(first + TILE_FREQUENCIES, iterates.n_frequencies)
        waves = features(X, stream.take(first, last), dtype=problem.dtype)
        scores += waves @ coefficients[:, first:last].reshape(-1, iterates.n_models).astype(problem.dtype)
    return scores
