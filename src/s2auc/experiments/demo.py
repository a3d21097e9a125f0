"""The demonstration: whether unlabelled rows help to rank handwritten digits, and how other methods do."""

from dataclasses import dataclass
from time import perf_counter

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray
from s2auc.common.progress import Progress, tell_progress
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.methods.learners import NamedLearner
from s2auc.experiments.methods.table import METHODS
from s2auc.ranking.intervals import Estimate, delong_difference, delong_interval

DEMO_SEEDS = 2**32
"""Seeds are integers in [0, DEMO_SEEDS): what scikit-learn takes."""

SEMI_SUPERVISED = "s2auc"
LABELED_ONLY = "s2auc, labels only"
SINGLE_FIT = "QSG-S2AUC, one fit"
SPREADING = "Label spreading"
LOGISTIC = "Logistic regression"
FOREST = "Random forest"


#: Names in the table of methods, and whether methods are given the unlabelled rows.
_METHODS = {
    LABELED_ONLY: ("s2auc_cv_labeled", False),
    SINGLE_FIT: ("qsg", True),
    SPREADING: ("label_spreading", True),
    LOGISTIC: ("logistic_regression", False),
    FOREST: ("random_forest", False),
}


@dataclass(frozen=True)
class DemoData:
    """Few labelled and many unlabelled training rows, and test rows that no method is trained on."""

    X_labeled: AnyArray
    is_positive: BoolArray
    X_unlabeled: AnyArray
    X_test: AnyArray
    test_is_positive: BoolArray
    seed: int


@dataclass(frozen=True)
class MethodResult:
    """What one method achieved: scores of the test rows, their AUC, the rows it learnt from, and its time."""

    name: str
    n_rows: int
    interval: Estimate
    seconds: float
    scores: FloatArray


@dataclass(frozen=True)
class DemoResult:
    """Outcomes, the best first; what the unlabelled rows brought; the course of the stochastic solver's training."""

    outcomes: tuple[MethodResult, ...]
    gain: Estimate
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
    >>> data.X_labeled.shape, data.X_unlabeled.shape, data.X_test.shape
    ((10, 64), (1188, 64), (599, 64))
    """
    dataset = load_dataset("digits")
    n_test = len(dataset.y) // 3
    n_training = len(dataset.y) - n_test
    if not 2 <= n_labels < n_training:
        raise ValueError(
            f"The number of labels must be an integer from 2 (one of each class) to {n_training - 1} (one training "
            f"row stays unlabelled), but it is {n_labels}: try 100."
        )
    if not 0 <= seed < DEMO_SEEDS:
        raise ValueError(f"The seed must be an integer from 0 to {DEMO_SEEDS - 1}, but it is {seed}: try 0.")
    split = semi_supervised_split(dataset.y, n_labeled=n_labels, n_test=n_test, seed=seed)
    X, y = dataset.X, dataset.y
    return DemoData(X[split.labeled], y[split.labeled], X[split.unlabeled], X[split.test], y[split.test], seed)


def run_demo(data: DemoData, own: MethodResult, *, max_iter: int = 200) -> DemoResult:
    """Return how every method ranks the test rows after training on the training rows.

    Parameters
    ----------
    data
        From `make_data`.
    own
        What s2auc achieved, from `judge_fitted`.
    max_iter
        Steps of the stochastic solver.
    """
    outcomes, history = {own.name: own}, {}
    changes = {SINGLE_FIT: {"scaling": "common", "neighbor_weight": 10.0, "max_iter": max_iter}}
    for name, (key, sees_unlabeled) in _METHODS.items():
        tell_progress(Progress("method", name))
        learner = METHODS[key].build(data.seed, **METHODS[key].parameters, **changes.get(name, {}))
        X_unlabeled = data.X_unlabeled if sees_unlabeled else data.X_unlabeled[:0]
        started = perf_counter()
        learner.fit(data.X_labeled, data.is_positive, X_unlabeled)
        seconds = perf_counter() - started
        scores = learner.scores(data.X_test)
        n_rows = len(data.X_labeled) + len(X_unlabeled)
        outcomes[name] = MethodResult(name, n_rows, delong_interval(data.test_is_positive, scores), seconds, scores)
        if name == SINGLE_FIT and isinstance(learner, NamedLearner):
            history = learner.history
    gain = delong_difference(data.test_is_positive, outcomes[SEMI_SUPERVISED].scores, outcomes[LABELED_ONLY].scores)
    ranked = sorted(outcomes.values(), key=lambda outcome: -outcome.interval.value)
    return DemoResult(tuple(ranked), gain, history, data)


def describe_gain(gain: Estimate) -> str:
    """Return the sentence that says whether the unlabelled rows helped, as far as the interval can tell.

    Examples
    --------
    >>> describe_gain(Estimate(0.012, 0.004, 0.02, 0.95, 0.004))
    'The unlabelled rows helped: +0.0120 test AUC against labelled rows only (95 % interval +0.0040 to +0.0200).'
    """
    effect = "helped" if gain.low > 0 else "hurt" if gain.high < 0 else "made no clear difference"
    return (
        f"The unlabelled rows {effect}: {gain.value:+z.4f} test AUC against labelled rows only "
        f"({100 * gain.level:g} % interval {gain.low:+z.4f} to {gain.high:+z.4f})."
    )


def describe_best(outcomes: tuple[MethodResult, ...]) -> str:
    """Return the sentence that names the winner, whoever it is."""
    best = outcomes[0]
    return f"Best test AUC here: {best.name} ({best.interval.value:.3f})."
