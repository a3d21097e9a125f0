"""Words that speak for and against: the mean score of rows, were a text to consist of one word only."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.sources.rows import Rows, count_rows, dense_rows
from s2auc.data.text.text_encoding import TextEncoding
from s2auc.models.model import Model
from s2auc.reports.measures.source_columns import with_columns

N_WORDS = 10
"""Words that speak for, and words that speak against."""

MAX_WORDS = 500
"""Words and pairs of words that are tried: those that most texts contain."""

BACKGROUND_ROWS = 10
"""Rows whose other columns stay as they are."""


@dataclass(frozen=True)
class WordEffect:
    """A word, or a pair of words, and how far it moves the score from that of the average word."""

    word: str
    effect: float


@dataclass(frozen=True)
class WordEffects:
    """The words of a text column that move the score most.

    Attributes
    ----------
    name
        The column.
    positive, negative
        Words that raise and that lower the score, the strongest first.
    n_tried, n_terms
        How many words and pairs of words were tried, of how many.
    """

    name: str
    positive: tuple[WordEffect, ...]
    negative: tuple[WordEffect, ...]
    n_tried: int
    n_terms: int


def word_effects(model: Model, rows: Rows) -> list[WordEffects]:
    """Return the words that move the score most, for each text column.

    Parameters
    ----------
    model
        What scores.
    rows
        Some rows by the columns of the model.
    """
    background = rows[:BACKGROUND_ROWS]
    if not count_rows(background):
        return []
    return [
        _effects_of(str(source), encoding, first, model, dense_rows(background))
        for first, (source, encoding) in model.schema.texts.items()
    ]


def _effects_of(name: str, encoding: TextEncoding, first: int, model: Model, background: FloatArray) -> WordEffects:
    terms = encoding.vocabulary.terms
    common = np.argsort(encoding.vocabulary.weights[: terms.n_words], kind="stable")[:MAX_WORDS]
    words = [terms.names[place] for place in common]
    rows = np.tile(background, (len(words), 1))
    changed = with_columns(rows, first, np.repeat(encoding.numbers(words), len(background), axis=0))
    scores = model.score_rows(changed).reshape(len(words), len(background)).mean(axis=1)
    effects = scores - scores.mean() if len(scores) else scores
    order = np.argsort(-effects, kind="stable")
    listed = [WordEffect(words[place], float(effects[place])) for place in order]
    positive = tuple(entry for entry in listed[:N_WORDS] if entry.effect > 0)
    negative = tuple(entry for entry in listed[::-1][:N_WORDS] if entry.effect < 0)
    return WordEffects(name, positive, negative, len(words), terms.n_words)
