"""One space of the grid, trained: the scores of followed rows under every mask and point, and the final models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.data.column_scaling import ColumnScaling
from s2auc.kernels.bandwidth import resolve_gamma
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.cosine_part import CosinePart
from s2auc.search.column_weights import auc_weights
from s2auc.search.grid import Grid, SpaceChoice
from s2auc.search.plan import WHOLE, FoldPlan
from s2auc.search.rows import TuningRows, residents_of, tested_rows

WIDTH_ROWS = 300
"""Rows that settle the width of the kernel."""


def _no_weights(X: FloatArray, n_positive: int) -> FloatArray:  # noqa: ARG001
    return np.ones(X.shape[1])


def _auc_weights(X: FloatArray, n_positive: int) -> FloatArray:
    return auc_weights(X[:n_positive], X[n_positive:])


@dataclass(frozen=True)
class WeightRule:
    """How columns are weighted, and whether labels take part in it: then every mask has weights of its own."""

    weights: Callable[[FloatArray, int], FloatArray]
    uses_labels: bool


COLUMN_WEIGHTS: Mapping[str, WeightRule] = {
    "none": WeightRule(_no_weights, uses_labels=False),
    "auc": WeightRule(_auc_weights, uses_labels=True),
}
"""`none`: all columns alike; `auc`: by how well each tells the classes apart alone."""


@dataclass(frozen=True, eq=False)
class Job:
    """What an engine is to train: models that share rows, columns, kernel and frequencies.

    Attributes
    ----------
    X
        The rows of `TuningRows`, as the kernel sees them.
    rows
        Which of them are what, and which of them steps use.
    is_trained
        Which labelled rows each mask trains on, (labelled rows, masks).
    kernel, gamma, seed
        What settles the frequencies.
    """

    X: FloatArray
    rows: TuningRows
    is_trained: BoolArray
    kernel: str
    gamma: float
    seed: int

    @property
    def resident(self) -> IndexArray:
        """The rows whose scores are followed."""
        return residents_of(self.rows)


@dataclass(frozen=True, eq=False)
class EngineResult:
    """What an engine returns.

    Attributes
    ----------
    scores
        Of the followed rows, (points, masks, rows).
    coefficients
        Gives the cosine and sine coefficients of the first mask's model at a point.
    """

    scores: FloatArray
    coefficients: Callable[[int], tuple[FloatArray, FloatArray]]


Engine = Callable[[Job, Grid], EngineResult]


@dataclass(frozen=True, eq=False)
class TrainedSpace:
    """A space of the grid after training.

    Attributes
    ----------
    choice
        Which space it is.
    columns, gamma, seed
        What its models, learnt from all labelled rows, need beside their coefficients.
    scores
        Of the followed rows, (points, masks, rows), in float32.
    """

    choice: SpaceChoice
    columns: ColumnScaling
    gamma: float
    seed: int
    scores: AnyArray
    _coefficients: Callable[[int], tuple[FloatArray, FloatArray]]

    def part(self, shares: Mapping[int, float]) -> CosinePart:
        """Return the weighted sum of the models at some points: one sum of cosines."""
        found = {point: self._coefficients(point) for point in shares}
        length = max(len(cosine) for cosine, _ in found.values())
        total = np.zeros((2, length))
        for point, share in shares.items():
            for row, coefficients in zip(total, found[point], strict=True):
                row[: len(coefficients)] += share * coefficients
        return CosinePart(self.columns, self.choice.kernel, self.gamma, self.seed, total[0], total[1])


def train_space(
    choice: SpaceChoice, columns: ColumnScaling, rows: TuningRows, plan: FoldPlan, grid: Grid, engine: Engine, seed: int
) -> TrainedSpace:
    """Train all masks and points of a space: in one go, or mask by mask where labels decide on the columns."""
    rule = COLUMN_WEIGHTS[choice.column_weights]
    plain = columns.apply(rows.X)
    is_trained = _spread(plan.is_trained, rows)
    outcomes: list[EngineResult] = []
    kept_columns, kept_gamma = columns, 0.0
    for masks in _mask_groups(plan, rule):
        learners = np.flatnonzero(is_trained[:, masks[0]])
        weights = rule.weights(plain[learners], int(np.count_nonzero(learners < rows.n_positive)))
        X = plain * weights
        gamma = choice.relative_gamma * resolve_gamma(KERNELS[choice.kernel], "median", _width_rows(X, rows))
        outcomes.append(engine(Job(X, rows, is_trained[:, masks], choice.kernel, gamma, seed), grid))
        if WHOLE in masks:
            kept_columns, kept_gamma = columns.weighted(weights), gamma
    scores = np.concatenate([outcome.scores for outcome in outcomes], axis=1).astype(np.float32)
    return TrainedSpace(choice, kept_columns, kept_gamma, seed, scores, outcomes[0].coefficients)


def _mask_groups(plan: FoldPlan, rule: WeightRule) -> list[list[int]]:
    masks = list(range(plan.is_trained.shape[1]))
    return [[mask] for mask in masks] if rule.uses_labels else [masks]


def _spread(is_trained: BoolArray, rows: TuningRows) -> BoolArray:
    """Return the masks over all labelled rows: those that no fold tests are always trained on."""
    spread = np.ones((rows.n_labeled, is_trained.shape[1]), dtype=bool)
    spread[tested_rows(rows)] = is_trained
    return spread


def _width_rows(X: FloatArray, rows: TuningRows) -> FloatArray:
    # Unlabelled rows first: labelled ones may be a biased sample.
    candidates = np.concatenate([X[rows.pool], X[: rows.n_labeled]])
    return candidates[:: -(-len(candidates) // WIDTH_ROWS)]
