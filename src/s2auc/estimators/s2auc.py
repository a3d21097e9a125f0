"""The scikit-learn classifier: checks what it is given, opens the data, runs a solver, keeps what was fitted."""

import warnings
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.parameters import Boolean, Choice, Nothing, Number, Rule, Seed, check_parameters
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.column_scaling import SCALINGS
from s2auc.data.labels import read_labels
from s2auc.data.schema import Schema
from s2auc.estimators.base import Ranker, all_or_nothing, usable_weight
from s2auc.estimators.callbacks import CallbackSupportMixin, FitTask, with_callbacks
from s2auc.kernels.bandwidth import BANDWIDTHS
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.cosine_part import CosinePart
from s2auc.models.model import Model
from s2auc.ranking.calibration import best_threshold
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.risk import PAIRINGS
from s2auc.solvers.curvature import measure_curvature
from s2auc.solvers.history import History, shown_progress
from s2auc.solvers.qsg import panel_length, run
from s2auc.solvers.schedules import SCHEDULES
from s2auc.solvers.training import Settings, Space, State, TrainingRows, make_problem, solve_exactly

DEFAULT_FREQUENCIES: Mapping[str, int] = {"qsg": 32, "exact": 500}
"""Frequencies a step of the stochastic solver, and in all of the closed form."""

_POSITIVE_NUMBER = Number(0, open_low=True)
_COUNT = Number(1, integer=True)
_SEED = Seed(SEED_LIMIT)
_RULES: Mapping[str, tuple[Rule, ...]] = {
    "loss": (Choice([name for name, loss in LOSSES.items() if loss.ranks]),),
    "kernel": (Choice(KERNELS),),
    "kernel_gamma": (Choice(BANDWIDTHS), Number(0, 1e100, open_low=True)),
    "labeled_weight": (Number(0, 1),),
    "alpha": (_POSITIVE_NUMBER,),
    "max_iter": (_COUNT,),
    "n_frequencies": (_COUNT, Nothing()),
    "batch_size": (_COUNT,),
    "step_scale": (_POSITIVE_NUMBER,),
    "schedule": (Choice(SCHEDULES),),
    "average": (Boolean(),),
    "pairing": (Choice(PAIRINGS),),
    "scaling": (Choice(SCALINGS),),
    "solver": (Choice(DEFAULT_FREQUENCIES),),
    "warm_start": (Boolean(),),
    "random_state": (_SEED,),
    "verbose": (Number(0, integer=True), Boolean()),
}


class StopReason(StrEnum):
    """Why a fit ended."""

    MAX_ITER = "max_iter"
    CALLBACK = "callback"
    EXACT = "exact"


def _has_steps(estimator: Any) -> bool:
    """Return whether the estimator can go on from where it stands, or say why not."""
    if estimator.solver != "qsg":
        raise AttributeError(f"partial_fit needs solver='qsg': the solver {estimator.solver!r} makes no steps.")
    return True


