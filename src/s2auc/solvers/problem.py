"""What a run works on: rows, which of them each step uses, and the objective between them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.groups import NEIGHBOR, NODE
from s2auc.ranking.objective import Objective


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

    X: AnyArray
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

    def objective_of(self, model: int) -> Objective:
        """Return the objective of one model."""
        return self.objective.of_model(model, len(self.alpha))

    def weights_of(self, rows: Mapping[str, IndexArray], model: int | slice) -> dict[str, FloatArray] | None:
        """Return the weights of a step's rows, by group, for one model or for all.

        Ends of edges have none: rows that a model leaves out for their labels are neighbours all the same.
        """
        if self.row_weight is None:
            return None
        weighted = {group: index for group, index in rows.items() if group not in (NODE, NEIGHBOR)}
        return {group: self.row_weight[index, model] for group, index in weighted.items()}
