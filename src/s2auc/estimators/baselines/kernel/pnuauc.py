"""PNU-AUC (Sakai, Niu and Sugiyama, 2018): AUC maximisation with the class prior of the unlabelled rows."""

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.linalg import LinAlgWarning, solve
from scipy.linalg.lapack import dpotrf, dpotrs

from s2auc.common.arrays import FloatArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.common.user_warnings import warn_user
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.sources.rows import dense_rows
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import warn_of_no_pool
from s2auc.estimators.baselines.base import KernelRanker, KernelSpace
from s2auc.estimators.baselines.kernel.centers import CenterFeatures
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.samult import check_full_kernel
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.priors.class_prior import ESTIMATE, estimate_from_groups
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.ranking.losses import LOSSES, Loss
from s2auc.ranking.objective import Objective, QuadraticForm, Term
from s2auc.ranking.pairs import AllPairs

PRIOR_ROWS = 2000
"""Unlabelled rows that the class prior is estimated from."""


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class PNUAUCClassifier(KernelRanker):
    """Binary classifier that minimises the PNU-AUC risk with square loss, in closed form.

    With η ≥ 0 the risk is (1-η)·R_PN + η·R_PU, with η < 0 it is (1+η)·R_PN - η·R_NU. Here R_PU and R_NU estimate
    R_PN itself, without bias, from positive and unlabelled or unlabelled and negative rows, which takes the share π of
    positives among the unlabelled rows: R_PU = [mean l(f_p - f_u) - π·mean l(f_p - f_p')] / (1-π). The model is
    f = Σ_c w_c·k(x_c, ·) over some centres with penalty alpha·‖w‖².

    A risk with pairs of a group with itself need not be convex. Where the equations are not positive definite they are
    solved all the same, as the authors do, and a warning says so.

    Parameters
    ----------
    kernel_gamma : float or str
        g, the inverse width of the kernel, as a number, "median" or "scale", with a factor in front if wanted ("0.1
        median"). The authors' kernel exp(-d²/2s²) has kernel_gamma = 1/(2s²).
    alpha
        λ of the authors' code: a plain penalty on the coefficients, not on the norm of f.
    eta
        From -1 (negative and unlabelled rows) by 0 (labelled rows only) to 1 (positive and unlabelled rows).
    class_prior
        π, strictly between 0 and 1, or "estimate": by energy distance where both classes are labelled, by the
        penalised L1 distance where only positives are (see `estimate_class_prior`).
    n_centers
        How many rows, drawn at random, are centres (200 in the authors' code), or "all".
    random_state
        Seed of the centres, and of the samples that settle scaling, width and prior.

    Attributes
    ----------
    classes_, model_, offset_, kernel_gamma_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    eta_
        The η that was used: 0 where there were no unlabelled rows, 1 where there were no negative ones.
    class_prior_
        The π that was used; None where `eta_` is 0, which needs none.
    n_centers_
        How many rows carry a kernel.

    References
    ----------
    T. Sakai, G. Niu and M. Sugiyama (2018), Semi-supervised AUC optimization based on positive-unlabeled learning,
    Machine Learning 107.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(500, noise=0.2, random_state=0)
    >>> y = np.full(500, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = PNUAUCClassifier(class_prior=0.5, random_state=0).fit(X, y)
    >>> ranker.n_centers_, ranker.score(X[40:], truth[40:]) > 0.9
    (200, True)
    """

    kernel_gamma: float | str = "median"
    alpha: float = 1e-3
    eta: float = 0.1
    class_prior: float | str = ESTIMATE
    n_centers: int | str = 200

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        eta = usable_eta(data.rows, float(self.eta))
        prior = settle_prior(self, data) if eta else None
        space = KernelSpace.of_sample(sample, self.scaling, self.kernel, self.kernel_gamma)
        solution = solve_pnu(self, data, space, eta, prior, float(self.alpha))
        return self._keep_kernels(data, sample, space, solution, {"eta_": eta, "class_prior_": prior})


def usable_eta(rows: TrainingRows, eta: float) -> float:
    """Return the η to fit with, or raise where there is nothing to learn from."""
    if not rows.order.n_negative:
        if rows.n_unlabeled == 0 or eta < 0:
            raise ValueError(
                "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones and "
                f"eta >= 0. Got {rows.n_unlabeled} unlabelled rows and eta={eta:g}."
            )
        return 1.0
    if rows.n_unlabeled == 0 and eta != 0:
        warn_of_no_pool("eta=0")
    return eta if rows.n_unlabeled else 0.0