class S2AUCClassifier(CallbackSupportMixin, Ranker):  # type: ignore[misc]
    """Binary classifier that learns to rank from few labelled and many unlabelled rows (QSG-S2AUC).

    It minimises γ·R_PN + (1-γ)·(R_PU + R_NU) + alpha/2·‖f‖² over the functions of a kernel: R_PN asks positive rows to
    score above negative ones, R_PU above unlabelled ones, and R_NU unlabelled rows above negative ones. Every step
    draws rows and fresh random frequencies, so neither time nor memory grows with the unlabelled pool.

    Parameters
    ----------
    loss
        Pairwise loss of the gap between two scores: "square", "squared_hinge", "logistic" or "sigmoid".
    kernel
        "gaussian" exp(-g‖x-x'‖²), "laplacian" exp(-g‖x-x'‖₁), "matern32" or "matern52".
    kernel_gamma
        g: a number, "median" (1 / median distance between rows, as the kernel measures it) or "scale"
        (1 / (columns · variance), as in scikit-learn's SVC), from a sample of all rows after scaling.
    labeled_weight
        γ: 1 uses pairs of labelled rows only (unlabelled rows still settle scaling and width), 0 only pairs with an
        unlabelled row.
    alpha
        Strength of regularisation, the paper's λ.
    max_iter
        Steps of the stochastic solver; `partial_fit` makes as many at every call.
    n_frequencies
        Fresh frequencies a step (default 32), or in all for `solver="exact"` (default 500).
    batch_size
        Unlabelled rows a step; with `pairing="triplet"` rows of every group a step.
    step_scale
        θ·alpha, where θ is the constant of the schedule.
    schedule
        "shifted" θ/(t + θL), with L the curvature measured on the data, or the paper's "printed" θ/t.
    average
        Whether the model is the t-weighted average of the iterates, or the last one.
    pairing
        "all": every labelled row (up to 2000) takes part in every step, paired with all others; "triplet": the
        paper's (positive, negative, unlabelled) triplets of random rows.
    scaling
        What happens to columns first: "standard", "minmax" (the paper's), "rank" (the share of rows below) or "none".
    solver
        "qsg" for the stochastic solver, "exact" for the closed form on random features (square loss only), which
        passes over all unlabelled rows once.
    unlabeled
        Value of y that marks unlabelled rows; None if there is none. Missing values always mean unlabelled.
    pos_label
        The class to rank at the top; by default the larger of the two. With it, y may hold that class only
        (positive-unlabelled data).
    warm_start
        Whether `fit` starts from the last iterate of the previous `fit`, in the same feature space and with its seed.
    random_state
        Seed of rows and frequencies: the same seed gives the same model. None draws one, kept as `seed_`.
    verbose
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

    def __init__(
        self,
        loss: str = "square",
        *,
        kernel: str = "gaussian",
        kernel_gamma: float | str = "median",
        labeled_weight: float = 0.9,
        alpha: float = 1e-2,
        max_iter: int = 200,
        n_frequencies: int | None = None,
        batch_size: int = 128,
        step_scale: float = 1.0,
        schedule: str = "shifted",
        average: bool = True,
        pairing: str = "all",
        scaling: str = "standard",
        solver: str = "qsg",
        unlabeled: Any = -1,
        pos_label: Any = None,
        warm_start: bool = False,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
    ) -> None:
        self.loss = loss
        self.kernel = kernel
        self.kernel_gamma = kernel_gamma
        self.labeled_weight = labeled_weight
        self.alpha = alpha
        self.max_iter = max_iter
        self.n_frequencies = n_frequencies
        self.batch_size = batch_size
        self.step_scale = step_scale
        self.schedule = schedule
        self.average = average
        self.pairing = pairing
        self.scaling = scaling
        self.solver = solver
        self.unlabeled = unlabeled
        self.pos_label = pos_label
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    @all_or_nothing
    @with_callbacks
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None) -> Self:
        """Fit the model; if that fails, the estimator is what it was before.

        Parameters
        ----------
        X
            Rows, (n, d): array, sparse matrix, data frame or list.
        y
            One label a row: two classes of any type, the marker `unlabeled`, missing values.
        X_unlabeled
            More unlabelled rows.
        """
        self._check_parameters()
        goes_on = self.warm_start and self.solver == "qsg" and hasattr(self, "_state")
        checked, labels = self._read(X, y, known=None, reset=not goes_on)
        if goes_on:
            self._check_same_classes(labels.classes)
        rows = self._training_rows(checked, labels, X_unlabeled)
        self.labeled_weight_ = usable_weight(rows, float(self.labeled_weight), stacklevel=6)
        self.classes_ = labels.classes
        self._is_positive_unlabeled = not labels.n_negative
        if not goes_on:
            self.seed_ = _SEED.read(self.random_state)
        with shown_progress(self.verbose):
            if self.solver == "exact":
                return self._fit_exactly(rows, X, y)
            settings = self._settings()
            state = self._state.restarted(settings) if goes_on else State.fresh(rows, settings)
            return self._run(state, rows, X, y)

    @available_if(_has_steps)  # type: ignore[untyped-decorator]
    @all_or_nothing
    @with_callbacks
    def partial_fit(self, X: Any, y: Any, classes: ArrayLike | None = None, X_unlabeled: Any = None) -> Self:
        """Make `max_iter` more steps on these rows; schedule and average go on, earlier rows are not kept.

        The first call settles the classes, the scaling of columns and the kernel's width. Terms of the risk for which
        a call brings no rows are left out of its steps. The threshold of `predict` is chosen anew on the rows of each
        call.

        Parameters
        ----------
        X, y, X_unlabeled
            As for `fit`; y may lack classes.
        classes
            Both classes, where the first call's y does not hold them.
        """
        self._check_parameters()
        is_first = not hasattr(self, "_state")
        checked, labels = self._read(X, y, known=self._known_classes(classes), reset=is_first)
        rows = self._training_rows(checked, labels, X_unlabeled)
        if not rows.has_pairs(self.labeled_weight):
            nothing_to_learn = (
                f"These rows form no pairs to learn from with labeled_weight={self.labeled_weight}. Got {rows.sizes}"
            )
            if is_first:
                raise ValueError(f"{nothing_to_learn}; gather rows of another group first.")
            warnings.warn(f"{nothing_to_learn}; the model stays as it is.", UserWarning, stacklevel=4)
            return self
        self.labeled_weight_ = float(self.labeled_weight)
        if is_first:
            self.classes_ = labels.classes
            self._is_positive_unlabeled = classes is None and not labels.n_negative
            self.seed_ = _SEED.read(self.random_state)
        settings = self._settings()
        with shown_progress(self.verbose):
            state = State.fresh(rows, settings) if is_first else self._state.continued(settings)
            return self._run(state, rows, X, y, earlier=None if is_first else self.history_)

    def _check_parameters(self) -> None:
        check_parameters(type(self).__name__, self.get_params(deep=False), _RULES)
        if self.solver == "exact" and LOSSES[self.loss].quadratic is None:
            raise ValueError(
                f"The 'loss' parameter of {type(self).__name__} must be 'square' with solver='exact'. "
                f"Got {self.loss!r} instead; use solver='qsg' for it."
            )

    def _known_classes(self, classes: ArrayLike | None) -> AnyArray | None:
        """Return the classes that are settled before y is read, if they are."""
        given = None
        if classes is not None:
            given = read_labels(classes, unlabeled=self.unlabeled, pos_label=self.pos_label).classes
        if not hasattr(self, "_state"):
            return given
        if given is not None:
            self._check_same_classes(given)
        settled: AnyArray = self.classes_
        if self.pos_label is not None and self.pos_label != settled[1]:
            self._check_same_classes(settled[::-1])
        return settled

    def _check_same_classes(self, classes: AnyArray) -> None:
        if not np.array_equal(classes, self.classes_):
            raise ValueError(
                f"The classes (negative, positive) must stay {self.classes_.tolist()} while a model goes on learning. "
                f"Got {classes.tolist()}; fit with warm_start=False to start anew."
            )

    def _settings(self) -> Settings:
        n_frequencies = self.n_frequencies or DEFAULT_FREQUENCIES[self.solver]
        return Settings(
            loss=self.loss,
            kernel=self.kernel,
            kernel_gamma=self.kernel_gamma,
            labeled_weight=self.labeled_weight_,
            alpha=float(self.alpha),
            n_frequencies=int(n_frequencies),
            batch_size=int(self.batch_size),
            pairing=self.pairing,
            scaling=self.scaling,
            seed=self.seed_,
        )

    def _run(
        self, state: State, rows: TrainingRows, X: Any, y: Any, earlier: Mapping[str, FloatArray] | None = None
    ) -> Self:
        """Make `max_iter` steps from where the state stands; `earlier` is the history that goes on."""
        settings, iterates, stream = self._settings(), state.iterates, state.space.stream
        first = iterates.n_iterations + 1
        problem = make_problem(rows, state.space, settings, first=state.n_steps, n_iterations=self.max_iter)
        measured = measure_curvature(
            problem, stream, first_frequency=iterates.n_frequencies, n_earlier=iterates.n_iterations
        )
        state.curvature = np.maximum(state.curvature, measured)
        iterations = np.arange(first, first + self.max_iter, dtype=np.float64)[:, None]
        rate = np.array([self.alpha / self.step_scale])
        sizes = SCHEDULES[self.schedule](iterations, rate, state.curvature)
        history = History(problem.resident < len(rows.positive), earlier, is_shown=bool(self.verbose))
        task = FitTask(self, -(-self.max_iter // panel_length(problem)), X, y)
        self.stop_reason_ = StopReason.MAX_ITER
        for panel in run(problem, iterates, stream, sizes, averaged=self.average):
            history.add(panel, first, sizes)
            if task.subtask_done(lambda: _attributes_of(self._model(state, rows))):
                self.stop_reason_ = StopReason.CALLBACK
                break
        state.n_steps += iterates.n_iterations + 1 - first
        self._state = state
        self.history_ = history.as_arrays()
        self.n_iter_ = iterates.n_iterations
        self.curvature_ = float(state.curvature[0])
        self._keep(_attributes_of(self._model(state, rows)))
        task.done(lambda: _attributes_of(self.model_))
        return self

    def _fit_exactly(self, rows: TrainingRows, X: Any, y: Any) -> Self:
        task = FitTask(self, 0, X, y)
        settings = self._settings()
        space = Space.of_rows(rows, settings)
        model = self._model_of(space, *solve_exactly(rows, space, settings), rows)
        # What an earlier fit by steps left is of another model.
        for name in {"_state", "curvature_"} & vars(self).keys():
            delattr(self, name)
        self._keep(_attributes_of(model))
        self.history_ = {}
        self.n_iter_ = 1
        self.stop_reason_ = StopReason.EXACT
        task.done(lambda: _attributes_of(model))
        return self

    def _model(self, state: State, rows: TrainingRows) -> Model:
        cosine, sine = state.iterates.coefficients(averaged=self.average)
        return self._model_of(state.space, cosine[:, 0], sine[:, 0], rows)

    def _model_of(self, space: Space, cosine: FloatArray, sine: FloatArray, rows: TrainingRows) -> Model:
        stream = space.stream
        part = CosinePart(space.columns, stream.kernel, stream.gamma, stream.seed, cosine, sine)
        high, low = rows.opposites(self.seed_)
        names = tuple(map(str, self.feature_names_in_)) if hasattr(self, "feature_names_in_") else None
        offset = best_threshold(part.score(high), part.score(low), "balanced_accuracy")
        return Model((part,), offset, self.classes_, Schema(self.n_features_in_, {}, names))

    def _keep(self, attributes: Mapping[str, Any]) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)


def _attributes_of(model: Model) -> dict[str, Any]:
    """Return the fitted attributes that scoring needs, or that describe the model."""
    part = model.parts[0]
    assert isinstance(part, CosinePart)
    return {"model_": model, "offset_": model.offset, "kernel_gamma_": part.gamma}
