"""Held-out scores of SAMULT for a grid of settings, sharing all that does not depend on them."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.estimators.baselines.kernel.centers import CenterFeatures, Regressors
from s2auc.estimators.baselines.kernel.full_kernel import mix, samult_risk
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.exact.by_features import ClosedForm

Folds = Sequence[tuple[IndexArray, IndexArray]]
"""Training and test rows of each fold, by their number among the labelled rows, the positive ones first."""


class HeldOut(NamedTuple):
    """Scores of one fold's test rows under one setting."""

    weight: int
    alpha: int
    fold: int
    scores: FloatArray
    pool: FloatArray


class _FullKernel:
    """Kernels between all rows, for all folds, labelled weights and alphas from one eigendecomposition.

    The unlabelled rows are the same in every fold, and their d is one number. So K_uu = Q·Λ·Qᵀ serves every setting:
    eliminating β_u leaves equations in the labelled rows alone, with the kernel

        K̃ = K_ll - d_u·K_lu·(d_u·K_uu + alpha·I)⁻¹·K_ul

    in place of K_ll, which costs O(labelled²·unlabelled) for each pair of labelled weight and alpha, and each fold no
    more than O(labelled³).
    """

    def __init__(self, groups: ScaledGroups, kernel: str, gamma: float, *, with_unlabeled: bool) -> None:
        sizes, matrix = groups.sizes, KERNELS[kernel].matrix
        n_unlabeled = sizes.get(UNLABELED, 0) if with_unlabeled else 0
        n_labeled = groups.n_rows - sizes.get(UNLABELED, 0)
        X = groups.gather(np.arange(n_labeled + n_unlabeled))
        labeled, unlabeled = X[:n_labeled], X[n_labeled:]
        eigenvalues, self.eigenvectors = np.zeros(0), np.zeros((0, 0))
        if n_unlabeled:
            eigenvalues, self.eigenvectors = np.linalg.eigh(matrix(unlabeled, unlabeled, gamma))
        self.eigenvalues = np.maximum(eigenvalues, 0.0)
        self.labeled = matrix(labeled, labeled, gamma)
        self.cross = matrix(labeled, unlabeled, gamma) @ self.eigenvectors
        self.is_positive, self.weight = np.arange(n_labeled) < sizes[POSITIVE], groups.shares()[:n_labeled]


def scan_full_kernel(
    groups: ScaledGroups, kernel: str, gamma: float, weights: Sequence[float], alphas: Sequence[float], folds: Folds
) -> Iterator[HeldOut]:
    """Yield the scores of every setting and fold, with all rows as centres."""
    kernels = _FullKernel(groups, kernel, gamma, with_unlabeled=min(weights) < 1)
    for (weight_place, weight), (alpha_place, alpha) in product(enumerate(weights), enumerate(alphas)):
        setting = _PoolEliminated(kernels, weight, alpha)
        for fold, (train, test) in enumerate(folds):
            yield HeldOut(weight_place, alpha_place, fold, *setting.scores(train, test))


