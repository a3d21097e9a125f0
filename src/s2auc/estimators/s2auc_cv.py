"""The classifier that tunes itself: checks what it is given, opens the data, searches, keeps what was found."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s2auc.common.arrays import FloatArray
from s2auc.common.parameters import check_parameters
from s2auc.common.threads import thread_limit
from s2auc.estimators.base import Ranker, all_or_nothing, offered_if
from s2auc.estimators.fitting.callbacks import CallbackSupportMixin, FitTask, with_callbacks
from s2auc.estimators.fitting.checkpointing import resumable
from s2auc.estimators.fitting.fit_data import FitData, open_scored
from s2auc.estimators.fitting.rules import SEARCH_RULES
from s2auc.estimators.search_plan import SearchPlan
from s2auc.estimators.search_warnings import warn_of_findings
from s2auc.models.summary import html_table
from s2auc.search.progress import SearchProgress
from s2auc.search.selection import Average, read_selection
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.qsg.history import shown_progress
from s2auc.solvers.qsg.qsg import QSG
from s2auc.solvers.table import read_solver

if TYPE_CHECKING:
    from s2auc.search.display import SearchDisplay


def _has_probabilities(estimator: Any) -> None:
    """Raise an AttributeError if the fit had no negative rows, and nobody said how many rows are positive."""
    if hasattr(estimator, "model_") and estimator.model_.probabilities is None:
        raise AttributeError(
            "predict_proba needs the share of positive rows where only positive rows are labelled. Got "
            "class_prior=None; fit with class_prior=share, or with class_prior='estimate'."
        )


class S2AUCClassifierCV(CallbackSupportMixin, Ranker):  # type: ignore[misc]
    """`S2AUCClassifier` that chooses its settings by cross-validation, and says how good they are.

    Every setting of a grid is trained on the labelled rows less a fold, for every fold, and judged by the AUC on that
    fold. The best settings are averaged into one model, together with linear functions and forests. Settings that share
    columns and kernel share their cosines, so the whole search takes far less time than as many fits. Scaling of
    columns is learnt from all rows, labelled or not.

    Parameters
    ----------
    kernels, kernel_gammas, alphas, labeled_weights, neighbor_weights, scalings, column_weightings, max_iters
        What to try of the parameters of `S2AUCClassifier`, lists of values; "auto" suits the number of labels.
        `max_iters` is for solvers that make steps: all stopping times of a run cost no more than the last. Settings
        with neighbours have the largest labelled weight only; so do spaces with label-weighted columns, which have no
        neighbours.
    members
        Who may take part in an average: "auto", or a list of "kernels", "linear" and "trees". Linear functions and
        forests learn from labelled rows only, and need negative ones.
    loss, n_neighbors, sparse_components, n_frequencies, batch_size, solver
        As for `S2AUCClassifier`, for all settings of kernels alike. The usual solver here is "exact", with 256
        frequencies for each kernel, 512 with neighbours.
    selection
        "average": the best settings of every scaling, the linear ones and the forests, each divided by the spread of
        its scores, weighed by their AUC on held-out rows (`Average(n, max_frequencies)` has the options); "best"; or
        "one-standard-error", the simplest one near the best.
    cv
        Number of folds, or a splitter of scikit-learn's kind, which is given the labelled rows only, their labels as
        zeros and ones. With few rows of a class there are fewer folds, drawn several times; rows of one of the
        `groups` of `fit` stay together.
    judge
        Whether to judge what was chosen on folds that took no part in choosing, also by models of fewer labels, which
        takes about three times as long.
    threshold
        Where `predict` turns positive; it moves the zero of `decision_function`, never the order. On held-out rows:
        best for "balanced_accuracy", "accuracy" or "f1"; ("precision", 0.8), as low as that share of the rows above
        may be positive; ("recall", 0.9), as high as that share of the positive rows is above. ("alerts", 0.01): at
        most that share of 20,000 unlabelled rows is above. A number is a probability of `predict_proba`, and None one
        half ("balanced_accuracy" where there are no probabilities).
    class_prior
        Share of positive rows among those to be scored, for `predict_proba` and `threshold`: a number, or "estimate",
        from the scores of unlabelled rows beside those of held-out ones. None is their share among the labels; where
        only positive rows are labelled there are no probabilities then.
    categorical_features, unlabeled, pos_label, checkpoint, n_jobs, random_state
        As for `S2AUCClassifier`.
    verbose
        1 logs every stage, as `S2AUCClassifier` does, and every few seconds how much is left; 2 every entry of the
        grid. Callbacks of scikit-learn see a subtask an entry; one that asks to stop leaves the other entries out.

    Attributes
    ----------
    classes_, model_, offset_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    cv_results_
        Everything that was tried, in the form of scikit-learn's `GridSearchCV`; "member" says who it is.
    best_params_, best_score_, best_index_
        The setting of kernels with the highest mean AUC over the folds: `S2AUCClassifier(**best_params_)` is that one
        model. That AUC flatters: it is the highest of many.
    chosen_params_, chosen_shares_
        The settings that make the model, and how much each counts.
    held_out_auc_
        AUC of the whole procedure on folds that took no part in it, with an interval; None if they are too few.
    did_unlabeled_help_
        Whether the choice made beats the best that labelled rows alone give. Yes, no or cannot tell: `.answer`,
        `.difference`, and a sentence when printed.
    learning_curve_
        The same by the number of labels that were learnt from: `.points`, the `.growth` from half of the labels on, and
        a sentence when printed. It ends with `held_out_auc_`; None if folds are too few.
    class_prior_
        The share of positive rows that was given or estimated, if any.
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
        kernels: str | Sequence[str] = "auto",
        kernel_gammas: str | Sequence[float | str] = "auto",
        alphas: str | Sequence[float] = "auto",
        labeled_weights: str | Sequence[float] = "auto",
        neighbor_weights: str | Sequence[float] = "auto",
        scalings: str | Sequence[str] = "auto",
        column_weightings: str | Sequence[str] = "auto",
        max_iters: str | Sequence[int] = "auto",
        loss: str = "square",
        members: str | Sequence[str] = "auto",
        n_neighbors: int = 10,
        sparse_components: int | str | None = "auto",
        n_frequencies: int | None = None,
        batch_size: int = 64,
        solver: str | QSG | Exact = "exact",
        selection: str | Average = "average",
        cv: Any = 5,
        judge: bool = True,
        threshold: str | float | tuple[str, float] | None = None,
        class_prior: float | str | None = None,
        categorical_features: str | Sequence[str | int] | None = "from_dtype",
        unlabeled: Any = -1,
        pos_label: Any = None,
        checkpoint: str | PathLike[str] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernels = kernels
        self.kernel_gammas = kernel_gammas
        self.alphas = alphas
        self.labeled_weights = labeled_weights
        self.neighbor_weights = neighbor_weights
        self.scalings = scalings
        self.column_weightings = column_weightings
        self.max_iters = max_iters
        self.loss = loss
        self.members = members
        self.n_neighbors = n_neighbors
        self.sparse_components = sparse_components
        self.n_frequencies = n_frequencies
        self.batch_size = batch_size
        self.solver = solver
        self.selection = selection
        self.cv = cv
        self.judge = judge
        self.threshold = threshold
        self.class_prior = class_prior
        self.categorical_features = categorical_features
        self.unlabeled = unlabeled
        self.pos_label = pos_label
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @all_or_nothing
    @with_callbacks
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None, *, groups: Any = None, sample_weight: Any = None) -> Self:
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
        sample_weight
            One number >= 0 a row: how much its pairs count in what is minimised and in all AUCs, 0 for not at all.
            Weights of unlabelled rows are not looked at; scaling, widths, folds and an estimated class prior take all
            rows alike.
        """
        check_parameters(type(self).__name__, self.get_params(deep=False), SEARCH_RULES)
        solver = read_solver(self.solver, self.loss, type(self).__name__)
        selection = read_selection(self.selection, int(self.n_frequencies or solver.search_frequencies))
        data = FitData.open(self, X, y, X_unlabeled, groups=groups, sample_weight=sample_weight)
        plan = SearchPlan.make(self, data, solver, selection)
        task = FitTask(self, len(plan.choosing.grid.entries), X, y, "entry")
        with shown_progress(self.verbose), thread_limit(self.n_jobs), resumable(plan.checkpoint):
            fitted = plan.run(self, task, SearchProgress(int(self.verbose)))
        self._adopt(fitted)
        task.done(lambda: fitted)
        warn_of_findings(self, plan.data, plan.folds.n_folds)
        return self

    @offered_if(_has_probabilities)
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, negative first: Platt scaling of held-out scores."""
        check_is_fitted(self)
        return self.model_.probabilities_of_source(open_scored(self, X))

    def plot_cv(self, parameter: str = "alpha", *, ax: Any = None) -> "SearchDisplay":
        """Draw the held-out AUC of all settings against one of their parameters; needs the extra `plot`."""
        from s2auc.search.display import SearchDisplay

        return SearchDisplay.from_estimator(self, parameter, ax=ax)

    def _repr_html_inner(self) -> str:
        """Return what a notebook shows: scikit-learn's diagram before the fit, what was found after it."""
        return html_table(self.model_) if hasattr(self, "model_") else str(super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return bundle | ({"text/html": self._repr_html_inner()} if "text/html" in bundle else {})
