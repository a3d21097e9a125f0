"""From labelled rows and a source of unlabelled ones to a path of iterates or a closed form.

The rows that a run will touch are drawn first and collected in one go, so that memory does not grow with the pool.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from s2auc.arrays import FloatArray, IndexArray
from s2auc.bandwidth import resolve_gamma
from s2auc.batches import LABELED_LIMIT, SAMPLE_STREAM, draw_rows, rows_of_steps
from s2auc.closed_form import ClosedForm, measure_moments
from s2auc.data import RowSource
from s2auc.kernels import KERNELS
from s2auc.losses import LOSSES
from s2auc.preprocessing import SCALINGS, ColumnScaling
from s2auc.problem import Problem
from s2auc.risk import NEGATIVE, POSITIVE, UNLABELED, semi_supervised_terms
from s2auc.stream import FrequencyStream

SAMPLE_ROWS = 2000
"""Unlabelled rows that, with the labelled ones, settle the scaling of columns and the width of the kernel."""

CHUNK_ROWS = 4096
"""Rows that the closed form takes at a time."""


@dataclass(frozen=True)
class Settings:
    """What a fit is asked to do, all names resolved against their tables."""

    loss: str
    kernel: str
    kernel_gamma: float | str
    labeled_weight: float
    alpha: float
    n_frequencies: int
    batch_size: int
    pairing: str
    scaling: str
    seed: int


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows of the three groups; unlabelled ones stay in their source."""

    positive: FloatArray
    negative: FloatArray
    unlabeled: RowSource | None

    @property
    def sizes(self) -> dict[str, int]:
        """How many rows each group has."""
        n_unlabeled = 0 if self.unlabeled is None else self.unlabeled.n_rows
        return {POSITIVE: len(self.positive), NEGATIVE: len(self.negative), UNLABELED: n_unlabeled}

    @property
    def has_pairs(self) -> bool:
        """Whether at least two groups have rows."""
        return sum(size > 0 for size in self.sizes.values()) >= 2

    def sample(self, seed: int) -> FloatArray:
        """Return all labelled rows with up to `SAMPLE_ROWS` unlabelled ones, drawn at random where there are more."""
        parts = [self.positive, self.negative]
        if self.unlabeled is not None and self.unlabeled.n_rows:
            n_rows = self.unlabeled.n_rows
            if n_rows > SAMPLE_ROWS:
                chosen = np.unique(draw_rows(seed, SAMPLE_STREAM, n_rows, SAMPLE_ROWS, 0, 1))
            else:
                chosen = np.arange(n_rows)
            parts.append(self.unlabeled.gather(chosen))
        return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class Space:
    """Where the model lives: rescaled columns, and the frequencies of a kernel on them."""

    columns: ColumnScaling
    stream: FrequencyStream

    @classmethod
    def of_rows(cls, rows: TrainingRows, settings: Settings) -> "Space":
        """Learn the scaling and the kernel's width from a sample of all rows."""
        sample = rows.sample(settings.seed)
        columns = SCALINGS[settings.scaling](sample)
        gamma = resolve_gamma(KERNELS[settings.kernel], settings.kernel_gamma, columns.apply(sample))
        return cls(columns, FrequencyStream(settings.kernel, gamma, sample.shape[1], settings.seed))


def make_problem(rows: TrainingRows, space: Space, settings: Settings, *, first: int, n_iterations: int) -> Problem:
    """Draw the rows of iterations [first, first + n_iterations), collect them and return what the solver needs."""
    sizes = rows.sizes
    if settings.labeled_weight == 1:
        sizes[UNLABELED] = 0  # no term looks at them
    steps = rows_of_steps(
        sizes,
        pairing=settings.pairing,
        batch_size=settings.batch_size,
        seed=settings.seed,
        first=first,
        last=first + n_iterations,
    )
    blocks = [rows.positive, rows.negative]
    if rows.unlabeled is not None and UNLABELED in steps:
        touched, places = np.unique(steps[UNLABELED], return_inverse=True)
        blocks.append(rows.unlabeled.gather(touched))
        steps[UNLABELED] = places.reshape(steps[UNLABELED].shape)
    offsets = dict(zip(sizes, np.cumsum([0, *map(len, blocks)]), strict=False))
    return Problem(
        X=space.columns.apply(np.concatenate(blocks)),
        steps={group: index + offsets[group] for group, index in steps.items()},
        terms=semi_supervised_terms(LOSSES[settings.loss], np.array([settings.labeled_weight]), settings.pairing),
        alpha=np.array([settings.alpha]),
        resident=_residents(sizes),
        row_weight=None,
        n_frequencies=settings.n_frequencies,
    )


def solve_exactly(rows: TrainingRows, space: Space, settings: Settings) -> tuple[FloatArray, FloatArray]:
    """Return the coefficients of the closed form, from one pass over all rows."""
    W = space.stream.take(0, settings.n_frequencies)
    moments = {}
    for group, X in ((POSITIVE, rows.positive), (NEGATIVE, rows.negative)):
        if len(X):
            moments[group] = measure_moments([space.columns.apply(X)], W)
    if rows.unlabeled is not None and rows.unlabeled.n_rows:
        chunks = (space.columns.apply(chunk) for chunk in rows.unlabeled.scan(CHUNK_ROWS))
        moments[UNLABELED] = measure_moments(chunks, W)
    terms = semi_supervised_terms(LOSSES[settings.loss], settings.labeled_weight)
    return ClosedForm.of_risk(terms, moments).solve(settings.alpha)


def choose_offset(positive: FloatArray, other: FloatArray) -> float:
    """Return the threshold that best tells two groups of scores apart: the largest difference of the shares above it.

    Of several equally good ones the middle one is taken, halfway between two scores.

    Examples
    --------
    >>> import numpy as np
    >>> choose_offset(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.5]))
    1.75
    """
    scores = np.unique(np.concatenate([positive, other]))
    if len(scores) == 1:
        return float(scores[0])
    thresholds = (scores[1:] + scores[:-1]) / 2
    above = 1.0 - np.searchsorted(np.sort(positive), thresholds) / len(positive)
    wrongly_above = 1.0 - np.searchsorted(np.sort(other), thresholds) / len(other)
    advantage = above - wrongly_above
    best = np.flatnonzero(advantage >= advantage.max() - 1e-12)
    return float(thresholds[best[len(best) // 2]])


def _residents(sizes: Mapping[str, int]) -> IndexArray:
    """Return the numbers of the labelled rows, which stand first; evenly spaced ones where they are very many."""
    n_labeled = sizes[POSITIVE] + sizes[NEGATIVE]
    if n_labeled <= LABELED_LIMIT:
        return np.arange(n_labeled)
    return np.unique(np.linspace(0, n_labeled - 1, LABELED_LIMIT).astype(np.intp))
