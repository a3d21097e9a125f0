"""Texts as numbers: components of their weighted terms, and one learnt weighted sum of these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.threads import single_blas_thread
from s2auc.data.text.terms import text_chunks
from s2auc.data.text.vocabulary import MIN_TEXTS, Vocabulary, learn_vocabulary

N_COMPONENTS = 100
"""Components of a text column: fewer lose what tells classes apart, more bring noise."""

N_NAME_COMPONENTS = 20
"""Components of a column of names, which are short and repeat."""

MAX_VALUES = 2_000_000
"""Weighted terms of all texts together that settle the components, at most: fewer texts where they are long."""

N_ITERATIONS = 4
"""Power iterations of the randomised SVD."""

MIN_LENGTH = 1e-6
"""Singular values of components, at least, as a share of the largest."""

SVD_SEED = 0
"""Of the randomised SVD: texts alone determine the encoding, whatever the seed of a fit."""


@dataclass(frozen=True, eq=False)
class TextEncoding:
    """A text column as numbers.

    Attributes
    ----------
    vocabulary
        The terms and their weights.
    components
        What each weighted term adds to each number, (terms, components + 1), in float32. The last number is the
        weighted sum of terms that a model has learnt, zero before.

    Examples
    --------
    >>> encoding = learn_text_encoding(["free prize", "your prize", "see you"], n_components=2, min_texts=2)
    >>> encoding.numbers(["a prize", ""]).round(1).tolist()
    [[1.4, -0.4, 0.0], [0.0, 0.0, 0.0]]
    """

    vocabulary: Vocabulary
    components: AnyArray

    @property
    def n_components(self) -> int:
        """Number of components."""
        return int(self.components.shape[1]) - 1

    @property
    def n_numbers(self) -> int:
        """Number of numbers: the components, and the learnt sum behind them."""
        return int(self.components.shape[1])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TextEncoding)
            and self.vocabulary.terms.names == other.vocabulary.terms.names
            and np.array_equal(self.vocabulary.weights, other.vocabulary.weights)
            and np.array_equal(self.components, other.components)
        )

    __hash__ = None  # type: ignore[assignment]

    def numbers(self, texts: Sequence[str]) -> FloatArray:
        """Return the components of each text and its learnt sum, the same whatever texts come with it."""
        found = np.zeros((len(texts), self.components.shape[1]))
        first = 0
        for some in text_chunks(texts):
            found[first : first + len(some)] = self.vocabulary.rows(some).astype(np.float32) @ self.components
            first += len(some)
        return found

    def with_sum(self, weights: FloatArray) -> "TextEncoding":
        """Return the encoding with the weights of a learnt sum of terms."""
        components = self.components.copy()
        components[:, -1] = weights
        return replace(self, components=components)


def leading_vectors(rows: csr_array, size: int, random_state: int) -> FloatArray:
    """Return the leading right singular vectors of sparse rows, (columns, vectors), at most as many as their rank."""
    # Here and not above: scoring starts faster without scikit-learn.
    from sklearn.utils.extmath import randomized_svd

    with single_blas_thread:
        _, lengths, vectors = randomized_svd(
            rows, n_components=min(size, *rows.shape), n_iter=N_ITERATIONS, random_state=random_state
        )
    # Any others are directions of rounding errors, in which other rows may be long.
    return np.ascontiguousarray(vectors[lengths > MIN_LENGTH * lengths[0]].T)


def learn_text_encoding(
    texts: Sequence[str], n_components: int = N_COMPONENTS, min_texts: int = MIN_TEXTS
) -> TextEncoding:
    """Return the encoding that some different texts settle; it has one component where they share no term."""
    vocabulary = learn_vocabulary(texts, min_texts)
    components = np.zeros((vocabulary.n_terms, 1 + max(1, min(n_components, vocabulary.n_terms, len(texts)))))
    if vocabulary.n_terms:
        vectors = leading_vectors(_first_rows(vocabulary, texts), n_components, SVD_SEED)
        components[:, : vectors.shape[1]] = vectors
    return TextEncoding(vocabulary, components.astype(np.float32))


def _first_rows(vocabulary: Vocabulary, texts: Sequence[str]) -> csr_array:
    """Return the first texts as rows of weighted terms, so many that they do not take much memory."""
    # Here and not above: most of SciPy's sparse module is not needed for scoring.
    from scipy.sparse import vstack

    blocks: list[csr_array] = []
    for some in text_chunks(texts):
        blocks.append(vocabulary.rows(some))
        if sum(block.nnz for block in blocks) >= MAX_VALUES:
            break
    return csr_array(vstack(blocks))
