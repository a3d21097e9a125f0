"""FSAUC (Liu, Zhang, Chen, Wang and Yang, 2018): the saddle point of SOLAM in stages, each nearer than the last."""

from bisect import bisect_left
from dataclasses import dataclass
from math import floor, inf, log, log2, sqrt

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.estimators.baselines.online.online import OnlineRanker
from s2auc.estimators.baselines.online.saddle_point import SaddlePoint, SeenRows, held, nearest_in_both
from s2auc.estimators.baselines.online.solam import unit_columns
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.models.parts.linear import LinearPart

DELTA = 0.1
"""δ of the publication: its bounds hold with probability 1-δ. A co-author's code has this value."""

MAX_ROWS = 2**62
"""No stage begins after so many rows."""

_DOUBT = 2.0 * log(12.0 / DELTA)


def n_stages_of(n_rows: int) -> int:
    """Return the number m of stages for n rows: ⌊½·log₂(2n/log₂n)⌋ - 1, but at least one.

    Examples
    --------
    >>> [n_stages_of(n_rows) for n_rows in (1, 255, 256, 100_000)]
    [1, 1, 2, 5]
    """
    return max(1, floor(0.5 * log2(2.0 * n_rows / log2(n_rows))) - 1) if n_rows > 2 else 1


@dataclass(frozen=True)
class StagePlan:
    """When stages begin.

    Where it is known that n rows will come, these are m stages of ⌊n/m⌋ rows, the last of which takes what is left
    over, and whatever comes after. Where it is not, the next stage begins as soon as the publication has one more for
    the number of rows so far: each is then about four times as long as all before it.

    Examples
    --------
    >>> [StagePlan(1000).start(stage) for stage in (1, 2, 3)]
    [0, 500, inf]
    >>> [StagePlan(None).start(stage) for stage in (1, 2, 3, 4)]
    [0, 256, 1329, 6484]
    """

    n_rows: int | None

    def start(self, stage: int) -> float:
        """Return how many rows come before a stage, which counts from one; infinity if there is no such stage."""
        if self.n_rows is not None:
            n_stages = n_stages_of(self.n_rows)
            return (stage - 1) * (self.n_rows // n_stages) if stage <= n_stages else inf
        return bisect_left(range(MAX_ROWS), stage, key=n_stages_of)


@dataclass
class StageBounds:
    """How far iterates of a stage may go from its start, and the step: r, D, β and η of the publication.

    Attributes
    ----------
    radius
        R, the largest norm of the weights.
    step
        η of this stage.
    stage
        Which stage this is, from one.
    n_sure
        min(p, 1-p)·n₀ - √(2·n₀·ln(12/δ)), the rows of the rarer class that the stage before has at least had, but for
        the probability δ; not above zero where it was too short to say.
    spread
        β; infinity where `n_sure` is not above zero.
    """

    radius: float
    step: float
    stage: int = 1
    n_sure: float = inf
    spread: float = inf

    def next(self, share: float, largest_norm: float, n_before: int) -> "StageBounds":
        """Return the bounds of the next stage, after one of so many rows.

        Parameters
        ----------
        share
            p, the share of positive rows so far.
        largest_norm
            κ, the largest norm of a row so far.
        n_before
            n₀, the number of rows of the stage that ends.
        """
        n_sure = min(share, 1.0 - share) * n_before - sqrt(_DOUBT * n_before)
        first = 1.0 + 8.0 * largest_norm**2
        spread = inf
        if n_sure > 0.0:
            doubt = (largest_norm * (1.0 + 2.0 * largest_norm) * (2.0 + sqrt(_DOUBT))) ** 2
            spread = first + 32.0 * doubt * n_before / n_sure
        before = first if self.stage == 1 else self.spread
        is_known = spread < inf and before < inf
        growth = sqrt(spread / before) if is_known else 1.0
        step = held(self.step * growth / 2.0, self.step / 2.0, self.step)
        return StageBounds(self.radius, step, self.stage + 1, n_sure, spread)

    def primal(self, largest_norm: float) -> float:
        """Return r, the largest distance of (w, a, b) from where the stage began."""
        return 2.0 ** (2 - self.stage) * sqrt(1.0 + 2.0 * largest_norm**2) * self.radius

    def dual(self, largest_norm: float) -> float:
        """Return D, the largest distance of α from where the stage began."""
        near = 2.0 * sqrt(2.0) * largest_norm * self.primal(largest_norm)
        if self.stage == 1:
            return near
        if self.n_sure <= 0.0:
            return inf
        doubt = largest_norm * (2.0 + sqrt(_DOUBT)) * (1.0 + 2.0 * largest_norm) * self.radius
        return near + 4.0 * sqrt(2.0) * doubt / sqrt(self.n_sure)


class FSAUCSteps:
    """Steps of FSAUC on rows as they come out of `columns`, and the average of those of the stage."""

    def __init__(self, columns: ColumnScaling, step_size: float, radius: float, plan: StagePlan) -> None:
        self.numbers_a_row = len(columns.shift)
        self.columns, self.plan, self.bounds = columns, plan, StageBounds(radius, step_size)
        self.point, self.seen = SaddlePoint(np.zeros(self.numbers_a_row)), SeenRows()
        self.class_totals = np.zeros((2, self.numbers_a_row))
        self._begin(self.point)

    def learn(self, X: FloatArray, is_positive: BoolArray) -> None:
        """Make one step a row, in this order."""
        seen = self.seen
        for row, positive in zip(X, is_positive.tolist(), strict=True):
            if seen.n_rows == self.next_start:
                n_before = seen.n_rows - int(self.plan.start(self.bounds.stage))
                self.bounds = self.bounds.next(seen.share, seen.largest_norm, n_before)
                self._begin(self._average())
            seen.add(row, positive)
            self.class_totals[int(positive)] += row
            self._add_to_average()
            self._step(row, positive)

    def part(self) -> LinearPart:
        """Return the average of the stage's iterates, each before its step."""
        return LinearPart(self.columns, self._average().weights)

    def _begin(self, start: SaddlePoint) -> None:
        """Begin a stage at the average of the last one, with the α that is best for it."""
        seen = self.seen
        n_negative = seen.n_rows - seen.n_positive
        if seen.n_positive and n_negative:
            gap = self.class_totals[0] / n_negative - self.class_totals[1] / seen.n_positive
            start.dual = float(start.weights @ gap)
        self.start, self.point = start, SaddlePoint(**vars(start))
        self.next_start = self.plan.start(self.bounds.stage + 1)
        self.n_averaged, self.totals = 0, SaddlePoint(np.zeros_like(start.weights))

    def _add_to_average(self) -> None:
        self.n_averaged += 1
        self.totals.weights += self.point.weights
        self.totals.positive_mean += self.point.positive_mean
        self.totals.negative_mean += self.point.negative_mean

    def _average(self) -> SaddlePoint:
        totals, n_averaged = self.totals, self.n_averaged
        means = totals.positive_mean / n_averaged, totals.negative_mean / n_averaged
        return SaddlePoint(totals.weights / n_averaged, *means)

    def _step(self, row: FloatArray, is_positive: bool) -> None:
        point, start, bounds, largest_norm = self.point, self.start, self.bounds, self.seen.largest_norm
        point.move(row, point.slopes(float(point.weights @ row), is_positive, self.seen.share), bounds.step)
        moved = point.weights, point.positive_mean, point.negative_mean
        point.project(bounds.radius, largest_norm)
        reach = bounds.dual(largest_norm)
        point.dual = held(point.dual, start.dual - reach, start.dual + reach)
        away = point.weights - start.weights
        square = float(away @ away) + (point.positive_mean - start.positive_mean) ** 2
        square += (point.negative_mean - start.negative_mean) ** 2
        reach = bounds.primal(largest_norm)
        if square > reach * reach:
            center = start.weights, start.positive_mean, start.negative_mean
            size = bounds.radius, bounds.radius * largest_norm
            found = nearest_in_both(np.hstack(moved), np.hstack(center), reach, *size)
            point.weights, (point.positive_mean, point.negative_mean) = found[:-2], map(float, found[-2:])


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class FSAUCClassifier(OnlineRanker[FSAUCSteps]):
    """Binary classifier that learns a linear ranking from one row at a time, by FSAUC.

    The saddle point is that of `SOLAMClassifier`. Rows come in m = ⌊½·log₂(2n/log₂n)⌋ - 1 stages of ⌊n/m⌋ rows. A stage
    starts at the average v of the last one and at α = wᵀ(mean of negative rows - mean of positive rows), has one step η
    and keeps to a ball around its start whose radius halves from stage to stage. The model is the plain average of the
    last stage's iterates, whose risk falls like 1/n, where that of SOLAM is only sure to fall like 1/√n.

    Parameters
    ----------
    step_size
        η of the first stage.
    radius
        R, the largest norm of w, for rows that are divided by √columns after scaling.
    max_epochs
        Passes over the labelled rows in `fit`, each in a random order: n is this times their number. `partial_fit`
        makes one pass, in the order given.
    random_state
        Seed of the order of rows, and of the rows that settle scaling where the unlabelled ones are many.

    Attributes
    ----------
    classes_, model_, offset_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    n_steps_
        How many steps were made.
    n_stages_
        How many stages were begun.

    Notes
    -----
    Where the publication is open, or public code differs:

    - ‖w‖ <= R is meant with the Euclidean norm. The publication allows others; a co-author's code bounds the sum of
      absolute weights. a and b lie in ±Rκ, α in ±2Rκ, κ being the largest norm of a row so far; r and D grow with it.
    - The projection onto this set and the ball around v is exact. That code alternates between the two a given number
      of times, and goes to v₁ + v·r/‖v - v₁‖, a slip, where v₁ + (v - v₁)·r/‖v - v₁‖ is meant.
    - The published step √β·r/(√(3n₀)·G) has a G that bounds derivatives at their worst, so η of the first stage is
      given, as in that code, and that of others follows from the ratio √(β_k/β_(k-1))/2 of published steps. From the
      first to the second stage it is some twenty, as only then means of classes are estimated: steps never grow. Nor do
      they fall below half of the one before, as they would where stages get longer or β is not defined. That code
      halves them.
    - D has no bound, and β is not defined, where min(p, 1-p)·n₀ <= √(2·n₀·ln(12/δ)); δ = 0.1, as in that code.
    - Sums of classes and p go on from stage to stage, as in that code, not anew in each.
    - Derivatives are those of F with their factor two; iterates are averaged before their step, not after it as in that
      code.
    - The last stage takes the rows that are left over. There is at least one stage.
    - Where nobody knows how many rows will come (`partial_fit`), a stage begins as soon as m for the rows so far grows,
      at 256, 1,329, 6,484, … rows. Rows that come after a `fit` go on in its last stage.

    References
    ----------
    M. Liu, X. Zhang, Z. Chen, X. Wang and T. Yang (2018), Fast stochastic AUC maximization with O(1/n)-convergence
    rate, ICML.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, random_state=0)
    >>> ranker = FSAUCClassifier(random_state=0).fit(X[:1000], y[:1000])
    >>> ranker.n_steps_, ranker.n_stages_, ranker.score(X[1000:], y[1000:]) > 0.9
    (15000, 4, True)
    """

    step_size: float = 0.1
    radius: float = 10.0
    max_epochs: int = 15

    @property
    def n_stages_(self) -> int:
        """How many stages were begun."""
        return self._learner_.bounds.stage

    def _make_learner(self, sample: ColumnSample, seed: int, n_rows: int | None) -> FSAUCSteps:  # noqa: ARG002
        plan = StagePlan(None if n_rows is None else n_rows * int(self.max_epochs))
        return FSAUCSteps(unit_columns(sample, self.scaling), float(self.step_size), float(self.radius), plan)
