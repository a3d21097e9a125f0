"""Learners with one face: fit on labelled and unlabelled rows, then score.

Labels are booleans, the unlabelled rows may be none, and whatever a learner tunes it tunes inside `fit`, on the
labelled rows. Modules of scikit-learn are imported where they are used, so that a process loads only its own.
"""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray
from s2auc.ranking.metrics import auc

#: Folds of the cross-validation over labelled rows, fewer where a class has fewer rows.
N_FOLDS = 5


class Learner(Protocol):
    """What the harness asks of a method.

    A text attribute `note`, if there is one, goes into the result; so does `details`, plain JSON values by name.
    """

    def fit(self, X_labeled: AnyArray, y_labeled: BoolArray, X_unlabeled: AnyArray) -> object:
        """Learn from labelled rows and from unlabelled ones, of which there may be none."""

    def scores(self, X: AnyArray) -> AnyArray:
        """Return one score a row, the higher the more likely positive."""


class NamedLearner:
    """A classifier of this library by its name; what it warns of goes into the note."""

    def __init__(self, seed: int, *, estimator: str, **parameters: Any) -> None:
        import s2auc

        self.note = ""
        self._estimator = getattr(s2auc, estimator)(random_state=seed, **parameters)

    @property
    def history(self) -> dict[str, FloatArray]:
        """The course of the training; empty where none is kept."""
        history: dict[str, FloatArray] = getattr(self._estimator, "history_", {})
        return history

    @property
    def details(self) -> dict[str, Any]:
        """What a search found best, in numbers and words; empty where there was none."""
        found = getattr(self._estimator, "best_params_", None)
        plain = int, float, str, bool, type(None)
        return {} if found is None else {"best_params": {k: v for k, v in found.items() if isinstance(v, plain)}}

    def fit(self, X_labeled: AnyArray, y_labeled: BoolArray, X_unlabeled: AnyArray) -> object:
        """Fit the classifier."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self._estimator.fit(X_labeled, y_labeled, X_unlabeled if len(X_unlabeled) else None)
        self.note = " ".join(dict.fromkeys(str(warning.message) for warning in caught))
        return self._estimator

    def scores(self, X: AnyArray) -> AnyArray:
        """Return the decision function."""
        return np.asarray(self._estimator.decision_function(X))


class SupervisedLearner:
    """A scikit-learn classifier for the labelled rows alone, its grid searched by cross-validated AUC.

    Parameters
    ----------
    estimator
        The classifier, or a pipeline that ends with one.
    grid
        Values to try of some of its parameters; empty for no search.
    seed
        Seed of the folds.
    final
        Parameters to set after the search, say more trees than the search can afford.
    """

    def __init__(
        self, estimator: Any, grid: Mapping[str, Sequence[Any]], seed: int, final: Mapping[str, Any] | None = None
    ) -> None:
        from sklearn import model_selection

        self.note = ""
        self._estimator = estimator
        self._grid = dict(grid)
        self._seed = seed
        self._final = dict(final or {})
        self._selection = model_selection

    def fit(self, X_labeled: AnyArray, y_labeled: BoolArray, X_unlabeled: AnyArray) -> object:  # noqa: ARG002
        """Search the grid, then fit on all labelled rows."""
        target = y_labeled.astype(np.intp)
        self._estimator.set_params(**self.search(X_labeled, target), **self._final)
        return self._estimator.fit(X_labeled, target)

    def search(self, X: AnyArray, target: AnyArray) -> dict[str, Any]:
        """Return the parameters with the best cross-validated AUC."""
        if not self._grid:
            return {}
        n_rare = int(np.bincount(target, minlength=2).min())
        if n_rare < 2:
            self.note = "not tuned: a class has one labelled row only"
            return {}
        folds = self._selection.StratifiedKFold(min(N_FOLDS, n_rare), shuffle=True, random_state=self._seed)
        searched = self._selection.GridSearchCV(
            self._estimator, self._grid, scoring=_auc_of, cv=folds, refit=False, error_score="raise"
        )
        found: dict[str, Any] = searched.fit(X, target).best_params_
        return found

    def scores(self, X: AnyArray) -> AnyArray:
        """Return the decision function, or the probability of the positive class where there is none."""
        return _scores_of(self._estimator, X)


class SelfTrainingLearner(SupervisedLearner):
    """scikit-learn's self-training around a classifier that was first tuned on the labelled rows."""

    def __init__(self, estimator: Any, grid: Mapping[str, Sequence[Any]], seed: int, **parameters: Any) -> None:
        from sklearn.semi_supervised import SelfTrainingClassifier

        super().__init__(estimator, grid, seed)
        self._trainer = SelfTrainingClassifier(estimator, **parameters)

    def fit(self, X_labeled: AnyArray, y_labeled: BoolArray, X_unlabeled: AnyArray) -> object:
        """Tune, then label the rows that the classifier is sure about, and learn from them, in turns."""
        target = y_labeled.astype(np.intp)
        self._estimator.set_params(**self.search(X_labeled, target))
        return self._trainer.fit(*_marked(X_labeled, target, X_unlabeled))

    def scores(self, X: AnyArray) -> AnyArray:
        """Return the decision function of the last classifier."""
        return _scores_of(self._trainer, X)


