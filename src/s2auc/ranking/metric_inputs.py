"""Scores and labels as the metrics take them, checked."""

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import AnyArray, BoolArray


def read_ranking(y_true: ArrayLike, y_score: ArrayLike, name: str = "y_score") -> tuple[BoolArray, AnyArray]:
    """Return which rows are positive and the scores of all rows."""
    truth, scores = np.asarray(y_true), read_scores(name, y_score)
    if truth.shape != scores.shape:
        raise ValueError(
            f"y_true and {name} must have one entry a row each, got shapes {truth.shape} and "
            f"{scores.shape}: pass two vectors of the same length."
        )
    is_positive = np.asarray(truth == 1, dtype=bool)
    strange = truth[~(is_positive | np.asarray(truth == 0, dtype=bool))]
    if strange.size:
        raise ValueError(
            f"y_true must hold booleans or 0 and 1 only, got {strange.tolist()[0]!r}: "
            "pass y == positive_class for the labelled rows."
        )
    return is_positive, scores


def read_scores(name: str, values: ArrayLike) -> AnyArray:
    """Return scores as a vector of real numbers without NaN, at least one."""
    scores = np.asarray(values)
    if scores.ndim != 1 or scores.size == 0:
        raise ValueError(f"{name} must be a vector of scores, at least one, got shape {scores.shape}: pass one a row.")
    if scores.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got dtype {scores.dtype}: convert the scores to float.")
    if scores.dtype.kind == "f" and np.isnan(scores).any():
        n_missing = np.count_nonzero(np.isnan(scores))
        raise ValueError(f"{name} must not hold NaN, got {n_missing} of them: drop or repair these rows.")
    return scores


def split_groups(is_positive: BoolArray, scores: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return the scores of the positive and of the negative rows, neither empty."""
    higher, lower = scores[is_positive], scores[~is_positive]
    if higher.size == 0 or lower.size == 0:
        raise ValueError(
            f"y_true must hold both classes, got {higher.size} positive and {lower.size} negative rows: "
            "add rows of the missing class."
        )
    return higher, lower


def read_open_unit(name: str, value: float) -> float:
    """Return a number that lies strictly between 0 and 1."""
    if not isinstance(value, Real) or not 0 < value < 1:
        raise ValueError(f"{name} must be a number in (0, 1), got {value!r}: pass a share such as 0.5.")
    return float(value)
