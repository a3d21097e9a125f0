"""The classifier that tunes itself: checks what it is given, opens the data, searches, keeps what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s2auc.common.arrays import FloatArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.parameters import check_parameters
from s2auc.common.threads import thread_limit
from s2auc.estimators.base import Ranker, all_or_nothing, offered_if
from s2auc.estimators.fitting.callbacks import CallbackSupportMixin, FitTask, with_callbacks
from s2auc.estimators.fitting.checkpointing import resumable
from s2auc.estimators.fitting.fit_data import FitData, open_scored
from s2auc.estimators.fitting.rules import SEARCH_RULES
from s2auc.estimators.fitting.search_findings import warn_of_findings
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.estimators.search_plan import SearchPlan
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


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class S2AUCClassifierCV(CallbackSupportMixin, Ranker):  # type: ignore[misc]
    """`S2AUCClassifier` that chooses its settings by cross-validation, and says how good they are.

    Every setting of a grid is trained on the labelled rows less a fold, for every fold, and judged by the AUC on that
    fold. The best settings are averaged into one model, together with linear functions and forests. Settings that share
    columns and kernel share their cosines, so the whole search takes far less time than as many fits. Scaling of
    columns is learnt from all rows, labelled or not.

    Parameters
    ----------
    n_frequencies : int or None
        Random frequencies per setting of kernels; None is 256 for each kernel with "exact", 512 with neighbours.
    solver : {"exact", "qsg"}, QSG or Exact
        Solver of all settings of kernels: "exact" solves for random features in closed form, "qsg" makes
        the steps of QSG-S2AUC.
    kernels : "auto" or sequence of str, default="auto"
        Values of `kernel` of `S2AUCClassifier` to try. "auto", here and below, suits the number of labels.
    kernel_gammas : "auto" or sequence of float or str, default="auto"
        Values of `kernel_gamma` to try.
    alphas : "auto" or sequence of float, default="auto"
        Values of `alpha` to try.
    labeled_weights : "auto" or sequence of float, default="auto"
        Values of `labeled_weight` to try.
    neighbor_weights : "auto" or sequence of float, default="auto"
        Values of `neighbor_weight` to try. Settings with neighbours have the largest labelled weight only.
    scalings : "auto" or sequence of str, default="auto"
        Values of `scaling` to try.
    column_weightings : "auto" or sequence of str, default="auto"
        Values of `column_weighting` to try. With "auc", settings have the largest labelled weight only, and no
        neighbours.
    max_iters : "auto" or sequence of int, default="auto"
        Values of `max_iter` to try, for a solver that makes steps: all of them cost no more than the largest.
    members : "auto" or sequence of {"kernels", "linear", "trees"}, default="auto"
        Kinds of models that may take part in the average: kernel functions, linear functions and forests. The last two
        learn from labelled rows only, and need negative ones.
    selection : {"average", "best", "one-standard-error"} or Average, default="average"
        Rule that chooses among settings. "average": the best settings of every scaling, the linear ones and the
        forests, each divided by the spread of its scores, weighted by their AUC on held-out rows (`Average(n,
        max_frequencies)` has the options). "one-standard-error": the simplest setting near the best.
    cv : int, splitter or iterable, default=5
        Number of folds; a splitter of scikit-learn's kind, which is given the labelled rows only, their labels as zeros
        and ones; or pairs of training and test rows of X, of which unlabelled ones are passed over. With a number and
        few rows of a class there are fewer folds, drawn several times; rows of one of the `groups` of `fit` stay
        together.
    judge : bool, default=True
        Whether to estimate the AUC of the whole procedure by nested cross-validation, on folds that took no part in
        choosing, also with fewer labels (`held_out_auc_`, `learning_curve_`). Takes about three times as long.
    threshold : str, float, (str, float) or None, default=None
        Where `predict` turns positive; it moves the zero of `decision_function`, never the order. On held-out rows:
        best for "balanced_accuracy", "accuracy" or "f1"; ("precision", 0.8), as low as that share of the rows above
        may be positive; ("recall", 0.9), as high as that share of the positive rows is above. ("alerts", 0.01): at
        most that share of 20,000 unlabelled rows is above. A number is a probability of `predict_proba`, and None one
        half ("balanced_accuracy" where there are no probabilities).
    class_prior : float, "estimate" or None, default=None
        Share of positive rows among those to be scored, for `predict_proba` and `threshold`. "estimate" takes it from
        the scores of unlabelled rows and of held-out ones. None is the share among the labels; where only positive
        rows are labelled there are no probabilities then.
    verbose : int, default=0
        1 logs every stage, as `S2AUCClassifier` does, and every few seconds how much is left; 2 every entry of the
        grid. Callbacks of scikit-learn see one subtask per entry; a callback that asks to stop skips the other entries.

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
    label_sampling_
        Whether labels seem to be chosen by score: `.answer` ("random", "by score", "uncovered", "not tested"), the
        biased `.unweighted_auc`, and a sentence when printed. If "by score", `held_out_auc_`, the learning curve,
        thresholds, probabilities, an estimated class prior and the choice of settings weight labelled rows so that they
        represent all rows; if "uncovered", `held_out_auc_` is None.
    telling_columns_
        Columns that alone rank the labelled rows almost perfectly, by their values or missing values, or that are
        filled in just where rows are labelled: `.name`, `.auc`, `.is_suspect` and a `.sentence` of each. Suspects may
        be target leakage: drop those that are not known before the outcome.
    repeated_rows_
        Sentence about labelled rows that repeat others cell by cell, and about contradictory labels of such rows; empty
        if there are none. Equal rows are held out together, unless `cv` or `groups` say what is held out.
    corrected_auc_
        Where only positive rows are labelled, `held_out_auc_` compares these with unlabelled rows, some of which are
        positive. With `class_prior` this is the AUC of positive against negative rows that follows; else None.
    time_auc_
        AUC of models trained on earlier rows, on later ones, with an interval; None unless `fit` was given `time`, or
        where rows are too few. Random folds are optimistic where data drift: `str(time_verdict_)` compares the two.
    time_verdict_
        Sentence that compares `time_auc_` with `held_out_auc_`; None without `time`.
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

    kernels: str | Sequence[str] = "auto"
    kernel_gammas: str | Sequence[float | str] = "auto"
    alphas: str | Sequence[float] = "auto"
    labeled_weights: str | Sequence[float] = "auto"
    neighbor_weights: str | Sequence[float] = "auto"
    scalings: str | Sequence[str] = "auto"
    column_weightings: str | Sequence[str] = "auto"
    max_iters: str | Sequence[int] = "auto"
    loss: str = "square"
    members: str | Sequence[str] = "auto"
    n_neighbors: int = 10
    sparse_components: int | str | None = "auto"
    n_frequencies: int | None = None
    batch_size: int = 64
    solver: str | QSG | Exact = "exact"
    selection: str | Average = "average"
    cv: Any = 5
    judge: bool = True
    threshold: str | float | tuple[str, float] | None = None
    class_prior: float | str | None = None
    categorical_features: str | Sequence[str | int] | None = "from_dtype"
    text_features: Sequence[str | int] | None = None
    unlabeled: Any = -1
    pos_label: Any = None
    checkpoint: str | PathLike[str] | None = None
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None
    verbose: int = 0

    @all_or_nothing
    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        X_unlabeled: Any = None,
        *,
        groups: Any = None,
        sample_weight: Any = None,
        random_labels: Any = None,
        time: Any = None,
    ) -> Self:
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
        random_labels
            One boolean (or "random") per row of X: whether a labelled row was drawn at random. Only such rows are held
            out, so that the stated AUC is that of the table; the others are learnt from all the same.
        time
            One number or date per row of X: the AUC is also estimated by training on earlier and testing on later rows
            (`time_auc_`). Needs `judge`.
        """
        check_parameters(type(self).__name__, self.get_params(deep=False), SEARCH_RULES)
        solver = read_solver(self.solver, self.loss, type(self).__name__)
        selection = read_selection(self.selection, int(self.n_frequencies or solver.search_frequencies))
        data = FitData.open(
            self, X, y, X_unlabeled, groups=groups, sample_weight=sample_weight, random_labels=random_labels, time=time
        )
        plan = SearchPlan.make(self, data, solver, selection)
        task = FitTask(self, len(plan.choosing.grid.entries), X, y, "entry")
        with shown_progress(self.verbose), thread_limit(self.n_jobs), resumable(plan.checkpoint):
            fitted = plan.run(self, SearchProgress(int(self.verbose), task.subtask_done))
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
