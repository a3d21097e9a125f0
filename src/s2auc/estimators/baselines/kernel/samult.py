"""SAMULT (Xie and Li, 2018): semi-supervised AUC maximisation over a kernel's whole space, in closed form."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.memory import check_fits
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.base import usable_weight
from s2auc.estimators.baselines.base import ALL_CENTERS, KernelRanker, KernelSpace
from s2auc.estimators.baselines.kernel.centers import CenterFeatures, Regressors
from s2auc.estimators.baselines.kernel.full_kernel import needed_bytes, solve_full_kernel
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import QuadraticForm, semi_supervised
from s2auc.solvers.exact.by_features import ClosedForm


@dataclass(eq=False, repr=False)
class SAMULTClassifier(KernelRanker):
    """Binary classifier that minimises the risk of QSG-S2AUC with square loss exactly, over a kernel's whole space.

    The minimiser of γ·R_PN + (1-γ)·(R_PU + R_NU) + alpha/2·‖f‖² is a sum of kernels at all rows. With all rows as
    centres a fit takes O(n³) time and O(n²) memory; with some as centres (the subset of regressors) it takes
    O(n·centres²) and O(centres²).

    Parameters
    ----------
    kernel, kernel_gamma, labeled_weight, alpha, scaling, unlabeled, pos_label
        As for `S2AUCClassifier`, whose objective this is.
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

    kernel: str = "gaussian"
    _: KW_ONLY
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


def samult_risk(labeled_weight: float, groups: Mapping[str, Any]) -> QuadraticForm:
    """Return γ·R_PN + (1-γ)·(R_PU + R_NU) with the square loss."""
    return QuadraticForm.of_objective(semi_supervised(LOSSES["square"], labeled_weight), groups)
