"""What every classifier that ranks has in common: reading rows and labels, scoring, predicting, saving."""

from collections.abc import Callable
from functools import update_wrapper, wraps
from os import PathLike
from types import MethodType
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.user_warnings import warn_user
from s2auc.data.arrow_frames import is_table
from s2auc.data.combined import ChainedRows
from s2auc.data.engines import open_labels
from s2auc.data.inputs import as_rows, learn_schema, open_rows
from s2auc.data.label_checks import check_both_classes, check_lengths
from s2auc.data.label_weights import weigh_labels
from s2auc.data.labels import Labels, read_known_labels, read_labels
from s2auc.data.lazy_table import LazyRows
from s2auc.data.other_rows import OtherRows
from s2auc.data.schema import Schema
from s2auc.data.source import RowSource
from s2auc.data.table import Table, open_table
from s2auc.data.table_files import is_path
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.meta_estimators import warn_of_meta_estimators
from s2auc.models import Model, save_model
from s2auc.models.labeled_scores import score_labeled
from s2auc.ranking.metrics import auc_of_groups

Method = TypeVar("Method", bound=Callable[..., Any])


def all_or_nothing(method: Method) -> Method:
    """Return the method such that, if it does not end well, the estimator is what it was before."""

    @wraps(method)
    def guarded(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(estimator))
        try:
            return method(estimator, *args, **kwargs)
        except BaseException:
            vars(estimator).clear()
            vars(estimator).update(before)
            raise

    return cast(Method, guarded)


class offered_if:  # noqa: N801 a decorator
    """Decorator of a method that is there only where a check passes; else its absence says why, in one sentence.

    Unlike scikit-learn's `available_if`, the `AttributeError` is the check's own.
    """

    def __init__(self, check: Callable[[Any], object]) -> None:
        self._check = check

    def __call__(self, method: Callable[..., Any]) -> Any:
        """Take the method."""
        self._method = method
        update_wrapper(cast(Any, self), method)
        return self

    def __get__(self, estimator: Any, owner: type | None = None) -> Any:
        """Return the method of an estimator, once the check has passed."""
        if estimator is None:
            return self._method
        self._check(estimator)
        return MethodType(self._method, estimator)


