"""The paper's theorem in numbers: the squared distance to the minimiser falls like one over the steps.

The paper splits the distance of the iterate f_t from the minimiser f* by way of h_t, which makes the same steps with
the kernel in the place of its random features: f_t - h_t is due to random features, h_t - f* to random rows. In the
proofs the loss derivatives of h_t are taken at f_t; with derivatives at h_t itself it is the paper's second update
rule, an algorithm of its own. Both are followed. The classifier makes the steps, as the paper has them; they are gone
over again here, on all rows, to see h_t. The norms of Lemma 3 are exact: h_t and f* are sums of kernels at the same
rows.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.estimators.baselines.kernel.samult import SAMULTClassifier
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.experiments.harness.cells import Cell, trial_seed
from s2auc.experiments.harness.store import Row, RowStore
from s2auc.experiments.harness.trial_rows import TABLE_MINMAX, load_trial_rows
from s2auc.experiments.reproduction.protocol import Extent
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import Objective, semi_supervised
from s2auc.solvers.batches import plan_draws, rows_of_steps
from s2auc.solvers.qsg.qsg import QSG

EXPERIMENT = "theorem"
VERSION = 2
"""Version of the results: raise it by hand with every change of code that changes them."""

N_TIMES = 14
_DISTANCES = "total", "features", "data", "second_rule", "data_norm", "second_rule_norm"
TRIPLETS = "triplet"


@dataclass(frozen=True)
class Setting:
    """What a run is made with: triplets of rows as in the paper, and λ, σ and γ within its grid."""

    alpha: float = 1.0
    kernel_gamma: float = 2.0
    labeled_weight: float = 0.5
    batch_size: int = 2
    n_frequencies: int = 4


@dataclass(frozen=True, eq=False)
class Course:
    """Mean squared distances over all rows, one number a time.

    Attributes
    ----------
    times
        After which step.
    total
        Of f_t from the minimiser.
    features, data
        Of f_t from h_t, and of h_t from the minimiser, with the derivatives of h_t taken at f_t.
    second_rule
        Of h_t from the minimiser, with derivatives at h_t itself.
    data_norm, second_rule_norm
        Squared norms of h_t - f*, which Lemma 3 bounds, for both.
    scale, norm
        Mean square of the minimiser, and its squared norm.
    gap
        Largest distance between these steps and what the classifier ends with, by the largest score.
    """

    times: list[int]
    total: list[float]
    features: list[float]
    data: list[float]
    second_rule: list[float]
    data_norm: list[float]
    second_rule_norm: list[float]
    scale: float
    norm: float
    gap: float


def follow_steps(
    X: FloatArray, y: BoolArray, X_unlabeled: FloatArray, setting: Setting, n_steps: int, seed: int
) -> Course:
    """Return the distances of one run.

    Parameters
    ----------
    X, y, X_unlabeled
        Few rows, whose minimiser is then known exactly; True for positive ones.
    setting
        What to run.
    n_steps
        How many steps.
    seed
        Seed of rows and frequencies.
    """
    shared: dict[str, Any] = {**asdict(setting), "scaling": "none", "random_state": seed}
    sampled = {name: shared.pop(name) for name in ("batch_size", "n_frequencies")}
    classifier = S2AUCClassifier(solver=QSG.as_published(), max_iter=n_steps, **sampled, **shared)
    classifier.fit(X, y, X_unlabeled)
    rows = {POSITIVE: X[y], NEGATIVE: X[~y], UNLABELED: X_unlabeled}
    everything = np.concatenate(list(rows.values()))
    minimiser = _coefficients_of_minimiser(SAMULTClassifier(**shared).fit(X, y, X_unlabeled), everything)
    sizes = {group: len(part) for group, part in rows.items()}
    places = dict(zip(rows, np.cumsum([0, *sizes.values()]), strict=False))
    draws = plan_draws(sizes, pairing=TRIPLETS, batch_size=setting.batch_size)
    steps = rows_of_steps(draws, seed=classifier.seed_, first=0, last=n_steps)
    part: Any = classifier.model_.parts[0]
    stream = FrequencyStream(part.kernel, part.gamma, X.shape[1], part.seed)
    kernel = KERNELS[part.kernel].matrix(everything, everything, part.gamma)
    best = kernel @ minimiser
    objective = semi_supervised(LOSSES["square"], setting.labeled_weight, TRIPLETS)
    times = followed_times(setting, n_steps)

    f, h, second = np.zeros(len(everything)), _Expansion(kernel), _Expansion(kernel)
    course: dict[str, list[float]] = {name: [] for name in _DISTANCES}
    for t, size in enumerate(classifier.history_["step"]):
        drawn = {group: places[group] + index[t] for group, index in steps.items()}
        batch, decay = np.concatenate(list(drawn.values())), 1.0 - size * setting.alpha
        slope, own_slope = (_slopes(objective, drawn, scores) for scores in (f, second.scores))
        angles = everything @ stream.take(t * setting.n_frequencies, (t + 1) * setting.n_frequencies).T
        phi = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(setting.n_frequencies)
        f = decay * f - size * (phi @ (phi[batch].T @ slope))
        h.step(decay, batch, -size * slope)
        second.step(decay, batch, -size * own_slope)
        if t + 1 in times:
            differences = f - best, f - h.scores, h.scores - best, second.scores - best
            found = [*map(_square, differences), h.squared_distance(minimiser), second.squared_distance(minimiser)]
            for name, distance in zip(_DISTANCES, found, strict=True):
                course[name].append(distance)
    gap = float(np.abs(f - _scores(classifier, everything)).max() / np.abs(f).max())
    return Course(times=times, **course, scale=_square(best), norm=float(minimiser @ best), gap=gap)


class _Expansion:
    """A sum of kernels at rows, by its coefficients and its scores."""

    def __init__(self, kernel: FloatArray) -> None:
        self._kernel = kernel
        self._coefficients, self.scores = np.zeros(len(kernel)), np.zeros(len(kernel))

    def step(self, decay: float, batch: IndexArray, born: FloatArray) -> None:
        """Shrink, then add kernels at the rows of a batch."""
        self._coefficients *= decay
        np.add.at(self._coefficients, batch, born)
        self.scores = decay * self.scores + self._kernel[:, batch] @ born

    def squared_distance(self, coefficients: FloatArray) -> float:
        """Return the squared norm of the difference to another sum of kernels at the same rows."""
        difference = self._coefficients - coefficients
        return float(difference @ self._kernel @ difference)


def _slopes(objective: Objective, drawn: Mapping[str, IndexArray], scores: FloatArray) -> FloatArray:
    """Return the derivative of a batch's risk by the score of each of its rows."""
    gradient = objective.evaluate({group: scores[index] for group, index in drawn.items()}).gradient
    return np.concatenate([gradient[group] for group in drawn])


