"""Detection of labels that were chosen by score, and the weights that correct for it."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.ranking.intervals import Estimate
from s2auc.ranking.pool_weights import EDGES, PoolStrata
from s2auc.search.evidence import Evidence, Shares

RANDOM_LEVEL = 1e-4
"""Labels count as a random sample unless their held-out scores are less likely than this."""

CLASS_RATES_LEVEL = 0.05
"""The same for labels of which one class was labelled more often than the other."""

MIN_REFERENCE, MIN_TESTED = 50, 20
"""With fewer unlabelled or fewer labelled rows, nothing is tested."""


class Sampling(StrEnum):
    """The way labelled rows were chosen from the pool, as far as held-out scores show it."""

    RANDOM = "random"
    BY_SCORE = "by score"
    UNCOVERED = "uncovered"
    NOT_TESTED = "not tested"


BIASED = Sampling.BY_SCORE, Sampling.UNCOVERED

MANY_AT_THE_TOP = 3.0
"""So many times the share of a random sample at the top is what users are told; else that the sample is uneven."""


@dataclass(frozen=True, eq=False)
class LabelSampling:
    """The way labelled rows were chosen, and how much each counts so that they stand for the pool.

    Attributes
    ----------
    answer
        "random" if the labelled rows may be a random sample of all rows, or of each class; "by score" if not;
        "uncovered" if, besides, no labelled row stands for half of the pool, so that nothing can be estimated; "not
        tested" where rows are too few, a class is missing, or users have said how labels were chosen.
    top_share, expected_top_share
        The share of the labelled rows among the highest scores of the pool, and that of the pool; None if not tested.
    p_value
        How likely a random sample is to be as uneven; None if not tested.
    weight
        How much each followed labelled row counts; None unless labels were chosen by score.
    """

    answer: Sampling
    top_share: float | None = None
    expected_top_share: float | None = None
    p_value: float | None = None
    weight: FloatArray | None = None

    @property
    def is_biased(self) -> bool:
        """Whether an AUC of equally weighted labelled rows is biased."""
        return self.answer in BIASED

    def verdict(self, unweighted_auc: Estimate | None) -> "SamplingVerdict":
        """Return what users are told, given the AUC of equally weighted rows, if it is known."""
        shares = self.answer, self.top_share, self.expected_top_share, self.p_value, unweighted_auc
        return SamplingVerdict(*shares, _sentence(self, unweighted_auc))


@dataclass(frozen=True)
class SamplingVerdict:
    """Whether labels were chosen by score, and one sentence that says so.

    Attributes
    ----------
    answer, top_share, expected_top_share, p_value
        As those of `LabelSampling`.
    unweighted_auc
        The AUC of equally weighted labelled rows, which is biased; None where labels were not chosen by score.
    sentence
        The same in words.
    """

    answer: Sampling
    top_share: float | None
    expected_top_share: float | None
    p_value: float | None
    unweighted_auc: Estimate | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence

    @property
    def is_biased(self) -> bool:
        """Whether an AUC of equally weighted labelled rows is biased."""
        return self.answer in BIASED


def _sentence(found: LabelSampling, unweighted: Estimate | None) -> str:
    if found.answer == Sampling.NOT_TESTED:
        return "Whether labels were chosen by score was not tested."
    if found.answer == Sampling.RANDOM:
        return "Held-out scores do not show that labels were chosen by score."
    what = f"{found.top_share:.0%} of the labelled rows are among the top {found.expected_top_share:.0%} of scores"
    if (found.top_share or 0.0) < MANY_AT_THE_TOP * (found.expected_top_share or 0.0):
        what = f"a random sample would have other scores (p = {found.p_value:.1g})"
    if found.answer == Sampling.UNCOVERED:
        return (
            f"The labelled rows are not a random sample by score ({what}), and no labelled row represents half of the "
            "table: the AUC cannot be estimated. Label some rows at random."
        )
    biased = "" if unweighted is None else f"; without weights the AUC would be {unweighted.value:.3f}, which is biased"
    return (
        f"The labelled rows are not a random sample by score ({what}), so held-out rows are weighted to represent the "
        f"table{biased}."
    )


NOT_TESTED = LabelSampling(Sampling.NOT_TESTED)


def find_label_sampling(evidence: Evidence, chosen: Shares, n_unlabeled: int) -> LabelSampling:
    """Return how labelled rows were chosen, by the quantiles of their held-out scores among those of unlabelled rows.

    Parameters
    ----------
    evidence
        Held-out scores of all settings.
    chosen
        The settings whose average ranks the rows.
    n_unlabeled
        Number of unlabelled rows.
    """
    n_reference = evidence.scores.shape[2] - evidence.n_tested
    if evidence.is_positive.all() or n_reference < MIN_REFERENCE:
        return NOT_TESTED
    quantile = held_out_quantiles(evidence, chosen)
    is_known = np.isfinite(quantile)
    is_positive = evidence.is_positive[is_known]
    if is_known.sum() < MIN_TESTED or is_positive.all() or not is_positive.any():
        return NOT_TESTED
    strata = PoolStrata.of_quantiles(quantile[is_known], is_positive, n_unlabeled, n_reference)
    p_value = strata.random_p_value()
    found = strata.top_share, float(1.0 - EDGES[-2]), p_value
    if p_value >= RANDOM_LEVEL or strata.class_rates_p_value() >= CLASS_RATES_LEVEL:
        return LabelSampling(Sampling.RANDOM, *found)
    known = strata.weights()
    if known is None:
        return LabelSampling(Sampling.UNCOVERED, *found)
    weight = np.ones(evidence.n_tested)
    weight[is_known] = known
    return LabelSampling(Sampling.BY_SCORE, *found, weight)


def held_out_quantiles(evidence: Evidence, chosen: Shares) -> FloatArray:
    """Return the share of reference rows that score below each labelled row, by a model that did not see it.

    Ties count one half. Rows of several folds have the quantile of the first, rows of no fold NaN.
    """
    quantile = np.full(evidence.n_tested, np.nan)
    for fold, rows in enumerate(evidence.plan.tests):
        new = rows[np.isnan(quantile[rows])]
        if len(new):
            scores = evidence.mixed(chosen, evidence.plan.mask_without(fold))
            reference = np.sort(scores[evidence.n_tested :])
            ends = [np.searchsorted(reference, scores[new], side) for side in ("left", "right")]
            quantile[new] = (ends[0] + ends[1]) / (2.0 * len(reference))
    return quantile
