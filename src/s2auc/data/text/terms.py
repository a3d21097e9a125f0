"""Counts of the terms of a vocabulary in texts: single words, pairs of words that follow each other, and n-grams."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack, vstack

from s2auc.common.arrays import IndexArray
from s2auc.data.text.tokens import grams_of, normalized, words_of

CHUNK_TEXTS, CHUNK_CHARACTERS = 1000, 2**19
"""Texts, and characters of these, whose terms are counted at a time, unless a single text has more."""


MAX_SEEN, MAX_SEEN_LENGTH = 2**16, 64
"""Tokens whose n-grams are remembered, at most, and their characters: some tens of megabytes."""


def text_chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield texts in order, so few at a time that their terms do not take much memory.

    Examples
    --------
    >>> [len(some) for some in text_chunks(["a"] * 1500 + ["b" * 400_000] * 3)]
    [1000, 501, 1, 1]
    """
    first, n_characters = 0, 0
    for place, text in enumerate(texts):
        if place > first and (place - first >= CHUNK_TEXTS or n_characters + len(text) > CHUNK_CHARACTERS):
            yield texts[first:place]
            first, n_characters = place, 0
        n_characters += len(text)
    if first < len(texts):
        yield texts[first:]


def place_of(distinct: Sequence[str]) -> dict[str, int]:
    """Return the place of every one of some different texts."""
    return {text: place for place, text in enumerate(distinct)}


def indicator(places: IndexArray, lengths: IndexArray, n_columns: int) -> csr_array:
    """Return how often each place occurs in rows of so many places each; negative places are skipped.

    Examples
    --------
    >>> indicator(np.array([1, 1, -1, 0]), np.array([3, 1]), 2).toarray().tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    row = np.repeat(np.arange(len(lengths)), lengths)
    is_known = places >= 0
    ends = np.cumsum(np.bincount(row[is_known], minlength=len(lengths)))
    shape = len(lengths), n_columns
    counts = csr_array((np.ones(int(is_known.sum())), places[is_known], np.concatenate([[0], ends])), shape=shape)
    counts.sum_duplicates()
    return counts


def pairs_of(places: IndexArray, lengths: IndexArray, n_words: int) -> IndexArray:
    """Return a number for each word and the next one in the same row, -1 where one is not known or there is none."""
    following = np.append(places[1:], -1)
    is_last = np.zeros(len(places), dtype=bool)
    is_last[np.cumsum(lengths)[lengths > 0] - 1] = True
    is_pair = (places >= 0) & (following >= 0) & ~is_last
    return np.where(is_pair, places * n_words + following, -1)


class Terms:
    """The terms of a vocabulary, and what finds them in texts.

    Parameters
    ----------
    words, pairs, grams
        Single words; words that follow each other, with a blank between them; character n-grams. Columns of counts are
        in this order.

    Examples
    --------
    >>> terms = Terms(["free", "prize"], ["free prize"], ["ize"])
    >>> terms.count(["Free prize! Prize!", "no"]).toarray().tolist()
    [[1.0, 2.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0]]
    """

    def __init__(self, words: Sequence[str], pairs: Sequence[str], grams: Sequence[str]) -> None:
        self.words, self.pairs, self.grams = tuple(words), tuple(pairs), tuple(grams)
        self._seen: dict[str, tuple[int, ...]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Terms, (self.words, self.pairs, self.grams)  # without what was derived from these

    @property
    def names(self) -> tuple[str, ...]:
        """All terms, in the order of their columns."""
        return self.words + self.pairs + self.grams

    @property
    def n_words(self) -> int:
        """Number of terms made of words: single ones and pairs."""
        return len(self.words) + len(self.pairs)

    @cached_property
    def _words(self) -> dict[str, int]:
        """Words that are terms, or in pairs that are, with their places among these."""
        return place_of(list(dict.fromkeys(chain(self.words, chain.from_iterable(map(str.split, self.pairs))))))

    @cached_property
    def _pairs(self) -> tuple[IndexArray, IndexArray]:
        """The numbers of the pairs, ascending, and the place of each."""
        places = [[self._words[word] for word in pair.split()] for pair in self.pairs]
        numbers = np.array([first * len(self._words) + second for first, second in places], dtype=np.int64)
        order = np.argsort(numbers)
        return numbers[order], order

    @cached_property
    def _grams(self) -> dict[str, int]:
        return place_of(self.grams)

    def count(self, texts: Sequence[str]) -> csr_array:
        """Return how often each term occurs in each text, (texts, terms)."""
        plain = list(map(normalized, texts))
        counts = hstack([*self._count_words(plain), self._count_grams(plain)], format="csr")
        counts.sort_indices()
        return csr_array(counts)

    def _count_words(self, texts: Sequence[str]) -> list[csr_array]:
        found = list(map(words_of, texts))
        lengths = np.array(list(map(len, found)), dtype=np.intp)
        looked_up = map(self._words.get, chain.from_iterable(found), repeat(-1))
        places = np.fromiter(looked_up, np.int64, int(lengths.sum()))
        numbers, order = self._pairs
        pairs = pairs_of(places, lengths, len(self._words))
        near = np.minimum(np.searchsorted(numbers, pairs), max(0, len(numbers) - 1))
        known = np.where(numbers[near] == pairs, order[near], -1) if len(numbers) else np.full(len(pairs), -1)
        single = np.where(places < len(self.words), places, -1)
        return [indicator(single, lengths, len(self.words)), indicator(known, lengths, len(self.pairs))]

    def _count_grams(self, texts: Sequence[str]) -> csr_array:
        tokens, rows = distinct_tokens(texts)
        return csr_array(rows @ self.grams_of_tokens(tokens))

    def grams_of_tokens(self, tokens: Sequence[str]) -> csr_array:
        """Return how often each n-gram occurs in each token, (tokens, n-grams)."""
        blocks = [csr_array((0, len(self.grams)))]
        for some in text_chunks(tokens):
            found = [self._grams_of_token(token) for token in some]
            lengths = np.array(list(map(len, found)), dtype=np.intp)
            places = np.fromiter(chain.from_iterable(found), np.int64, int(lengths.sum()))
            blocks.append(indicator(places, lengths, len(self.grams)))
        return csr_array(vstack(blocks, format="csr"))

    def _grams_of_token(self, token: str) -> tuple[int, ...]:
        """Return the places of the n-grams of a token that are terms; most tokens have been met before."""
        places = self._seen.get(token)
        if places is None:
            get = self._grams.get
            places = tuple(place for gram in grams_of(token) if (place := get(gram, -1)) >= 0)
            if len(token) <= MAX_SEEN_LENGTH:
                if len(self._seen) >= MAX_SEEN:
                    self._seen.clear()
                self._seen[token] = places
        return places


def distinct_tokens(texts: Sequence[str]) -> tuple[list[str], csr_array]:
    """Return what stands between blanks in normalized texts, once each, and how often in each text."""
    found = list(map(str.split, texts))
    lengths = np.array(list(map(len, found)), dtype=np.intp)
    distinct = list(dict.fromkeys(chain.from_iterable(found)))
    places = map(place_of(distinct).__getitem__, chain.from_iterable(found))
    return distinct, indicator(np.fromiter(places, np.int64, int(lengths.sum())), lengths, len(distinct))
