"""Profiles of columns of plain text: categories, language, or identifiers of rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2auc.data.schema.arrow_columns import distinct_values
from s2auc.data.schema.column_profiler import MAX_TEXT_VALUES, ColumnProfiler
from s2auc.data.schema.identifiers import MAX_CATEGORIES, why_text_is_ignored
from s2auc.data.schema.schema import LearntColumn, sorted_levels
from s2auc.data.text.language import are_sentences, is_language
from s2auc.data.text.text_encoding import N_COMPONENTS, N_NAME_COMPONENTS, learn_text_encoding
from s2auc.data.text.text_sample import TextSample
from s2auc.data.text.vocabulary import MIN_TEXTS

MAX_LEVEL_CHARACTERS = 2**24
"""Characters of all different values that are kept to be counted; of a column with more, a sample is kept."""


class WordProfiler(ColumnProfiler):
    """Text that stands for nothing else.

    Up to `MAX_CATEGORIES` different values that repeat are categories. Else language is text, and anything else either
    categories or an identifier (`s2auc.data.schema.identifiers`). Names that repeat, of which there are many, are both
    categories and text.

    Parameters
    ----------
    name, display_name
        As for all profilers.
    is_text
        Whether a user says that it is text, however few values there are.
    min_texts
        A term of the vocabulary is in at least this many different texts, and the category of a name in as many rows.
    """

    def __init__(self, name: str, display_name: str, *, is_text: bool = False, min_texts: int = MIN_TEXTS) -> None:
        super().__init__(name, display_name, "text")
        self._is_text, self._min_texts = is_text, min_texts
        self._counts: dict[str, int] | None = {}
        self._n_characters = 0
        self._names_rows = False
        self._sample = TextSample()

    @property
    def is_settled(self) -> bool:
        """True once there are too many different values that are no language."""
        return self._names_rows

    def update(self, array: Any) -> None:
        """Take in some more rows."""
        places, distinct = distinct_values(self._column(array).of_kind("text"))
        n_rows = np.bincount(places[places >= 0], minlength=len(distinct)).tolist()
        present = {text: count for text, count in zip(distinct, n_rows, strict=True) if text is not None and count}
        self._first = next(iter(present), None) if self._first is None else self._first
        self._varies = self._varies or any(text != self._first for text in present)
        n_values = sum(present.values())
        self.n_values, self.n_missing = self.n_values + n_values, self.n_missing + len(places) - n_values
        self._sample.update(present)
        self._add(present)

    def join(self, later: "WordProfiler") -> None:
        """Take in what another profiler has learnt of later rows."""
        super().join(later)
        self._sample.join(later._sample)
        if later._counts is None:
            self._stop_counting()
        else:
            self._add(later._counts)

    def learnt(self) -> LearntColumn:
        """Return the categories, the encoding of the text, or both."""
        found = self._form(self._sample, self._n_different, self._why_identifies([self]))
        levels = None
        if found != "text":
            least = self._min_texts if found == "names" else 1
            counts = self._counts or {}
            levels = sorted_levels((value for value, n_rows in counts.items() if n_rows >= least), self.display_name)
        text = None
        if found != "categories":
            n_components = N_COMPONENTS if found == "text" else N_NAME_COMPONENTS
            text = learn_text_encoding(self._sample.texts(), n_components, self._min_texts)
        return LearntColumn(self.name, levels is not None, levels, text=text)

    @property
    def _n_different(self) -> int:
        return MAX_TEXT_VALUES + 1 if self._counts is None else len(self._counts)

    def _add(self, counts: dict[str, int]) -> None:
        """Count values, until they are too many to be categories."""
        if self._counts is None:
            return
        for value, n_rows in counts.items():
            known = self._counts.get(value, 0)
            self._counts[value] = known + n_rows
            self._n_characters += 0 if known else len(value)
        if len(self._counts) > MAX_TEXT_VALUES or self._n_characters > MAX_LEVEL_CHARACTERS:
            self._stop_counting()

    def _stop_counting(self) -> None:
        """Forget the values, which are too many to be categories: they are language, or name rows."""
        self._counts = None
        self._names_rows = not self._is_text and not is_language(self._sample.texts())

    def _form(self, sample: TextSample, n_different: int, reason: str | None) -> str:
        """Return whether a column is "text", "categories" or both, "names"; given why it may be an identifier."""
        if self._is_text:
            return "text"
        is_few = reason is None and n_different <= MAX_CATEGORIES
        if is_few or not is_language(texts := sample.texts()):
            return "categories"
        return "text" if reason is not None or are_sentences(texts) else "names"

    @staticmethod
    def _why_identifies(profilers: Sequence["WordProfiler"]) -> str | None:
        """Return why values may name rows, by their numbers alone."""
        if any(one._counts is None for one in profilers):
            return f"text with more than {MAX_TEXT_VALUES:,} different values"
        n_different = len(set().union(*(one._counts or () for one in profilers)))
        return why_text_is_ignored([(one.n_values, one._n_different) for one in profilers], n_different)

    def _why_identifier(self, n_rows: int, profilers: Sequence["WordProfiler"]) -> str | None:  # noqa: ARG002
        reason = None if self._is_text else self._why_identifies(profilers)
        if reason is None:
            return None
        together = TextSample()
        for one in profilers:
            together.join(one._sample)
        n_different = max(one._n_different for one in profilers)
        return None if self._form(together, n_different, reason) == "text" else reason
