"""What the rivals have in common: how they open rows and keep a model; some are a sum of kernels at rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from s2auc.common.arrays import FloatArray
from s2auc.common.parameters import Choice, Number, Rule
from s2auc.data.column_scaling import SCALINGS, ColumnSample, ColumnScaling
from s2auc.data.labels import Labels
from s2auc.data.rows import dense_rows
from s2auc.data.source import RowSource
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import Ranker, open_inputs
from s2auc.estimators.record import describe_fit, describe_settings
from s2auc.estimators.rules import SEED
from s2auc.kernels.bandwidth import Bandwidth, BandwidthRule
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models import KernelPart, Model, Part
from s2auc.ranking.thresholds import Cuts, best_threshold
from s2auc.solvers.space import PreparedColumns
from s2auc.solvers.work_rows import REFERENCE_ROWS

ALL_CENTERS = "all"
"""Value of `n_centers`: every row that the risk looks at is a centre."""

ALPHA = Number(0, open_low=True)
GAMMA = BandwidthRule()
RIVAL_RULES: Mapping[str, tuple[Rule, ...]] = {"scaling": (Choice(SCALINGS),), "random_state": (SEED,)}
CENTER_RULES: Mapping[str, tuple[Rule, ...]] = {
    **RIVAL_RULES,
    "kernel": (Choice(KERNELS),),
    "n_centers": (Choice([ALL_CENTERS]), Number(1, integer=True)),
}


@dataclass(frozen=True, eq=False)
class KernelSpace:
    """What happens to columns, and a kernel with its width on what comes out."""

    columns: ColumnScaling
    kernel: str
    bandwidth: Bandwidth
    gamma: float


class RivalRanker(Ranker):
    """Base of classifiers with the parameters of `RIVAL_RULES`, unlabeled and pos_label."""

    scaling: str
    random_state: Any
    seed_: int
    offset_: float
    cv_results_: dict[str, Any]
    best_index_: int
    _sample: ColumnSample

    def _open(
        self, X: Any, y: Any, X_unlabeled: Any, sample_weight: Any = None
    ) -> tuple[TrainingRows, RowSource, Labels]:
        """Read rows and labels, and settle classes and seed."""
        X, y, X_unlabeled = open_inputs(X, y, X_unlabeled)
        X_unlabeled = self._learn_schema(X, X_unlabeled)
        source, labels = self._read(X, y, sample_weight, known=None, reset=True)
        rows = self._training_rows(source, labels, X_unlabeled)
        self._is_positive_unlabeled = not labels.n_negative
        self._settle(rows, labels)
        return rows, source, labels

    def _settle(self, rows: TrainingRows, labels: Labels) -> None:
        """Keep the classes and the seed, and draw the sample of all rows."""
        self.classes_ = labels.classes
        self.seed_ = SEED.read(self.random_state)
        rows.announce(rows.sample_numbers(self.seed_))
        self._sample = ColumnSample.of_rows(dense_rows(rows.sample(self.seed_)), self._schema)

    def _check_negatives(self, rows: TrainingRows) -> None:
        """Raise a ValueError where only positive rows are labelled, which some methods cannot learn from."""
        if not rows.order.n_negative:
            raise ValueError(
                f"Positive rows alone cannot be ranked: {type(self).__name__} learns from labelled rows of both "
                f"classes. Got {rows.n_unlabeled} unlabelled rows and no negative ones; label some, or use "
                "S2AUCClassifier, which learns from positive and unlabelled rows."
            )

    def _keep_part(self, rows: TrainingRows, part: Part) -> None:
        """Make the model of a single part and keep it; the sample of rows has served."""
        self._keep_model(rows, part, self._best_offset(rows, part))
        del self._sample

    def _best_offset(self, rows: TrainingRows, part: Part) -> float:
        """Return the threshold that tells positive rows best from negative ones, or from unlabelled ones."""
        order = rows.order
        low = rows.negative if order.n_negative else rows.unlabeled_sample(REFERENCE_ROWS, self.seed_)[0]
        weights = order.weight_of(order.positive), order.weight_of(order.negative) if order.n_negative else None
        cuts = Cuts.of_scores(part.score(rows.positive), part.score(low), weights)
        return best_threshold(cuts, "balanced_accuracy")

    def _keep_model(self, rows: TrainingRows, part: Part, offset: float) -> None:
        """Keep the model of a single part and a threshold, with a record of how it came about."""
        record = describe_fit(self, rows, self._sample, self._schema, self.seed_)
        if hasattr(self, "cv_results_"):
            record |= {"settings_tried": describe_settings(self.cv_results_), "settings_chosen": [self.best_index_]}
        self.model_ = Model((part,), offset, self.classes_, self._schema, record=record)
        self.offset_ = offset


class KernelRanker(RivalRanker):
    """Base of those whose model is a sum of kernels at centres, with the parameters kernel and n_centers too."""

    kernel: str
    n_centers: int | str
    kernel_gamma_: float
    n_centers_: int

    def _space(self, kernel_gamma: float | str) -> KernelSpace:
        """Learn the scaling of columns and the kernel's width."""
        return settle_space(self._sample, self.scaling, self.kernel, kernel_gamma)

    def _keep(self, rows: TrainingRows, space: KernelSpace, centers: FloatArray, coefficients: FloatArray) -> None:
        """Make the model of a sum of kernels and keep it."""
        self._keep_part(rows, KernelPart(space.columns, self.kernel, space.gamma, centers, coefficients))
        self.kernel_gamma_ = space.gamma
        self.n_centers_ = len(centers)


def settle_space(sample: ColumnSample, scaling: str, kernel: str, kernel_gamma: float | str) -> KernelSpace:
    """Learn the scaling of columns and a kernel's width from a sample of all rows."""
    prepared, bandwidth = PreparedColumns.of_sample(sample, scaling), Bandwidth.read(kernel_gamma)
    gamma = bandwidth.resolve(KERNELS[kernel], prepared.width_rows)
    return KernelSpace(prepared.columns, kernel, bandwidth, gamma)
