"""Recognition of language: sentences, titles and names, in contrast to codes that name rows."""

from collections import Counter
from collections.abc import Sequence

from s2auc.data.text.tokens import normalized, words_of

MIN_SHARE = 0.5
"""Texts that hold a word that others hold too, at least: a share of all."""

COMMON_WORD, RARE_WORD = 0.9, 5
"""A word that tells texts apart is in at most this share of them, and in at least this number (2 of a few hundred)."""

SENTENCE_WORDS = 4.0
"""Words of a text on average, from which on texts are more than names."""


def is_language(texts: Sequence[str]) -> bool:
    """Return whether most of some different texts hold a word, made of letters only, that others hold too.

    Examples
    --------
    >>> is_language(["red shoes", "red hat", "old hat"]), is_language(["A-17", "B-18", "C-19"])
    (True, False)
    """
    found = [{word for word in words_of(normalized(text)) if word.isalpha()} for text in texts]
    n_texts = Counter(word for words in found for word in words)
    rare = max(2, min(RARE_WORD, len(texts) // 100))
    shared = {word for word, count in n_texts.items() if rare <= count <= COMMON_WORD * len(texts)}
    return bool(texts) and sum(not shared.isdisjoint(words) for words in found) >= MIN_SHARE * len(texts)


def are_sentences(texts: Sequence[str]) -> bool:
    """Return whether texts have several words, so that each says something of its own.

    Examples
    --------
    >>> are_sentences(["Please call me back soon"]), are_sentences(["Registered nurse"])
    (True, False)
    """
    return sum(len(words_of(normalized(text))) for text in texts) >= SENTENCE_WORDS * len(texts) > 0
