"""What a solver is given and what it returns: many models that share rows, columns, kernel and frequencies."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Protocol

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.common.parameters import Rule
from s2auc.data.features.scaled_rows import ScaledRows
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.ranking.losses import Loss
from s2auc.ranking.objective import Objective, semi_supervised, with_neighbors
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.work_rows import DrawRule, WorkRows


@dataclass(frozen=True)
class Point:
    """Settings that models with the same cosines can differ in."""

    alpha: float
    labeled_weight: float
    max_iter: int
    neighbor_weight: float = 0.0

    @property
    def uses_unlabeled(self) -> bool:
        """Whether unlabelled rows have a say in the objective."""
        return self.labeled_weight < 1 or self.neighbor_weight > 0


@dataclass(frozen=True)
class Points:
    """All combinations of some settings.

    Examples
    --------
    >>> len(Points((0.1, 1.0), (1.0,), (8, 16)).listed)
    4
    """

    alphas: tuple[float, ...]
    labeled_weights: tuple[float, ...]
    max_iters: tuple[int, ...]
    neighbor_weights: tuple[float, ...] = (0.0,)

    @cached_property
    def listed(self) -> tuple[Point, ...]:
        """The points: stopping times outermost, neighbour weights innermost."""
        every = product(self.max_iters, self.alphas, self.labeled_weights, self.neighbor_weights)
        return tuple(Point(alpha, weight, max_iter, neighbors) for max_iter, alpha, weight, neighbors in every)

    @property
    def mixes(self) -> FloatArray:
        """Alphas, labelled and neighbour weights of the points that stop at the same time, (mixes, 3)."""
        return np.array(list(product(self.alphas, self.labeled_weights, self.neighbor_weights)))

    @property
    def uses_pool(self) -> bool:
        """Whether any of them pairs labelled rows with unlabelled ones."""
        return min(self.labeled_weights) < 1

    @property
    def uses_neighbors(self) -> bool:
        """Whether any of them asks neighbours to agree."""
        return max(self.neighbor_weights) > 0


@dataclass(frozen=True, eq=False)
class Job:
    """What a solver is to train.

    Attributes
    ----------
    X
        The rows of `rows`, as the kernel sees them.
    rows
        Which of them are what, and which of them steps use.
    is_trained
        Which labelled rows each mask trains on, (labelled rows, masks); the first mask is that of the model to keep.
    loss, points
        What is minimised, at which settings.
    stream, n_frequencies
        The frequencies: so many a step, or in all.
    graph
        Which of the nodes of `rows` are neighbours; needed where points use neighbours.
    """

    X: FloatArray | ScaledRows
    rows: WorkRows
    is_trained: BoolArray
    loss: Loss
    points: Points
    stream: FrequencyStream
    n_frequencies: int
    graph: NeighborGraph | None = None

    def __post_init__(self) -> None:
        if self.points.uses_neighbors and self.graph is None:
            raise ValueError(
                "A job whose points have neighbour weights must have the graph of its nodes. Got none; pass "
                "graph=NeighborGraph.of_rows(X[rows.nodes], n_neighbors)."
            )

    def risk(self, labeled_weight: float | FloatArray, pairing: str = "all") -> Objective:
        """Return the risk at a labelled weight, or at several side by side: all but the term of neighbours."""
        return semi_supervised(self.loss, labeled_weight, pairing)

    def objective(
        self, labeled_weight: float | FloatArray, neighbor_weight: float | FloatArray, pairing: str = "all"
    ) -> Objective:
        """Return what is minimised at two weights, or at several side by side."""
        risk = self.risk(labeled_weight, pairing)
        return with_neighbors(risk, neighbor_weight) if np.any(neighbor_weight) else risk

    @property
    def steps(self) -> dict[str, IndexArray]:
        """By group, the rows that each iteration uses."""
        if self.graph is None or not self.points.uses_neighbors:
            return dict(self.rows.steps)
        return {**self.rows.steps, **self.rows.edges_of_steps(self.graph)}


@dataclass(frozen=True, eq=False)
class Trained:
    """What a solver returns.

    Attributes
    ----------
    scores
        Of the followed rows, (points, masks, rows).
    coefficients
        Of the first mask's model at each point, cosines then sines, (points, 2, frequencies); zeros where a point has
        fewer frequencies than others.
    """

    scores: FloatArray
    coefficients: FloatArray


class SingleSolver(Protocol):
    """What a fit of one setting asks of every solver."""

    name: ClassVar[str]
    needs_quadratic_loss: ClassVar[bool]
    """Whether it takes quadratic losses only."""
    makes_steps: ClassVar[bool]
    """Whether a fit can go on from where another one stopped."""
    usual_frequencies: ClassVar[int]
    """Frequencies a step, or in all, of a single fit, unless asked otherwise."""
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]]
    """What its options may be."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options."""

    def draw_rule(self, max_iter: int, batch_size: int) -> DrawRule:
        """Return which rows are drawn."""


class Solver(SingleSolver, Protocol):
    """One way from rows to coefficients of cosines: an entry of `SOLVERS`, with the options that only it has."""

    search_frequencies: ClassVar[int]
    """As `usual_frequencies`, for every model of a search, which averages many."""
    neighbor_frequencies: ClassVar[int]
    """The same for those that look at neighbours, which is worth more of them."""

    def frequencies_of(self, point: Point, n_frequencies: int) -> int:
        """Return how many frequencies a model has in all."""

    def train(self, job: Job) -> Trained:
        """Train all masks and points of a job."""
