"""From scores to probabilities and thresholds, learnt from scores of rows that the model did not see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

from s2auc.common.arrays import BoolArray, FloatArray

SMALLEST_SLOPE = 1e-4
"""Of the log-odds over one standard deviation of the scores."""


@dataclass(frozen=True)
class PlattScaling:
    """Probability of the positive class: 1 / (1 + exp(-(slope·score + intercept))), with slope > 0."""

    slope: float
    intercept: float

    def apply(self, scores: FloatArray) -> FloatArray:
        """Return the probabilities that scores stand for."""
        probabilities: FloatArray = expit(self.slope * scores + self.intercept)
        return probabilities

    @property
    def even_score(self) -> float:
        """The score whose probability is one half."""
        return -self.intercept / self.slope

    def moved(self, offset: float) -> "PlattScaling":
        """Return the scaling for scores that an offset was taken off."""
        # At the even score this is zero, and should be exactly: predictions and probabilities then agree on every row.
        is_even = offset == self.even_score
        return PlattScaling(self.slope, 0.0 if is_even else self.intercept + self.slope * offset)


def fit_platt(is_positive: BoolArray, scores: FloatArray, class_prior: float | None = None) -> PlattScaling:
    """Return the scaling that best explains the labels, with Platt's smoothed targets.

    Parameters
    ----------
    is_positive, scores
        Labels and scores of rows that the model did not see.
    class_prior
        Share of positive rows among those to be scored, if it differs from their share among these: it moves the
        intercept by the difference of the log-odds.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.linspace(-2.0, 2.0, 200)
    >>> scaling = fit_platt(np.random.default_rng(0).random(200) < expit(3.0 * scores), scores)
    >>> 2.0 < scaling.slope < 4.5
    True
    """
    n_positive, n_negative = int(is_positive.sum()), int((~is_positive).sum())
    # Targets just inside (0, 1) keep the slope finite where the classes do not overlap.
    target = np.where(is_positive, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0))
    centre, unit = float(scores.mean()), float(scores.std()) or 1.0
    reduced = (scores - centre) / unit

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        margin = parameters[0] * reduced + parameters[1]
        residual = expit(margin) - target
        value = float(np.sum(np.logaddexp(0.0, margin) - target * margin))
        return value, np.array([np.sum(residual * reduced), np.sum(residual)])

    start = np.array([0.0, float(logit(target.mean()))])
    # A negative slope would turn the ranking round: scores that rank badly give almost equal probabilities instead.
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(SMALLEST_SLOPE, None), (None, None)])
    slope = float(found.x[0]) / unit
    intercept = float(found.x[1]) - slope * centre
    if class_prior is not None:
        intercept += float(logit(class_prior) - logit(n_positive / (n_positive + n_negative)))
    return PlattScaling(slope, intercept)


def _balanced_accuracy(found: FloatArray, false: FloatArray, of_positive: float, of_negative: float) -> FloatArray:
    return found / of_positive - false / of_negative


def _accuracy(found: FloatArray, false: FloatArray, of_positive: float, of_negative: float) -> FloatArray:  # noqa: ARG001
    return found - false


def _f1(found: FloatArray, false: FloatArray, of_positive: float, of_negative: float) -> FloatArray:  # noqa: ARG001
    return 2.0 * found / (found + false + of_positive)


THRESHOLDS: Mapping[str, Callable[[FloatArray, FloatArray, float, float], FloatArray]] = {
    "balanced_accuracy": _balanced_accuracy,
    "accuracy": _accuracy,
    "f1": _f1,
}
"""What a threshold can be best for, up to constants: each a function of the shares of rows that are rightly and wrongly
above it, and of the shares of both classes."""


def best_threshold(positive: FloatArray, negative: FloatArray, metric: str, class_prior: float | None = None) -> float:
    """Return the threshold with the highest value of a metric of `THRESHOLDS`; rows above it are predicted positive.

    A class prior, if given, is the share of positive rows that the metric is to be best for.

    Thresholds lie halfway between two scores, or beyond all; of several equally good ones the middle one is taken.

    Examples
    --------
    >>> import numpy as np
    >>> best_threshold(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.5]), "f1")
    0.75
    """
    scores = np.unique(np.concatenate([positive, negative]))
    gap = float(scores[-1] - scores[0]) or 1.0
    padded = np.concatenate([[scores[0] - gap], scores, [scores[-1] + gap]])
    thresholds = (padded[1:] + padded[:-1]) / 2
    found = len(positive) - np.searchsorted(np.sort(positive), thresholds, "right").astype(np.float64)
    false = len(negative) - np.searchsorted(np.sort(negative), thresholds, "right").astype(np.float64)
    prior = len(positive) / (len(positive) + len(negative)) if class_prior is None else class_prior
    of_positive, of_negative = prior / len(positive), (1.0 - prior) / len(negative)
    value = THRESHOLDS[metric](found * of_positive, false * of_negative, prior, 1.0 - prior)
    best = np.flatnonzero(value >= value.max() - 1e-12)
    return float(thresholds[best[len(best) // 2]])
