"""Linear functions of the columns: for signals that are linear, and for columns too many for kernels."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.threads import single_blas_thread
from s2auc.data.column_scaling import ColumnScaling
from s2auc.models import LinearPart
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.search.grid import LINEAR, Setting
from s2auc.search.training import Training
from s2auc.solvers.closed_forms import FeatureRows
from s2auc.solvers.job import Points


@dataclass(frozen=True, eq=False)
class TrainedLinear:
    """Linear models: scores of followed rows, (alphas, masks, rows), and the weights of those of all labelled rows."""

    columns: ColumnScaling
    scores: AnyArray
    weights: FloatArray

    def part(self, shares: Mapping[int, float]) -> LinearPart:
        """Return the weighted sum of some of the models."""
        weights = np.sum([share * self.weights[place] for place, share in shares.items()], axis=0)
        return LinearPart(self.columns, weights)


@dataclass(frozen=True)
class LinearEntry:
    """The square pairwise loss over labelled pairs, least over linear functions, for some alphas.

    Columns are divided by the root of their number first, so that alphas mean the same whatever it is.
    """

    scaling: str
    alphas: tuple[float, ...]
    points = None

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting an alpha."""
        usual = sorted(self.alphas)[len(self.alphas) // 2]
        return tuple(
            Setting(LINEAR, LINEAR, {"scaling": self.scaling, "alpha": alpha}, is_usual=alpha == usual)
            for alpha in self.alphas
        )

    def train(self, training: Training) -> TrainedLinear:
        """Train all masks and alphas in one go."""
        rows = training.rows
        columns = training.prepared[self.scaling].columns
        unit = 1.0 / np.sqrt(float(len(columns.shift)))
        scaled = training.scaled(self.scaling)
        labeled, followed = unit * scaled[: rows.order.n_rows], unit * scaled[rows.followed]
        with single_blas_thread:
            weights = FeatureRows(labeled, rows.order, labeled[:0]).weights(
                Points(self.alphas, (1.0,), (1,)),
                lambda labeled_weight: semi_supervised(LOSSES["square"], labeled_weight),
                training.plan.is_trained,
            )
            scores = np.einsum("pfs,rf->psr", weights, followed, optimize=True)
        return TrainedLinear(columns, scores.astype(np.float32), weights[:, :, 0] * unit)
