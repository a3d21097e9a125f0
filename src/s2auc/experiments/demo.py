"""The demonstration: whether unlabelled rows help to rank handwritten digits, and how other methods do."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from s2auc.arrays import BoolArray, FloatArray, IndexArray
from s2auc.delong import AUCDifference, AUCInterval, delong_difference, delong_interval
from s2auc.estimator import S2AUCClassifier

UNLABELED = -1
SEED_LIMIT = 2**32
"""Seeds are integers in [0, SEED_LIMIT): what scikit-learn takes."""

SEMI_SUPERVISED = "QSG-S2AUC"
LABELED_ONLY = "S2AUC labelled only"
EXACT = "S2AUC exact solver"
LOGISTIC = "Logistic regression"
FOREST = "Random forest"


@dataclass(frozen=True)
class DemoData:
    """Training rows of which few are labelled (1, 0, else -1), and test rows that no method is trained on."""

    X: FloatArray
    y: IndexArray
    test_rows: FloatArray
    test_is_positive: BoolArray
    seed: int

    @property
    def is_labeled(self) -> BoolArray:
        """Which training rows carry a label."""
        is_labeled: BoolArray = self.y != UNLABELED
        return is_labeled


@dataclass(frozen=True)
class Outcome:
    """What one method achieved: scores of the test rows, their AUC, the rows it learnt from, and its time."""

    name: str
    n_rows: int
    interval: AUCInterval
    seconds: float
    scores: FloatArray


@dataclass(frozen=True)
class DemoResult:
    """Outcomes, the best first; what the unlabelled rows brought; the course of the semi-supervised training."""

    outcomes: tuple[Outcome, ...]
    gain: AUCDifference
    history: dict[str, FloatArray]
    data: DemoData


def make_data(n_labels: int = 100, seed: int = 0) -> DemoData:
    """Return the digits, five or above against below, with a third held out and all but `n_labels` labels hidden.

    Parameters
    ----------
    n_labels
        How many training rows keep their label, drawn at random but at least one of each class.
    seed
        Seed of the split and of the labels.

    Examples
    --------
    >>> data = make_data(n_labels=10)
    >>> data.X.shape, data.test_rows.shape, int(data.is_labeled.sum())
    ((1198, 64), (599, 64), 10)
    """
    X, is_positive = _digits()
    n_test = len(X) // 3
    n_training = len(X) - n_test
    if not 2 <= n_labels < n_training:
        raise ValueError(
            f"The number of labels must be an integer from 2 (one of each class) to {n_training - 1} (one training "
            f"row stays unlabelled), but it is {n_labels}: try 100."
        )
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"The seed must be an integer from 0 to {SEED_LIMIT - 1}, but it is {seed}: try 0.")
    order = np.random.default_rng(seed).permutation(len(X))
    test, training = order[:n_test], order[n_test:]
    truth = is_positive[training]
    one_of_each = np.array([np.argmax(truth), np.argmin(truth)])
    # The rows are in random order already, so the first of the others are a random draw.
    labeled = np.concatenate((one_of_each, np.setdiff1d(np.arange(n_training), one_of_each)))[:n_labels]
    y = np.full(n_training, UNLABELED)
    y[labeled] = truth[labeled]
    return DemoData(X[training], y, X[test], is_positive[test], seed)


def run_demo(data: DemoData, *, max_iter: int = 200, report: Callable[[str], object] = str) -> DemoResult:
    """Return how every method ranks the test rows after training on the training rows.

    Parameters
    ----------
    data
        From `make_data`.
    max_iter
        Steps of the stochastic solver.
    report
        Called with the name of each method before it is trained; nothing happens by default.

    Examples
    --------
    >>> result = run_demo(make_data(n_labels=20), max_iter=5)
    >>> len(result.outcomes), len(result.history["risk"])
    (5, 5)
    """
    outcomes, history = {}, {}
    for name, (estimator, sees_unlabeled) in _methods(data, max_iter).items():
        report(name)
        rows = slice(None) if sees_unlabeled else data.is_labeled
        X, y = data.X[rows], data.y[rows]
        started = perf_counter()
        estimator.fit(X, y)
        seconds = perf_counter() - started
        scores = _scores(estimator, data.test_rows)
        outcomes[name] = Outcome(name, len(X), delong_interval(data.test_is_positive, scores), seconds, scores)
        if name == SEMI_SUPERVISED:
            history = estimator.history_
    gain = delong_difference(data.test_is_positive, outcomes[SEMI_SUPERVISED].scores, outcomes[LABELED_ONLY].scores)
    ranked = sorted(outcomes.values(), key=lambda outcome: -outcome.interval.auc)
    return DemoResult(tuple(ranked), gain, history, data)


def describe_gain(gain: AUCDifference) -> str:
    """Return the sentence that says whether the unlabelled rows helped, as far as the interval can tell.

    Examples
    --------
    >>> describe_gain(AUCDifference(0.012, 0.004, 0.004, 0.02, 0.003, 0.95))
    'The unlabelled rows helped: +0.0120 test AUC against labelled rows only (95 % interval +0.0040 to +0.0200).'
    """
    if gain.low > 0:
        verdict = "The unlabelled rows helped"
    elif gain.high < 0:
        verdict = "The unlabelled rows hurt"
    else:
        verdict = "The unlabelled rows made no clear difference"
    return (
        f"{verdict}: {gain.difference:+z.4f} test AUC against labelled rows only "
        f"({100 * gain.level:g} % interval {gain.low:+z.4f} to {gain.high:+z.4f})."
    )


def describe_best(outcomes: tuple[Outcome, ...]) -> str:
    """Return the sentence that names the winner, whoever it is."""
    best = outcomes[0]
    return f"Best test AUC here: {best.name} ({best.interval.auc:.3f})."


@cache
def _digits() -> tuple[FloatArray, BoolArray]:
    """Return all rows and which of them show five or above; unpacking the file takes longer than a split."""
    X, digit = load_digits(return_X_y=True)
    return X, digit >= 5


def _methods(data: DemoData, max_iter: int) -> dict[str, tuple[Any, bool]]:
    """Return the methods by name, each with whether it is given the unlabelled rows."""
    seed = data.seed
    return {
        LABELED_ONLY: (S2AUCClassifier(labeled_weight=1, max_iter=max_iter, random_state=seed), False),
        SEMI_SUPERVISED: (S2AUCClassifier(max_iter=max_iter, random_state=seed), True),
        EXACT: (S2AUCClassifier(solver="exact", random_state=seed), True),
        LOGISTIC: (_logistic_regression(data), False),
        FOREST: (RandomForestClassifier(n_estimators=300, random_state=seed), False),
    }


def _logistic_regression(data: DemoData) -> Any:
    """Return a logistic regression on scaled columns whose strength is chosen by cross-validated AUC."""
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))
    n_folds = min(5, *np.bincount(data.y[data.is_labeled]))
    if n_folds < 2:
        return model
    return GridSearchCV(model, {"logisticregression__C": np.logspace(-4, 1, 6)}, scoring="roc_auc", cv=n_folds)


def _scores(estimator: Any, X: FloatArray) -> FloatArray:
    scores: FloatArray
    if hasattr(estimator, "decision_function"):
        scores = estimator.decision_function(X)
    else:
        scores = estimator.predict_proba(X)[:, 1]
    return scores
