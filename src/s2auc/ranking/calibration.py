"""From scores to probabilities, learnt from scores of rows that the model did not see."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import expit, log_expit, logit

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.groups import counts_of, effective_size

MIN_SLOPE, MAX_SLOPE = 1e-4, 50.0
"""Of the log-odds over one standard deviation of the scores; the largest where there are no negative rows."""


@dataclass(frozen=True)
class PlattScaling:
    """Probability of the positive class: 1 / (1 + exp(-(slope·score + intercept))), with slope > 0."""

    slope: float
    intercept: float

    def apply(self, scores: FloatArray) -> FloatArray:
        """Return the probabilities that scores stand for."""
        return expit(self.slope * scores + self.intercept)

    def score_of(self, probability: float) -> float:
        """Return the score that stands for a probability between 0 and 1."""
        return (float(logit(probability)) - self.intercept) / self.slope

    def moved(self, offset: float) -> "PlattScaling":
        """Return the scaling for scores that an offset was taken off."""
        # Where the probability is one half this is zero, and should be exactly: predictions then agree on every row.
        is_even = offset == self.score_of(0.5)
        return PlattScaling(self.slope, 0.0 if is_even else self.intercept + self.slope * offset)


def fit_platt(
    is_positive: BoolArray, scores: FloatArray, class_prior: float | None = None, weight: FloatArray | None = None
) -> PlattScaling:
    """Return the scaling that best explains the labels, with Platt's smoothed targets.

    Parameters
    ----------
    is_positive, scores
        Labels and scores of rows that the model did not see.
    class_prior
        Share of positive rows among those to be scored, if it differs from their share among these: it moves the
        intercept by the difference of the log-odds.
    weight
        How much each row counts; None where all count alike.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.linspace(-2.0, 2.0, 200)
    >>> scaling = fit_platt(np.random.default_rng(0).random(200) < expit(3.0 * scores), scores)
    >>> 2.0 < scaling.slope < 4.5
    True
    """
    n_positive, n_negative = (
        effective_size(None if weight is None else weight[members], int(members.sum()))
        for members in (is_positive, ~is_positive)
    )
    counted = counts_of(weight, len(scores))
    # Targets just inside (0, 1) keep the slope finite where the classes do not overlap.
    target = np.where(is_positive, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0))
    centre, unit = float(scores.mean()), float(scores.std()) or 1.0
    reduced = (scores - centre) / unit

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        margin = parameters[0] * reduced + parameters[1]
        residual = expit(margin) - target
        value = float(np.sum(counted * (np.logaddexp(0.0, margin) - target * margin)))
        return value, np.array([np.sum(counted * residual * reduced), np.sum(counted * residual)])

    start = np.array([0.0, float(logit(np.mean(counted * target)))])
    # A negative slope would turn the ranking round: scores that rank badly give almost equal probabilities instead.
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(MIN_SLOPE, None), (None, None)])
    slope = float(found.x[0]) / unit
    intercept = float(found.x[1]) - slope * centre
    if class_prior is not None:
        intercept += float(logit(class_prior) - logit(np.mean(counted * is_positive)))
    return PlattScaling(slope, intercept)


def fit_platt_without_negatives(
    positive: FloatArray, unlabeled: FloatArray, class_prior: float, weight: FloatArray | None = None
) -> PlattScaling:
    """Return the scaling that best tells positive rows from unlabelled ones, of which a known share is positive.

    A row that scores s is positive with probability p(s) = prior·(density of positive scores)/(density of unlabelled
    scores) at s. So among these rows the odds that one comes from the positive ones are p(s)·(positive
    rows)/(prior·unlabelled rows): the slope is the likeliest, and for every slope the intercept is the one with which
    the mean of p over the unlabelled rows is the prior. Against a ratio of two estimated densities, p is smooth, rises
    everywhere and stays between 0 and 1.

    Parameters
    ----------
    positive, unlabeled
        Scores of positive rows that the model did not see, and of unlabelled ones.
    class_prior
        Share of positive rows among the unlabelled ones, between 0 and 1.
    weight
        How much each positive row counts; None where all count alike.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([random.normal(2.0, size=300), random.normal(0.0, size=700)])
    >>> scaling = fit_platt_without_negatives(random.normal(2.0, size=200), unlabeled, class_prior=0.3)
    >>> bool(abs(scaling.apply(unlabeled).mean() - 0.3) < 1e-6)
    True
    """
    centre, unit = float(unlabeled.mean()), float(unlabeled.std()) or 1.0
    high, among = (positive - centre) / unit, (unlabeled - centre) / unit
    counted = counts_of(weight, len(positive))
    log_ratio = float(np.log(len(positive) / (class_prior * len(unlabeled))))

    def intercept_of(slope: float) -> float:
        reach = slope * float(np.abs(among).max()) + abs(float(logit(class_prior))) + 1.0
        return float(brentq(lambda move: np.mean(expit(slope * among + move)) - class_prior, -reach, reach))

    def loss(log_slope: float) -> float:
        slope = float(np.exp(log_slope))
        move = intercept_of(slope)
        of_positive, of_unlabeled = (log_ratio + log_expit(slope * rows + move) for rows in (high, among))
        return float(np.sum(counted * np.logaddexp(0.0, -of_positive)) + np.sum(np.logaddexp(0.0, of_unlabeled)))

    found = minimize_scalar(loss, bounds=(np.log(MIN_SLOPE), np.log(MAX_SLOPE)), method="bounded")
    slope = float(np.exp(found.x))
    return PlattScaling(slope / unit, intercept_of(slope) - slope * centre / unit)
