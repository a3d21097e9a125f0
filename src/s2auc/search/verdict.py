"""What users are told: an AUC that nothing was chosen on, and whether the unlabelled rows helped."""

from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

import numpy as np
from scipy.special import expit, logit
from scipy.stats import t

from s2auc.common.arrays import FloatArray

ROUNDING = 1e-12
"""Differences of shares below this are none."""


class Answer(StrEnum):
    """Whether unlabelled rows helped."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Estimate:
    """A mean over rows that no model involved has seen, with a confidence interval."""

    value: float
    low: float
    high: float
    level: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.level:.0%} interval {self.low:.3f} to {self.high:.3f})"


@dataclass(frozen=True)
class UnlabeledVerdict:
    """Whether unlabelled rows helped, by how much, and one sentence that says so.

    Attributes
    ----------
    answer
        "yes" if the whole interval of the difference lies above zero, "no" if none of it does, else "cannot tell".
    difference
        AUC of what was chosen among all labelled weights, less that of what was chosen at labelled weight 1; both on
        folds that neither had seen. None where there was nothing to compare.
    sentence
        The same in words.
    """

    answer: Answer
    difference: Estimate | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def estimate_auc(of_positive: FloatArray, of_negative: FloatArray, level: float) -> Estimate:
    """Return a mean AUC with an interval within [0, 1], from each row's share of opponents on the right side.

    The variance is DeLong's: that of the positive rows' shares over their number, plus the same for the negative ones.
    Where it is zero, all rows being on one side, the interval is that of a success (or failure) in every trial, of as
    many trials as the smaller class has rows.

    Examples
    --------
    >>> import numpy as np
    >>> print(estimate_auc(np.array([1.0, 0.5, 1.0, 0.5]), np.array([0.5, 1.0, 0.75]), level=0.95))
    0.750 (95% interval 0.027 to 0.997)
    """
    value = float(np.mean(of_positive))
    error = _error(of_positive, of_negative)
    if error == 0.0 or not 0.0 < value < 1.0:
        credible = _credible(of_positive, of_negative, level)
        return Estimate(value, value * credible, 1.0 - (1.0 - value) * credible, level)
    centre, reach = logit(value), _quantile(of_positive, of_negative, level) * error / (value * (1.0 - value))
    return Estimate(value, float(expit(centre - reach)), float(expit(centre + reach)), level)


def estimate_difference(of_positive: FloatArray, of_negative: FloatArray, level: float) -> Estimate:
    """Return the mean difference of two AUCs with its interval within [-1, 1], from each row's difference of shares.

    Where all rows gain the same, or nothing, the interval is that of as many trials without failure as the smaller
    class has rows.

    Examples
    --------
    >>> import numpy as np
    >>> found = estimate_difference(np.array([0.5, 0.5]), np.array([0.5, 0.5]), level=0.95)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.5, -0.763, 0.921)
    """
    value, error = float(np.mean(of_positive)), _error(of_positive, of_negative)
    middle, reach = value, _quantile(of_positive, of_negative, level) * error
    if error < ROUNDING:
        credible = _credible(of_positive, of_negative, level)
        middle, reach = credible * value, 1.0 - credible
    return Estimate(value, max(-1.0, middle - reach), min(1.0, middle + reach), level)


def say_whether_unlabeled_helped(difference: Estimate) -> UnlabeledVerdict:
    """Return the verdict on a difference.

    Examples
    --------
    >>> print(say_whether_unlabeled_helped(Estimate(0.02, 0.005, 0.035, 0.95)))
    Yes, the unlabelled rows helped: held-out AUC +0.020 (95% interval +0.005 to +0.035).
    """
    figures = f"held-out AUC {difference.value:+.3f} ({difference.level:.0%} interval {difference.low:+.3f} to "
    figures += f"{difference.high:+.3f})"
    if difference.low > 0.0:
        return UnlabeledVerdict(Answer.YES, difference, f"Yes, the unlabelled rows helped: {figures}.")
    if difference.high <= 0.0:
        return UnlabeledVerdict(Answer.NO, difference, f"No, the unlabelled rows did not help: {figures}.")
    sentence = f"Cannot tell whether the unlabelled rows helped: {figures}; more labels would narrow it."
    return UnlabeledVerdict(Answer.CANNOT_TELL, difference, sentence)


def cannot_tell(reason: str) -> UnlabeledVerdict:
    """Return the verdict where there is nothing to compare."""
    return UnlabeledVerdict(Answer.CANNOT_TELL, None, f"Cannot tell whether the unlabelled rows helped: {reason}.")


def _error(of_positive: FloatArray, of_negative: FloatArray) -> float:
    parts = [part for part in (of_positive, of_negative) if len(part) > 1]
    return sqrt(sum(float(np.var(part, ddof=1)) / len(part) for part in parts))


def _credible(of_positive: FloatArray, of_negative: FloatArray, level: float) -> float:
    """Return the least chance of success that success in every trial leaves credible, a trial a row."""
    return float(((1.0 - level) / 2.0) ** (1.0 / min(len(of_positive), len(of_negative))))


def _quantile(of_positive: FloatArray, of_negative: FloatArray, level: float) -> float:
    """Return Student's quantile: with few rows of a class the error itself is uncertain."""
    return float(t.ppf((1.0 + level) / 2.0, max(min(len(of_positive), len(of_negative)) - 1, 1)))
