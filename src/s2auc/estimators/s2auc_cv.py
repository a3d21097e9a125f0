"""The classifier that tunes itself: checks what it is given, opens the data, searches, keeps what was found."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.parameters import (
    Seed,
    check_parameters,
)
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.frames import is_frame
from s2auc.data.labels import Labels
from s2auc.data.schema import learn_schema
from s2auc.data.shift import Shift, find_shift
from s2auc.estimators.base import Ranker, all_or_nothing
from s2auc.models.model import Model
from s2auc.ranking.calibration import best_threshold, fit_platt
from s2auc.ranking.losses import LOSSES
from s2auc.search.grid import (
    AUTO_LABELED_WEIGHTS,
    AUTO_SCALINGS,
    Grid,
    auto_alphas,
    auto_gammas,
    auto_iterations,
    make_spaces,
)
from s2auc.search.plan import auto_folds, folds_of, make_plan
from s2auc.search.procedure import Search, SearchResult, search_settings
from s2auc.search.results import make_results, parameters_of
from s2auc.search.rows import TuningRows, collect_rows, tested_rows
from s2auc.search.rules import RULES
from s2auc.search.spaces import COLUMN_WEIGHTS
from s2auc.solvers.training import TrainingRows

if TYPE_CHECKING:
    from s2auc.search.display import SearchDisplay

DEFAULT_FREQUENCIES: Mapping[str, int] = {"qsg": 32, "exact": 256}
"""Frequencies a step of the stochastic solver, and in all of the closed form, of every space."""

FEW_ROWS = 5
"""With so few rows of a class, users are warned that the choice is uncertain."""

SHIFT_LEVEL = 1e-3
"""A difference between labelled and unlabelled rows that would be rarer than this by chance is told to users."""

_SEED = Seed(SEED_LIMIT)


def _has_probabilities(estimator: Any) -> bool:
    """Return whether the fit had rows of both classes, or say why there are no probabilities."""
    if getattr(estimator, "_is_positive_unlabeled", False):
        raise AttributeError("predict_proba needs negative rows: without them scores cannot be tied to probabilities.")
    return True


class S2AUCClassifierCV(Ranker):
    """`S2AUCClassifier` that chooses its settings by cross-validation, and says how good they are.

    Every setting of a grid is trained on the labelled rows less a fold, for every fold, and judged by the AUC on that
    fold. The best settings are averaged into one model. Settings that share columns and kernel share their cosines, so
    the whole search takes little longer than a few fits. Scaling of columns is learnt from all rows, labelled or not.

    Parameters
    ----------
    kernels, relative_gammas, alphas, labeled_weights
        What to try: kernels, widths as multiples of the median rule, regularisation (the paper's λ), weights of the
        labelled pairs (the paper's γ; 1 leaves unlabelled rows out). "auto" suits the number of labels.
    preprocessing
        What happens to columns: "standard", "minmax", "rank", None, or "auto", which tries standard and rank. Missing
        values (NaN) are filled in and marked by a column of their own; categories get one column each.
    column_weights
        "auc" weights columns by how well each tells the classes apart alone, learnt inside every fold; None does not;
        "auto" tries both.
    categorical_features
        Names or numbers of columns that hold categories; "from_dtype" for the columns of a data frame that hold text,
        categories or booleans; None for no column.
    solver
        "exact" for the closed form on random features (square loss), "qsg" for bundles of stochastic runs.
    selection
        "average": the best settings, each divided by the spread of its scores; "best"; or "one-standard-error", the
        simplest one near the best.
    n_average, max_frequencies
        How many settings an average takes, and how many frequencies they may have in all.
    loss
        Pairwise loss, as for `S2AUCClassifier`; "exact" needs "square".
    iterations
        Stopping iterations to try, for `solver="qsg"`.
    n_frequencies
        Of every space: fresh ones a step for "qsg" (default 32), in all for "exact" (default 256).
    batch_size, max_unlabeled
        Unlabelled rows a step for "qsg", and in all, drawn at random, for "exact".
    cv
        Number of folds, or a splitter of scikit-learn's kind, which is given the labelled rows only, their labels as
        zeros and ones. With few rows of a class there are fewer folds, drawn several times; rows of one of the
        `groups` of `fit` stay together.
    judge
        Whether to judge what was chosen on folds that took no part in choosing, which takes about three times as long.
    threshold
        What the threshold of `predict` is best for on held-out rows: "balanced_accuracy", "accuracy" or "f1". None puts
        it where `predict_proba` is one half ("balanced_accuracy" where there are no negative rows). It moves the zero
        of `decision_function`, never the order.
    class_prior
        Share of positive rows among those to be scored, for `predict_proba`; None for their share among the labels.
    n_jobs
        Threads; None or -1 for all cores.
    unlabeled, pos_label, random_state
        As for `S2AUCClassifier`.

    Attributes
    ----------
    classes_, model_, offset_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    cv_results_
        Everything that was tried, in the form of scikit-learn's `GridSearchCV`.
    best_params_, best_score_, best_index_
        The setting with the highest mean AUC over the folds. That AUC flatters: it is the highest of many.
    chosen_params_
        The settings that make the model.
    held_out_auc_
        AUC of the whole procedure on folds that took no part in it, with an interval; None if they are too few.
    did_unlabeled_help_
        Yes, no or cannot tell: `.answer`, `.difference`, and a sentence when printed.
    shift_
        Where labelled and unlabelled rows differ most; None if rows are too few.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(2000, noise=0.2, random_state=0)
    >>> y = np.full(2000, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = S2AUCClassifierCV(random_state=0).fit(X, y)
    >>> ranker.score(X[40:], truth[40:]) > 0.95
    True
    """

    _allows_missing = True

    def __init__(
        self,
        *,
        kernels: Sequence[str] = ("gaussian", "laplacian"),
        relative_gammas: str | Sequence[float] = "auto",
        alphas: str | Sequence[float] = "auto",
        labeled_weights: str | Sequence[float] = "auto",
        preprocessing: str | None = "auto",
        column_weights: str | None = "auto",
        categorical_features: str | Sequence[str | int] | None = "from_dtype",
        solver: str = "exact",
        selection: str = "average",
        n_average: int = 16,
        max_frequencies: int = 2**15,
        loss: str = "square",
        iterations: str | Sequence[int] = "auto",
        n_frequencies: int | None = None,
        batch_size: int = 64,
        max_unlabeled: int = 2000,
        cv: Any = 5,
        judge: bool = True,
        threshold: str | None = None,
        class_prior: float | None = None,
        unlabeled: Any = -1,
        pos_label: Any = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.kernels = kernels
        self.relative_gammas = relative_gammas
        self.alphas = alphas
        self.labeled_weights = labeled_weights
        self.preprocessing = preprocessing
        self.column_weights = column_weights
        self.categorical_features = categorical_features
        self.solver = solver
        self.selection = selection
        self.n_average = n_average
        self.max_frequencies = max_frequencies
        self.loss = loss
        self.iterations = iterations
        self.n_frequencies = n_frequencies
        self.batch_size = batch_size
        self.max_unlabeled = max_unlabeled
        self.cv = cv
        self.judge = judge
        self.threshold = threshold
        self.class_prior = class_prior
        self.unlabeled = unlabeled
        self.pos_label = pos_label
        self.n_jobs = n_jobs
        self.random_state = random_state

    @all_or_nothing
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None, *, groups: Any = None) -> Self:
        """Search, choose and keep the model; if that fails, the estimator is what it was before.

        Parameters
        ----------
        X
            Rows, (n, d): array, sparse matrix, data frame or list; NaN where a value is missing.
        y
            One label a row: two classes of any type, the marker `unlabeled`, missing values.
        X_unlabeled
            More unlabelled rows.
        groups
            One group a row of X, such as a patient or an account: its rows are tested together.
        """
        self._check_parameters()
        self._schema = learn_schema(X, self.categorical_features)
        if is_frame(X_unlabeled):
            self._schema = self._schema.joined(learn_schema(X_unlabeled, self.categorical_features))
        checked, labels = self._read(X, y, known=None, reset=True)
        if groups is not None:
            check_consistent_length(checked, groups)
        rows = self._training_rows(checked, labels, X_unlabeled)
        self._check_counts(labels, rows)
        self.classes_ = labels.classes
        self._is_positive_unlabeled = not labels.n_negative
        self.seed_ = _SEED.read(self.random_state)
        grid = self._grid(rows)
        n_drawn = {"n_iterations": 1, "batch_size": self.max_unlabeled}
        if self.solver == "qsg":
            n_drawn = {"n_iterations": grid.max_iter, "batch_size": self.batch_size}
        tuning_rows = collect_rows(rows, seed=self.seed_, **n_drawn)
        tested = tested_rows(tuning_rows)
        is_positive = tested < tuning_rows.n_positive
        plan = make_plan(self._tests(checked, labels, groups, tested), is_positive, judged=self.judge)
        found = search_settings(rows, tuning_rows, plan, grid, self._search(), is_positive, self._schema.is_categorical)
        self._keep(found, tuning_rows)
        self._warn(labels, found)
        return self

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, negative first: Platt scaling of held-out scores."""
        scores = self.decision_function(X)
        positive = self._platt.apply(scores)
        return np.column_stack([1.0 - positive, positive])

    def plot_cv(self, parameter: str = "alpha", *, ax: Any = None) -> "SearchDisplay":
        """Draw the held-out AUC of all settings against one of their parameters; needs the extra `plot`."""
        from s2auc.search.display import SearchDisplay

        return SearchDisplay.from_estimator(self, parameter, ax=ax)

    def _as_numbers(self, X: Any) -> Any:
        return self._schema.read(X) if is_frame(X) or self._schema.levels else X

    def _check_parameters(self) -> None:
        check_parameters(type(self).__name__, self.get_params(deep=False), RULES)
        if self.solver == "exact" and LOSSES[self.loss].quadratic is None:
            raise ValueError(
                f"The 'loss' parameter of {type(self).__name__} must be 'square' with solver='exact'. "
                f"Got {self.loss!r} instead; use solver='qsg' for it."
            )
        n_frequencies = self.n_frequencies or DEFAULT_FREQUENCIES[self.solver]
        if n_frequencies > self.max_frequencies:
            raise ValueError(
                f"The 'max_frequencies' parameter of {type(self).__name__} must be at least n_frequencies, "
                f"{n_frequencies}. Got {self.max_frequencies} instead; use more, or fewer n_frequencies."
            )

    def _check_counts(self, labels: Labels, rows: TrainingRows) -> None:
        if not labels.n_negative and not rows.n_unlabeled:
            raise ValueError(
                "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones. Got "
                "none; pass X_unlabeled, or mark rows of y as unlabelled."
            )

    def _grid(self, rows: TrainingRows) -> Grid:
        scalings = AUTO_SCALINGS if self.preprocessing == "auto" else (self.preprocessing or "none",)
        weights = tuple(COLUMN_WEIGHTS) if self.column_weights == "auto" else (self.column_weights or "none",)
        n_labeled = len(rows.positive) + len(rows.negative)
        if not len(rows.negative):
            # One term is left, positive against unlabelled rows, and nothing to weigh columns by.
            labeled_weights: Sequence[float] = (0.0,)
            weights = ("none",)
        elif not rows.n_unlabeled:
            labeled_weights = (1.0,)
        else:
            labeled_weights = _given(self.labeled_weights, AUTO_LABELED_WEIGHTS)
        iterations = _given(self.iterations, auto_iterations(n_labeled)) if self.solver == "qsg" else (1,)
        return Grid(
            spaces=make_spaces(scalings, weights, self.kernels, _given(self.relative_gammas, auto_gammas(n_labeled))),
            alphas=tuple(map(float, _given(self.alphas, auto_alphas(n_labeled)))),
            labeled_weights=tuple(map(float, labeled_weights)),
            iterations=tuple(sorted(map(int, iterations))),
        )

    def _search(self) -> Search:
        return Search(
            loss=self.loss,
            solver=self.solver,
            n_frequencies=int(self.n_frequencies or DEFAULT_FREQUENCIES[self.solver]),
            selection=self.selection,
            n_average=int(self.n_average),
            max_frequencies=int(self.max_frequencies),
            is_judged=bool(self.judge),
            seed=self.seed_,
            n_threads=None if self.n_jobs in (None, -1) else int(self.n_jobs),
        )

    def _tests(self, X: Any, labels: Labels, groups: Any, tested: IndexArray) -> list[IndexArray]:
        """Return the rows that each fold tests, by their places among the tested labelled rows, positive first."""
        order = np.concatenate([np.flatnonzero(labels.is_positive), np.flatnonzero(labels.is_negative)])[tested]
        is_positive = labels.is_positive[order]
        kept_groups = None if groups is None else np.asarray(groups)[order]
        if not hasattr(self.cv, "split"):
            return auto_folds(is_positive, int(self.cv), self.seed_, kept_groups)
        return folds_of(self.cv, X[order], is_positive, kept_groups)

    def _keep(self, found: SearchResult, tuning_rows: TuningRows) -> None:
        evidence = found.evidence
        left_out = evidence.left_out_scores(found.chosen)
        is_scored = np.isfinite(left_out)
        high = left_out[is_scored & evidence.is_positive]
        low = left_out[is_scored & ~evidence.is_positive]
        if self._is_positive_unlabeled:
            low = evidence.mixed(found.chosen, 0)[evidence.n_tested :]
        offset = self._offset(high, low)
        self.model_ = Model(found.parts(), offset, self.classes_, self._schema, self.__dict__.get("_platt"))
        self.offset_ = offset
        self.cv_results_ = make_results(found.grid, found.fold_auc)
        self.best_index_ = int(np.argmin(self.cv_results_["rank_test_score"]))
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.chosen_params_ = [parameters_of(found.grid.settings[place], found.grid) for place in found.chosen]
        self.held_out_auc_ = found.held_out_auc()
        self.did_unlabeled_help_ = found.unlabeled_verdict()
        self.shift_ = self._find_shift(found, tuning_rows)

    def _find_shift(self, found: SearchResult, rows: TuningRows) -> Shift | None:
        if self._is_positive_unlabeled or rows.pool.start == rows.pool.stop:
            return None
        columns = found.spaces[0].columns
        X = columns.apply(rows.X)
        shift = find_shift(X[: rows.n_positive], X[rows.n_positive : rows.n_labeled], X[rows.pool])
        if shift is None or columns.encoding is None:
            return shift
        return replace(shift, column=int(columns.encoding.source[shift.column]))

    def _offset(self, high: FloatArray, low: FloatArray) -> float:
        """Return the threshold, and keep what makes probabilities of scores that it was taken off."""
        metric = self.threshold or "balanced_accuracy"
        if self._is_positive_unlabeled:
            self.__dict__.pop("_platt", None)
            return best_threshold(high, low, metric)
        is_positive = np.arange(len(high) + len(low)) < len(high)
        platt = fit_platt(is_positive, np.concatenate([high, low]), self.class_prior)
        offset = best_threshold(high, low, metric, self.class_prior) if self.threshold else platt.even_score
        self._platt = platt.moved(offset)
        return offset

    def _warn(self, labels: Labels, found: SearchResult) -> None:
        smallest = labels.n_positive if self._is_positive_unlabeled else min(labels.n_positive, labels.n_negative)
        if smallest == 1:
            warnings.warn(
                "A class has a single labelled row, so nothing can be held out: settings were not chosen, the model "
                "averages usual ones, and probabilities are those of rows that it has seen. Label more rows.",
                UserWarning,
                stacklevel=4,
            )
        elif smallest <= FEW_ROWS:
            held_out = self.held_out_auc_
            known = "cannot be told without bias" if held_out is None else f"is {held_out}"
            warnings.warn(
                f"The smaller class has {smallest} labelled rows: settings were chosen by "
                f"{found.evidence.plan.n_folds} folds that test one or two of them each, so the choice is uncertain. "
                f"The held-out AUC {known}.",
                UserWarning,
                stacklevel=4,
            )
        if self.shift_ is not None and self.shift_.p_value < SHIFT_LEVEL:
            column = self.shift_.column
            name = f" ({self.feature_names_in_[column]})" if hasattr(self, "feature_names_in_") else ""
            warnings.warn(
                f"Labelled and unlabelled rows differ in column {column}{name} more than any mixture of the two "
                f"classes explains (p = {self.shift_.p_value:.1g}): the method assumes that both come from one "
                "distribution. Check how rows were picked for labelling.",
                UserWarning,
                stacklevel=4,
            )


def _given(value: Any, default: Sequence[Any]) -> Sequence[Any]:
    return default if isinstance(value, str) else value
