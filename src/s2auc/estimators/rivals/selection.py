"""Grids of settings, and their scores on held-out rows in scikit-learn's form."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.parameters import Rule
from s2auc.estimators.rivals.base import KernelRanker
from s2auc.solvers.training import Space, TrainingRows

RELATIVE_GAMMAS = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Kernel widths that are tried by default, relative to `kernel_gamma="median"`."""


@dataclass(frozen=True)
class Several:
    """A list, not empty, of values that follow a rule.

    Examples
    --------
    >>> from s2auc.common.parameters import Number
    >>> Several((Number(0, 1),)).accepts([0.5, 2.0])
    False
    """

    rules: tuple[Rule, ...]

    def accepts(self, value: Any) -> bool:
        """Return whether the value is such a list, tuple or vector."""
        if not isinstance(value, list | tuple | np.ndarray) or np.ndim(value) != 1 or not len(value):
            return False
        return all(any(rule.accepts(entry) for rule in self.rules) for entry in value)

    def __str__(self) -> str:
        return f"a list, not empty, of values that are each {' or '.join(map(str, self.rules))}"


class SearchedRanker(KernelRanker):
    """Base of classifiers that choose their settings from a grid."""

    cv_results_: dict[str, Any]
    best_index_: int
    best_score_: float
    best_params_: dict[str, float]
    n_splits_: int

    def _spaces(self, rows: TrainingRows, kernel_gammas: Sequence[float | str] | None) -> list[Space]:
        """Return the space of every width that is to be tried."""
        if kernel_gammas is not None:
            return [self._space(rows, gamma) for gamma in kernel_gammas]
        middle = self._space(rows, "median").stream.gamma
        return [self._space(rows, factor * middle) for factor in RELATIVE_GAMMAS]

    def _record(self, candidates: Sequence[dict[str, float]], scores: FloatArray) -> dict[str, float]:
        """Keep what the search found and return the best setting."""
        self.cv_results_ = summarize(candidates, scores)
        self.best_index_ = int(np.argmax(self.cv_results_["mean_test_score"]))
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.best_params_ = candidates[self.best_index_]
        self.n_splits_ = scores.shape[1]
        return self.best_params_


def distinct(values: Iterable[float]) -> list[float]:
    """Return the values once each, in their order."""
    return list(dict.fromkeys(map(float, values)))


def summarize(candidates: Sequence[dict[str, float]], scores: FloatArray) -> dict[str, Any]:
    """Return what `cv_results_` holds in scikit-learn.

    Parameters
    ----------
    candidates
        The settings, by the names of their parameters.
    scores
        One score a candidate and fold, the higher the better.

    Examples
    --------
    >>> results = summarize([{"alpha": 0.1}, {"alpha": 1.0}], np.array([[0.5, 0.7], [0.8, 0.9]]))
    >>> results["rank_test_score"].tolist(), results["mean_test_score"].round(2).tolist()
    ([2, 1], [0.6, 0.85])
    """
    mean = scores.mean(axis=1)
    columns: dict[str, AnyArray] = {
        f"param_{name}": np.array([candidate[name] for candidate in candidates]) for name in candidates[0]
    }
    folds = {f"split{fold}_test_score": scores[:, fold] for fold in range(scores.shape[1])}
    ranks = 1 + np.array([np.count_nonzero(mean > score) for score in mean])
    summary = {"mean_test_score": mean, "std_test_score": scores.std(axis=1), "rank_test_score": ranks}
    return {**columns, "params": list(candidates), **folds, **summary}
