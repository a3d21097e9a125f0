"""Texts that Python words by parameters, and the command line by options, files and lines."""

import re
from collections.abc import Mapping
from typing import Any, Self, TypeAlias

Vocabulary: TypeAlias = Mapping[str, str]
"""The words of a front end for parameters and phrases such as "tune=False"; Python has none of its own: {}."""

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


class Message(str):
    """A text, as Python words it, that other front ends can render in their own words.

    Parameters
    ----------
    template : str
        The text. ``{name}`` stands for the fact of that name or, if there is none, for a parameter.
    **facts : object
        Data, inserted as they are; also other messages, and errors or warnings, which may carry one.

    Examples
    --------
    >>> message = Message("Name {column} in {drop}.", column="'{label}'")
    >>> message
    "Name '{label}' in drop."
    >>> message.render({"drop": "--drop", "label": "--label"})
    "Name '{label}' in --drop."
    """

    template: str
    facts: Mapping[str, str]

    def __new__(cls, template: str, /, **facts: object) -> Self:
        """Return the text as Python words it."""
        # Kept as text: workers pickle what they raise.
        kept = {name: _message_of(fact) for name, fact in facts.items()}
        message = super().__new__(cls, _fill(template, kept, {}))
        message.template, message.facts = template, kept
        return message

    def render(self, vocabulary: Vocabulary) -> str:
        """Return the text in the words of a front end."""
        return _fill(self.template, self.facts, vocabulary)

    def __reduce__(self) -> tuple[Any, ...]:
        return str.__new__, (type(self), str(self)), vars(self)


class Parameter(Message):
    """A parameter by its name; its owner is told where the front end has no word for it.

    Examples
    --------
    >>> top = Parameter("top", owner="score_table")
    >>> top, top.render({"top": "--top"})
    ("The 'top' parameter of score_table", '--top')
    """

    name: str

    def __new__(cls, name: str, owner: str | None = None) -> Self:
        """Return the name, and the owner if it is given."""
        parameter = str.__new__(cls, name if owner is None else f"The {name!r} parameter of {owner}")
        parameter.name = name
        return parameter

    def render(self, vocabulary: Vocabulary) -> str:
        """Return the word of a front end, if it has one."""
        return vocabulary.get(self.name, str(self))


class Place(Message):
    """A row, counted from 0; other front ends tell its line in the file, counted from 1, if that is known."""

    line: int | None

    def __new__(cls, row: int, line: int | None = None) -> Self:
        """Return the row."""
        place = str.__new__(cls, f"row {row}")
        place.line = line
        return place

    def render(self, vocabulary: Vocabulary) -> str:
        """Return the line if it is known, else the row."""
        return str(self) if self.line is None or not vocabulary else f"line {self.line}"


def printable(text: str) -> str:
    r"""Return a text with what terminals and browsers would act upon, and halves of characters, spelled out.

    Examples
    --------
    >>> print(printable("naïve\x1b[31m"))
    naïve\x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def one_line(error: BaseException | str) -> str:
    """Return what an error of another library says, as part of a sentence."""
    return " ".join(str(error).split()).rstrip(".")[:200]


def render(value: object, vocabulary: Vocabulary) -> str:
    """Return what a message, an error, a warning or any other value says, in the words of a front end."""
    message = _message_of(value)
    return message.render(vocabulary) if isinstance(message, Message) else message


def _message_of(value: object) -> str:
    """Return a message, or that of an error or a warning, or the text of a value that has none."""
    carried = value.args[0] if isinstance(value, BaseException) and value.args else value
    return carried if isinstance(carried, Message) else str(value)


def _fill(template: str, facts: Mapping[str, str], vocabulary: Vocabulary) -> str:
    def spell(place: re.Match[str]) -> str:
        fact = facts[place[1]] if place[1] in facts else Parameter(place[1])
        text = render(fact, vocabulary)
        is_first_word = place.start() == 0 and isinstance(fact, Parameter) and fact.name in vocabulary
        return text[:1].upper() + text[1:] if is_first_word else text

    return _PLACEHOLDER.sub(spell, template)
