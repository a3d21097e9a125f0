"""The vocabulary of a text column: terms that enough texts share, and how rare each of them is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.data.text.terms import CHUNK_TEXTS, Terms, distinct_tokens, indicator, pairs_of, place_of
from s2auc.data.text.tokens import grams_of, normalized, words_of

MIN_TEXTS = 5
"""A term is used only if at least this many different texts contain it: names and addresses of single people do not
enter a model."""

MAX_WORD_TERMS, MAX_GRAMS = 5_000, 10_000
"""Terms of a vocabulary, at most: words with pairs of words, and character n-grams; those that most texts contain."""

MAX_TOKEN_CHARACTERS = 2**20
"""Characters of all different words whose n-grams are candidates, at most: those of the words in most texts."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Terms with weights: texts as rows of TF-IDF.

    A count n counts as 1 + log n, times the weight of the term; then the terms made of words have a length of one
    together, and so have the n-grams.

    Attributes
    ----------
    terms
        The terms.
    weights
        Of each of them: 1 + log((1 + texts) / (1 + texts that contain it)).

    Examples
    --------
    >>> vocabulary = learn_vocabulary(["free prize", "your prize", "see you"], min_texts=2)
    >>> vocabulary.terms.words, vocabulary.n_terms
    (('prize',), 17)
    """

    terms: Terms
    weights: FloatArray

    @property
    def n_terms(self) -> int:
        """Number of terms."""
        return len(self.weights)

    def rows(self, texts: Sequence[str]) -> csr_array:
        """Return texts as rows of weighted terms, (texts, terms); those without any known term are zero."""
        return self.weighted(self.terms.count(texts))

    def weighted(self, counts: csr_array) -> csr_array:
        """Return counts of the terms as weighted terms."""
        values = _dampened(counts.data) * self.weights[counts.indices]
        rows = csr_array((values, counts.indices, counts.indptr), shape=counts.shape)
        return unit_rows(rows, np.cumsum([0, *self.block_sizes]))

    @property
    def block_sizes(self) -> tuple[int, int]:
        """Numbers of the terms that have a length of one together: those made of words, and the n-grams."""
        return self.terms.n_words, self.n_terms - self.terms.n_words


def unit_rows(rows: csr_array, ends: IndexArray) -> csr_array:
    """Return rows in which each block of columns has a Euclidean length of one, given where the blocks end.

    Examples
    --------
    >>> unit_rows(csr_array([[3.0, 4.0, 2.0]]), np.array([0, 2, 3])).toarray().tolist()
    [[0.6, 0.8, 1.0]]
    """
    n_blocks = len(ends) - 1
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    place = row * n_blocks + np.searchsorted(ends, rows.indices, side="right") - 1
    # Added up in the order of columns, whatever rows come with them.
    squares = np.bincount(place, np.square(rows.data), minlength=rows.shape[0] * n_blocks)
    return csr_array((rows.data / np.sqrt(squares)[place], rows.indices, rows.indptr), shape=rows.shape)


def _dampened(counts: FloatArray) -> FloatArray:
    """Return 1 + log n of counts, each taken from a table, so that it does not depend on its place among others."""
    table = 1.0 + np.log(np.arange(1.0, 2.0 + (counts.max() if len(counts) else 0.0)))
    dampened: FloatArray = table[counts.astype(np.intp) - 1]
    return dampened


def rarity(n_containing: IndexArray, n_texts: int) -> FloatArray:
    """Return the weights of terms that so many of some texts contain."""
    weights: FloatArray = 1.0 + np.log((1.0 + n_texts) / (1.0 + n_containing))
    return weights


def learn_vocabulary(texts: Sequence[str], min_texts: int = MIN_TEXTS) -> Vocabulary:
    """Return the vocabulary of some different texts.

    Parameters
    ----------
    texts
        The texts.
    min_texts
        How many of them contain a term, at least.
    """
    plain = list(map(normalized, texts))
    words, pairs, word_counts = _word_terms(plain, min_texts)
    grams, gram_counts = _gram_terms(plain, min_texts)
    terms = Terms(words, pairs, grams)
    return Vocabulary(terms, rarity(np.concatenate([word_counts, gram_counts]), len(texts)))


def _word_terms(texts: Sequence[str], min_texts: int) -> tuple[list[str], list[str], IndexArray]:
    """Return words and pairs of words, and how many texts contain each."""
    found = list(map(words_of, texts))
    lengths = np.array(list(map(len, found)), dtype=np.intp)
    distinct = sorted(set(chain.from_iterable(found)))
    place = place_of(distinct)
    places = np.array([place[word] for word in chain.from_iterable(found)], dtype=np.int64)
    counts = _texts_containing(places, lengths, len(distinct))
    frequent = np.flatnonzero(counts >= min_texts)
    # Among frequent words only, so that numbers of pairs are small.
    rank = np.full(len(distinct), -1)
    rank[frequent] = np.arange(len(frequent))
    numbers = pairs_of(rank[places], lengths, len(frequent)) if len(places) else places
    candidates, where = np.unique(numbers, return_inverse=True)
    pair_counts = _texts_containing(np.where(numbers >= 0, where.reshape(-1), -1), lengths, len(candidates))
    is_frequent = pair_counts >= min_texts
    pairs, pair_counts = candidates[is_frequent], pair_counts[is_frequent]
    kept = _most_frequent(np.concatenate([counts[frequent], pair_counts]), MAX_WORD_TERMS)
    single, double = kept[kept < len(frequent)], kept[kept >= len(frequent)] - len(frequent)
    ends = divmod(pairs[double], max(1, len(frequent)))
    names = [" ".join(distinct[frequent[word]] for word in pair) for pair in zip(*ends, strict=True)]
    found_counts = np.concatenate([counts[frequent[single]], pair_counts[double]])
    return [distinct[frequent[word]] for word in single], names, found_counts


def _gram_terms(texts: Sequence[str], min_texts: int) -> tuple[list[str], IndexArray]:
    """Return character n-grams, and how many texts contain each."""
    tokens, rows = distinct_tokens(texts)
    rows.data[:] = 1.0
    in_texts = np.bincount(rows.indices, minlength=len(tokens))
    at_most: dict[str, int] = {}  # texts that contain an n-gram, those with two of its tokens counted twice
    n_characters = 0
    for place in np.argsort(-in_texts, kind="stable").tolist():
        n_characters += len(tokens[place])
        if n_characters > MAX_TOKEN_CHARACTERS and place:
            break
        for gram in set(grams_of(tokens[place])):
            at_most[gram] = at_most.get(gram, 0) + int(in_texts[place])
    candidates = sorted(gram for gram, n_texts in at_most.items() if n_texts >= min_texts)
    of_tokens = Terms([], [], candidates).grams_of_tokens(tokens)
    counts = np.zeros(len(candidates), dtype=np.intp)
    for first in range(0, len(texts), CHUNK_TEXTS):  # rows that are short, whatever the length of texts
        contained = csr_array(rows[first : first + CHUNK_TEXTS] @ of_tokens)
        counts += np.bincount(contained.indices, minlength=len(candidates))
    frequent = np.flatnonzero(counts >= min_texts)
    kept = frequent[_most_frequent(counts[frequent], MAX_GRAMS)]
    return [candidates[place] for place in kept], counts[kept]


def _texts_containing(places: IndexArray, lengths: IndexArray, n_terms: int) -> IndexArray:
    """Return how many texts contain each term, by the places of terms in texts; negative places are none."""
    return np.bincount(indicator(places, lengths, n_terms).indices, minlength=n_terms)


def _most_frequent(counts: IndexArray, most: int) -> IndexArray:
    """Return the places of the largest counts, ascending; ties go to the first."""
    return np.sort(np.argsort(-counts, kind="stable")[:most])
