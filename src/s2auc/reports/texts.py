"""Sentences of the report, filled with facts."""

import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

from s2auc.reports.markup import Html, joined

_TEXTS = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


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
