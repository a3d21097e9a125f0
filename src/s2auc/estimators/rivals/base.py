"""What the rivals have in common: their model is a sum of kernels at rows."""

from typing import Any

from s2auc.common.arrays import FloatArray
from s2auc.common.parameters import Choice, Number, Seed
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.column_scaling import SCALINGS
from s2auc.data.schema import Schema
from s2auc.estimators.base import Ranker
from s2auc.kernels.bandwidth import BANDWIDTHS
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.kernel_part import KernelPart
from s2auc.models.model import Model
from s2auc.ranking.calibration import best_threshold
from s2auc.solvers.training import Settings, Space, TrainingRows

ALL_CENTERS = "all"
"""Value of `n_centers`: every row that the risk looks at is a centre."""

SEED = Seed(SEED_LIMIT)
ALPHA = Number(0, open_low=True)
GAMMA = (Choice(BANDWIDTHS), Number(0, 1e100, open_low=True))
SHARED_RULES = {
    "kernel": (Choice(KERNELS),),
    "n_centers": (Choice([ALL_CENTERS]), Number(1, integer=True)),
    "scaling": (Choice(SCALINGS),),
    "random_state": (SEED,),
}


class KernelRanker(Ranker):
    """Base of classifiers with the parameters kernel, n_centers, scaling, unlabeled, pos_label and random_state."""

    kernel: str
    n_centers: int | str
    scaling: str
    random_state: Any
    seed_: int
    kernel_gamma_: float
    offset_: float
    n_centers_: int

    def _open(self, X: Any, y: Any, X_unlabeled: Any) -> TrainingRows:
        """Read rows and labels, and settle classes and seed."""
        checked, labels = self._read(X, y, known=None, reset=True)
        rows = self._training_rows(checked, labels, X_unlabeled)
        self.classes_ = labels.classes
        self._is_positive_unlabeled = not labels.n_negative
        self.seed_ = SEED.read(self.random_state)
        return rows

    def _space(self, rows: TrainingRows, kernel_gamma: float | str) -> Space:
        """Learn the scaling of columns and the kernel's width."""
        # The rest of the settings is about steps, of which a closed form has none.
        unused = {"loss": "square", "labeled_weight": 1.0, "alpha": 1.0, "pairing": "all"}
        space = {"kernel": self.kernel, "kernel_gamma": kernel_gamma, "scaling": self.scaling, "seed": self.seed_}
        return Space.of_rows(rows, Settings(n_frequencies=1, batch_size=1, **unused, **space))  # type: ignore[arg-type]

    def _keep(self, rows: TrainingRows, space: Space, centers: FloatArray, coefficients: FloatArray) -> None:
        """Make the model of a sum of kernels and keep it."""
        gamma = space.stream.gamma
        part = KernelPart(space.columns, self.kernel, gamma, centers, coefficients)
        high, low = rows.opposites(self.seed_)
        names = tuple(map(str, self.feature_names_in_)) if hasattr(self, "feature_names_in_") else None
        offset = best_threshold(part.score(high), part.score(low), "balanced_accuracy")
        self.model_ = Model((part,), offset, self.classes_, Schema(self.n_features_in_, {}, names))
        self.offset_ = self.model_.offset
        self.kernel_gamma_ = gamma
        self.n_centers_ = len(centers)
