"""Base of the baselines: how they keep a model, which for some is a sum of kernels at rows."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Self

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE
from s2auc.common.parameters import Choice, Nothing, Number, Rule, SequenceOf, Splitter, check_parameters
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import Ranker, all_or_nothing
from s2auc.estimators.fitting.decision import best_offset
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.record import describe_fit, describe_settings
from s2auc.estimators.fitting.rules import AXES, COUNT, SEED
from s2auc.estimators.priors.class_prior import ESTIMATE
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.model import Model
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.part import Part
from s2auc.search.plan import auto_folds, held_out_places
from s2auc.search.results import make_results
from s2auc.solvers.qsg.qsg import QSG
from s2auc.solvers.space import PreparedColumns
from s2auc.solvers.work_rows import REFERENCE_ROWS

ALL_CENTERS = "all"
"""Value of `n_centers`: every row that the risk looks at is a centre."""

USUAL_GAMMAS = ("0.1 median", "0.3 median", "median", "3 median", "10 median")
"""Kernel widths that are tried by default."""

ABOVE_ZERO = Number(0, open_low=True)
_COUNTS = ("batch_size", "max_epochs", "max_unlabeled", "n_frequencies", "n_landmarks", "n_neighbors")
RULES: Mapping[str, tuple[Rule, ...]] = {
    **{name: (rule,) for name, rule in AXES.items()},
    **dict.fromkeys(_COUNTS, (COUNT,)),
    **{name: (Number(0),) for name in ("generative_weight", "tol", "unlabeled_weight")},
    **dict.fromkeys(("step_scale", "step_size"), (ABOVE_ZERO,)),
    **{name: QSG.rules[name] for name in ("schedule", "average")},
    **{f"{name}s": (SequenceOf(AXES[name]),) for name in ("alpha", "labeled_weight")},
    "kernel_gammas": (SequenceOf(AXES["kernel_gamma"]), Nothing()),
    "eta": (Number(-1, 1),),
    "etas": (SequenceOf(Number(-1, 1)),),
    "class_prior": (Choice([ESTIMATE]), Number(0, 1, open_low=True, open_high=True)),
    "n_centers": (Choice([ALL_CENTERS]), COUNT),
    # Scores of models may not grow without bounds.
    "radius": (Number(0, 1e10, open_low=True),),
    "cv": (Number(2, integer=True), Splitter()),
    "random_state": (SEED,),
}
"""Values that parameters of baselines may have, by name; a baseline has some of them."""


@dataclass(frozen=True, eq=False)
class KernelSpace:
    """What happens to columns, and a kernel with its width on what comes out."""

    columns: ColumnScaling
    kernel: str
    bandwidth: Bandwidth
    gamma: float

    @classmethod
    def of_sample(cls, sample: ColumnSample, scaling: str, kernel: str, kernel_gamma: float | str) -> "KernelSpace":
        """Learn the scaling of columns and a kernel's width from a sample of all rows."""
        prepared, bandwidth = PreparedColumns.of_sample(sample, scaling), Bandwidth.read(kernel_gamma)
        gamma = bandwidth.resolve(KERNELS[kernel], prepared.width_rows)
        return cls(prepared.columns, kernel, bandwidth, gamma)


@dataclass(eq=False, repr=False, kw_only=True)
class BaselineRanker(Ranker):
    """Base of classifiers with these parameters, and more of `RULES`."""

    scaling: str = "standard"
    unlabeled: Any = -1
    pos_label: Any = None
    random_state: int | np.random.RandomState | None = None
    _own_rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {}

    def _checked_parameters(self) -> dict[str, Any]:
        """Return the parameters that have rules; raise an InputError where one breaks them."""
        values, rules = self.get_params(deep=False), {**RULES, **self._own_rules}
        rules = {name: rule for name, rule in rules.items() if name in values}
        check_parameters(type(self).__name__, values, rules)
        return {name: values[name] for name in rules}

    def _open(self, X: Any, y: Any, X_unlabeled: Any = None, **given: Any) -> FitData:
        """Check the parameters, then open what a fit is given."""
        self._checked_parameters()
        return FitData.open(self, X, y, X_unlabeled, **given)

    def _keep_part(
        self, data: FitData, sample: ColumnSample, part: Part, found: Mapping[str, Any], offset: float | None = None
    ) -> Self:
        """Adopt the model of a single part, with a record of how it came about.

        Parameters
        ----------
        data, sample
            The rows, and the sample of them that settled what happens to columns.
        part
            What scores rows.
        found
            More fitted attributes.
        offset
            The score above which rows are predicted positive; None for the one that suits the rows best.
        """
        if offset is None:
            rows = data.rows
            reference = rows.labeled if rows.order.n_negative else rows.unlabeled_sample(REFERENCE_ROWS, data.seed)[0]
            offset = best_offset(part, rows.labeled, rows.order, reference)
        record = describe_fit(self, data, sample)
        if "cv_results_" in found:
            tried, best = found["cv_results_"], found["best_index_"]
            record |= {"settings_tried": describe_settings(tried), "settings_chosen": [best]}
        model = Model((part,), offset, data.labels.classes, data.schema, record=record)
        return self._adopt(data.attributes() | {"model_": model, "offset_": offset, **found})


