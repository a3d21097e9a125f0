"""Terms and components as labelled rows alone would have taught them, for comparison with what all rows teach."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray
from s2auc.data.text.text_encoding import SVD_SEED, TextEncoding, leading_vectors
from s2auc.data.text.vocabulary import rarity, unit_rows


def labeled_term_rows(rows: csr_array, encodings: Sequence[TextEncoding], n_labeled: int) -> csr_array:
    """Return rows of weighted terms with the weights that the labelled rows among them give.

    Terms that no labelled row contains are left out.

    Parameters
    ----------
    rows
        Rows of weighted terms, the labelled ones first: those of each text column side by side.
    encodings
        The encodings of these columns.
    n_labeled
        How many rows are labelled.
    """
    n_containing = np.bincount(rows[:n_labeled].indices, minlength=rows.shape[1])
    known = np.concatenate([encoding.vocabulary.weights for encoding in encodings])
    factors = np.where(n_containing > 0, rarity(n_containing, n_labeled), 0.0) / known
    found = rows.copy()  # of which places of zeros are taken out
    found.data *= factors[rows.indices]
    found.eliminate_zeros()
    ends = np.cumsum([0, *(size for encoding in encodings for size in encoding.vocabulary.block_sizes)])
    return unit_rows(found, ends)


def labeled_components(rows: csr_array, encodings: Sequence[TextEncoding], n_labeled: int) -> FloatArray:
    """Return the numbers that text columns would give each row if labelled rows alone had settled the components.

    The parameters are those of `labeled_term_rows`, which gives the rows. There are as many numbers as the encodings
    give; what labelled rows are too few for is zero.
    """
    ends = np.cumsum([0, *(encoding.vocabulary.n_terms for encoding in encodings)])
    blocks = []
    for encoding, (first, end) in zip(encodings, pairwise(ends.tolist()), strict=True):
        numbers = np.zeros((rows.shape[0], encoding.n_numbers))
        terms = csr_array(rows[:, first:end])
        if terms[:n_labeled].nnz:
            vectors = leading_vectors(csr_array(terms[:n_labeled]), encoding.n_components, SVD_SEED)
            numbers[:, : vectors.shape[1]] = terms @ vectors
        blocks.append(numbers)
    return np.concatenate(blocks, axis=1)
