"""Drawings of how columns move the score: a line for numbers, a bar a category, and how often values occur."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.schema.schema import Level
from s2auc.reports.drawings.charts import Frame, dot, number_ticks, segment, words
from s2auc.reports.markup import Html, number, shown
from s2auc.reports.measures.partial_effects import PartialEffect

WIDTH = 320.0
STRIP = 20.0
"""Height of the strip that shows how often values occur."""

N_BINS = 32

_PARTS: dict[str | None, Sequence[Level]] = {
    "month": ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class NamedEffect:
    """An effect in the words of users.

    Attributes
    ----------
    name
        The column, and the part of it that is meant if it holds dates.
    effect
        What was found.
    categories
        What the values are called where they are categories, else None.
    part
        The part of dates that it is, if any.
    """

    name: str
    effect: PartialEffect
    categories: tuple[str, ...] | None
    part: str | None

    def spelled(self, place: int) -> str:
        """Return how one of the values is written."""
        if self.categories is not None:
            return f"“{shown(self.categories[place], 40)}”"
        return spelled(float(self.effect.values[place]), self.part)


def categories_of(part: str | None, levels: Sequence[Level] | None, values: FloatArray) -> tuple[str, ...]:
    """Return the names of the values of a part of dates, of codes of levels, or of values that name themselves.

    Examples
    --------
    >>> categories_of("weekday", None, np.array([0.0, 6.0])), categories_of(None, ("Rome", "Oslo"), np.array([1.0]))
    (('Mon', 'Sun'), ('Oslo',))
    """
    names = _PARTS.get(part, levels)
    if names is None:
        return tuple(shown(float(value)) for value in values)
    codes = values.astype(np.intp).tolist()
    return tuple(shown(names[code] if 0 <= code < len(names) else code) for code in codes)


def draw_effect(found: NamedEffect, score_range: tuple[float, float], mean: float) -> Html:
    """Return a drawing of an effect, on a scale of scores that several share, with the mean score marked."""
    draw = _draw_numbers if found.categories is None else _draw_categories
    return draw(found, score_range, mean)


def _draw_numbers(found: NamedEffect, score_range: tuple[float, float], mean: float) -> Html:
    effect = found.effect
    low, high = float(effect.values[0]), float(effect.values[-1])
    ticks = number_ticks(low, high, 4)
    if found.part == "day":
        ticks = [(value, spelled(value, "day")) for value in sorted({low, high})]
    frame = Frame(WIDTH, 224, (low, high), score_range, bottom=34 + STRIP)
    inside = np.clip(effect.seen, low, high)
    edges = np.linspace(low, high, N_BINS + 1) if high > low else np.array([low - 0.5, low + 0.5])
    counts = np.histogram(inside, edges)[0].astype(np.float64)
    strip = Frame(WIDTH, 224 - 18, (edges[0], edges[-1]), (0.0, max(1.0, counts.max())), top=224 - 20 - STRIP, bottom=0)
    axis = Frame(WIDTH, 224, frame.x_range, score_range, bottom=18)
    parts = [
        frame.axes([], number_ticks(*score_range, 4)),
        segment(frame.left, frame.y(mean), WIDTH - frame.right, frame.y(mean), "guide"),
        strip.columns(edges, counts, "faint"),
        *(words(axis.x(value), 222, name, _anchor(axis, value)) for value, name in ticks),
    ]
    if effect.missing_score is not None:
        height = frame.y(effect.missing_score)
        parts += [
            segment(frame.left, height, WIDTH - frame.right, height, "missing"),
            words(WIDTH - frame.right, height - 4, "missing", "end"),
        ]
    parts.append(frame.line(effect.values, effect.scores, "curve"))
    if len(effect.values) <= 12:
        pairs = zip(effect.values.tolist(), effect.scores.tolist(), strict=True)
        parts += [dot(frame.x(value), frame.y(score), 3) for value, score in pairs]
    return frame.drawing(f"Mean score by {shown(found.name, 60)}", *parts)


def _draw_categories(found: NamedEffect, score_range: tuple[float, float], mean: float) -> Html:
    effect = found.effect
    shares = [0.0] * len(effect.values) if effect.shares is None else effect.shares.tolist()
    entries = list(zip(found.categories or (), effect.scores.tolist(), shares, strict=True))
    if found.part is None:  # months and weekdays have an order of their own
        entries.sort(key=lambda entry: -entry[1])
    if effect.missing_score is not None:
        entries.append(("missing", effect.missing_score, effect.missing_share))
    gap = min(22.0, max(15.0, 178.0 / max(1, len(entries))))
    frame = Frame(WIDTH, gap * len(entries) + 62, score_range, (0, 1), left=104, right=44, bottom=34)
    guide = segment(frame.x(mean), 6, frame.x(mean), frame.height - frame.bottom, "guide")
    parts = [frame.axes(number_ticks(*score_range, 3), []), guide]
    for place, (name, score, share) in enumerate(entries):
        height = 16.0 + gap * (place + 0.5)
        parts += [
            words(98, height + 4, shown(name, 15), "end"),
            segment(frame.x(mean), height, frame.x(score), height, "stem"),
            dot(frame.x(score), height, 4.5),
            words(WIDTH - 2, height + 4, f"{100 * share:.0f} %", "end", "label"),
        ]
    return frame.drawing(f"Mean score by {shown(found.name, 60)}", *parts)


def _anchor(frame: Frame, value: float) -> str:
    """Return how a word is put such that it stays within the drawing."""
    if frame.x_range[1] <= frame.x_range[0]:
        return "middle"
    share = (frame.x(value) - frame.left) / (frame.width - frame.left - frame.right)
    return "start" if share < 0.02 else "end" if share > 0.93 else "middle"


def spelled(value: float, part: str | None) -> str:
    """Return a value as it is written: one that stands for a day as a date.

    Examples
    --------
    >>> spelled(19723.5, "day"), spelled(19723.5, None)
    ('2024-01-01', '19,724')
    """
    if part == "day" and abs(value) < 700_000:
        return (_EPOCH + timedelta(days=int(np.floor(value)))).isoformat()
    return number(value)
