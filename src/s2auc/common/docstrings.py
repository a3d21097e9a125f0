"""Shared entries of docstrings: a parameter that several classes or functions have in common is described once."""

import re
from collections.abc import Callable
from inspect import Parameter, cleandoc, formatannotation, signature
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])

_SECTION = re.compile(r"(?<=\nParameters\n----------\n).*?(?=\n\n\S|\Z)", re.DOTALL)


def parameter_entries(documented: Callable[..., Any]) -> dict[str, tuple[str, str]]:
    r"""Return type and description of the parameters that a numpydoc docstring describes; the type may be empty.

    Examples
    --------
    >>> class Ranker:
    ...     '''Rank.
    ...
    ...     Parameters
    ...     ----------
    ...     alpha : float, default=1.0
    ...         Strength of the penalty.
    ...     low, high
    ...         Limits.
    ...     '''
    >>> parameter_entries(Ranker)
    {'alpha': ('float', '    Strength of the penalty.'), 'low': ('', '    Limits.'), 'high': ('', '    Limits.')}
    """
    section = _SECTION.search(cleandoc(documented.__doc__ or ""))
    found = {}
    for entry in [] if section is None else re.split(r"\n(?=\S)", section[0].rstrip()):
        header, _, text = entry.partition("\n")
        names, _, kind = header.partition(" : ")
        for name in names.split(", "):
            found[name] = kind.partition(", default=")[0], text
    return found


def describes_parameters_like(*others: Callable[..., Any]) -> Callable[[Documented], Documented]:
    """Return a decorator that gives a docstring one entry per parameter, those that others describe included.

    Entries come in the order of the signature, with its defaults. A parameter that the class or function describes
    keeps its text; of several others, the first one that describes a parameter counts. Where no docstring states a
    type, the annotation does.

    Parameters
    ----------
    *others
        Classes and functions with numpydoc docstrings.
    """

    def describe(documented: Documented) -> Documented:
        if not parameter_entries(documented):  # python -OO removes docstrings
            return documented
        known: dict[str, tuple[str, str]] = {}
        for source in (*reversed(others), documented):
            known |= parameter_entries(source)
        parameters = signature(documented).parameters.values()
        entries = "\n".join(_entry(parameter, *known[parameter.name]) for parameter in parameters)
        documented.__doc__ = _SECTION.sub(lambda _: entries, cleandoc(documented.__doc__ or ""), count=1)
        return documented

    return describe


def _entry(parameter: Parameter, kind: str, text: str) -> str:
    kind = kind or re.sub(r"\b(\w+\.)+", "", formatannotation(parameter.annotation))
    value = parameter.default
    shown = f"({', '.join(f'{number:.3g}' for number in value)})" if isinstance(value, tuple) else repr(value)
    default = "" if value is Parameter.empty else f", default={shown}".replace("'", '"')
    return f"{parameter.name} : {kind}{default}\n{text}"
