"""SAMULT with its settings chosen by cross-validated AUC."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.common.groups import UNLABELED
from s2auc.common.parameters import Number, Rule, Splitter
from s2auc.estimators.base import all_or_nothing, usable_weight
from s2auc.estimators.baselines.base import ALL_CENTERS, KernelRanker, KernelSpace
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.held_out import CenterFolds, Folds, FullKernelFolds
from s2auc.estimators.baselines.kernel.samult import check_full_kernel, solve_samult, uses_all_rows
from s2auc.estimators.baselines.kernel.selection import USUAL_GAMMAS, search_attributes
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
        rows, sample = data.rows, data.sample_columns()
        # Warned of at most once: where there is no pool every weight becomes one.
        weights = distinct([usable_weight(rows, min(map(float, self.labeled_weights)))])
        if rows.order.n_negative and rows.n_unlabeled:
            weights = distinct(self.labeled_weights)
        folds = self._folds(data)
        candidates, scores, spaces = [], [], []
        for gamma in USUAL_GAMMAS if self.kernel_gammas is None else self.kernel_gammas:
            space = KernelSpace.of_sample(sample, self.scaling, self.kernel, gamma)
            table = self._scan(data, space, weights, folds)
            for place, weight in enumerate(weights):
                for number, alpha in enumerate(map(float, self.alphas)):
                    candidates.append({"kernel_gamma": space.bandwidth.value, "labeled_weight": weight, "alpha": alpha})
                    scores.append(table[place, number])
                    spaces.append(space)
        found = search_attributes(candidates, np.array(scores))
        best, space = found["best_params_"], spaces[found["best_index_"]]
        solution = solve_samult(self, data, space, best["labeled_weight"], best["alpha"])
        return self._keep_kernels(data, sample, space, solution, found | {"labeled_weight_": best["labeled_weight"]})

    def _scan(self, data: FitData, space: KernelSpace, weights: Sequence[float], folds: Folds) -> AnyArray:
        """Return the AUC of every labelled weight, alpha and fold."""
        rows, groups = data.rows, ScaledGroups.of_rows(data.rows, space.columns)
        kernel, gamma = space.kernel, space.gamma
        alphas = list(map(float, self.alphas))
        backend: FullKernelFolds | CenterFolds
        if uses_all_rows(self.n_centers, groups.n_rows):
            # The kernel, its eigenvectors, and what LAPACK works in.
            check_full_kernel(type(self).__name__, groups.sizes.get(UNLABELED, 0), 4)
            backend = FullKernelFolds.of_rows(groups, kernel, gamma, with_unlabeled=min(weights) < 1)
        else:
            centers = groups.draw(int(self.n_centers), data.seed)
            backend = CenterFolds.of_rows(groups, kernel, gamma, centers)
        table = np.empty((len(weights), len(alphas), len(folds)))
        for result in backend.scan(weights, alphas, folds):
            test = folds[result.fold][1]
            is_positive = test < rows.order.n_positive
            lower = result.scores[~is_positive] if rows.order.n_negative else result.pool
            of_higher = rows.order.weight_of(test[is_positive])
            of_lower = rows.order.weight_of(test[~is_positive]) if rows.order.n_negative else None
            area = auc_of_groups(result.scores[is_positive], lower, of_higher, of_lower)
            table[result.weight, result.alpha, result.fold] = area
        return table

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
