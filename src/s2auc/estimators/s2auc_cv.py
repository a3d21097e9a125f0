"""The classifier that tunes itself: checks what it is given, opens the data, searches, keeps what was found."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.common.parameters import check_parameters
from s2auc.common.threads import thread_limit
from s2auc.data.column_scaling import ColumnSample
from s2auc.data.labels import Labels
from s2auc.data.rows import dense_rows
from s2auc.data.source import RowSource
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import all_or_nothing, offered_if, open_inputs
from s2auc.estimators.callbacks import CallbackSupportMixin, FitTask, with_callbacks
from s2auc.estimators.checkpointing import keep_model, kept_rows, open_checkpoint, resumable, row_bytes, search_bytes
from s2auc.estimators.decision import check_decision, needs_population
from s2auc.estimators.memory_needs import check_search_sizes
from s2auc.estimators.record import describe_fit
from s2auc.estimators.rules import AXES, SEARCH_RULES, SEED
from s2auc.estimators.search_warnings import warn_of_findings
from s2auc.estimators.searching import ALERT_ROWS, SearchingRanker
from s2auc.ranking.losses import LOSSES
from s2auc.search.grid import MEMBERS, Grid
from s2auc.search.make_grid import Wanted, make_grid
from s2auc.search.plan import FoldPlan, auto_folds, held_out_places, make_plan
from s2auc.search.procedure import Choosing, search_settings
from s2auc.search.progress import SearchProgress
from s2auc.search.selection import Average, Selection, read_selection
from s2auc.search.splitting import read_groups
from s2auc.search.training import Training
from s2auc.search.wide_rows import WideRows
from s2auc.solvers.exact import Exact
from s2auc.solvers.history import shown_progress
from s2auc.solvers.job import Solver
from s2auc.solvers.qsg import QSG
from s2auc.solvers.table import read_solver
from s2auc.solvers.work_rows import collect_rows, draw_work_rows

if TYPE_CHECKING:
    from s2auc.search.display import SearchDisplay


def _has_probabilities(estimator: Any) -> None:
    """Raise an AttributeError if the fit had no negative rows, and nobody said how many rows are positive."""
    if hasattr(estimator, "model_") and estimator.model_.probabilities is None:
        raise AttributeError(
            "predict_proba needs the share of positive rows where only positive rows are labelled. Got "
            "class_prior=None; fit with class_prior=share, or with class_prior='estimate'."
        )


class S2AUCClassifierCV(CallbackSupportMixin, SearchingRanker):  # type: ignore[misc]
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
        X, y, X_unlabeled = open_inputs(X, y, X_unlabeled)
        X_unlabeled = self._learn_schema(X, X_unlabeled)
        source, labels = self._read(X, y, sample_weight, known=None, reset=True)
        groups = read_groups(groups, labels)
        rows = self._training_rows(source, labels, X_unlabeled)
        if not labels.n_negative and not rows.n_unlabeled:
            raise ValueError(
                "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones. Got "
                "none; pass X_unlabeled, or mark rows of y as unlabelled."
            )
        n_negative, owner = labels.n_negative, type(self).__name__
        asked = self.threshold, self.class_prior
        check_decision(*asked, n_negative=n_negative, n_unlabeled=rows.n_unlabeled, owner=owner)
        self.seed_ = SEED.read(self.random_state)
        expected = make_grid(self._wanted(selection), solver, rows.order, rows.n_unlabeled)
        touched = self._touched(rows, expected, solver)
        rows.announce(touched)
        check_search_sizes(self, solver, rows)
        self.classes_ = labels.classes
        self._is_positive_unlabeled = not labels.n_negative
        plan = make_plan(self._tests(source, labels, groups), labels.order.is_positive, judged=bool(self.judge))
        checkpoint = self._open_checkpoint(source, labels, rows, touched, plan, expected)
        with shown_progress(self.verbose), thread_limit(self.n_jobs), resumable(checkpoint):
            progress = SearchProgress(int(self.verbose))
            rows = kept_rows(rows, source, touched, checkpoint)
            progress.stage("rows", "%d positive, %d negative, %d unlabelled", *rows.sizes.values())
            self._learn_projection(rows)
            wide = None if self._projection is None else WideRows.of_training(rows, self.seed_)
            seen = self._seen(rows)
            grid = make_grid(self._wanted(selection), solver, rows.order, rows.n_unlabeled, wide)
            sample = ColumnSample.of_rows(dense_rows(seen.sample(self.seed_)), self._seen_schema)
            check_search_sizes(self, solver, seen, grid)
            work = collect_rows(seen, **self._drawing(grid, solver))
            training = Training.for_grid(
                grid, work, sample, plan, loss=LOSSES[self.loss], n_neighbors=int(self.n_neighbors), seed=self.seed_
            )
            progress.stage("columns", "%d in %d scalings", self._seen_schema.n_columns, len(training.prepared))
            task = FitTask(self, len(grid.entries), X, y, "entry")
            progress.wants_stop = task.subtask_done
            choosing = Choosing(grid, selection, rows.order.n_rows)
            found = search_settings(training, choosing, progress, checkpoint, crew=source.crew or rows.crew)
            progress.stage("judging", "%d settings of %d", len(found.chosen), len(found.grid.settings))
            self._keep(found, training, rows, describe_fit(self, rows, sample, self._schema, self.seed_))
            keep_model(self.model_, checkpoint)
            progress.stage("done", "held-out AUC %s", self.held_out_auc_ or "unknown")
        task.done(lambda: {"model_": self.model_, "offset_": self.offset_})
        warn_of_findings(self, labels, found.evidence.plan.n_folds, has_pool=X_unlabeled is not None)
        return self

    @offered_if(_has_probabilities)
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, negative first: Platt scaling of held-out scores."""
        check_is_fitted(self)
        return self.model_.probabilities_of_source(self._open_rows(X, reset=False))

    def plot_cv(self, parameter: str = "alpha", *, ax: Any = None) -> "SearchDisplay":
        """Draw the held-out AUC of all settings against one of their parameters; needs the extra `plot`."""
        from s2auc.search.display import SearchDisplay

        return SearchDisplay.from_estimator(self, parameter, ax=ax)

    def _wanted(self, selection: Selection) -> Wanted:
        given = MEMBERS if isinstance(self.members, str) else self.members
        members = [member for member in given if member in selection.members]
        if not members:
            raise ValueError(
                f"The 'members' parameter of {type(self).__name__} must hold one of {list(selection.members)} with "
                f"selection={selection.name!r}. Got {list(given)}; add one, or use selection='average'."
            )
        return Wanted(
            **{f"{name}s": _given(getattr(self, f"{name}s")) for name in AXES},
            n_frequencies=self.n_frequencies,
            members=members,
        )

    def _touched(self, rows: TrainingRows, grid: Grid, solver: Solver) -> IndexArray:
        """Return the numbers of the unlabelled rows that the search will look at, if they have to be known before."""
        if not rows.is_read_whole and self.checkpoint is None:
            return np.zeros(0, dtype=np.intp)
        drawn = draw_work_rows(rows, **self._drawing(grid, solver))
        alerts = rows.unlabeled_numbers(ALERT_ROWS if needs_population(self.threshold) else 0, self.seed_)
        return np.unique(np.concatenate([rows.sample_numbers(self.seed_), drawn.unlabeled, alerts]))

    def _open_checkpoint(
        self, source: RowSource, labels: Labels, rows: TrainingRows, touched: IndexArray, plan: FoldPlan, grid: Grid
    ) -> Checkpoint | None:
        if self.checkpoint is None:
            return None
        needed = row_bytes(rows, source, touched) + search_bytes(grid, rows, source, plan)
        return open_checkpoint(self, source, labels, rows, touched, beside=[plan.tests], needed=needed)

    def _drawing(self, grid: Grid, solver: Solver) -> dict[str, Any]:
        """Return which rows the settings of a grid want to be drawn."""
        max_iter = max((stop for points in grid.points for stop in points.max_iters), default=1)
        return {
            "rule": solver.draw_rule(max_iter, int(self.batch_size)),
            "seed": self.seed_,
            "uses_pool": any(points.uses_pool for points in grid.points),
            "uses_neighbors": any(points.uses_neighbors for points in grid.points),
        }

    def _tests(self, rows: RowSource, labels: Labels, groups: AnyArray | None) -> list[IndexArray]:
        """Return the rows that each fold tests, by their places among the labelled rows, positive ones first."""
        if hasattr(self.cv, "split"):
            return held_out_places(self.cv, rows, labels, groups)
        return auto_folds(labels.order.is_positive, int(self.cv), self.seed_, groups)


def _given(value: Any) -> Sequence[Any] | None:
    """Return the list that a parameter holds, None for "auto"."""
    return None if isinstance(value, str) else np.asarray(value, dtype=object).tolist()
