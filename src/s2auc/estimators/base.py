"""Base of all classifiers that rank: scoring, predicting, saving, and taking over what a fit found."""

from collections.abc import Callable, Mapping
from functools import update_wrapper, wraps
from os import PathLike
from types import MethodType
from typing import Any, ClassVar, Self, TypeVar, cast

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.messages import Message
from s2auc.common.user_warnings import warn_user
from s2auc.data.labels.checks import check_both_classes, check_lengths
from s2auc.data.labels.labels import read_known_labels
from s2auc.data.labels.weights import weigh_labels
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.fitting.decision import only_positive_rows
from s2auc.estimators.fitting.fit_data import open_labeled, open_scored
from s2auc.models.files.file import save_model
from s2auc.models.labels_of_model import score_labeled
from s2auc.models.model import Model
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
    seed_: int
    offset_: float
    unlabeled: Any
    pos_label: Any
    _is_positive_unlabeled_: bool
    _allows_missing: ClassVar[bool] = False

    def decision_function(self, X: Any) -> FloatArray:
        """Return the score of every row: the higher, the more likely positive; above zero means predicted positive."""
        check_is_fitted(self)
        return self.model_.score_source(open_scored(self, X))

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted class of every row: positive where the decision function is above zero.

        Its zero is at `offset_`, the threshold that best separates the positive from the negative training rows (from
        the unlabelled ones where there are no negatives) by the difference of the shares above it, unless the
        classifier has a parameter that says otherwise.
        """
        check_is_fitted(self)
        return self.model_.predict_source(open_scored(self, X))

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the AUC over the labelled rows of (X, y); unlabelled rows are ignored.

        After a fit without negative rows, whatever label stands beside the positive class counts as negative. Weights
        of unlabelled rows are not looked at.
        """
        check_is_fitted(self)
        X, y = open_labeled(X, y)
        labels = read_known_labels(
            y, self.classes_, unlabeled=self.unlabeled, other_is_negative=self._is_positive_unlabeled_
        )
        rows = open_scored(self, X)
        check_lengths(rows, labels)
        check_both_classes(labels, self.unlabeled, is_positive_unlabeled=self._is_positive_unlabeled_)
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

    def _adopt(self, fitted: Mapping[str, Any]) -> Self:
        """Set the fitted attributes, whose names end in an underscore, in the place of those of an earlier fit."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        for name, value in fitted.items():
            setattr(self, name, value)
        return self


def usable_weight(rows: TrainingRows, labeled_weight: float) -> float:
    """Return the labelled weight to fit with, or raise where there is nothing to learn from."""
    if rows.n_unlabeled == 0 and rows.order.n_negative:
        if labeled_weight < 1:
            warn_of_no_pool("labeled_weight=1")
        return 1.0
    if not rows.order.n_negative and not rows.n_unlabeled:
        raise only_positive_rows()
    if not rows.order.n_negative and labeled_weight == 1:
        raise ValueError(
            "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones and "
            f"labeled_weight < 1. Got {rows.n_unlabeled} unlabelled rows and labeled_weight={labeled_weight:g}."
        )
    # Without negative rows one term is left: its weight would only dilute it against alpha.
    return labeled_weight if rows.order.n_negative else 0.0


def warn_of_no_pool(parameter: str) -> None:
    """Warn that no rows are unlabelled."""
    words = f"There are no unlabelled rows: the model is learnt from labelled pairs only{{, as with {parameter}}}."
    warn_user(Message(words))
