"""From labelled rows and a source of unlabelled ones to a iterates of iterates or a closed form.

The rows that a run will touch are drawn first and collected in one go, so that memory does not grow with the pool.
"""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.common.randomness import SAMPLE_STREAM, draw_rows
from s2auc.data import RowSource
from s2auc.data.column_scaling import SCALINGS, ColumnScaling
from s2auc.kernels.bandwidth import resolve_gamma
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.risk import semi_supervised_terms
from s2auc.solvers.batches import followed_rows, rows_of_steps
from s2auc.solvers.exact import ClosedForm, measure_moments
from s2auc.solvers.iterates import Iterates
from s2auc.solvers.problem import Problem

SAMPLE_ROWS = 2000
"""Unlabelled rows that, with the labelled ones, settle the scaling of columns and the width of the kernel."""

CHUNK_ROWS = 4096
"""Rows that the closed form takes at a time."""


@dataclass(frozen=True)
class Settings:
    """What a fit is asked to do, in plain values that were checked."""

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
    def n_unlabeled(self) -> int:
        """How many rows are unlabelled."""
        return 0 if self.unlabeled is None else self.unlabeled.n_rows

    @property
    def sizes(self) -> dict[str, int]:
        """How many rows each group has."""
        return {POSITIVE: len(self.positive), NEGATIVE: len(self.negative), UNLABELED: self.n_unlabeled}

    def has_pairs(self, labeled_weight: float) -> bool:
        """Return whether some term of the risk has both weight and rows."""
        n_labeled_groups = bool(len(self.positive)) + bool(len(self.negative))
        of_labeled = labeled_weight > 0 and n_labeled_groups == 2
        with_unlabeled = labeled_weight < 1 and n_labeled_groups > 0 and self.n_unlabeled > 0
        return of_labeled or with_unlabeled

    def sample(self, seed: int) -> FloatArray:
        """Return all labelled rows with up to `SAMPLE_ROWS` unlabelled ones, drawn at random where there are more."""
        return np.concatenate([self.positive, self.negative, *self._unlabeled_sample(seed)])

    def opposites(self, seed: int) -> tuple[FloatArray, FloatArray]:
        """Return rows that should score high and rows that should not: positive and negative ones.

        A sample of unlabelled rows stands in for a class that has no rows.
        """
        high = [self.positive] if len(self.positive) else self._unlabeled_sample(seed)
        low = [self.negative] if len(self.negative) else self._unlabeled_sample(seed)
        return high[0], low[0]

    def _unlabeled_sample(self, seed: int) -> list[FloatArray]:
        """Return one array, or none if no rows are unlabelled."""
        if self.unlabeled is None:
            return []
        if self.n_unlabeled > SAMPLE_ROWS:
            chosen = np.unique(draw_rows(seed, SAMPLE_STREAM, self.n_unlabeled, SAMPLE_ROWS, 0, 1))
        else:
            chosen = np.arange(self.n_unlabeled)
        return [self.unlabeled.gather(chosen)]


@dataclass(frozen=True, eq=False)
class Space:
    """Where the model lives: rescaled columns, and the frequencies of a kernel on them, as some settings asked for."""

    columns: ColumnScaling
    stream: FrequencyStream
    settings: Settings

    @classmethod
    def of_rows(cls, rows: TrainingRows, settings: Settings) -> "Space":
        """Learn the scaling and the kernel's width from a sample of all rows."""
        sample = rows.sample(settings.seed)
        # Overflow shows in the result, which is checked.
        with np.errstate(over="ignore", invalid="ignore"):
            columns = SCALINGS[settings.scaling](sample)
            scaled = columns.apply(sample)
        lost = np.flatnonzero((columns.scale == 0.0) | ~np.isfinite(scaled).all(axis=0))
        if lost.size:
            raise ValueError(
                f"Column {lost[0]} of X must hold numbers that add up without overflow, for "
                f"scaling={settings.scaling!r}. Got {np.abs(sample[:, lost[0]]).max():.3g}; divide the column by a "
                "power of ten."
            )
        gamma = resolve_gamma(KERNELS[settings.kernel], settings.kernel_gamma, scaled)
        return cls(columns, FrequencyStream(settings.kernel, gamma, scaled.shape[1], settings.seed), settings)

    def check_same(self, settings: Settings) -> None:
        """Raise if settings ask for another space: coefficients mean nothing there."""
        for name in ("kernel", "kernel_gamma", "scaling"):
            before, now = getattr(self.settings, name), getattr(settings, name)
            if now != before:
                raise ValueError(
                    f"The {name!r} parameter must stay as it is while a model goes on learning (partial_fit, "
                    f"warm_start), where it is {before!r}. Got {now!r}; fit with warm_start=False to start anew."
                )


@dataclass
class State:
    """Where a run stands, so that it can go on."""

    space: Space
    iterates: Iterates
    curvature: FloatArray
    n_steps: int

    @classmethod
    def fresh(cls, rows: TrainingRows, settings: Settings) -> "State":
        """Return the start of a run on these rows."""
        return cls(Space.of_rows(rows, settings), Iterates(n_models=1), np.zeros(1), n_steps=0)

    def continued(self, settings: Settings) -> "State":
        """Return a state that goes on from this one and leaves it alone: schedule and average go on as well."""
        self.space.check_same(settings)
        # A iterates replaces its arrays as it grows, so a shallow copy of it is enough.
        return replace(self, iterates=copy(self.iterates))

    def restarted(self, settings: Settings) -> "State":
        """Return the start of a new run at the last iterate of this one."""
        self.space.check_same(settings)
        iterates = Iterates(n_models=1)
        iterates.start_from(*self.iterates.coefficients())
        return replace(self, iterates=iterates, curvature=np.zeros(1))


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
        resident=followed_rows(sizes[POSITIVE] + sizes[NEGATIVE]),
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
    # With a labelled weight of one no term looks at the pool.
    if rows.unlabeled is not None and settings.labeled_weight < 1:
        chunks = (space.columns.apply(chunk) for chunk in rows.unlabeled.scan(CHUNK_ROWS))
        moments[UNLABELED] = measure_moments(chunks, W)
    terms = semi_supervised_terms(LOSSES[settings.loss], settings.labeled_weight)
    return ClosedForm.of_risk(terms, moments).solve(settings.alpha)
