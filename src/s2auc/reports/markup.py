"""HTML that cannot be broken into: text becomes markup in one place, where it is escaped."""

import tomllib
from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite
from pathlib import Path
from string import Formatter, Template
from typing import Any

from s2auc.common.messages import printable

LONGEST_TEXT = 120
"""Characters of a name or a value; a longer one is cut."""

LONGEST_SENTENCE = 1000

SHORT_TABLE = 12
"""Rows of a table that is printed on one page."""

_VOID = frozenset({"meta", "br", "img"})

_FOLDER = Path(__file__).parent
_TEXTS = tomllib.loads(_FOLDER.joinpath("texts.toml").read_text("utf-8"))

# Browsers are told, too, that nothing is to be fetched and nothing to be run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Html(str):
    """Markup. All other text is escaped before it becomes part of one."""


class Right(str):
    """The heading of a column of numbers, which stand at the right."""


def tag(kind: str, *inside: str, **attributes: object) -> Html:
    """Return an element; what is inside is escaped unless it is `Html`, attributes are escaped.

    Attributes whose value is None are left out. An underscore at the end of a name is dropped, others become hyphens.

    Examples
    --------
    >>> tag("p", "1 < 2 ", tag("b", "yes"), class_="note")
    '<p class="note">1 &lt; 2 <b>yes</b></p>'
    """
    words = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(printable(str(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{kind}{words}>") if kind in _VOID else Html(f"<{kind}{words}>{joined(inside)}</{kind}>")


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Return several pieces of markup or text as one."""
    return Html(escape(between).join(part if isinstance(part, Html) else escape(printable(part)) for part in parts))


class _EscapingFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        return joined([value if isinstance(value, Html) else format(value, format_spec)])


def text(name: str, /, **facts: object) -> Html:
    """Return a sentence by its section and name in `texts.toml`; facts are escaped unless they are `Html`.

    Examples
    --------
    >>> text("summary.pairs", positive="<b>", other="another")
    'Show it a row of class “&lt;b&gt;” and another'
    """
    section, _, key = name.partition(".")
    return Html(_EscapingFormatter().vformat(_TEXTS[section][key], (), facts))


def shown(value: Any, longest: int = LONGEST_TEXT) -> str:
    """Return any value as a short text that can be printed.

    Examples
    --------
    >>> shown(0.30000000000000004), shown(1234567), shown(None), shown("naïve")
    ('0.3', '1,234,567', '–', 'naïve')
    """
    if value is None:
        return "–"
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = str(value)
    elif isinstance(value, float):
        text = number(value)
    else:
        text = f"{value:,}" if abs(value) < 10**15 else f"{float(value):.4g}" if abs(value) < 10**300 else "very large"
    text = printable(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def number(value: float) -> str:
    """Return a number with the digits that matter.

    Examples
    --------
    >>> number(0.123456), number(19904.4428), number(-1e-7), number(3.0)
    ('0.1235', '19,904', '−1e-07', '3')
    """
    if not isfinite(value):
        return "–"
    digits = f"{abs(value):,.0f}" if 1000 <= abs(value) < 1e15 else f"{abs(value):.4g}"
    return f"−{digits}" if value < 0 else digits


def percent(share: float) -> str:
    """Return a share in percent; one that is next to nothing, or to all, is not rounded to it.

    Examples
    --------
    >>> percent(0.0614), percent(0.0002), percent(0.99999), percent(1.0)
    ('6.1 %', '< 0.1 %', '> 99.9 %', '100.0 %')
    """
    if 0 < share < 0.001:
        return "< 0.1 %"
    return "> 99.9 %" if 0.999 < share < 1 else f"{100 * share:.1f} %"


def sentence(text: str) -> str:
    """Return a sentence that a record holds, cut if it is endless."""
    return shown(text, LONGEST_SENTENCE)


def signed(value: float, n_digits: int = 3) -> str:
    """Return a number with so many digits, and the sign of print before it if it is negative.

    Examples
    --------
    >>> signed(-0.25), signed(0.1), signed(-0.0001)
    ('−0.250', '0.100', '0.000')
    """
    digits = f"{abs(value):.{n_digits}f}"
    return f"−{digits}" if value < 0 and float(digits) else digits


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, class_: str | None = None) -> Html:
    """Return a table that scrolls within its box where it is wide."""
    sides = ["number" if isinstance(heading, Right) else None for heading in headings]
    head = [tag("th", heading, scope="col", class_=side) for heading, side in zip(headings, sides, strict=True)]
    body = [tag("tr", *(tag("td", cell, class_=side) for cell, side in zip(row, sides, strict=True))) for row in rows]
    whole = tag("table", tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *body), class_=class_)
    box = "scroll short" if len(rows) <= SHORT_TABLE else "scroll"
    return tag("div", whole, class_=box, tabindex="0", role="region", aria_label=caption)


def note(*inside: str) -> Html:
    """Return a sentence that says why something is not there, or how to read it."""
    return tag("p", *inside, class_="note")


def figure(drawing: Html, caption: str) -> Html:
    """Return a drawing with a sentence that says what is to be seen in it."""
    return tag("figure", drawing, tag("figcaption", caption))


def split(first: Html, *others: Html) -> Html:
    """Return a figure, and what belongs to it at its side where the window is wide enough."""
    return tag("div", first, tag("div", *others), class_="split")


def whole_page(
    *, title: str, eyebrow: str, heading: str, sections: Sequence[tuple[str, str, Html]], has_images: bool = False
) -> str:
    """Return a page with links to its sections.

    Parameters
    ----------
    title
        What the browser calls it.
    eyebrow, heading
        The line above the headline, and the headline.
    sections
        For each what links call it, its heading, and what it says.
    has_images
        Whether there are images, which then are part of the file.
    """
    # The style sheet goes without the blanks that only its readers need.
    lines = map(str.strip, _FOLDER.joinpath("style.css").read_text("utf-8").splitlines())
    parts = {
        "policy": f"{_POLICY}; img-src data:" if has_images else _POLICY,
        "title": title,
        "style": Html("\n".join(filter(None, lines))),
        "eyebrow": eyebrow,
        "heading": heading,
        "contents": joined(text("page.link", name=name, heading=words) for name, words, _ in sections),
        "sections": joined(
            text("page.section", name=name, heading=words, inside=inside) for name, words, inside in sections
        ),
    }
    template = Template(_FOLDER.joinpath("page.html").read_text("utf-8"))
    return template.substitute({name: joined([part]) for name, part in parts.items()})