class _PoolEliminated:
    """One labelled weight and one alpha, the unlabelled rows eliminated."""

    def __init__(self, kernels: _FullKernel, labeled_weight: float, alpha: float) -> None:
        self.kernels, self.alpha = kernels, alpha
        groups = [POSITIVE] if kernels.is_positive.all() else [POSITIVE, NEGATIVE]
        self.n_unlabeled = len(kernels.eigenvalues) if labeled_weight < 1 else 0
        self.risk = samult_risk(labeled_weight, dict.fromkeys([*groups, UNLABELED] if self.n_unlabeled else groups))
        self.n_groups = len(groups)
        self.kernel, self.reach = kernels.labeled, np.zeros(len(kernels.labeled))
        if self.n_unlabeled:
            self.ones = kernels.eigenvectors.sum(axis=0) / self.n_unlabeled
            self.density = self.risk.second[-1] / self.n_unlabeled
            self.inverse = 1.0 / (self.density * kernels.eigenvalues + alpha)
            damped = kernels.cross * self.inverse
            self.kernel = kernels.labeled - self.density * (damped @ kernels.cross.T)
            # Scores of the labelled rows under the unlabelled column of the equations alone.
            self.reach = damped @ self.ones

    def scores(self, train: IndexArray, test: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Return the scores of test rows and, where no row is negative, those of the unlabelled rows."""
        group = np.where(self.kernels.is_positive[train], 0, self.n_groups - 1)
        weight = self.kernels.weight[train]
        share = weight / np.bincount(group, weights=weight, minlength=self.n_groups)[group]
        density = self.risk.second[group] * share
        targets = (group[:, None] == np.arange(self.n_groups)) * share[:, None]
        if self.n_unlabeled:
            targets = np.column_stack([targets, -density * self.reach[train]])
        root = np.sqrt(density)
        equations = self.kernel[np.ix_(train, train)] * root * root[:, None]
        equations[np.diag_indices(len(train))] += self.alpha
        columns = cho_solve(cho_factor(equations, lower=True, overwrite_a=True), targets / root[:, None])
        columns *= root[:, None]
        sums = [columns[group == place].sum(axis=0) for place in range(self.n_groups)]
        if self.n_unlabeled:
            of_pool = -self.density * self.n_unlabeled * (self.reach[train] @ columns)
            of_pool[-1] += self.n_unlabeled * np.sum(self.inverse * np.square(self.ones))
            sums.append(of_pool)
        mixture = mix(self.risk, np.stack(sums), self.alpha)
        beta = columns @ mixture
        scores = self.kernel[np.ix_(test, train)] @ beta
        if not self.n_unlabeled:
            return scores, np.zeros(0)
        scores += mixture[-1] * self.reach[test]
        return scores, np.zeros(0) if self.n_groups == 2 else self._pool_scores(train, beta, mixture[-1])

    def _pool_scores(self, train: IndexArray, beta: FloatArray, weight: float) -> FloatArray:
        inner = self.inverse * (weight * self.ones - self.density * (self.kernels.cross[train].T @ beta))
        coefficients = self.kernels.eigenvectors @ inner
        scores: FloatArray = (weight / self.n_unlabeled - self.alpha * coefficients) / self.density
        return scores


def scan_centers(
    groups: ScaledGroups, features: CenterFeatures, weights: Sequence[float], alphas: Sequence[float], folds: Folds
) -> Iterator[HeldOut]:
    """Yield the scores of every setting and fold, with some rows as centres.

    The moments of the unlabelled rows serve every fold, one eigendecomposition every alpha.
    """
    regressors, n_positive = Regressors.of_centers(features), groups.sizes[POSITIVE]
    pool = {UNLABELED: np.arange(groups.sizes[UNLABELED])} if UNLABELED in groups.sizes else {}
    of_pool = regressors.moments(groups.select(pool))
    for fold, (train, test) in enumerate(folds):
        chosen = {POSITIVE: train[train < n_positive], NEGATIVE: train[train >= n_positive] - n_positive}
        labeled = groups.select({name: rows for name, rows in chosen.items() if name in groups.sizes})
        moments = {**regressors.moments(labeled), **of_pool}
        phi = features(groups.gather(test)) @ regressors.transform
        for weight_place, weight in enumerate(weights):
            form = ClosedForm.of_objective(semi_supervised(LOSSES["square"], weight), moments)
            solutions = np.stack([form.weights(alpha) for alpha in alphas], axis=1)
            scores = phi @ solutions
            pool_scores = np.zeros((0, len(alphas)))
            if NEGATIVE not in groups.sizes:
                rotated = regressors.transform @ solutions
                pool_scores = np.concatenate([chunk @ rotated for chunk in features.of_group(groups, UNLABELED)])
            for place in range(len(alphas)):
                yield HeldOut(weight_place, place, fold, scores[:, place], pool_scores[:, place])
