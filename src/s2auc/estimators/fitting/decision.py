"""What scores stand for: probabilities, and the threshold of predictions, from scores of rows that were held out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.errors import InputError
from s2auc.common.groups import PositiveFirst
from s2auc.common.messages import Message
from s2auc.common.parameters import Number
from s2auc.common.user_warnings import warn_user
from s2auc.data.sources.rows import Rows
from s2auc.estimators.priors.class_prior import ESTIMATE, estimate_from_groups
from s2auc.models.parts.part import Part
from s2auc.ranking.calibration import PlattScaling, fit_platt, fit_platt_without_negatives
from s2auc.ranking.intervals import EQUAL, Weights
from s2auc.ranking.thresholds import AIMS, METRICS, Cuts, best_threshold, threshold_reaching
from s2auc.search.plan import WHOLE
from s2auc.search.procedure import SearchResult

USUAL_METRIC = "balanced_accuracy"
"""What the threshold is best for where there are no probabilities."""

_SHARE = Number(0, 1, open_low=True)


@dataclass(frozen=True)
class ThresholdRule:
    """The rule for `threshold`: a metric to be best for, a probability, or an aim with its share."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value says where to put the threshold."""
        if isinstance(value, str):
            return value in METRICS
        if isinstance(value, tuple | list):
            return len(value) == 2 and isinstance(value[0], str) and value[0] in AIMS and _SHARE.accepts(value[1])
        return _SHARE.accepts(value) and value < 1

    def __str__(self) -> str:
        metrics = ", ".join(map(repr, METRICS))
        aims = ", ".join(f"({aim!r}, share)" for aim in AIMS)
        return f"a str among {{{metrics}}}, a probability in the range (0, 1), or one of {aims} with a share in (0, 1]"


@dataclass(frozen=True, eq=False)
class HeldOutScores:
    """Scores by models that had not seen the rows.

    Attributes
    ----------
    positive, negative
        Of labelled rows; there may be no negative ones.
    unlabeled
        Of unlabelled rows, which stand in for negative ones where there are none.
    weights
        How much each positive and each negative row counts.
    represents_pool
        Whether the weights make labelled rows represent all rows, also by their shares of the two classes.
    """

    positive: FloatArray
    negative: FloatArray
    unlabeled: FloatArray
    weights: Weights = EQUAL
    represents_pool: bool = False

    @classmethod
    def of_search(cls, found: SearchResult) -> "HeldOutScores":
        """Return what models that had not seen them say of labelled rows, and the model itself of unlabelled ones."""
        evidence = found.evidence
        left_out = evidence.left_out_scores(found.chosen)
        positive, negative = (np.isfinite(left_out) & side for side in (evidence.is_positive, ~evidence.is_positive))
        weights = EQUAL
        if evidence.weight is not None:
            weights = evidence.weight[positive], evidence.weight[negative] if negative.any() else None
        unlabeled = evidence.mixed(found.chosen, WHOLE)[evidence.n_tested :]
        represents_pool = found.sampling.weight is not None
        return cls(left_out[positive], left_out[negative], unlabeled, weights, represents_pool)

    @property
    def has_negative(self) -> bool:
        """Whether both classes are labelled."""
        return len(self.negative) > 0

    def class_prior(self, given: float | str | None, seed: int) -> float | None:
        """Return the share of positive rows among those to be scored: given, or estimated from unlabelled rows."""
        if given != ESTIMATE:
            return None if given is None else float(given)
        if self.represents_pool:
            of_positive, of_negative = (float(np.sum(weight)) for weight in self.weights if weight is not None)
            return of_positive / (of_positive + of_negative)
        columns = (scores[:, None] for scores in (self.positive, self.negative, self.unlabeled))
        return estimate_from_groups(*columns, scaling="standard", seed=seed)

    def probabilities(self, class_prior: float | None) -> PlattScaling | None:
        """Return what makes probabilities of scores; None without negative rows if the class prior is not known."""
        if self.has_negative:
            scores = np.concatenate([self.positive, self.negative])
            is_positive = np.arange(len(scores)) < len(self.positive)
            known = [weight for weight in self.weights if weight is not None]
            return fit_platt(is_positive, scores, class_prior, np.concatenate(known) if len(known) == 2 else None)
        if class_prior is None:
            return None
        return fit_platt_without_negatives(self.positive, self.unlabeled, class_prior, self.weights[0])

    def cuts(self, class_prior: float | None) -> Cuts:
        """Return every threshold that could be taken."""
        if self.has_negative:
            return Cuts.of_scores(self.positive, self.negative, self.weights, class_prior)
        cuts = Cuts.of_scores(self.positive, self.unlabeled, self.weights)
        return cuts if class_prior is None else cuts.among_unlabeled(class_prior)