def _coefficients_of_minimiser(classifier: SAMULTClassifier, everything: FloatArray) -> FloatArray:
    """Return the coefficients of the exact minimiser, a kernel per row."""
    part: Any = classifier.model_.parts[0]
    if not np.array_equal(part.centers, everything):
        raise RuntimeError("The minimiser must have a kernel at every row, in their order. Got other rows.")
    coefficients: FloatArray = part.coefficients
    return coefficients


def followed_times(setting: Setting, n_steps: int) -> list[int]:
    """Return the steps after which distances are taken: from where a step is short against the largest curvature.

    Examples
    --------
    >>> followed_times(Setting(), 3000)[0]
    30
    """
    # The square loss bends by two, pairs of scores by twice that.
    worst_curvature = 4.0 * setting.labeled_weight + 8.0 * (1.0 - setting.labeled_weight)
    first_time = max(10.0, 5.0 * worst_curvature / setting.alpha)
    return sorted(set(np.geomspace(first_time, n_steps, N_TIMES).round().astype(int).tolist()))


def run_theorem(extent: Extent, store: RowStore, *, seed: int = 0, folder: str | None = None) -> list[Row]:
    """Return one row per dataset and seed; those that the store has are not made again.

    Parameters
    ----------
    extent
        How much to run: datasets, rows (a third of them labelled), seeds and steps.
    store
        Where rows are kept.
    seed
        Seed of all.
    folder
        Data folder.
    """
    setting, n_rows, n_steps = Setting(), extent.theorem_rows, extent.theorem_steps
    n_labeled = n_rows // 3
    found = []
    for dataset in extent.theorem_datasets:
        cell = Cell(
            dataset, EXPERIMENT, n_labeled, n_rows - n_labeled, 2, TABLE_MINMAX, 0, trial_seed(seed, dataset, 0), {}
        )
        problem = None
        for number in range(extent.theorem_seeds):
            known = {"dataset": dataset, "n_rows": n_rows, "n_steps": n_steps, "seed": seed, "run": number}
            identity = json.dumps({**known, **asdict(setting), "version": VERSION}, sort_keys=True)
            key = hashlib.sha256(identity.encode()).hexdigest()[:32]
            if key not in store.rows:
                problem = problem or load_trial_rows(cell, folder)
                rows = problem.X_labeled.astype(np.float64), problem.y_labeled, problem.X_unlabeled.astype(np.float64)
                course = follow_steps(*rows, setting, n_steps, number)
                store.add({"cell": key, "experiment": EXPERIMENT, **known, **asdict(setting), **asdict(course)})
            found.append(store.rows[key])
    return found


def _scores(estimator: Any, X: FloatArray) -> FloatArray:
    """Return scores before any threshold was taken off."""
    scores: FloatArray = estimator.decision_function(X) + estimator.offset_
    return scores


def _square(values: FloatArray) -> float:
    return float(np.mean(np.square(values)))
