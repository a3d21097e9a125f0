"""The blocked solver: the iterates of Algorithm 1, at the speed of matrix products.

Iteration t needs the current function, a sum over all earlier blocks of frequencies, at the rows of its batch. Which
rows the next iterations touch is known beforehand, so a *panel* of iterations is prepared at once:

1. the earlier blocks are evaluated on the rows of the whole panel in one go (rows that all steps share, the residents,
   carry their scores from panel to panel instead);
2. the features of the panel's new blocks on the same rows are computed in one go;
3. the steps are then small products: scores ← decay·scores + features of the block · its new coefficients.

A *bundle* of models that differ in alpha, labelled weight or left-out rows shares the draws, the frequencies and every
cosine; arrays carry them on a last axis.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike

from s2auc.arrays import AnyArray, FloatArray, IndexArray
from s2auc.curvature import (
    SPECTRUM_ROWS,
    BlockCurvature,
    kernel_spectrum,
    known_directions,
    measure_block,
    noise_limit,
)
from s2auc.fourier import features
from s2auc.kernels import KERNELS
from s2auc.path import Path
from s2auc.risk import Term, evaluate_risk
from s2auc.stream import FrequencyStream

PANEL_BYTES = 2**24
"""Features of a panel take about this many bytes."""

LONGEST_PANEL = 64
CURVATURE_DRAWS = 20
CURVATURE_MARGIN = 1.1
SCORE_LIMIT = 1e6


class DivergenceError(RuntimeError):
    """Scores left all bounds: the steps are too long for this risk."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What a run works on.

    Attributes
    ----------
    X
        The rows, rescaled, that the steps use.
    steps
        By group, the numbers of the rows that each iteration uses, (iterations, rows a step).
    terms
        The risk between the groups; weights may be arrays (n_models,).
    alpha
        Regularisation of each model, (n_models,).
    resident
        Numbers of the rows whose scores are followed all the way: those that most steps use.
    row_weight
        Weight of every row in every model, (rows, n_models); None for ones. Zero leaves a row out.
    n_frequencies
        Fresh frequencies an iteration.
    dtype
        Precision of cosines.
    """

    X: AnyArray
    steps: Mapping[str, IndexArray]
    terms: tuple[Term, ...]
    alpha: FloatArray
    resident: IndexArray
    row_weight: FloatArray | None
    n_frequencies: int
    dtype: DTypeLike = np.float32

    @property
    def n_iterations(self) -> int:
        """How many iterations the steps are for."""
        return min(len(rows) for rows in self.steps.values())

    def terms_of(self, model: int) -> list[Term]:
        """Return the risk of one model."""
        n_models = len(self.alpha)
        return [replace(term, weight=float(np.broadcast_to(term.weight, n_models)[model])) for term in self.terms]

    def weights_of(self, rows: Mapping[str, IndexArray], model: int | slice) -> dict[str, FloatArray] | None:
        """Return the weights of a step's rows, by group, for one model or for all."""
        if self.row_weight is None:
            return None
        return {group: self.row_weight[index, model] for group, index in rows.items()}


@dataclass(frozen=True, eq=False)
class Panel:
    """What some iterations left behind: risk of each batch, and the residents' scores after each step.

    `risk` is (iterations, n_models), taken before the step; `scores` is (iterations, residents, n_models), of the
    iterates or of their averages, whichever the run reports.
    """

    first: int
    risk: FloatArray
    scores: FloatArray


def measure_curvature(
    problem: Problem, stream: FrequencyStream, *, first_frequency: int = 0, n_earlier: int = 0
) -> FloatArray:
    """Return the L of each model, from the run's own first draws: steps of 1/L are as long as they may be.

    `n_earlier` iterations came before, on frequencies up to `first_frequency`.
    """
    m, n_models = problem.n_frequencies, len(problem.alpha)
    n_draws = min(CURVATURE_DRAWS, problem.n_iterations)
    blocks: list[list[BlockCurvature]] = [[] for _ in range(n_models)]
    for draw in range(n_draws):
        rows = {group: index[draw] for group, index in problem.steps.items()}
        W = stream.take(first_frequency + draw * m, first_frequency + (draw + 1) * m)
        phi = {group: features(problem.X[index], W) / np.sqrt(float(m)) for group, index in rows.items()}
        known: dict[bytes, BlockCurvature] = {}
        for model, found in enumerate(blocks):
            terms = problem.terms_of(model)
            weights = problem.weights_of(rows, model)
            # Models that differ in alpha only meet the same curvature.
            key = repr([term.weight for term in terms]).encode()
            key += b"".join(weight.tobytes() for weight in (weights or {}).values())
            if key not in known:
                known[key] = measure_block(terms, phi, weights)
            found.append(known[key])
    top = CURVATURE_MARGIN * np.array([max(block.top for block in found) for found in blocks])
    # Few steps are short of rows and frequencies, and only those need the kernel's spectrum.
    limit = np.array([noise_limit(found, n_frequencies=m, directions=SPECTRUM_ROWS, power=1.0) for found in blocks])
    if np.any(limit > top):
        spectrum = kernel_spectrum(KERNELS[stream.kernel], stream.gamma, problem.X)
        for model, found in enumerate(blocks):
            directions = known_directions(
                spectrum,
                trace=found[0].trace,
                alpha=float(problem.alpha[model]),
                curvature=float(top[model]),
                n_iterations=n_earlier + problem.n_iterations,
            )
            limit[model] = noise_limit(found, n_frequencies=m, directions=directions, power=float(spectrum.sum()))
    return np.maximum(top, limit)


