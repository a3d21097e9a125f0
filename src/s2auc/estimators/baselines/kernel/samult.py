"""SAMULT (Xie and Li, 2018): semi-supervised AUC maximisation over a kernel's whole space, in closed form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.groups import UNLABELED
from s2auc.common.memory import check_fits
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.base import usable_weight
from s2auc.estimators.baselines.base import ALL_CENTERS, KernelRanker, KernelSearch, KernelSpace
from s2auc.estimators.baselines.kernel.centers import CenterFeatures, Regressors
from s2auc.estimators.baselines.kernel.full_kernel import needed_bytes, samult_risk, solve_full_kernel
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.held_out import Folds, scan_centers, scan_full_kernel
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.metrics import auc_of_groups
from s2auc.ranking.objective import semi_supervised
from s2auc.search.folds import LabeledKFold
from s2auc.search.grids.make_grid import distinct
from s2auc.search.plan import folds_of
from s2auc.solvers.exact.by_features import ClosedForm


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class SAMULTClassifier(KernelRanker):
    """Binary classifier that minimises the risk of QSG-S2AUC with square loss exactly, over a kernel's whole space.

    The minimiser of γ·R_PN + (1-γ)·(R_PU + R_NU) + alpha/2·‖f‖² is a sum of kernels at all rows. With all rows as
    centres a fit takes O(n³) time and O(n²) memory; with some as centres (the subset of regressors) it takes
    O(n·centres²) and O(centres²).

    Parameters
    ----------
    n_centers
        "all", or how many rows, drawn at random, carry the kernels of the model. With "all" and
        `labeled_weight=1` these are the labelled rows: the coefficients of the others are zero.
    random_state
        Seed of the centres, and of the rows that settle scaling and width where the unlabelled ones are many.

    Attributes
    ----------
    classes_, model_, offset_, kernel_gamma_, labeled_weight_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    n_centers_
        How many rows carry a kernel.

    See Also
    --------
    S2AUCClassifier : Nearly the same scores, in time and memory that do not grow with the unlabelled rows.

    References
    ----------
    Z. Xie and M. Li (2018), Semi-supervised AUC optimization without guessing labels of unlabeled data, AAAI.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(500, noise=0.2, random_state=0)
    >>> y = np.full(500, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = SAMULTClassifier().fit(X, y)
    >>> ranker.n_centers_, ranker.score(X[40:], truth[40:]) > 0.9
    (500, True)
    """

    kernel_gamma: float | str = "median"
    labeled_weight: float = 0.9
    alpha: float = 1e-2
    n_centers: int | str = ALL_CENTERS

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        weight = usable_weight(data.rows, float(self.labeled_weight))
        space = KernelSpace.of_sample(sample, self.scaling, self.kernel, self.kernel_gamma)
        solution = solve_samult(self, data, space, weight, float(self.alpha))
        return self._keep_kernels(data, sample, space, solution, {"labeled_weight_": weight})


def solve_samult(
    ranker: Any, data: FitData, space: KernelSpace, labeled_weight: float, alpha: float
) -> tuple[FloatArray, FloatArray]:
    """Minimise the risk for settled values; return the centres of the kernels and their coefficients.

    Parameters
    ----------
    ranker
        The classifier, with the parameter n_centers.
    data
        The rows.
    space, labeled_weight, alpha
        The setting.
    """
    everything = ScaledGroups.of_rows(data.rows, space.columns)
    # No term looks at the pool if labelled pairs have all the weight.
    groups = ScaledGroups.of_rows(data.rows, space.columns, with_unlabeled=labeled_weight < 1)
    if uses_all_rows(ranker.n_centers, everything.n_rows):
        check_full_kernel(type(ranker).__name__, groups.n_rows)
        X, sizes = groups.all_rows(), groups.sizes
        group = np.repeat(np.arange(len(sizes)), list(sizes.values()))
        risk = samult_risk(labeled_weight, sizes)
        return X, solve_full_kernel(risk, X, group, groups.shares(), space.kernel, space.gamma, alpha)
    centers = everything.draw(int(ranker.n_centers), data.seed)
    regressors = Regressors.of_centers(CenterFeatures(space.kernel, space.gamma, centers))
    objective = semi_supervised(LOSSES["square"], labeled_weight)
    solution = ClosedForm.of_objective(objective, regressors.moments(groups)).weights(alpha)
    return centers, regressors.transform @ solution


def uses_all_rows(n_centers: int | str, n_rows: int) -> bool:
    """Return whether every row is a centre."""
    return isinstance(n_centers, str) or n_centers >= n_rows


def check_full_kernel(owner: str, n_rows: int, n_matrices: int = 1) -> None:
    """Raise a MemoryError if the kernel of all rows, held some times over, does not fit."""
    check_fits(
        n_matrices * needed_bytes(n_rows),
        f"{owner} with all {n_rows:,} rows as centres",
        "use a number such as n_centers=1000, or S2AUCClassifier, whose memory does not grow with the rows",
    )


@describes_parameters_like(SAMULTClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class SAMULTClassifierCV(KernelSearch):
    """`SAMULTClassifier` with kernel width, labelled weight and alpha chosen by the AUC of held-out labelled rows.

    Unlabelled rows are in every training fold. For all rows as centres the whole grid takes one eigendecomposition of
    the unlabelled rows' kernel for each width, whatever the number of folds, labelled weights and alphas; for some
    centres it takes one of the centres' size for each width, fold and labelled weight.

    Parameters
    ----------
    random_state : int, RandomState or None
        Seed of the centres, of the samples that settle scaling and width, and of the folds.
    kernel_gammas
        Widths to try: numbers, "median" or "scale". By default a tenth to ten times "median".
    labeled_weights, alphas
        Values to try.
    cv : int, splitter or iterable
        Number of folds, fewer where a class has fewer rows; a splitter such as `LabeledKFold`, which is given the
        labelled rows only, their labels as zeros and ones; or pairs of training and test rows of X.

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

    kernel_gammas: Sequence[float | str] | None = None
    labeled_weights: Sequence[float] = (0.5, 0.9, 1.0)
    alphas: Sequence[float] = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    n_centers: int | str = ALL_CENTERS
    cv: Any = 5

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        rows = data.rows
        # Warned of at most once: where there is no pool every weight becomes one.
        weights = distinct([usable_weight(rows, min(map(float, self.labeled_weights)))])
        if rows.order.n_negative and rows.n_unlabeled:
            weights = distinct(self.labeled_weights)
        folds = self._folds(data)
        axes = {"labeled_weight": weights, "alpha": list(map(float, self.alphas))}
        space, found = self._search(
            sample, self.kernel_gammas, axes, lambda space: self._scan(data, space, axes, folds)
        )
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
        is_positive, tests = data.labels.order.is_positive, self._given_tests(data)
        if tests is None:
            smallest = min(count for count in (data.labels.n_positive, data.labels.n_negative) if count)
            splitter = LabeledKFold(min(int(self.cv), smallest), shuffle=True, random_state=data.seed % 2**32)
            tests = folds_of(splitter, is_positive, is_positive, None)
        return [(np.setdiff1d(np.arange(len(is_positive)), test), test) for test in tests]
