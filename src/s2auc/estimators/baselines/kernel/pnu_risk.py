"""The risks of PNU-AUC: what is minimised, and what its authors select settings by."""

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.ranking.intervals import EQUAL, Weights
from s2auc.ranking.losses import Loss
from s2auc.ranking.metrics import auc_of_groups, auc_positive_unlabeled, auc_unlabeled_negative
from s2auc.ranking.objective import Objective, Term
from s2auc.ranking.pairs import AllPairs


def pnu_objective(loss: Loss, eta: float, class_prior: float | None) -> Objective:
    """Return the sum of the terms that have weight: (1-|η|)·R_PN + |η|·R_PU for η > 0, with R_NU for η < 0.

    Parameters
    ----------
    loss
        Loss of the gap between two scores.
    eta
        η, from -1 to 1.
    class_prior
        π, the share of positives among the unlabelled rows; not looked at if η = 0.

    Examples
    --------
    >>> from s2auc.ranking.losses import LOSSES
    >>> objective = pnu_objective(LOSSES["square"], 0.5, 0.25)
    >>> [(round(float(term.weight), 3), *term.groups) for term in objective.terms]
    [(0.5, 'positive', 'negative'), (0.667, 'positive', 'unlabeled'), (-0.167, 'positive', 'positive')]
    """
    share = abs(eta)
    terms = [Term(1.0 - share, loss, AllPairs(POSITIVE, NEGATIVE))]
    if eta and class_prior is not None:
        group, pairs, own = (
            (POSITIVE, AllPairs(POSITIVE, UNLABELED), class_prior)
            if eta > 0
            else (NEGATIVE, AllPairs(UNLABELED, NEGATIVE), 1.0 - class_prior)
        )
        # Some unlabelled rows are of the labelled row's own class: that part of the pairs is taken off again.
        terms += [
            Term(share / (1.0 - own), loss, pairs),
            Term(-share * own / (1.0 - own), loss, AllPairs(group, group)),
        ]
    return Objective(tuple(term for term in terms if term.weight != 0))


def selection_weight(eta: float, class_prior: float, n_positive: int, n_negative: int) -> float:
    """Return the mixing weight of the risk that judges a setting: the authors' heuristic, with the sign of η.

    Examples
    --------
    >>> selection_weight(0.3, class_prior=0.5, n_positive=11, n_negative=10)
    0.5
    """
    positive, negative = (1.0 - class_prior) ** 2, class_prior**2
    if eta >= 0:
        above, below = positive * (n_positive - 1), negative * n_negative
        return above / (above + below)
    above, below = positive * n_positive, negative * (n_negative - 1)
    return -below / (above + below)


def zero_one_risk(
    positive: FloatArray,
    negative: FloatArray,
    unlabeled: FloatArray,
    weight: float,
    class_prior: float,
    row_weights: Weights = EQUAL,
) -> float:
    """Return the PNU risk with the 0-1 loss, ties counting one half.

    Pairs within a group, each row with every other, have a 0-1 risk of one half whatever the scores are, so R_PU and
    R_NU are one minus the AUC estimated from unlabelled rows. Terms whose group is empty drop out.

    Parameters
    ----------
    positive, negative, unlabeled
        Scores of rows that were held out.
    weight
        Weight of R_PU if positive, of R_NU if negative; the rest is that of R_PN.
    class_prior
        π.
    row_weights
        How much each positive and each negative row counts.
    """
    of_positive, of_negative = row_weights
    risks, shares = [], []
    if len(positive) and len(negative):
        risks.append(1.0 - auc_of_groups(positive, negative, of_positive, of_negative))
        shares.append(1.0 - abs(weight))
    if len(unlabeled) and weight > 0 and len(positive):
        risks.append(1.0 - auc_positive_unlabeled(positive, unlabeled, class_prior, of_positive))
        shares.append(weight)
    if len(unlabeled) and weight < 0 and len(negative):
        risks.append(1.0 - auc_unlabeled_negative(unlabeled, negative, class_prior, of_negative))
        shares.append(-weight)
    return float(np.average(risks, weights=shares))