class LabelSpreadingLearner:
    """scikit-learn's label spreading over a nearest neighbour graph of scaled rows.

    Parameters
    ----------
    seed
        Seed of the choice of unlabelled rows.
    max_unlabeled
        At most this many unlabelled rows, drawn at random, join the graph: building it takes time in proportion
        to the square of the rows.
    parameters
        Parameters of `LabelSpreading`.
    """

    def __init__(self, seed: int, *, max_unlabeled: int, **parameters: Any) -> None:
        from sklearn.preprocessing import StandardScaler
        from sklearn.semi_supervised import LabelSpreading

        self.note = ""
        self._seed = seed
        self._max_unlabeled = max_unlabeled
        self._scaler = StandardScaler()
        self._spreading = LabelSpreading(kernel="knn", **parameters)

    def fit(self, X_labeled: AnyArray, y_labeled: BoolArray, X_unlabeled: AnyArray) -> object:
        """Draw unlabelled rows if there are too many, then spread the labels."""
        if len(X_unlabeled) > self._max_unlabeled:
            self.note = f"learnt from {self._max_unlabeled:,} random rows of the {len(X_unlabeled):,} unlabelled ones"
            chosen = np.random.default_rng(self._seed).choice(len(X_unlabeled), self._max_unlabeled, replace=False)
            X_unlabeled = X_unlabeled[np.sort(chosen)]
        self._share = float(y_labeled.mean())
        X, target = _marked(X_labeled, y_labeled.astype(np.intp), X_unlabeled)
        return self._spreading.fit(self._scaler.fit_transform(X), target)

    def scores(self, X: AnyArray) -> AnyArray:
        """Return the probability of the positive class."""
        with np.errstate(invalid="ignore"):
            probabilities = self._spreading.predict_proba(self._scaler.transform(X))[:, 1]
        # Rows all of whose neighbours no label reaches come out as 0/0: nothing is known of them but the share.
        return np.where(np.isnan(probabilities), self._share, probabilities)


def _marked(X_labeled: AnyArray, target: AnyArray, X_unlabeled: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return all rows with -1 as the label of the unlabelled ones, as scikit-learn has it."""
    return np.concatenate([X_labeled, X_unlabeled]), np.concatenate([target, np.full(len(X_unlabeled), -1)])


def _auc_of(estimator: Any, X: AnyArray, target: AnyArray) -> float:
    return auc(target == 1, _scores_of(estimator, X))


def _scores_of(estimator: Any, X: AnyArray) -> AnyArray:
    if "n_jobs" in estimator.get_params(deep=False):
        # A forest adds up its trees in the order in which threads come by, and the last bits with it.
        estimator.set_params(n_jobs=1)
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(X))
    return np.asarray(estimator.predict_proba(X)[:, 1])
