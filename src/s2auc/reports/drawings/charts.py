"""Drawings as inline SVG: a frame with axes, lines, areas and bars; colours come from the classes of the style sheet.

Drawings are narrow, so that their words can be read on a telephone, and have no identifiers that could clash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import FloatArray
from s2auc.reports.markup import Html, joined, number, tag, text

Ticks: TypeAlias = Sequence[tuple[float, str]]
"""Values, and how they are written."""


@dataclass(frozen=True)
class Frame:
    """A drawing with room for axes: its size, and which numbers its sides stand for."""

    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    left: float = 46.0
    right: float = 12.0
    top: float = 12.0
    bottom: float = 42.0

    def x(self, value: float) -> float:
        """Return how far from the left a value lies."""
        low, high = self.x_range
        return self.left + (self.width - self.left - self.right) * _share(value, low, high)

    def y(self, value: float) -> float:
        """Return how far from the top a value lies."""
        low, high = self.y_range
        return self.top + (self.height - self.top - self.bottom) * (1.0 - _share(value, low, high))

    def drawing(self, title: str, *parts: Html) -> Html:
        """Return a drawing with what is to be seen on it."""
        return text("drawing.whole", frame=self, title=title, max_width=self.width * 1.25, parts=joined(parts))

    def axes(self, x_ticks: Ticks, y_ticks: Ticks, x_label: str = "", y_label: str = "") -> Html:
        """Return a faint grid, the words at its ends, and what the axes stand for."""
        bottom, right = self.height - self.bottom, self.width - self.right
        parts = [segment(self.left, bottom, right, bottom, "axis")]
        for value, name in y_ticks:
            height = self.y(value)
            parts += [segment(self.left, height, right, height, "grid"), words(self.left - 6, height + 4, name, "end")]
        for value, name in x_ticks:
            place = self.x(value)
            parts += [segment(place, bottom, place, bottom + 4, "axis"), words(place, bottom + 17, name, "middle")]
        if x_label:
            parts.append(words((self.left + right) / 2, self.height - 6, x_label, "middle", "label"))
        if y_label:
            turned = f"translate(11 {(self.top + bottom) / 2:.1f}) rotate(-90)"
            parts.append(tag("text", y_label, class_="label", text_anchor="middle", transform=turned))
        return tag("g", *parts)

    def line(self, xs: ArrayLike, ys: ArrayLike, class_: str) -> Html:
        """Return a line through points."""
        return tag("path", d=f"M{self._points(xs, ys)}", class_=class_)

    def area(self, xs: ArrayLike, low: ArrayLike, high: ArrayLike, class_: str) -> Html:
        """Return what lies between two lines."""
        there, back = self._points(xs, high), self._points(np.flip(xs), np.flip(low))
        return tag("path", d=f"M{there}L{back}Z", class_=class_)

    def columns(self, edges: FloatArray, heights: FloatArray, class_: str, base: FloatArray | None = None) -> Html:
        """Return bars between edges, on the axis or on others."""
        lower = np.zeros(len(heights)) if base is None else base
        bars = []
        for left, right, start, height in zip(edges[:-1], edges[1:], lower, heights, strict=True):
            if height > 0:
                low, high = self.y(start), self.y(start + height)
                width = max(self.x(right) - self.x(left) - 1.0, 0.6)
                bars.append(f"M{self.x(left):.1f} {low:.1f}v{min(high - low, -0.7):.1f}h{width:.1f}V{low:.1f}Z")
        return tag("path", d="".join(bars), class_=class_) if bars else Html("")

    def _points(self, xs: ArrayLike, ys: ArrayLike) -> str:
        pairs = zip(np.asarray(xs).tolist(), np.asarray(ys).tolist(), strict=True)
        return "L".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in pairs)


def dot(x: float, y: float, radius: float) -> Html:
    """Return a point."""
    return tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:g}", class_="accent")


def segment(x: float, y: float, to_x: float, to_y: float, class_: str) -> Html:
    """Return a straight line."""
    return tag("line", x1=f"{x:.1f}", y1=f"{y:.1f}", x2=f"{to_x:.1f}", y2=f"{to_y:.1f}", class_=class_)


def words(x: float, y: float, said: str, anchor: str = "start", class_: str | None = None) -> Html:
    """Return a text in a drawing."""
    return tag("text", said, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=class_)


def bar(value: float, domain: tuple[float, float], line: tuple[float, float] = (0.0, 0.0)) -> Html:
    """Return a bar for a cell of a table, as wide as the cell: from zero to a value, with a thin line over it."""

    def place(share: float) -> float:
        return 100.0 * min(1.0, max(0.0, _share(share, *domain)))

    start, end = sorted((place(0.0), place(value)))
    left, right = map(place, line)
    thin = text("drawing.bar_line", left=left, width=right - left) if line[1] > line[0] else ""
    return text("drawing.bar", left=start, width=end - start, line=thin)


def number_ticks(low: float, high: float, most: int = 5) -> Ticks:
    """Return round numbers between two others, and how they are written.

    Examples
    --------
    >>> [text for _, text in number_ticks(0.0, 1.0)]
    ['0', '0.2', '0.4', '0.6', '0.8', '1']
    """
    width = high - low
    if not width > 0 or not np.isfinite(width):
        return [(low, number(low))]
    raw = width / most
    size = 10.0 ** floor(log10(raw))
    step = next((factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= raw * 0.999), 10 * size)
    values = [round(place * step, 12) for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return [(value, number(value + 0.0)) for value in values]


def percent_ticks() -> Ticks:
    """Return ticks of shares, written in percent."""
    return [(value, f"{100 * value:.3g} %") for value, _ in number_ticks(0.0, 1.0, 4)]


def _share(value: float, low: float, high: float) -> float:
    # Halves, since a difference of very large numbers may not be finite.
    return (value / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.5
