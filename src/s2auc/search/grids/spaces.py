"""Functions of a kernel: the settings that share a space, trained together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.features.scaling import ColumnScaling
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.models.parts.columns import column_arrays, describe_columns, take_columns
from s2auc.models.parts.cosine import CosinePart
from s2auc.search.grids.grid import KERNELS, Setting
from s2auc.search.training import Training
from s2auc.solvers.job import Job, Point, Points, Solver, Trained
from s2auc.solvers.space import Space, SpaceChoice, make_space

PARAMETERS = (
    "scaling",
    "column_weighting",
    "kernel",
    "kernel_gamma",
    "alpha",
    "labeled_weight",
    "neighbor_weight",
    "max_iter",
    "n_frequencies",
)
"""The parameters of `S2AUCClassifier` that settings differ in."""


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
    coefficients
        Of the models of all labelled rows, cosines then sines, (points, 2, frequencies).
    """

    choice: SpaceChoice
    columns: ColumnScaling
    gamma: float
    seed: int
    scores: AnyArray
    coefficients: FloatArray

    def description(self) -> dict[str, Any]:
        """Return, as numbers and texts, what `arrays` does not hold."""
        return {
            **self.choice.parameters,
            "gamma": self.gamma,
            "seed": self.seed,
            **describe_columns(self.columns),
        }

    def arrays(self) -> dict[str, AnyArray]:
        """Return the arrays of the space, by name."""
        return {"scores": self.scores, "coefficients": self.coefficients, **column_arrays(self.columns)}

    @classmethod
    def from_arrays(cls, description: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> "TrainedSpace":
        """Return the space that `description` and `arrays` tell of."""
        columns, words, others = take_columns(dict(description), dict(arrays))
        names = words["scaling"], words["column_weighting"], words["kernel"]
        choice = SpaceChoice(*names, Bandwidth.read(words["kernel_gamma"]))
        return cls(choice, columns, words["gamma"], words["seed"], others["scores"], others["coefficients"])

    def part(self, shares: Mapping[int, float]) -> CosinePart:
        """Return the weighted sum of the models at some points: one sum of cosines."""
        total = np.zeros(self.coefficients.shape[1:])
        for point, share in shares.items():
            total += share * self.coefficients[point]
        # What no point uses of the frequencies is left out.
        used = int(np.flatnonzero(total.any(axis=0)).max(initial=-1)) + 1
        cosine, sine = total[:, :used].copy()
        return CosinePart(self.columns, self.choice.kernel, self.gamma, self.seed, cosine, sine)


@dataclass(frozen=True, eq=False)
class SpaceEntry:
    """The settings of one space: all its points.

    Attributes
    ----------
    choice
        The space.
    points
        What is tried in it.
    n_frequencies
        The frequencies: so many a step, or in all.
    solver
        Who trains it.
    """

    choice: SpaceChoice
    points: Points
    n_frequencies: int
    solver: Solver
    is_wide = False

    @property
    def scaling(self) -> str:
        """What happens to columns first."""
        return self.choice.scaling

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting a point."""
        return tuple(self._setting(point) for point in self.points.listed)

    def _setting(self, point: Point) -> Setting:
        choice, points = self.choice, self.points
        parameters = {
            **choice.parameters,
            "alpha": point.alpha,
            "labeled_weight": point.labeled_weight,
            "neighbor_weight": point.neighbor_weight,
            "max_iter": point.max_iter,
            "n_frequencies": self.n_frequencies,
        }
        # A middling alpha, unlabelled rows in pairs as far as may be, no neighbours.
        alpha = sorted(points.alphas)[len(points.alphas) // 2]
        usual = Point(alpha, min(points.labeled_weights), max(points.max_iters))
        return Setting(
            member=KERNELS,
            family=choice.scaling,
            parameters=parameters,
            n_frequencies=self.solver.frequencies_of(point, self.n_frequencies),
            uses_unlabeled=point.uses_unlabeled,
            is_usual=point == usual,
        )

    def train(self, training: Training) -> TrainedSpace:
        """Train all masks and points of a space: in one go, or mask by mask where labels decide on the space."""
        choice, rows, is_trained = self.choice, training.rows, training.plan.is_trained
        prepared, plain = training.prepared[choice.scaling], training.scaled(choice.scaling)
        masks = list(range(is_trained.shape[1]))
        trained: list[Trained] = []
        spaces: list[Space] = []
        for group in [[mask] for mask in masks] if choice.uses_labels else [masks]:
            weights = training.column_weights(choice.scaling, choice.column_weighting, group[0])
            space = make_space(choice, prepared, weights, training.seed)
            job = Job(
                X=plain * weights if choice.uses_labels else plain,
                rows=rows,
                is_trained=is_trained[:, group],
                loss=training.loss,
                points=self.points,
                stream=space.stream,
                n_frequencies=self.n_frequencies,
                graph=training.graphs.get(choice.scaling),
            )
            trained.append(self.solver.train(job))
            spaces.append(space)
        scores = np.concatenate([result.scores for result in trained], axis=1).astype(np.float32, order="C")
        # The first mask is that of all labelled rows, whose models are kept.
        columns, stream = spaces[0].columns, spaces[0].stream
        return TrainedSpace(choice, columns, stream.gamma, stream.seed, scores, trained[0].coefficients)
