"""Constructor parameters checked, all in one sentence shape: offender, rule, value got."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from os import PathLike, fspath
from typing import Any, ClassVar, Protocol

import numpy as np

from s2auc.common.errors import InputError

_LARGEST = float(np.finfo(np.float64).max)


class Rule(Protocol):
    """What a parameter may be."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is allowed."""

    def __str__(self) -> str:
        """Say what is allowed, after "must be"."""


@dataclass(frozen=True)
class Number:
    """A real number, or an integer, in a range."""

    low: float
    high: float = float("inf")
    integer: bool = False
    open_low: bool = False
    open_high: bool = False

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a finite number of the right type in the range."""
        if not isinstance(value, Integral if self.integer else Real) or isinstance(value, bool):
            return False
        # An int may be too large for a float.
        number = int(value) if isinstance(value, Integral) else float(value)
        is_above = number > self.low if self.open_low else number >= self.low
        is_below = number < self.high if self.open_high else number <= self.high
        return is_above and is_below and number <= _LARGEST

    def __str__(self) -> str:
        kind = "an int" if self.integer else "a float"
        if self.high < float("inf"):
            opening, closing = "(" if self.open_low else "[", ")" if self.open_high else "]"
            return f"{kind} in the range {opening}{self.low:g}, {self.high:g}{closing}"
        return f"{kind} {'>' if self.open_low else '>='} {self.low:g}"


class _Fixed:
    """A rule that is always worded alike."""

    words: ClassVar[str]

    def __str__(self) -> str:
        return self.words


class Jobs(_Fixed):
    """How many threads, as joblib counts: negative numbers count down from all cores, -1, and zero means nothing."""

    words = "an int other than 0"

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a number of jobs."""
        return isinstance(value, Integral) and not isinstance(value, bool) and int(value) != 0


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    words: Iterable[str]

    def accepts(self, value: Any) -> bool:
        """Return whether the value is one of the words."""
        return isinstance(value, str) and value in set(self.words)

    def __str__(self) -> str:
        return f"a str among {{{', '.join(map(repr, self.words))}}}"


class FolderName(_Fixed):
    """The name of a folder, which need not exist."""

    words = "the path of a folder"

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a path."""
        return isinstance(value, str | PathLike) and bool(fspath(value))


@dataclass(frozen=True)
class Instance:
    """An object of one of some classes."""

    classes: tuple[type, ...]

    def accepts(self, value: Any) -> bool:
        """Return whether the value is an object of one of the classes."""
        return isinstance(value, self.classes)

    def __str__(self) -> str:
        return f"an object {' or '.join(f'{kind.__name__}(...)' for kind in self.classes)}"


class Boolean(_Fixed):
    """True or False."""

    words = "a bool"

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a bool."""
        return isinstance(value, bool | np.bool_)


class Nothing(_Fixed):
    """None."""

    words = "None"

    def accepts(self, value: Any) -> bool:
        """Return whether the value is None."""
        return value is None


@dataclass(frozen=True)
class Seed:
    """What randomness starts from: a seed below a limit (a power of two), a random state to draw one from, or None.

    Examples
    --------
    >>> Seed(2**64).read(7)
    7
    """

    limit: int

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a seed or can give one."""
        if isinstance(value, Integral) and not isinstance(value, bool):
            return 0 <= int(value) < self.limit
        return value is None or value is np.random or isinstance(value, np.random.RandomState)

    def read(self, value: Any) -> int:
        """Return the seed itself if it is one, else one that is drawn from the random state."""
        if isinstance(value, Integral):
            return int(value)
        # Here and not above: experiments check parameters too, and start faster without scikit-learn.
        from sklearn.utils import check_random_state

        return int(check_random_state(value).randint(np.iinfo(np.int32).max))

    def __str__(self) -> str:
        return f"an int in [0, 2**{self.limit.bit_length() - 1}), a numpy.random.RandomState or None"


@dataclass(frozen=True)
class OneOf:
    """What one of some rules accepts."""

    rules: tuple[Rule, ...]

    def accepts(self, value: Any) -> bool:
        """Return whether one of the rules accepts the value."""
        return any(rule.accepts(value) for rule in self.rules)

    def __str__(self) -> str:
        return " or ".join(map(str, self.rules))


CUT = OneOf((Number(1, integer=True), Number(0, 1, open_low=True, open_high=True)))
"""The highest scores: a number of rows, or a share of all."""


@dataclass(frozen=True)
class SequenceOf:
    """Several values that one rule accepts, at least one."""

    rule: Rule

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a sequence of allowed ones."""
        if not isinstance(value, list | tuple | np.ndarray) or np.ndim(np.asarray(value, dtype=object)) != 1:
            return False
        return len(value) > 0 and all(self.rule.accepts(entry) for entry in value)

    def __str__(self) -> str:
        return f"a list of which every entry is {self.rule}"


class Splitter(_Fixed):
    """Something that makes folds, as scikit-learn's splitters do, or an iterable of folds."""

    words = "a splitter with a method split(X, y, groups) or an iterable of (train, test) row numbers"

    def accepts(self, value: Any) -> bool:
        """Return whether the value can split rows."""
        if isinstance(value, str | bytes | type | Mapping):
            return False
        return callable(getattr(value, "split", None)) or isinstance(value, Iterable)


def check_parameters(owner: str, values: Mapping[str, Any], rules: Mapping[str, tuple[Rule, ...]]) -> None:
    """Raise an InputError that names the first parameter none of whose rules accepts it.

    Examples
    --------
    >>> check_parameters("Model", {"alpha": -1}, {"alpha": (Number(0, open_low=True),)})
    Traceback (most recent call last):
    ...
    s2auc.common.errors.InputError: The 'alpha' parameter of Model must be a float > 0. Got -1 instead.
    """
    for name, allowed in rules.items():
        rule = OneOf(allowed)
        if not rule.accepts(values[name]):
            found = f"{values[name]!r} instead"
            raise InputError("be {allowed}", parameter=name, owner=owner, found=found, allowed=rule)
