"""What a run works on: rows, which of them each step uses, and the risk between them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.ranking.risk import Term


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