def only_positive_rows() -> InputError:
    """Return the error about rows of one class and no others."""
    return InputError(
        Message(
            "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones. Got none; "
            "pass {X_unlabeled}, or {mark rows of y as unlabelled}."
        )
    )


def check_decision(ranker: Any, *, n_negative: int, n_unlabeled: int) -> None:
    """Raise a ValueError if the rows that there are cannot give a model, its threshold or its class prior.

    Parameters
    ----------
    ranker
        The `S2AUCClassifierCV`, with the parameters threshold and class_prior of the right types.
    n_negative, n_unlabeled
        How many rows there are besides positive ones.
    """
    owner, threshold, class_prior = type(ranker).__name__, ranker.threshold, ranker.class_prior
    if not n_negative and not n_unlabeled:
        raise only_positive_rows()
    if class_prior == ESTIMATE and not n_unlabeled:
        raise ValueError(
            f"The 'class_prior' parameter of {owner} must be a number or None where no rows are unlabelled: it is "
            "their share of positive rows that is estimated. Got 'estimate'; pass unlabelled rows or a number."
        )
    if _needs_prior(threshold) and class_prior is None and not n_negative:
        raise ValueError(
            f"The 'threshold' parameter of {owner} must not ask for {_shown(threshold)} where only positive rows are "
            "labelled and the share of positive rows is not known. Got class_prior=None; pass the share, or "
            "class_prior='estimate'."
        )


def settle_threshold(
    threshold: Any,
    held_out: HeldOutScores,
    class_prior: float | None,
    probabilities: PlattScaling | None,
    population: Callable[[], FloatArray | None],
) -> float:
    """Return the score above which rows are predicted positive.

    Parameters
    ----------
    threshold
        What it is for: None, a metric, a probability or an aim with its share.
    held_out
        Scores of rows that were held out.
    class_prior
        The share of positive rows among those to be scored, if known.
    probabilities
        What makes probabilities of scores, if anything does.
    population
        Gives scores of many unlabelled rows; None where there are none.
    """
    if probabilities is not None and not isinstance(threshold, str | tuple | list):
        return probabilities.score_of(0.5 if threshold is None else float(threshold))
    if isinstance(threshold, str | None):
        return best_threshold(held_out.cuts(class_prior), threshold or USUAL_METRIC)
    aim, share = str(threshold[0]), float(threshold[1])
    scores = population() if needs_population(threshold) else None
    cuts = held_out.cuts(class_prior) if scores is None else Cuts.of_scores(scores, scores)
    found = threshold_reaching(cuts, aim, share)
    if found is not None:
        return found
    most = int(np.nanargmax(cuts.precision))
    warn_user(
        f"No threshold reaches {_shown(threshold)} on held-out rows: the highest precision is "
        f"{cuts.precision[most]:.2f}, and its threshold is used. Ask for less, or label more rows."
    )
    return float(cuts.thresholds[most])


def best_offset(part: Part, labeled: Rows, order: PositiveFirst, reference: Rows) -> float:
    """Return the threshold that best separates the classes; reference rows stand in for a class without rows."""
    (high, of_high), (low, of_low) = (
        (part.score(labeled[side]), order.weight_of(side)) if side.stop > side.start else (part.score(reference), None)
        for side in (order.positive, order.negative)
    )
    return best_threshold(Cuts.of_scores(high, low, (of_high, of_low)), USUAL_METRIC)


def needs_population(threshold: Any) -> bool:
    """Return whether many unlabelled rows tell where the threshold is."""
    return isinstance(threshold, tuple | list) and bool(threshold[0] == "alerts")


def _needs_prior(threshold: Any) -> bool:
    """Return whether only the share of positive rows tells where the threshold is: for probabilities and precision."""
    is_aim = isinstance(threshold, tuple | list)
    return bool(threshold[0] == "precision") if is_aim else not isinstance(threshold, str | None)


def _shown(threshold: Any) -> str:
    if isinstance(threshold, tuple | list):
        return f"{threshold[0]} {threshold[1]:g}"
    return f"probability {threshold:g}"
