"""Words of a text, and the character n-grams of its words.

Both are those of scikit-learn's vectorizers: runs of two or more letters, digits or underscores (`analyzer="word"`),
and 3 to 5 characters of what stands between blanks, with a blank on both sides (`analyzer="char_wb"`).
"""

import re
import unicodedata

GRAM_SIZES = (3, 4, 5)
"""Lengths of character n-grams."""

MAX_TEXT = 2**15
"""Characters of a text that are read; what comes after them is skipped."""

_WORD = re.compile(r"\w\w+")


def normalized(text: str) -> str:
    """Return the beginning of a text in lower case and, beyond ASCII, in Unicode's compatible form (NFKC).

    Examples
    --------
    >>> normalized("Ｆｕｌｌ Width ①")
    'full width 1'
    """
    text = text[:MAX_TEXT]
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)[:MAX_TEXT]).lower()


def words_of(text: str) -> list[str]:
    """Return the words of a normalized text.

    Examples
    --------
    >>> words_of("it's 10 o'clock, don't wait!")
    ['it', '10', 'clock', 'don', 'wait']
    """
    return _WORD.findall(text)


def grams_of(token: str) -> list[str]:
    """Return the character n-grams of what stands between two blanks.

    Examples
    --------
    >>> grams_of("cat")
    [' ca', 'cat', 'at ', ' cat', 'cat ', ' cat ']
    """
    padded = f" {token} "
    length = len(padded)
    return [
        padded[first : first + size]
        for size in GRAM_SIZES
        if size <= length or size == GRAM_SIZES[0]
        for first in range(max(1, length - size + 1))
    ]
