"""The closed form through the labelled rows: many left-out sets, alphas and labelled weights for little more than one.

With z the scores of the labelled rows and the mean score of the unlabelled ones, and C the covariance of the features
over the unlabelled rows, the risk of a quadratic loss without its constant is

    ½·zᵀSz - vᵀz + ½·wᵀBw + alpha/2·‖w‖²,    z = Rw,    B = b·C,

where R holds the labelled rows' features and the unlabelled rows' mean, and S, v and b come from the terms and from
which rows take part. So w = P·Rᵀ(v - S·z) with P = (B + alpha·I)⁻¹, and (I + G·S)·z = G·v with G = R·P·Rᵀ. One
Cholesky factor of P⁻¹ and one G serve every set of rows, and what is left is as many equations as there are labelled
rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.ranking.risk import Term


@dataclass(frozen=True, eq=False)
class RowForm:
    """Features of labelled rows and moments of unlabelled ones.

    Attributes
    ----------
    covariance
        Of the features over the unlabelled rows; None without such rows.
    rows
        R: labelled rows, positive first, then the mean of the unlabelled ones if there are any.
    n_positive, n_negative
        How many labelled rows there are of each class.
    """

    covariance: FloatArray | None
    rows: FloatArray
    n_positive: int
    n_negative: int

    @classmethod
    def of_features(cls, labeled: FloatArray, n_positive: int, unlabeled: FloatArray) -> "RowForm":
        """Return the form for features of labelled rows, positive first, and of unlabelled rows, if any."""
        n_negative = len(labeled) - n_positive
        if not len(unlabeled):
            return cls(None, labeled, n_positive, n_negative)
        mean = unlabeled.mean(axis=0)
        centred = unlabeled - mean
        covariance = centred.T @ centred / len(unlabeled)
        return cls(covariance, np.concatenate([labeled, mean[None, :]]), n_positive, n_negative)

    def solve(self, terms: Sequence[Term], alphas: Sequence[float], is_used: BoolArray) -> FloatArray:
        """Return w for each alpha and each set of rows, (alphas, features, sets); `is_used` is (labelled rows, sets).

        Examples
        --------
        >>> import numpy as np
        >>> from s2auc.ranking.losses import LOSSES
        >>> from s2auc.ranking.risk import semi_supervised_terms
        >>> form = RowForm.of_features(np.array([[1.0, 0.0], [0.0, 1.0]]), 1, np.zeros((0, 2)))
        >>> terms = semi_supervised_terms(LOSSES["square"], labeled_weight=1.0)
        >>> form.solve(terms, [1.0], is_used=np.ones((2, 1), dtype=bool)).round(4).tolist()
        [[[0.4], [-0.4]]]
        """
        stiffness, pull, spread = _assemble(terms, self._shares(is_used), len(self.rows))
        weights = np.empty((len(alphas), self.rows.shape[1], is_used.shape[1]))
        diagonal = np.arange(len(self.rows))
        for place, alpha in enumerate(alphas):
            factor = self._factor(spread, alpha)
            reduced = self.rows.T / sqrt(alpha) if factor is None else _solve_lower(factor, self.rows.T)
            gram = reduced.T @ reduced
            system = np.matmul(gram, stiffness)
            system[:, diagonal, diagonal] += 1.0
            z = np.linalg.solve(system, (pull @ gram)[:, :, None])
            moved = reduced @ (pull - np.matmul(stiffness, z)[:, :, 0]).T
            weights[place] = moved / sqrt(alpha) if factor is None else _solve_lower(factor, moved, transposed=True)
        return weights

    def _factor(self, spread: float, alpha: float) -> FloatArray | None:
        """Return the lower Cholesky factor of spread·C + alpha·I; None where that is alpha·I."""
        if self.covariance is None or spread == 0.0:
            return None
        matrix = spread * self.covariance
        matrix[np.diag_indices_from(matrix)] += alpha
        factor: FloatArray = cholesky(matrix, lower=True, overwrite_a=True, check_finite=False)
        return factor

    def _shares(self, is_used: BoolArray) -> dict[str, FloatArray]:
        """Return, by group, how much each row of R counts in the group's mean, (sets, rows), for groups with rows."""
        n_rows, n_sets = len(self.rows), is_used.shape[1]
        blocks = {
            POSITIVE: slice(0, self.n_positive),
            NEGATIVE: slice(self.n_positive, self.n_positive + self.n_negative),
        }
        shares = {}
        for group, block in blocks.items():
            if block.stop > block.start:
                used = is_used[block].T.astype(np.float64)
                shares[group] = np.zeros((n_sets, n_rows))
                shares[group][:, block] = used / used.sum(axis=1, keepdims=True)
        if n_rows > len(is_used):
            shares[UNLABELED] = np.zeros((n_sets, n_rows))
            shares[UNLABELED][:, -1] = 1.0
        return shares


def _solve_lower(factor: FloatArray, right: FloatArray, *, transposed: bool = False) -> FloatArray:
    solution: FloatArray = solve_triangular(factor, right, lower=True, trans=1 if transposed else 0, check_finite=False)
    return solution


def _assemble(
    terms: Sequence[Term], shares: dict[str, FloatArray], n_rows: int
) -> tuple[FloatArray, FloatArray, float]:
    """Return S, v and b of each set: a pair's loss c0 + c1·gap + c2·gap², averaged over both groups."""
    n_sets = len(next(iter(shares.values())))
    stiffness, pull, spread = np.zeros((n_sets, n_rows, n_rows)), np.zeros((n_sets, n_rows)), 0.0
    diagonal = np.arange(n_rows)
    for term in terms:
        if term.loss.quadratic is None:
            raise ValueError(f"The closed form needs a quadratic loss. Got {term.loss.name!r}; use 'square'.")
        if term.pairs.higher not in shares or term.pairs.lower not in shares:
            continue
        weight = float(term.weight)
        higher, lower = shares[term.pairs.higher], shares[term.pairs.lower]
        _, c1, c2 = term.loss.quadratic
        cross = higher[:, :, None] * lower[:, None, :]
        stiffness[:, diagonal, diagonal] += (2.0 * c2 * weight) * (higher + lower)
        stiffness -= (2.0 * c2 * weight) * (cross + cross.transpose(0, 2, 1))
        pull -= (c1 * weight) * (higher - lower)
        spread += 2.0 * c2 * weight * ((term.pairs.higher == UNLABELED) + (term.pairs.lower == UNLABELED))
    return stiffness, pull, spread
