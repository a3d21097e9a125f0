"""PNU-AUC with its settings chosen as its authors choose them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.baselines.base import KernelSearch, KernelSpace
from s2auc.estimators.baselines.kernel.centers import CenterFeatures
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.pnuauc import (
    PNUAUCClassifier,
    choose_centers,
    pnu_objective,
    settle_prior,
    solve_pnu,
    usable_eta,
)
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.priors.class_prior import ESTIMATE
from s2auc.ranking.intervals import EQUAL, Weights
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.metrics import auc_of_groups, auc_positive_unlabeled, auc_unlabeled_negative
from s2auc.search.grids.make_grid import distinct
from s2auc.solvers.exact.by_features import ClosedForm, Moments

AUTHORS_ALPHAS = tuple(map(float, np.logspace(-3, 1, 10)))


@describes_parameters_like(PNUAUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class PNUAUCClassifierCV(KernelSearch):
    """`PNUAUCClassifier` with kernel width, η and alpha chosen as in the authors' code.

    Positive, negative and unlabelled rows are each cut into folds. A setting is judged by its PNU risk with the 0-1
    loss on held-out rows; the mixing weight of that risk is not the candidate's η but a heuristic of the class prior
    and the numbers of labelled rows, with the sign of η.

    Parameters
    ----------
    random_state : int, RandomState or None
        Seed of the centres, of the samples that settle scaling, width and prior, and of the folds.
    kernel_gammas
        Widths to try: numbers, "median" or "scale". By default a tenth to ten times "median".
    etas, alphas
        Values to try; the default alphas are those of the authors' code.
    cv : int, splitter or iterable
        Number of folds, fewer where a group has fewer rows; a splitter such as `LabeledKFold`, which is given the
        labelled rows only, their labels as zeros and ones; or pairs of training and test rows of X. Splitters
        and pairs divide labelled rows; unlabelled ones are cut into as many folds.

    Attributes
    ----------
    best_params_, best_score_, best_index_, cv_results_
        As in scikit-learn's searches; scores are one minus the 0-1 risk, an estimate of the AUC that may leave [0, 1].
    n_splits_
        Number of folds.
    classes_, model_, offset_, kernel_gamma_, eta_, class_prior_, n_centers_, seed_, n_features_in_, feature_names_in_
        As for `PNUAUCClassifier`, of the model that is fitted to all rows with the best setting.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(300, noise=0.2, random_state=0)
    >>> y = np.full(300, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = PNUAUCClassifierCV(etas=[-0.5, 0, 0.5], alphas=[0.1, 1.0], class_prior=0.5, random_state=0).fit(X, y)
    >>> sorted(ranker.best_params_), len(ranker.cv_results_["params"])
    (['alpha', 'eta', 'kernel_gamma'], 30)
    """

    kernel_gammas: Sequence[float | str] | None = None
    etas: Sequence[float] = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
    alphas: Sequence[float] = AUTHORS_ALPHAS
    class_prior: float | str = ESTIMATE
    n_centers: int | str = 200
    cv: Any = 5

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        rows, etas = data.rows, distinct(self.etas)
        if not (rows.order.n_negative and rows.n_unlabeled):
            # One candidate is left, which speaks for all: without negative rows one that does not need them.
            etas = (usable_eta(rows, max(etas, key=abs) if rows.order.n_negative else max(etas)),)
        prior = settle_prior(self, data) if rows.n_unlabeled else None
        given = self._given_tests(data)
        self._check_sizes({UNLABELED: rows.n_unlabeled}, max(2, len(given or ())))
        folds = _folds(rows, int(self.cv), data.seed) if given is None else _folds_of(rows, given, data.seed)
        axes = {"eta": etas, "alpha": list(map(float, self.alphas))}
        space, found = self._search(
            sample, self.kernel_gammas, axes, lambda space: self._scan(data, space, axes, prior, folds)
        )
        eta, alpha = found["best_params_"]["eta"], found["best_params_"]["alpha"]
        used_prior = prior if eta else None
        solution = solve_pnu(self, data, space, eta, used_prior, alpha)
        return self._keep_kernels(data, sample, space, solution, found | {"eta_": eta, "class_prior_": used_prior})

    def _scan(
        self,
        data: FitData,
        space: KernelSpace,
        axes: Mapping[str, Sequence[float]],
        prior: float | None,
        folds: Sequence[Mapping[str, IndexArray]],
    ) -> FloatArray:
        """Return one minus the 0-1 risk of every setting (η, then alpha) and fold."""
        (etas, alphas), groups = axes.values(), ScaledGroups.of_rows(data.rows, space.columns)
        features = CenterFeatures(space.kernel, space.gamma, choose_centers(self, groups, data.seed))
        held_out = [groups.select(fold) for fold in folds]
        moments = [features.moments(fold) for fold in held_out]
        are_parts = _are_parts(folds, groups.sizes)
        table = np.empty((len(etas) * len(alphas), len(folds)))
        for number, fold in enumerate(held_out):
            if are_parts:
                others = [place for place in range(len(folds)) if place != number]
                training = _pooled([moments[place] for place in others], [held_out[place].masses for place in others])
            else:
                training = features.moments(groups.select(_rest(folds[number], groups.sizes)))
            solutions = np.hstack([_solutions(eta, prior, training, alphas) for eta in etas])
            scores = {
                group: np.concatenate([phi @ solutions for phi in features.of_group(fold, group)])
                for group in fold.sizes
            }
            sides = [scores.get(group, np.zeros((0, len(table)))) for group in (POSITIVE, NEGATIVE, UNLABELED)]
            of_labeled = fold.weights.get(POSITIVE), fold.weights.get(NEGATIVE)
            for setting in range(len(table)):
                positive, negative, unlabeled = (side[:, setting] for side in sides)
                mixing = _mixing(data.rows, etas[setting // len(alphas)], prior)
                table[setting, number] = 1.0 - zero_one_risk(positive, negative, unlabeled, *mixing, of_labeled)
        return table


def _mixing(rows: TrainingRows, eta: float, prior: float | None) -> tuple[float, float]:
    """Return the mixing weight of the risk that judges a setting, and the class prior."""
    if prior is None:
        return 0.0, 0.5
    n_positive, n_negative = rows.order.n_positive, rows.order.n_negative
    return selection_weight(eta, prior, n_positive, n_negative) if n_negative else 1.0, prior


def _folds(rows: TrainingRows, n_splits: int, seed: int) -> list[dict[str, IndexArray]]:
    """Return the held-out rows of every fold, group by group."""
    sizes = {group: size for group, size in rows.sizes.items() if size}
    n_folds = min(n_splits, *sizes.values())
    rng = np.random.default_rng(seed)
    numbers = {group: rng.permutation(np.arange(size) * n_folds // size) for group, size in sizes.items()}
    return [{group: np.flatnonzero(of == fold) for group, of in numbers.items()} for fold in range(n_folds)]


def _folds_of(rows: TrainingRows, tests: Sequence[IndexArray], seed: int) -> list[dict[str, IndexArray]]:
    """Return the held-out rows of given folds, group by group; unlabelled rows are cut at random."""
    n_positive = rows.order.n_positive
    folds = [{POSITIVE: test[test < n_positive], NEGATIVE: test[test >= n_positive] - n_positive} for test in tests]
    parts = np.random.default_rng(seed).permutation(np.arange(rows.n_unlabeled) % max(2, len(tests)))
    for number, fold in enumerate(folds):
        fold[UNLABELED] = np.flatnonzero(parts == number)
    return [{group: members for group, members in fold.items() if rows.sizes[group]} for fold in folds]


def _are_parts(folds: Sequence[Mapping[str, IndexArray]], sizes: Mapping[str, int]) -> bool:
    """Return whether every row is held out in one fold, so that the other folds are the rows to train on."""
    return all(
        np.array_equal(np.sort(np.concatenate([fold[of] for fold in folds])), np.arange(sizes[of])) for of in sizes
    )


def _rest(fold: Mapping[str, IndexArray], sizes: Mapping[str, int]) -> dict[str, IndexArray]:
    """Return the rows of every group that are not held out."""
    return {group: np.setdiff1d(np.arange(size), fold[group]) for group, size in sizes.items()}


def _pooled(moments: Sequence[Mapping[str, Moments]], masses: Sequence[Mapping[str, float]]) -> dict[str, Moments]:
    """Return the moments of several folds together."""
    pooled = {}
    for group in moments[0]:
        shares = np.array([mass[group] for mass in masses], dtype=np.float64)
        shares /= shares.sum()
        mean = sum(share * fold[group].mean for share, fold in zip(shares, moments, strict=True))
        second = sum(share * fold[group].second for share, fold in zip(shares, moments, strict=True))
        pooled[group] = Moments(np.asarray(mean), np.asarray(second))
    return pooled


def _solutions(eta: float, prior: float | None, moments: Mapping[str, Moments], alphas: Sequence[float]) -> FloatArray:
    """Return the coefficients for every alpha, one column each, from one eigendecomposition."""
    form = ClosedForm.of_objective(pnu_objective(LOSSES["square"], eta, prior), moments)
    # The penalty alpha·‖w‖² has twice the second derivative of alpha/2·‖w‖². The sum may be negative, as in the
    # authors' code, but not zero.
    shifted = form.eigenvalues[:, None] + 2.0 * np.array(alphas)
    shifted[shifted == 0.0] = np.finfo(np.float64).eps
    solutions: FloatArray = form.eigenvectors @ (-form.slope[:, None] / shifted)
    return solutions


def selection_weight(eta: float, class_prior: float, n_positive: int, n_negative: int) -> float:
    """Return the mixing weight of the risk that judges a setting: the authors' heuristic, with the sign of η.

    Examples
    --------
    >>> selection_weight(0.3, class_prior=0.5, n_positive=11, n_negative=10)
    0.5
    """
    positive, negative = (1.0 - class_prior) ** 2, class_prior**2
    if eta >= 0:
        above, below = positive * (n_positive - 1), negative * n_negative
        return above / (above + below)
    above, below = positive * n_positive, negative * (n_negative - 1)
    return -below / (above + below)


def zero_one_risk(
    positive: FloatArray,
    negative: FloatArray,
    unlabeled: FloatArray,
    weight: float,
    class_prior: float,
    row_weights: Weights = EQUAL,
) -> float:
    """Return the PNU risk with the 0-1 loss, ties counting one half.

    Pairs within a group, each row with every other, have a 0-1 risk of one half whatever the scores are, so R_PU and
    R_NU are one minus the AUC estimated from unlabelled rows. Terms whose group is empty drop out.

    Parameters
    ----------
    positive, negative, unlabeled
        Scores of rows that were held out.
    weight
        Weight of R_PU if positive, of R_NU if negative; the rest is that of R_PN.
    class_prior
        π.
    row_weights
        How much each positive and each negative row counts.
    """
    of_positive, of_negative = row_weights
    risks, shares = [], []
    if len(positive) and len(negative):
        risks.append(1.0 - auc_of_groups(positive, negative, of_positive, of_negative))
        shares.append(1.0 - abs(weight))
    if len(unlabeled) and weight > 0 and len(positive):
        risks.append(1.0 - auc_positive_unlabeled(positive, unlabeled, class_prior, of_positive))
        shares.append(weight)
    if len(unlabeled) and weight < 0 and len(negative):
        risks.append(1.0 - auc_unlabeled_negative(unlabeled, negative, class_prior, of_negative))
        shares.append(-weight)
    return float(np.average(risks, weights=shares))