class BatchRanker(BaselineRanker):
    """Base of those that learn from all rows at once."""

    _needs_negatives: ClassVar[bool] = True

    @all_or_nothing
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None, *, sample_weight: Any = None) -> Self:
        """Fit the model; if that fails, the estimator is what it was before.

        Parameters
        ----------
        X, y, X_unlabeled
            As for `S2AUCClassifier.fit`.
        sample_weight
            One number >= 0 per row: how much its loss or its pairs count, 0 for not at all. Weights of unlabelled rows
            are not looked at.

        Raises
        ------
        MemoryError
            If the work does not fit in memory; the sentence names the bytes.
        """
        data = self._open(X, y, X_unlabeled, sample_weight=sample_weight)
        if self._needs_negatives:
            check_negatives(self, data.rows)
        return self._learn(data, data.sample_columns())

    @abstractmethod
    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        """Learn from opened rows and the sample of them that settles what happens to columns, and keep the model."""


@dataclass(eq=False, repr=False)
class KernelRanker(BatchRanker):
    """Base of those whose model is a sum of kernels at centres, with the parameter n_centers too."""

    kernel: str = "gaussian"
    _needs_negatives: ClassVar[bool] = False

    def _keep_kernels(
        self,
        data: FitData,
        sample: ColumnSample,
        space: KernelSpace,
        solution: tuple[FloatArray, FloatArray],
        found: Mapping[str, Any],
    ) -> Self:
        """Adopt the model of a sum of kernels, given its centres and their coefficients."""
        part = KernelPart(space.columns, space.kernel, space.gamma, *solution)
        sizes = {"kernel_gamma_": space.gamma, "n_centers_": len(solution[0])}
        return self._keep_part(data, sample, part, {**sizes, **found})

    def _search(
        self,
        sample: ColumnSample,
        kernel_gammas: Sequence[float | str] | None,
        axes: Mapping[str, Sequence[float]],
        scan: Callable[[KernelSpace], FloatArray],
    ) -> tuple[KernelSpace, dict[str, Any]]:
        """Score all combinations of kernel widths and other values; return the best space and the fitted attributes.

        Parameters
        ----------
        sample
            The sample of rows that settles scaling and widths.
        kernel_gammas
            Widths to try; None for usual ones.
        axes
            Values of the other parameters to try, by name.
        scan
            Gives the scores of these values on held-out rows in a space, (combinations, folds).
        """
        gammas = USUAL_GAMMAS if kernel_gammas is None else kernel_gammas
        spaces = [KernelSpace.of_sample(sample, self.scaling, self.kernel, gamma) for gamma in gammas]
        scores = np.concatenate([scan(space) for space in spaces])
        settings = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
        candidates = [{"kernel_gamma": space.bandwidth.value, **setting} for space in spaces for setting in settings]
        results = make_results(candidates, scores)
        best = int(np.argmin(results["rank_test_score"]))
        return spaces[best // len(settings)], {
            "cv_results_": results,
            "best_index_": best,
            "best_score_": float(results["mean_test_score"][best]),
            "best_params_": candidates[best],
            "n_splits_": scores.shape[1],
        }


class KernelSearch(KernelRanker):
    """Base of those that choose their setting by cross-validation, with the parameter cv too."""

    cv: Any

    @all_or_nothing
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None, *, groups: Any = None, sample_weight: Any = None) -> Self:
        """Search the grid, then fit to all rows with the best setting.

        Parameters
        ----------
        X, y, X_unlabeled, sample_weight
            As for `S2AUCClassifier.fit`.
        groups
            One group a row of X: its rows are tested together.
        """
        data = self._open(X, y, X_unlabeled, groups=groups, sample_weight=sample_weight)
        return self._learn(data, data.sample_columns())

    def _given_tests(self, data: FitData) -> list[IndexArray] | None:
        """Return the labelled rows that each fold tests, positive ones first; None if any rows may be tested together.

        Raises
        ------
        ValueError
            If a class has a single labelled row.
        """
        if Splitter().accepts(self.cv):
            return held_out_places(self.cv, data.source, data.labels, data.groups)
        self._check_sizes({POSITIVE: data.labels.n_positive, NEGATIVE: data.labels.n_negative})
        if data.groups is None:
            return None
        return auto_folds(data.labels.order.is_positive, int(self.cv), data.seed, data.groups)

    def _check_sizes(self, sizes: Mapping[str, int], n_folds: int = 2) -> None:
        """Raise a ValueError if a group has rows, but fewer than folds."""
        for group, size in sizes.items():
            if 0 < size < n_folds:
                raise ValueError(
                    f"Cross-validation needs at least {n_folds} rows of every group. Got {size} {group}; label or pass "
                    f"more, or use {type(self).__name__.removesuffix('CV')}."
                )


def check_negatives(ranker: Any, rows: TrainingRows) -> None:
    """Raise a ValueError where only positive rows are labelled, which some methods cannot learn from."""
    if not rows.order.n_negative:
        raise ValueError(
            f"Positive rows alone cannot be ranked: {type(ranker).__name__} learns from labelled rows of both "
            f"classes. Got {rows.n_unlabeled} unlabelled rows and no negative ones; label some, or use "
            "S2AUCClassifier, which learns from positive and unlabelled rows."
        )
