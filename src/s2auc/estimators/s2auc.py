"""The scikit-learn classifier: checks what it is given, opens the data, runs a solver, keeps what was fitted."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from os import PathLike
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import FloatArray
from s2auc.common.parameters import check_parameters
from s2auc.common.threads import thread_limit
from s2auc.common.user_warnings import warn_user
from s2auc.estimators.base import Ranker, all_or_nothing, offered_if, usable_weight
from s2auc.estimators.fitting.callbacks import CallbackSupportMixin, FitTask, with_callbacks
from s2auc.estimators.fitting.checkpointing import keep_model, resumable
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.rules import SINGLE_RULES
from s2auc.estimators.fitting.unchanged import check_same_classes, known_classes
from s2auc.estimators.kernel_fit import KernelFit
from s2auc.estimators.single_fit import SingleFit, StepFit
from s2auc.estimators.single_plan import SinglePlan
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.job import SingleSolver
from s2auc.solvers.kernel_sgd.kernel_sgd import KernelSGD
from s2auc.solvers.qsg.history import shown_progress
from s2auc.solvers.qsg.qsg import QSG
from s2auc.solvers.table import SINGLE_SOLVERS, read_single_solver


def _make_fit(plan: SinglePlan, history: Mapping[str, FloatArray] | None) -> SingleFit:
    """Return the fit that suits the solver of a plan."""
    if isinstance(plan.solver, KernelSGD):
        return KernelFit(plan)
    return StepFit(plan, history) if plan.solver.makes_steps else SingleFit(plan)


def _has_steps(estimator: Any) -> None:
    """Raise an AttributeError if the estimator cannot go on from where it stands."""
    solver = SINGLE_SOLVERS.get(estimator.solver) if isinstance(estimator.solver, str) else estimator.solver
    if not getattr(solver, "makes_steps", False):
        name = getattr(solver, "name", estimator.solver)
        raise AttributeError(f"partial_fit needs solver='qsg': a fit with the solver {name!r} cannot be continued.")


@dataclass(eq=False, repr=False)
class S2AUCClassifier(CallbackSupportMixin, Ranker):  # type: ignore[misc]
    """Binary classifier that learns to rank from few labelled and many unlabelled rows (QSG-S2AUC).

    It minimises γ·R_PN + (1-γ)·(R_PU + R_NU) + alpha/2·‖f‖² over the functions of a kernel: R_PN asks positive rows to
    score above negative ones, R_PU above unlabelled ones, and R_NU unlabelled rows above negative ones. Every step
    draws rows and fresh random frequencies, so neither time nor memory grows with the unlabelled pool.

    Parameters
    ----------
    loss : {"square", "squared_hinge", "logistic", "sigmoid"}, default="square"
        Pairwise loss of the gap between two scores.
    kernel : {"gaussian", "laplacian", "matern32", "matern52"}, default="gaussian"
        Kernel: exp(-g‖x-x'‖²), exp(-g‖x-x'‖₁), or a Matérn kernel.
    kernel_gamma : float or str, default="median"
        g, the inverse width of the kernel. "median" is 1 / the median distance between rows, as the kernel measures it;
        "scale" is 1 / (columns · variance), as in scikit-learn's SVC. A factor may come first: "0.1 median" is a tenth
        of "median", a wider kernel. Both are measured on a sample of all rows after scaling.
    labeled_weight : float in [0, 1], default=0.9
        γ, the weight of pairs of labelled rows; pairs with an unlabelled row have the weight 1 - γ. With 1, unlabelled
        rows only settle scaling and width; with 0, only pairs with an unlabelled row count.
    neighbor_weight : float, default=0.0
        Weight of the penalty that makes neighbouring rows, labelled or not, score alike: half of it times the mean of
        (f(x) - f(x'))² over pairs of neighbours. 10 is strong.
    n_neighbors : int, default=10
        Number of nearest rows that count as neighbours of a row, among the labelled and 2,000 unlabelled rows.
    alpha : float, default=0.01
        Strength of regularisation, the paper's λ.
    sparse_components : int, "auto" or None, default="auto"
        Number of components that sparse rows are reduced to first, by truncated SVD of labelled and unlabelled ones.
        "auto" is 100 for rows of more than 256 columns. None keeps the columns, 2,000 at most. Dense rows stay as they
        are.
    scaling : {"auto", "standard", "minmax", "rank", "common", "none"}, default="auto"
        Scaling of columns, or components: "auto" is "common" for components and "standard" for columns; "minmax" is the
        paper's; "rank" is the share of rows below; "common" is one unit for all columns, such as pixels have. Missing
        values (NaN) are filled in and marked by a column of their own; categories get one column each.
    column_weighting : {"none", "auc"}, default="none"
        "auc" weights each column by how well it separates the classes alone.
    max_iter : int, default=200
        Steps of the stochastic solver; `partial_fit` makes as many at every call.
    n_frequencies : int or None, default=None
        New frequencies per step for "qsg" (None is 32), or their total number for "exact" (None is 500).
    batch_size : int, default=128
        Unlabelled rows per step; with `QSG(pairing="triplet")`, rows of every group per step.
    solver : {"qsg", "exact", "kernel_sgd"}, QSG, Exact or KernelSGD, default="qsg"
        "qsg" is the stochastic solver, "exact" the closed form on random features (square loss only), "kernel_sgd" the
        paper's second update rule: the same steps on the kernel itself, without random features, whose model keeps
        rows. `QSG(...)`, `Exact(...)` and `KernelSGD(...)` have their options.
    categorical_features : "from_dtype", sequence of names or numbers, or None, default="from_dtype"
        Columns that hold categories; "from_dtype" takes the columns of a data frame that hold text, categories or
        booleans, None takes no column.
    text_features : sequence of names or numbers, or None, default=None
        Columns that hold text, such as notes or titles. With "from_dtype", text of which most is different, and that
        shares words, is recognised by itself.
    unlabeled : object, default=-1
        Value of y that marks unlabelled rows; None if there is none. Missing values always mean unlabelled.
    pos_label : object, default=None
        The class to rank at the top; None is the larger of the two. If it is given, y may hold that class only
        (positive-unlabelled data).
    warm_start : bool, default=False
        Whether `fit` starts from the last iterate of the previous `fit`, in the same feature space and with its seed.
    checkpoint : path or None, default=None
        A folder for intermediate work. A fit that was killed continues from it when it is started again with the same
        rows, parameters and seed, and ends in the same model. Every fit has a folder of its own in it; `partial_fit`
        and fits that start warm keep nothing.
    n_jobs : int or None, default=None
        Threads; None or -1 for all cores, -2 for all but one, and so on, at least one.
    random_state : int, RandomState or None, default=None
        Seed of rows and frequencies: the same seed gives the same model. None draws one, kept as `seed_`.
    verbose : int, default=0
        1 logs progress (logger "s2auc", shown on standard error if logging is not set up).

    Attributes
    ----------
    classes_
        The negative class, then the positive one.
    model_
        The fitted `Model`: what scoring needs, and what is saved to a file.
    offset_
        The threshold that was taken off the scores so that predictions turn at zero.
    labeled_weight_
        The γ that was used: 1 where there were no unlabelled rows, 0 where there were no negative ones.
    seed_, kernel_gamma_, curvature_
        The seed, the kernel's g and the curvature L that the steps were based on.
    history_
        Arrays "iteration", "step", "risk" (of the batch), "labeled_auc" (on the training labels) and "seconds".
    n_iter_, stop_reason_
        How many iterations were made, and why they ended.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(2000, noise=0.2, random_state=0)
    >>> y = np.full(2000, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = S2AUCClassifier(random_state=0).fit(X, y)
    >>> ranker.score(X[40:], truth[40:]) > 0.9
    True
    """

    _allows_missing = True

    loss: str = "square"
    _: KW_ONLY
    kernel: str = "gaussian"
    kernel_gamma: float | str = "median"
    labeled_weight: float = 0.9
    neighbor_weight: float = 0.0
    n_neighbors: int = 10
    alpha: float = 1e-2
    sparse_components: int | str | None = "auto"
    scaling: str = "auto"
    column_weighting: str = "none"
    max_iter: int = 200
    n_frequencies: int | None = None
    batch_size: int = 128
    solver: str | QSG | Exact | KernelSGD = "qsg"
    categorical_features: str | Sequence[str | int] | None = "from_dtype"
    text_features: Sequence[str | int] | None = None
    unlabeled: Any = -1
    pos_label: Any = None
    warm_start: bool = False
    checkpoint: str | PathLike[str] | None = None
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None
    verbose: int = 0

    @all_or_nothing
    @with_callbacks
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None, *, sample_weight: Any = None) -> Self:
        """Fit the model; if that fails, the estimator is what it was before.

        Parameters
        ----------
        X
            Rows, (n, d): array, sparse matrix, data frame or list; NaN where a value is missing.
        y
            One label a row: two classes of any type, the marker `unlabeled`, missing values.
        X_unlabeled
            More unlabelled rows.
        sample_weight
            One number >= 0 a row: how much its pairs count in what is minimised and in AUCs, 0 for not at all. Weights
            of unlabelled rows are not looked at, and scaling and width take all rows alike.
        """
        solver = self._checked_solver()
        earlier = getattr(self, "_state_", None) if self.warm_start and solver.makes_steps else None
        data = FitData.open(self, X, y, X_unlabeled, sample_weight=sample_weight, goes_on=earlier is not None)
        if earlier is not None:
            check_same_classes(self, data.labels.classes)
            earlier = replace(earlier, run=earlier.run.restarted())
        weight = usable_weight(data.rows, float(self.labeled_weight))
        plan = SinglePlan.make(self, data, solver, weight, earlier, may_keep=earlier is None)
        return self._run(plan, X, y)

    @offered_if(_has_steps)
    @all_or_nothing
    @with_callbacks
    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, X_unlabeled: Any = None, *, sample_weight: Any = None
    ) -> Self:
        """Make `max_iter` more steps on these rows; schedule and average go on, earlier rows are not kept.

        The first call settles the classes, what happens to columns and the kernel's width. Terms of the risk for which
        a call brings no rows are left out of its steps. The threshold of `predict` is chosen anew on the rows of each
        call.

        Parameters
        ----------
        X, y, X_unlabeled, sample_weight
            As for `fit`; y may lack classes.
        classes
            Both classes, where the first call's y does not hold them.
        """
        solver = self._checked_solver()
        earlier = getattr(self, "_state_", None)
        known = known_classes(self, classes, goes_on=earlier is not None)
        data = FitData.open(
            self, X, y, X_unlabeled, sample_weight=sample_weight, classes=known, goes_on=earlier is not None
        )
        weight, sizes = float(self.labeled_weight), data.rows.sizes
        if not semi_supervised(LOSSES[self.loss], weight).has_pairs(sizes):
            found = f"These rows form no pairs to learn from with labeled_weight={self.labeled_weight}. Got {sizes}"
            if earlier is None:
                raise ValueError(f"{found}; gather rows of another group first.")
            warn_user(f"{found}; the model stays as it is.")
            return self
        if earlier is None:
            return self._run(SinglePlan.make(self, data, solver, weight), X, y)
        earlier = replace(earlier, run=earlier.run.copied())
        return self._run(SinglePlan.make(self, data, solver, weight, earlier), X, y, self.history_)

    @property
    def predict_proba(self) -> NoReturn:
        """Not available: a single fit has no held-out scores, `S2AUCClassifierCV` has."""
        raise AttributeError(
            "S2AUCClassifier has no predict_proba: probabilities need scores of rows that were held out, which a "
            "single fit has not. S2AUCClassifierCV has them, also with one value for each parameter, such as "
            "alphas=[0.01]."
        )

    def _checked_solver(self) -> SingleSolver:
        check_parameters(type(self).__name__, self.get_params(deep=False), SINGLE_RULES)
        return read_single_solver(self.solver, self.loss, type(self).__name__)

    def _run(self, plan: SinglePlan, X: Any, y: Any, history: Mapping[str, FloatArray] | None = None) -> Self:
        """Make the model of a plan, and adopt it."""
        with shown_progress(self.verbose), thread_limit(self.n_jobs), resumable(plan.checkpoint):
            run = _make_fit(plan, history)
            task = FitTask(self, run.n_panels, X, y)
            fitted = run.finish(task)
            keep_model(fitted["model_"], plan.checkpoint)
        self._adopt(fitted)
        task.done(lambda: fitted)
        return self
