"""Functions of a kernel: the settings that share a space, trained together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from s2auc.data.features.scaling import ColumnView
from s2auc.models.parts.cosine import CosinePart
from s2auc.search.grids.grid import KERNEL_FUNCTIONS, Setting, TrainedEntry
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
    def view(self) -> ColumnView:
        """The columns that it sees."""
        return self.choice.view

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting per point."""
        points, shared = self.points, {**self.choice.parameters, "n_frequencies": self.n_frequencies}
        # A middling alpha, unlabelled rows in pairs as far as may be, no neighbours.
        alpha = sorted(points.alphas)[len(points.alphas) // 2]
        usual = Point(alpha, min(points.labeled_weights), max(points.max_iters))
        return tuple(
            Setting(
                member=KERNEL_FUNCTIONS,
                family=str(self.view),
                parameters={name: (shared | vars(point))[name] for name in PARAMETERS} | self.view.words,
                n_frequencies=self.solver.frequencies_of(point, self.n_frequencies),
                uses_unlabeled=point.uses_unlabeled,
                is_usual=point == usual,
            )
            for point in points.listed
        )

    def train(self, training: Training) -> TrainedEntry:
        """Train all masks and points of a space: in one go, or mask by mask where labels decide on the space."""
        choice, rows, is_trained = self.choice, training.rows, training.plan.is_trained
        prepared, plain = training.prepared[self.view], training.scaled(self.view)
        masks = list(range(is_trained.shape[1]))
        trained: list[Trained] = []
        spaces: list[Space] = []
        for group in [[mask] for mask in masks] if choice.uses_labels else [masks]:
            weights = training.column_weights(self.view, choice.column_weighting, group[0])
            space = make_space(choice, prepared, weights, training.seed)
            job = Job(
                X=plain * weights if choice.uses_labels else plain,
                rows=rows,
                is_trained=is_trained[:, group],
                loss=training.loss,
                points=self.points,
                stream=space.stream,
                n_frequencies=self.n_frequencies,
                graph=training.graphs.get(self.view),
            )
            trained.append(self.solver.train(job))
            spaces.append(space)
        scores = np.concatenate([result.scores for result in trained], axis=1).astype(np.float32, order="C")
        # The first mask is that of all labelled rows, whose models are kept.
        columns, stream = spaces[0].columns, spaces[0].stream
        common = CosinePart(columns, choice.kernel, stream.gamma, stream.seed, *np.zeros((2, 0)))
        cosine, sine = np.moveaxis(trained[0].coefficients, 1, 0)
        return TrainedEntry(scores, common, {"cosine": cosine, "sine": sine})