def settle_prior(ranker: Any, data: FitData) -> float:
    """Return the class prior that a classifier was given, or estimate it."""
    if not isinstance(ranker.class_prior, str):
        return float(ranker.class_prior)
    rows = data.rows
    groups = rows.positive, rows.negative, rows.unlabeled_sample(PRIOR_ROWS, data.seed)[0]
    return estimate_from_groups(*map(dense_rows, groups), scaling=ranker.scaling, seed=data.seed)


def choose_centers(ranker: Any, groups: ScaledGroups, seed: int) -> FloatArray:
    """Return as many rows as a classifier asks for, drawn at random, or all of them."""
    if isinstance(ranker.n_centers, str) or ranker.n_centers >= groups.n_rows:
        check_full_kernel(type(ranker).__name__, groups.n_rows)
        return groups.all_rows()
    return groups.draw(int(ranker.n_centers), seed)


def solve_pnu(
    ranker: Any, data: FitData, space: KernelSpace, eta: float, prior: float | None, alpha: float
) -> tuple[FloatArray, FloatArray]:
    """Solve the equations for settled values; return the centres of the kernels and their coefficients.

    Parameters
    ----------
    ranker
        The classifier, with the parameter n_centers.
    data
        The rows.
    space, eta, prior, alpha
        The setting.
    """
    everything = ScaledGroups.of_rows(data.rows, space.columns)
    centers = choose_centers(ranker, everything, data.seed)
    objective = pnu_objective(LOSSES["square"], eta, prior)
    used = {name: source for name, source in everything.sources.items() if name in objective.groups}
    groups = ScaledGroups(used, space.columns, everything.weights)
    features = CenterFeatures(space.kernel, space.gamma, centers)
    matrix, slope = features.equations(QuadraticForm.of_objective(objective, groups.sizes), groups)
    return centers, solve_symmetric(matrix, -slope, 2.0 * alpha)


def solve_symmetric(matrix: FloatArray, target: FloatArray, alpha: float) -> FloatArray:
    """Return (matrix + alpha·I)⁻¹·target, in place; where that is not positive definite, warn."""
    diagonal = np.diag_indices(len(matrix))
    matrix[diagonal] += alpha
    kept = matrix[diagonal].copy()
    factor, failed = dpotrf(matrix, lower=1, clean=0, overwrite_a=1)
    solution: FloatArray
    if not failed:
        solution, _ = dpotrs(factor, target, lower=1)
        return solution
    warn_user(
        "The equations of PNU-AUC are not positive definite, so that their solution is a stationary point and no "
        "minimum; it is used as in the authors' code. A larger alpha or an eta closer to 0 avoids this."
    )
    # The upper triangle was left alone.
    factor[diagonal] = kept
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        solution = solve(factor, target, assume_a="sym", lower=False, overwrite_a=True, check_finite=False)
    return solution


def pnu_objective(loss: Loss, eta: float, class_prior: float | None) -> Objective:
    """Return the sum of the terms that have weight: (1-|η|)·R_PN + |η|·R_PU for η > 0, with R_NU for η < 0.

    Parameters
    ----------
    loss
        Loss of the gap between two scores.
    eta
        η, from -1 to 1.
    class_prior
        π, the share of positives among the unlabelled rows; not looked at if η = 0.

    Examples
    --------
    >>> from s2auc.ranking.losses import LOSSES
    >>> objective = pnu_objective(LOSSES["square"], 0.5, 0.25)
    >>> [(round(float(term.weight), 3), *term.groups) for term in objective.terms]
    [(0.5, 'positive', 'negative'), (0.667, 'positive', 'unlabeled'), (-0.167, 'positive', 'positive')]
    """
    share = abs(eta)
    terms = [Term(1.0 - share, loss, AllPairs(POSITIVE, NEGATIVE))]
    if eta and class_prior is not None:
        group, pairs, own = (
            (POSITIVE, AllPairs(POSITIVE, UNLABELED), class_prior)
            if eta > 0
            else (NEGATIVE, AllPairs(UNLABELED, NEGATIVE), 1.0 - class_prior)
        )
        # Some unlabelled rows are of the labelled row's own class: that part of the pairs is taken off again.
        terms += [
            Term(share / (1.0 - own), loss, pairs),
            Term(-share * own / (1.0 - own), loss, AllPairs(group, group)),
        ]
    return Objective(tuple(term for term in terms if term.weight != 0))