def run(
    problem: Problem, path: Path, stream: FrequencyStream, step_sizes: FloatArray, *, averaged: bool
) -> Iterator[Panel]:
    """Extend the path by all iterations of the problem, yielding after every panel of them.

    Parameters
    ----------
    problem
        Rows, steps and risk.
    path
        Where to go on from; it is extended in place, a panel at a time.
    stream
        The frequencies.
    step_sizes
        η of every iteration and model, (iterations, n_models).
    averaged
        Whether the panels report averages of iterates instead of iterates.
    """
    length = panel_length(problem)
    resident_rows = problem.X[problem.resident]
    scores = stream.evaluate(resident_rows, *path.coefficients(), dtype=problem.dtype)
    average = stream.evaluate(resident_rows, *path.coefficients(averaged=True), dtype=problem.dtype)
    for first in range(0, problem.n_iterations, length):
        last = min(first + length, problem.n_iterations)
        table = _PanelTable(problem, path, stream, first, last, scores)
        decay = 1.0 - step_sizes[first:last] * problem.alpha
        risk = np.empty_like(decay)
        reported = np.empty((last - first, *scores.shape))
        for step in range(last - first):
            risk[step] = table.step(step, step_sizes[first + step], decay[step])
            done = path.n_iterations + step + 1
            scores = table.resident_scores
            average = average + (scores - average) * (2.0 / (done + 1.0))
            reported[step] = average if averaged else scores
        path.extend(table.cosine, table.sine, decay)
        yield Panel(first, risk, reported)


def panel_length(problem: Problem) -> int:
    """Return how many iterations to prepare at once: a function of the problem's sizes only."""
    visiting = sum(int((~np.isin(index[0], problem.resident)).sum()) for index in problem.steps.values())
    itemsize = np.dtype(problem.dtype).itemsize
    length = LONGEST_PANEL
    while length > 1:
        n_rows = len(problem.resident) + length * visiting
        if n_rows * length * 2 * problem.n_frequencies * itemsize <= PANEL_BYTES:
            break
        length //= 2
    return length


class _PanelTable:
    """Scores and features of the rows of one panel, and the blocks of coefficients that its steps make."""

    def __init__(
        self, problem: Problem, path: Path, stream: FrequencyStream, first: int, last: int, resident_scores: FloatArray
    ) -> None:
        m, n_models = problem.n_frequencies, len(problem.alpha)
        self._problem = problem
        self._first_iteration = path.n_iterations + 1
        self._n_resident = len(problem.resident)
        steps = {group: index[first:last] for group, index in problem.steps.items()}
        used = np.unique(np.concatenate([index.ravel() for index in steps.values()]))
        visiting = np.setdiff1d(used, problem.resident, assume_unique=True)
        rows = np.concatenate([problem.resident, visiting])
        place = np.empty(len(problem.X), dtype=np.intp)
        place[rows] = np.arange(len(rows))
        self._local = {group: place[index] for group, index in steps.items()}
        self._rows = rows
        earlier = stream.evaluate(problem.X[visiting], *path.coefficients(), dtype=problem.dtype)
        self._scores = np.concatenate([resident_scores, earlier])
        start = path.n_frequencies
        self._waves = features(problem.X[rows], stream.take(start, start + m * (last - first)), dtype=problem.dtype)
        self.cosine = np.zeros((last - first, m, n_models))
        self.sine = np.zeros((last - first, m, n_models))

    @property
    def resident_scores(self) -> FloatArray:
        """Current scores of the resident rows."""
        return self._scores[: self._n_resident].copy()

    def step(self, step: int, size: FloatArray, decay: FloatArray) -> FloatArray:
        """Make one iteration and return the risk of its batch before it."""
        problem, m = self._problem, self._problem.n_frequencies
        local = {group: index[step] for group, index in self._local.items()}
        weights = problem.weights_of({group: self._rows[index] for group, index in local.items()}, slice(None))
        batch = {group: self._scores[index] for group, index in local.items()}
        largest = max(float(np.abs(score).max(initial=0.0)) for score in batch.values())
        if not largest <= SCORE_LIMIT:
            raise DivergenceError(
                f"The scores left all bounds (|f| = {largest:.1e}) at iteration {self._first_iteration + step}: "
                "the steps are too long; use schedule='shifted', a smaller step_scale or a larger alpha."
            )
        risk = evaluate_risk(problem.terms, batch, weights)
        offset = m * (len(self.cosine))
        of_cosines, of_sines = self._waves[:, m * step : m * (step + 1)], self._waves[:, offset + m * step :][:, :m]
        for group, index in local.items():
            gradient = risk.gradient[group].astype(problem.dtype)
            self.cosine[step] -= of_cosines[index].T @ gradient
            self.sine[step] -= of_sines[index].T @ gradient
        # The features carry sqrt(1/m) twice: once in the coefficients, once where these are used.
        self.cosine[step] *= size / m
        self.sine[step] *= size / m
        self._scores *= decay
        self._scores += of_cosines @ self.cosine[step].astype(problem.dtype)
        self._scores += of_sines @ self.sine[step].astype(problem.dtype)
        return risk.value
