"""A sample of the different texts of a column, the same whatever the order of the rows."""

from collections.abc import Iterable
from hashlib import blake2b

from s2auc.data.text.tokens import MAX_TEXT

MAX_TEXTS = 10_000
"""Texts of a sample, at most."""

MAX_CHARACTERS = 2**23
"""Characters of all texts of a sample together, at most."""


class TextSample:
    """The different texts with the smallest hashes, as many as fit.

    Rows may come in any order and from several tables: samples are joined without loss. A text that occurs in many rows
    counts once.

    Examples
    --------
    >>> sample = TextSample(max_texts=2)
    >>> sample.update(["red", "green", "red", "blue"])
    >>> sample.n_texts, len(sample.texts())
    (2, 2)
    """

    def __init__(self, max_texts: int = MAX_TEXTS, max_characters: int = MAX_CHARACTERS) -> None:
        self._max_texts, self._max_characters = max_texts, max_characters
        self._kept: dict[str, bytes] = {}
        self._n_characters = 0
        self._bound: bytes | None = None  # texts of larger hashes do not fit

    @property
    def n_texts(self) -> int:
        """Number of texts."""
        self._trim()
        return len(self._kept)

    def update(self, texts: Iterable[str]) -> None:
        """Take in some more texts."""
        kept, bound = self._kept, self._bound
        for text in texts:
            text = text[:MAX_TEXT]
            if text in kept:
                continue
            digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            if bound is None or digest < bound:
                kept[text] = digest
                self._n_characters += len(text)
                if len(kept) >= 2 * self._max_texts or self._n_characters >= 2 * self._max_characters:
                    self._trim()
                    kept, bound = self._kept, self._bound

    def join(self, later: "TextSample") -> None:
        """Take in the texts of another sample."""
        if later._bound is not None:
            self._bound = later._bound if self._bound is None else min(self._bound, later._bound)
        self._kept |= later._kept
        self._trim()

    def texts(self) -> list[str]:
        """Return the texts in the order of their hashes, which has nothing to do with that of the rows."""
        self._trim()
        return list(self._kept)

    def _trim(self) -> None:
        """Keep the texts of the smallest hashes, as many as fit."""
        ordered = sorted(self._kept.items(), key=lambda item: (item[1], item[0]))
        self._kept, self._n_characters = {}, 0
        for text, digest in ordered:
            is_full = len(self._kept) >= self._max_texts or self._n_characters + len(text) > self._max_characters
            if (is_full and self._kept) or (self._bound is not None and digest >= self._bound):
                self._bound = digest if self._bound is None else min(self._bound, digest)
                break
            self._kept[text] = digest
            self._n_characters += len(text)