class Ranker(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of classifiers whose fit leaves a `Model` in `model_` and the two classes in `classes_`.

    Subclasses have the constructor parameters `unlabeled` and `pos_label`, and may have `categorical_features`.
    """

    classes_: AnyArray
    model_: Model
    unlabeled: Any
    pos_label: Any
    _schema: Schema
    _roles: dict[str, str]
    _is_positive_unlabeled: bool
    _allows_missing: ClassVar[bool] = False

    def decision_function(self, X: Any) -> FloatArray:
        """Return the score of every row: the higher, the more likely positive; above zero means predicted positive."""
        check_is_fitted(self)
        return self.model_.score_source(self._open_rows(X, reset=False))

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted class of every row: positive where the decision function is above zero.

        Its zero is at `offset_`, the threshold that best separates the positive from the negative training rows (from
        the unlabelled ones where there are no negatives) by the difference of the shares above it, unless the
        classifier has a parameter that says otherwise.
        """
        check_is_fitted(self)
        return self.model_.predict_source(self._open_rows(X, reset=False))

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the AUC over the labelled rows of (X, y); unlabelled rows are ignored.

        After a fit without negative rows, whatever label stands beside the positive class counts as negative. Weights
        of unlabelled rows are not looked at.
        """
        check_is_fitted(self)
        X, y, _ = open_inputs(X, y)
        labels = read_known_labels(
            y, self.classes_, unlabeled=self.unlabeled, other_is_negative=self._is_positive_unlabeled
        )
        rows = self._open_rows(X, reset=False)
        check_lengths(rows, labels)
        check_both_classes(labels, self.unlabeled, is_positive_unlabeled=self._is_positive_unlabeled)
        weighed = weigh_labels(labels, sample_weight)
        scores, order = score_labeled(self.model_, rows, weighed), weighed.order
        sides = order.positive, order.negative
        return auc_of_groups(*(scores[side] for side in sides), *map(order.weight_of, sides))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `s2auc.load_model` reads: numbers and short texts only, whole or not at all.

        Needs the extra `files`. The file holds what scoring needs and what was found, not what `partial_fit` would go
        on from.
        """
        check_is_fitted(self)
        save_model(self.model_, path)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn: two classes, sparse input."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._allows_missing
        return tags

    def _read(
        self, X: Any, y: Any, sample_weight: Any, *, known: AnyArray | None, reset: bool
    ) -> tuple[RowSource, Labels]:
        """Return the rows of X and what y means, and how much each labelled row counts."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        warn_of_meta_estimators(self.unlabeled)
        rows = self._open_rows(X, reset=reset)
        if known is None:
            labels = read_labels(y, unlabeled=self.unlabeled, pos_label=self.pos_label)
        else:
            labels = read_known_labels(y, known, unlabeled=self.unlabeled)
        check_lengths(rows, labels)
        return rows, weigh_labels(labels, sample_weight)

    def _learn_schema(self, X: Any, X_unlabeled: Any) -> Any:
        """Settle what the columns are, and return the unlabelled rows."""
        self._roles = dict(getattr(X, "roles", {}))
        self._schema = learn_schema(X, getattr(self, "categorical_features", None), X_unlabeled)
        return X_unlabeled

    def _open_rows(self, X: Any, *, reset: bool) -> RowSource:
        """Return rows as a source of numbers, once they are known to be ones."""
        X = as_rows(X)
        if isinstance(X, LazyRows | RowSource):
            source = open_rows(X, self._schema, allows_missing=self._allows_missing)
            if reset:
                self.n_features_in_ = source.schema.n_passed
                self.__dict__.pop("feature_names_in_", None)
                if source.schema.names is not None:
                    self.feature_names_in_ = np.array(source.schema.passed_names, dtype=object)
            return source
        validate_data(self, X, reset=reset, skip_check_array=True)
        return open_rows(X, self._schema, allows_missing=self._allows_missing, min_rows=1)

    def _open_unlabeled(self, X_unlabeled: Any) -> RowSource:
        """Return more unlabelled rows as a source of numbers with the columns of X."""
        X = as_rows(X_unlabeled, "X_unlabeled")
        if not isinstance(X, LazyRows | RowSource):
            try:
                validate_data(self, X, reset=False, skip_check_array=True)
            except ValueError as error:  # which calls them X
                raise ValueError(f"X_unlabeled cannot be used: {error}") from error
        return open_rows(X, self._schema, "X_unlabeled", allows_missing=self._allows_missing)

    def _training_rows(self, rows: RowSource, labels: Labels, X_unlabeled: Any) -> TrainingRows:
        """Return labelled rows, gathered, and the sources of unlabelled ones."""
        pools: list[RowSource] = []
        if labels.n_unlabeled:
            pools.append(OtherRows(rows, labels.not_unlabeled))
        if X_unlabeled is not None:
            more = self._open_unlabeled(X_unlabeled)
            if more.n_rows:
                pools.append(more)
        numbers = labels.positive_first()
        rows.announce(numbers)
        unlabeled = ChainedRows(*pools) if len(pools) == 2 else pools[0] if pools else None
        return TrainingRows(lambda: rows.gather(numbers), labels.order, unlabeled)


def open_inputs(X: Any, y: Any, X_unlabeled: Any = None) -> tuple[Any, Any, Any]:
    """Return what a fit was given, as rows and labels that the rest of the package takes.

    The name of a column, as y, stands for the labels of a table.
    """
    if isinstance(y, str):
        is_open = isinstance(X, Table)
        if not is_open and not is_path(X) and not is_table(X):
            raise TypeError(
                "X must be a table where y is the name of one of its columns. Got "
                f"{type(X).__name__} and y={y!r}; pass one label per row."
            )
        table = X.dropping([], {"label": y}) if is_open else open_table(X, label=y)
        X, y = table.X, table.column(y)
    rows = as_rows(X)
    pool = None if X_unlabeled is None else as_rows(X_unlabeled, "X_unlabeled")
    return rows, open_labels(y), pool


def usable_weight(rows: TrainingRows, labeled_weight: float) -> float:
    """Return the labelled weight to fit with, or raise where there is nothing to learn from."""
    if rows.n_unlabeled == 0 and rows.order.n_negative:
        if labeled_weight < 1:
            warn_of_no_pool("labeled_weight=1")
        return 1.0
    if not rows.order.n_negative and (not rows.n_unlabeled or labeled_weight == 1):
        raise ValueError(
            "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones and "
            f"labeled_weight < 1. Got {rows.n_unlabeled} unlabelled rows and labeled_weight={labeled_weight:g}."
        )
    # Without negative rows one term is left: its weight would only dilute it against alpha.
    return labeled_weight if rows.order.n_negative else 0.0


def warn_of_no_pool(parameter: str) -> None:
    """Warn that no rows are unlabelled."""
    warn_user(f"There are no unlabelled rows: the model is learnt from labelled pairs only, as with {parameter}.")
