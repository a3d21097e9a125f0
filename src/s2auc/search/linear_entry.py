"""Linear functions of the columns: for signals that are linear, and for columns too many for kernels."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows
from s2auc.models import LinearPart
from s2auc.models.parts.columns import column_arrays, describe_columns, take_columns
from s2auc.search.entries.linear import MANY_COLUMNS, fit_linear
from s2auc.search.entries.wide_rows import WideRows
from s2auc.search.grids.grid import ALL_COLUMNS, INDEPENDENT_COLUMNS, LINEAR, Setting
from s2auc.search.training import Training


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

    def description(self) -> dict[str, Any]:
        """Return, as numbers and texts, what `arrays` does not hold."""
        return describe_columns(self.columns)

    def arrays(self) -> dict[str, AnyArray]:
        """Return the arrays of the models, by name."""
        return {"scores": self.scores, "weights": self.weights, **column_arrays(self.columns)}

    @classmethod
    def from_arrays(cls, description: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> "TrainedLinear":
        """Return the models that `description` and `arrays` tell of."""
        columns, _, others = take_columns(description, arrays)
        return cls(columns, others["scores"], others["weights"])


@dataclass(frozen=True)
class LinearEntry:
    """The square pairwise loss over labelled pairs, least over linear functions, for some alphas.

    Columns are divided by the root of their number first, so that alphas mean the same whatever it is.
    """

    scaling: str
    alphas: tuple[float, ...]
    points = None
    is_wide = False

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting an alpha."""
        usual = _middle(self.alphas)
        return tuple(
            Setting(LINEAR, LINEAR, {"scaling": self.scaling, "alpha": alpha}, is_usual=alpha == usual)
            for alpha in self.alphas
        )

    def train(self, training: Training) -> TrainedLinear:
        """Train all masks and alphas in one go."""
        columns, scaled = training.prepared[self.scaling].columns, training.scaled(self.scaling)
        n_columns = len(columns.shift)
        # With many columns there are as many equations as rows: the followed ones, which are not too many.
        learners = training.rows.tested if n_columns > MANY_COLUMNS else np.arange(training.rows.order.n_rows)
        unit = 1.0 / np.sqrt(float(n_columns))
        labeled, followed = unit * scaled[learners], unit * scaled[training.rows.followed]
        order, is_trained = training.rows.order.chosen(learners), training.plan.is_trained[learners]
        found = fit_linear(labeled, followed, order, self.alphas, is_trained)
        return TrainedLinear(columns, found.scores.astype(np.float32, order="C"), unit * found.weights)


@dataclass(frozen=True)
class WideLinearEntry:
    """The same over functions of all columns of sparse rows, where other entries see components of them.

    Columns have the units of `column_units`, and rows are divided by the root of their mean square length.
    """

    wide: WideRows
    alphas: tuple[float, ...]
    scaling = None
    points = None
    is_wide = True

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting an alpha."""
        usual = _middle(self.alphas)
        family = ALL_COLUMNS if self.wide.has_components else INDEPENDENT_COLUMNS
        return tuple(
            Setting(LINEAR, family, {"columns": "all", "alpha": alpha}, is_usual=alpha == usual)
            for alpha in self.alphas
        )

    def train(self, training: Training) -> TrainedLinear:
        """Train all masks and alphas in one go."""
        wide, order = self.wide.rows, training.rows.order
        length = float(np.sqrt(np.square(wide.data).sum() / max(1, wide.shape[0]))) or 1.0
        rows: Rows = csr_array((wide.data / length, wide.indices, wide.indptr), shape=wide.shape)
        followed = rows[training.rows.followed]
        found = fit_linear(rows[: order.n_rows], followed, order, self.alphas, training.plan.is_trained)
        return TrainedLinear(self.wide.columns, found.scores.astype(np.float32, order="C"), found.weights / length)


def _middle(alphas: tuple[float, ...]) -> float:
    return sorted(alphas)[len(alphas) // 2]
