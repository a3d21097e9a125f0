"""Texts that stand between the marks of a page, and the words they are made of.

`fill` puts the texts of a topic, by name, between the marks of a page:

    <!-- accuracy: name --> text <!-- end -->
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from s2auc.experiments.results.comparison import Comparison

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
)


def fill(page: str, topic: str, blocks: Mapping[str, str]) -> str:
    """Return a page with the blocks between their marks; one whose opening mark ends a line gets lines of its own."""

    def put(found: re.Match[str]) -> str:
        opening, name, old, closing = found.groups()
        if name not in blocks:
            raise ValueError(f"A block must be one of {', '.join(blocks)}. Got {name!r} instead; mend the page.")
        return f"{opening}\n{blocks[name]}\n{closing}" if old.startswith("\n") else opening + blocks[name] + closing

    return re.sub(rf"(<!-- {topic}: ([\w ]+) -->)(.*?)(<!-- end -->)", put, page, flags=re.DOTALL)


def tables_of(comparisons: Sequence[Comparison], order: Sequence[str]) -> str:
    """Return which tables and how many trials a comparison counts, and what it leaves out."""
    datasets = [name for name in order if any(name in comparison.datasets for comparison in comparisons)]
    fewest = min(comparison.fewest_trials for comparison in comparisons)
    most = max(comparison.most_trials for comparison in comparisons)
    trials = count(most, "trial") if fewest == most else f"{word(fewest)} to {count(most, 'trial')}"
    left_out = [
        f"{', '.join(comparison.left_out)} with {comparison.n_labeled} labels"
        for comparison in comparisons
        if comparison.left_out
    ]
    missing = f" Not counted, for a method has no result there: {listed(left_out)}." if left_out else ""
    return f"{count(len(datasets), 'table').capitalize()} ({', '.join(datasets)}), {trials}.{missing}"


def winners(comparisons: Sequence[Comparison], names: Mapping[str, str]) -> str:
    """Return which methods are best on single tables."""
    sentences = []
    for comparison in comparisons:
        counts = Counter(comparison.winners.values())
        told = []
        for method, number in counts.most_common():
            where = ", ".join(dataset for dataset, winner in comparison.winners.items() if winner == method)
            told.append(f"{names[method]} on {number} ({where})")
        sentences.append(f"With {comparison.n_labeled} labels the best on single tables are {'; '.join(told)}.")
    return " ".join(sentences)


def bold_if(text: str, highest: str) -> str:
    """Return a number in bold if it is the highest of its column."""
    return f"**{text}**" if text == highest else text


def word(number: int) -> str:
    """Return a small number as a word."""
    return _WORDS[number] if number < len(_WORDS) else str(number)


def count(number: int, noun: str) -> str:
    """Return so many of something."""
    return f"{word(number)} {noun}{'' if number == 1 else 's'}"


def listed(texts: Sequence[str]) -> str:
    """Return texts in a row, with "and" before the last."""
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
