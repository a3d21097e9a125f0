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

MANY_COLUMNS = 1000
"""With more columns than this, up to 2,000 labelled rows are learnt from."""


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
        """Train all masks and alphas in one go, mask by mask where equations are many."""
        rows, is_trained = training.rows, training.plan.is_trained
        columns = training.prepared[self.scaling].columns
        n_columns = len(columns.shift)
        unit = 1.0 / np.sqrt(float(n_columns))
        scaled = training.scaled(self.scaling)
        # With many columns there are as many equations as labelled rows: the followed ones, which are not too many.
        learners = rows.tested if n_columns > MANY_COLUMNS else np.arange(rows.order.n_rows)
        labeled, followed = unit * scaled[learners], unit * scaled[rows.followed]
        features = FeatureRows(labeled, rows.order.chosen(learners), labeled[:0])
        masks = np.arange(is_trained.shape[1])
        blocks = masks[:, None] if n_columns > MANY_COLUMNS else masks[None, :]
        with single_blas_thread:
            found = [
                features.weights(
                    Points(self.alphas, (1.0,), (1,)),
                    lambda labeled_weight: semi_supervised(LOSSES["square"], labeled_weight),
                    is_trained[np.ix_(learners, block)],
                )
                for block in blocks
            ]
            weights = np.concatenate(found, axis=2)
            scores = np.einsum("pfs,rf->psr", weights, followed, optimize=True)
        return TrainedLinear(columns, scores.astype(np.float32), weights[:, :, 0] * unit)
