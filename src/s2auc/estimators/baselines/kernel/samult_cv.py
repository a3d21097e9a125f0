"""SAMULT with its settings chosen by cross-validated AUC."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import UNLABELED
from s2auc.common.parameters import Number, Rule, Splitter
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.base import all_or_nothing, usable_weight
from s2auc.estimators.baselines.base import ALL_CENTERS, KernelRanker, KernelSpace
from s2auc.estimators.baselines.kernel.centers import CenterFeatures
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.held_out import Folds, scan_centers, scan_full_kernel
from s2auc.estimators.baselines.kernel.samult import check_full_kernel, solve_samult, uses_all_rows
from s2auc.estimators.baselines.kernel.selection import search_settings
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.ranking.metrics import auc_of_groups
from s2auc.search.folds import LabeledKFold
from s2auc.search.grids.make_grid import distinct
from s2auc.search.plan import auto_folds, folds_of, held_out_places


@dataclass(eq=False, repr=False)
class SAMULTClassifierCV(KernelRanker):
    """`SAMULTClassifier` with kernel width, labelled weight and alpha chosen by the AUC of held-out labelled rows.

    Unlabelled rows are in every training fold. For all rows as centres the whole grid takes one eigendecomposition of
    the unlabelled rows' kernel for each width, whatever the number of folds, labelled weights and alphas; for some
    centres it takes one of the centres' size for each width, fold and labelled weight.

    Parameters
    ----------
    kernel, n_centers, scaling, unlabeled, pos_label, random_state
        As for `SAMULTClassifier`; `random_state` also seeds the folds.
    kernel_gammas
        Widths to try: numbers, "median" or "scale". By default a tenth to ten times "median".
    labeled_weights, alphas
        Values to try.
    cv
        Number of folds, fewer where a class has fewer rows; or a splitter such as `LabeledKFold`, which is given the
        labelled rows only, their labels as zeros and ones.

    Attributes
    ----------
    best_params_, best_score_, best_index_, cv_results_
        As in scikit-learn's searches. Scores are AUCs of the held-out positives above the held-out negatives, or
        above the unlabelled rows where there are no negatives. The best score of many is optimistic.
    n_splits_
        Number of folds.
    classes_, model_, offset_, kernel_gamma_, labeled_weight_, n_centers_, seed_, n_features_in_, feature_names_in_
        As for `SAMULTClassifier`, of the model that is fitted to all rows with the best setting.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(300, noise=0.2, random_state=0)
    >>> y = np.full(300, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = SAMULTClassifierCV(alphas=[1e-3, 1e-2, 1e-1], random_state=0).fit(X, y)
    >>> sorted(ranker.best_params_), len(ranker.cv_results_["params"])
    (['alpha', 'kernel_gamma', 'labeled_weight'], 45)
    """

    _own_rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {"cv": (Number(2, integer=True), Splitter())}

    kernel: str = "gaussian"
    _: KW_ONLY
    kernel_gammas: Sequence[float | str] | None = None
    labeled_weights: Sequence[float] = (0.5, 0.9, 1.0)
    alphas: Sequence[float] = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    n_centers: int | str = ALL_CENTERS
    cv: Any = 5

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

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        rows = data.rows
        # Warned of at most once: where there is no pool every weight becomes one.
        weights = distinct([usable_weight(rows, min(map(float, self.labeled_weights)))])
        if rows.order.n_negative and rows.n_unlabeled:
            weights = distinct(self.labeled_weights)
        folds = self._folds(data)
        axes = {"labeled_weight": weights, "alpha": list(map(float, self.alphas))}
        space, found = search_settings(self, sample, axes, lambda space: self._scan(data, space, axes, folds))
        best = found["best_params_"]
        solution = solve_samult(self, data, space, best["labeled_weight"], best["alpha"])
        return self._keep_kernels(data, sample, space, solution, found | {"labeled_weight_": best["labeled_weight"]})

    def _scan(self, data: FitData, space: KernelSpace, axes: Mapping[str, Sequence[float]], folds: Folds) -> FloatArray:
        """Return the AUC of every setting (labelled weight, then alpha) and fold."""
        weights, alphas = axes["labeled_weight"], axes["alpha"]
        order, groups = data.rows.order, ScaledGroups.of_rows(data.rows, space.columns)
        if uses_all_rows(self.n_centers, groups.n_rows):
            # The kernel, its eigenvectors, and what LAPACK works in.
            check_full_kernel(type(self).__name__, groups.sizes.get(UNLABELED, 0), 4)
            results = scan_full_kernel(groups, space.kernel, space.gamma, weights, alphas, folds)
        else:
            features = CenterFeatures(space.kernel, space.gamma, groups.draw(int(self.n_centers), data.seed))
            results = scan_centers(groups, features, weights, alphas, folds)
        table = np.empty((len(weights), len(alphas), len(folds)))
        for result in results:
            test = folds[result.fold][1]
            is_positive = test < order.n_positive
            lower = result.scores[~is_positive] if order.n_negative else result.pool
            of_higher = order.weight_of(test[is_positive])
            of_lower = order.weight_of(test[~is_positive]) if order.n_negative else None
            area = auc_of_groups(result.scores[is_positive], lower, of_higher, of_lower)
            table[result.weight, result.alpha, result.fold] = area
        return table.reshape(-1, len(folds))

    def _folds(self, data: FitData) -> list[tuple[IndexArray, IndexArray]]:
        """Return training and test rows of each fold, by their places among the labelled rows, positive ones first."""
        labels, groups, is_positive = data.labels, data.groups, data.labels.order.is_positive
        if hasattr(self.cv, "split"):
            tests = held_out_places(self.cv, data.source, labels, groups)
        elif groups is not None:
            tests = auto_folds(is_positive, int(self.cv), data.seed, groups)
        else:
            smallest = min(count for count in (labels.n_positive, labels.n_negative) if count)
            n_splits = max(2, min(int(self.cv), smallest))
            splitter = LabeledKFold(n_splits, shuffle=True, random_state=data.seed % 2**32)
            tests = folds_of(splitter, is_positive, is_positive, None)
        return [(np.setdiff1d(np.arange(len(is_positive)), test), test) for test in tests]
