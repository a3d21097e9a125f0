"""Base of the baselines that learn one row after the other: passes over rows, and going on call by call."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.common.randomness import shuffled_rows
from s2auc.common.threads import single_blas_thread
from s2auc.common.user_warnings import warn_user
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.data.labels.labels import Labels
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import all_or_nothing
from s2auc.estimators.baselines.base import BaselineRanker, check_negatives
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.unchanged import check_same_settings, known_classes
from s2auc.models.parts.bounds import scaled_rows
from s2auc.models.parts.part import Part

CHUNK_NUMBERS = 2**20
"""Numbers that are formed at a time of rows that are learnt from: eight megabytes."""


_FREE_TO_CHANGE = frozenset({"max_epochs", "random_state"})
"""Parameters that may change from one call of `partial_fit` to the next, where they mean nothing."""


class OnlineLearner(Protocol):
    """An algorithm that takes rows one after the other, and where it stands.

    Attributes
    ----------
    columns
        What happens to columns before it sees them.
    numbers_a_row
        How many numbers it forms of a row.
    """

    columns: ColumnScaling
    numbers_a_row: int

    def learn(self, X: FloatArray, is_positive: BoolArray) -> None:
        """Make one step a row, in this order."""

    def part(self) -> Part:
        """Return the model that the steps so far have led to."""


Learner = TypeVar("Learner", bound=OnlineLearner)


class OnlineRanker(BaselineRanker, Generic[Learner]):
    """Base of classifiers with the parameters step_size, max_epochs, scaling, random_state, unlabeled and pos_label.

    A fit is as many passes over the labelled rows as `max_epochs`, each in a random order of its own; `partial_fit` is
    one pass in the order given. Unlabelled rows take part in settling what happens to columns, and in nothing else.
    """

    max_epochs: int
    n_steps_: int
    _learner_: Learner
    _settings_: dict[str, Any]
    _sample_: ColumnSample

    @all_or_nothing
    def fit(self, X: Any, y: Any, X_unlabeled: Any = None) -> Self:
        """Fit the model; if that fails, the estimator is what it was before.

        Parameters
        ----------
        X, y, X_unlabeled
            As for `S2AUCClassifier.fit`. Unlabelled rows only take part in settling what happens to columns.
        """
        data = self._open(X, y, X_unlabeled)
        check_negatives(self, data.rows)
        sample = data.sample_columns()
        learner = self._make_learner(sample, data.seed, data.rows.order.n_rows)
        places = _in_given_order(data.labels)
        for epoch in range(int(self.max_epochs)):
            _make_steps(learner, data.rows, places[shuffled_rows(data.seed, len(places), epoch)])
        return self._keep_learner(data, sample, learner, int(self.max_epochs) * len(places))

    @all_or_nothing
    def partial_fit(self, X: Any, y: Any, classes: ArrayLike | None = None) -> Self:
        """Make one more step for each labelled row, in the order given.

        The first call settles the classes and what happens to columns, for which it needs a labelled row, the more the
        better. The threshold of `predict` is chosen anew on the rows of each call that brings both classes.

        Parameters
        ----------
        X, y
            As for `fit`; y may lack classes.
        classes
            Both classes, where the first call's y does not hold them.
        """
        self._checked_parameters()
        is_first = not hasattr(self, "_learner_")
        if not is_first:
            check_same_settings(self, self._settings_, self._current_settings())
        known = known_classes(self, classes, goes_on=not is_first)
        data = self._open(X, y, classes=known, goes_on=not is_first)
        rows, labels = data.rows, data.labels
        if is_first:
            if not rows.order.n_rows or (known is None and not labels.n_negative):
                raise ValueError(
                    "The first call of partial_fit needs labelled rows and both classes. Got "
                    f"{labels.n_positive} positive and {labels.n_negative} negative rows and classes={classes!r}; "
                    "add labelled rows, or pass classes=[negative, positive]."
                )
            sample = data.sample_columns()
            learner = self._make_learner(sample, data.seed, None)
        elif not rows.order.n_rows:
            warn_user("No row of this call is labelled; the model stays as it is.")
            return self
        else:
            # A call that fails must leave nothing behind, in what steps change neither.
            sample, learner = self._sample_, deepcopy(self._learner_)
        _make_steps(learner, rows, _in_given_order(labels))
        n_before, offset = (0, 0.0) if is_first else (self.n_steps_, self.offset_)
        return self._keep_learner(data, sample, learner, n_before + rows.order.n_rows, offset)

    @abstractmethod
    def _make_learner(self, sample: ColumnSample, seed: int, n_rows: int | None) -> Learner:
        """Return the algorithm at its start, for so many rows a pass; None where nobody knows how many will come."""

    def _current_settings(self) -> dict[str, Any]:
        return {name: value for name, value in self._checked_parameters().items() if name not in _FREE_TO_CHANGE}

    def _keep_learner(
        self, data: FitData, sample: ColumnSample, learner: OnlineLearner, n_steps: int, offset: float = 0.0
    ) -> Self:
        """Adopt the model of where the algorithm stands; the threshold stays where rows of a class are missing."""
        with _steps_at_work():
            part = learner.part()
        has_both = data.rows.order.n_positive and data.rows.order.n_negative
        found = {
            "n_steps_": n_steps,
            "_learner_": learner,
            "_settings_": self._current_settings(),
            # What the rows say of their columns is kept, the rows themselves are not.
            "_sample_": replace(sample, rows=sample.rows[:0].copy()),
        }
        return self._keep_part(data, sample, part, found, None if has_both else offset)


def _make_steps(learner: OnlineLearner, rows: TrainingRows, places: IndexArray) -> None:
    """Let the algorithm see the labelled rows at these places, one after the other."""
    chunk_rows = max(1, CHUNK_NUMBERS // learner.numbers_a_row)
    with _steps_at_work():
        for first in range(0, len(places), chunk_rows):
            chosen = places[first : first + chunk_rows]
            learner.learn(scaled_rows(learner.columns, rows.labeled[chosen]), chosen < rows.order.n_positive)


@contextmanager
def _steps_at_work() -> Iterator[None]:
    """Hold BLAS to one thread; overflow shows in the weights, which are checked."""
    with single_blas_thread, np.errstate(over="ignore", invalid="ignore"):
        yield


def _in_given_order(labels: Labels) -> IndexArray:
    """Return the places of labelled rows among those that stand positive first, in the order in which y has them."""
    places: IndexArray = np.argsort(labels.positive_first(), kind="stable")
    return places
