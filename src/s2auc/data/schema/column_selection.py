"""Columns of a table as users select them: the label, features, those to drop, and categorical ones."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from numbers import Integral
from typing import Any

from s2auc.common.errors import InputError
from s2auc.data.schema.column_names import listed
from s2auc.data.text.vocabulary import MIN_TEXTS

FROM_DTYPE = "from_dtype"
"""Columns whose type is one of categories, text or booleans are categorical."""


@dataclass(frozen=True)
class ColumnSelection:
    """The columns that `open_table` was asked for.

    Attributes
    ----------
    label, features, drop
        The label column, the columns to use and those not to use, as `open_table` takes them.
    types
        Columns whose type the user knows: "categorical", "numeric", "date" or "text".
    min_text_rows
        A term of a text column is in at least this many different texts.
    excluded
        More columns that are no features.
    other_roles
        Columns that are something else, such as row IDs, by their role.
    """

    label: str | None = None
    features: Sequence[str] | None = None
    drop: Sequence[str] | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    min_text_rows: int = MIN_TEXTS
    excluded: tuple[str, ...] = ()
    other_roles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_arguments(
        cls,
        label: Any,
        features: Any,
        drop: Any,
        types: Mapping[str, Any] | None = None,
        min_text_rows: Any = MIN_TEXTS,
    ) -> "ColumnSelection":
        """Return a selection in which columns that go by their numbers have these as names."""
        type_of: dict[str, str] = {}
        for kind, given in (types or {}).items():
            check_is_list(given, kind)
            for name in map(str, given or ()):
                if name in type_of:
                    found = f"{name!r}, which is {type_of[name]}, too"
                    raise InputError("name other columns", parameter=kind, found=found, fix="choose one type for it")
                type_of[name] = kind
        if isinstance(min_text_rows, bool) or not isinstance(min_text_rows, Integral) or min_text_rows < 1:
            rule, fix = "be a whole number from 1", f"leave it at {MIN_TEXTS}, or raise it"
            raise InputError(rule, parameter="min_text_rows", found=repr(min_text_rows), fix=fix)
        names = [
            given if given is None or isinstance(given, str) else list(map(str, given)) for given in (features, drop)
        ]
        return cls(None if label is None else str(label), names[0], names[1], type_of, int(min_text_rows))

    @property
    def roles(self) -> dict[str, str]:
        """Columns that are no features because they are something else: "label", "id", "group", "random", "time"."""
        return ({} if self.label is None else {"label": self.label}) | dict(self.other_roles)

    def updated(self, other: "ColumnSelection") -> "ColumnSelection":
        """Return the selection with what another one names in its place."""
        named = {name: value for name in ("label", "features", "drop") if (value := getattr(other, name)) is not None}
        least = other.min_text_rows if other.min_text_rows != MIN_TEXTS else self.min_text_rows
        return replace(self, types={**self.types, **other.types}, min_text_rows=least, **named)

    def excluding(self, names: Sequence[str], roles: Mapping[str, str]) -> "ColumnSelection":
        """Return the selection without some more features, and with more roles."""
        return replace(self, excluded=(*self.excluded, *names), other_roles={**self.other_roles, **roles})

    def used(self, names: Sequence[str]) -> list[str]:
        """Return the features among all columns, or raise an InputError that names one that does not exist.

        Examples
        --------
        >>> ColumnSelection("fraud", drop=["id"]).used(["id", "age", "fraud"])
        ['age']
        """
        if self.label is not None:
            check_known([self.label], names, "label")
        for parameter, given in (("features", self.features), ("drop", self.drop)):
            check_is_list(given, parameter)
            check_known(given or (), names, parameter)
            check_once(given or (), parameter)
        for name, kind in self.types.items():
            check_known([name], names, kind)
        if self.features is not None and self.label in self.features:
            found = repr(self.label)
            raise InputError("not include the label column", parameter="features", found=found, fix="remove it there")
        left = {*(self.drop or ()), *self.excluded, self.label}
        used = [name for name in (names if self.features is None else self.features) if name not in left]
        if not names:
            raise InputError("have columns", subject="The table", found="none", fix="add some")
        if not used:
            found = f"{listed(list(names))}, all of which are excluded"
            raise InputError("have at least one feature", subject="The table", found=found, fix="exclude fewer columns")
        return used


def check_is_list(given: Any, parameter: str) -> None:
    """Raise an InputError if text stands in the place of a list of names."""
    if isinstance(given, str):
        rule, fix = "be a list of column names", "pass {one} for a single column"
        raise InputError(rule, parameter=parameter, found=repr(given), fix=fix, one=[given])


def check_known(requested: Sequence[Any], names: Sequence[str], parameter: str) -> None:
    """Raise an InputError that names the first column that does not exist, and those that may be meant."""
    known = set(names)
    for name in requested:
        if name not in known:
            close, found = close_names(str(name), names), f"{name!r}, which does not exist"
            others = "choose among {others}" if names else "leave it out, as columns have no names here"
            fix = "did you mean {close}?" if close else others
            rule = f"name {'columns' if len(requested) > 1 else 'a column'} of the table"
            raise InputError(rule, parameter=parameter, found=found, fix=fix, close=close, others=listed(list(names)))


def check_once(requested: Sequence[Any], parameter: str) -> None:
    """Raise an InputError if a column is named twice."""
    repeated = [name for name, count in Counter(requested).items() if count > 1]
    if repeated:
        found = f"{listed(repeated)} more than once"
        raise InputError("name each column once", parameter=parameter, found=found, fix="remove the repeats")


def close_names(name: str, names: Sequence[str]) -> str:
    """Return existing names that resemble one that does not exist, in a line; empty if there are none.

    Examples
    --------
    >>> close_names("agee", ["age", "city"])
    "'age'"
    """
    return listed(get_close_matches(name, names, n=3))


def marked_columns(
    categorical_features: Any, n_columns: int, names: Sequence[str] | None, parameter: str = "categorical_features"
) -> set[int] | None:
    """Return the numbers of the columns that are listed, or None if their types are to tell.

    Parameters
    ----------
    categorical_features
        "from_dtype", None, or names and numbers of columns.
    n_columns
        How many columns there are.
    names
        Their names; None where they have none.
    parameter
        What errors call the first argument.

    Examples
    --------
    >>> marked_columns(["city", 0], 3, ["age", "height", "city"])
    {0, 2}
    """
    if categorical_features is None:
        return set()
    has_types = parameter == "categorical_features"
    if has_types and isinstance(categorical_features, str) and categorical_features == FROM_DTYPE:
        return None
    if isinstance(categorical_features, str) or not isinstance(categorical_features, Iterable):
        found = f"{categorical_features!r}; pass [{categorical_features!r}] for a single column"
        rule = f"be {f'{FROM_DTYPE!r}, ' if has_types else ''}None, or a list of column names and numbers"
        raise ValueError(f"{parameter} must {rule}. Got {found}.")
    marked: set[int] = set()
    for entry in categorical_features:
        if isinstance(entry, str):
            marked.update(_columns_named(entry, names, parameter))
        elif isinstance(entry, Integral) and not isinstance(entry, bool) and 0 <= int(entry) < n_columns:
            marked.add(int(entry))
        else:
            rule = f"list column names, or column numbers from 0 to {n_columns - 1}"
            raise ValueError(f"{parameter} must {rule}. Got {entry!r}; correct or remove it.")
    return marked


def _columns_named(name: str, names: Sequence[str] | None, parameter: str) -> list[int]:
    if names is None:
        found = f"the name {name!r}; pass the column's number, from 0"
        raise ValueError(f"{parameter} must list column numbers where X is no data frame. Got {found}.")
    if name not in names:
        found = f"{name!r}; correct or remove it"
        raise ValueError(f"{parameter} must list columns of X, which are {listed(names)}. Got {found}.")
    return [number for number, other in enumerate(names) if other == name]
