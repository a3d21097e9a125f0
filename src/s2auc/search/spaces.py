"""One space of the grid, trained: the scores of followed rows under every mask and point, and the final models."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.column_scaling import ColumnScaling
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.models import CosinePart
from s2auc.models.file_columns import column_arrays, describe_columns, take_columns
from s2auc.ranking.losses import Loss
from s2auc.search.plan import FoldPlan
from s2auc.solvers.job import Job, Points, Solver, Trained
from s2auc.solvers.space import PreparedColumns, Space, SpaceChoice, make_space
from s2auc.solvers.work_rows import WorkRows


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
        choice = self.choice
        return {
            "scaling": choice.scaling,
            "column_weighting": choice.column_weighting,
            "kernel": choice.kernel,
            "kernel_gamma": choice.bandwidth.value,
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
class Training:
    """What all spaces of a grid are trained with.

    Attributes
    ----------
    rows, prepared
        The rows, and what each scaling does to their columns.
    plan
        Which labelled rows each mask leaves out.
    points, loss, solver, n_frequencies, seed
        What is trained, and how.
    """

    rows: WorkRows
    prepared: Mapping[str, PreparedColumns]
    plan: FoldPlan
    points: Points
    loss: Loss
    solver: Solver
    n_frequencies: int
    seed: int

    def train(self, choice: SpaceChoice) -> TrainedSpace:
        """Train all masks and points of a space: in one go, or mask by mask where labels decide on the space."""
        prepared, order = self.prepared[choice.scaling], self.rows.order
        plain = prepared.columns.apply(self.rows.X)
        is_trained = self.plan.is_trained
        trained: list[Trained] = []
        spaces: list[Space] = []
        for masks in self._mask_groups(choice):
            learners = np.flatnonzero(is_trained[:, masks[0]])
            space = make_space(choice, prepared, plain[learners], order.chosen(learners), self.seed)
            job = Job(
                X=plain * space.weights,
                rows=self.rows,
                is_trained=is_trained[:, masks],
                loss=self.loss,
                points=self.points,
                stream=space.stream,
                n_frequencies=self.n_frequencies,
            )
            trained.append(self.solver.train(job))
            spaces.append(space)
        scores = np.concatenate([result.scores for result in trained], axis=1).astype(np.float32)
        # The first mask is that of all labelled rows, whose models are kept.
        columns, stream = spaces[0].columns, spaces[0].stream
        return TrainedSpace(choice, columns, stream.gamma, stream.seed, scores, trained[0].coefficients)

    def _mask_groups(self, choice: SpaceChoice) -> list[list[int]]:
        masks = list(range(self.plan.is_trained.shape[1]))
        return [[mask] for mask in masks] if choice.uses_labels else [masks]
