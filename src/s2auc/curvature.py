"""The curvature that the steps of a run really meet, which sets how long they may be.

The worst case over all rows is ten to a hundred times what real data show, so it is measured: over some draws of rows
and fresh frequencies, exactly as the run makes them, the largest top eigenvalue of ΦᵀCΦ, where Φ are the block's
features on the batch and C is the risk's curvature between scores.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.linalg import eigvalsh

from s2auc.arrays import FloatArray
from s2auc.risk import Term, curvature_product


def top_eigenvalue(
    terms: Sequence[Term], phi: Mapping[str, FloatArray], weights: Mapping[str, FloatArray] | None = None
) -> float:
    """Return the largest curvature of a risk along features, which are given by group as (rows, columns).

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.losses import LOSSES
    >>> from s2auc.risk import semi_supervised_terms
    >>> terms = semi_supervised_terms(LOSSES["square"], labeled_weight=1.0)
    >>> round(top_eigenvalue(terms, {"positive": np.array([[1.0, 0.0]]), "negative": np.array([[0.0, 1.0]])}), 6)
    4.0
    """
    products = curvature_product(terms, phi, weights)
    matrix: FloatArray = np.sum([phi[group].T @ products[group] for group in phi], axis=0)
    last = len(matrix) - 1
    return float(eigvalsh(matrix, subset_by_index=(last, last))[0])
