"""Columns of a table by what users want of them: the label, features, and those to drop."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from s2auc.common.errors import InputError
from s2auc.data.schema.column_names import listed


@dataclass(frozen=True)
class ColumnSelection:
    """The columns that `open_table` was asked for.

    Attributes
    ----------
    label, features, drop
        The label column, the columns to use and those not to use, as `open_table` takes them.
    excluded
        More columns that are no features.
    other_roles
        Columns that are something else, such as row IDs, by their role.
    """

    label: str | None = None
    features: Sequence[str] | None = None
    drop: Sequence[str] | None = None
    excluded: tuple[str, ...] = ()
    other_roles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_arguments(cls, label: Any, features: Any, drop: Any) -> "ColumnSelection":
        """Return a selection in which columns that go by their numbers have these as names."""
        names = [
            given if given is None or isinstance(given, str) else list(map(str, given)) for given in (features, drop)
        ]
        return cls(None if label is None else str(label), names[0], names[1])

    @property
    def roles(self) -> dict[str, str]:
        """Columns that are no features because they are something else: "label", "id", "group"."""
        return ({} if self.label is None else {"label": self.label}) | dict(self.other_roles)

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
            if isinstance(given, str):
                fix = "pass {one} for a single column"
                raise InputError(
                    "be a list of column names", parameter=parameter, found=repr(given), fix=fix, one=[given]
                )
            check_known(given or (), names, parameter)
            check_once(given or (), parameter)
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


def check_known(requested: Sequence[Any], names: Sequence[str], parameter: str) -> None:
    """Raise an InputError that names the first column that does not exist, and those that may be meant."""
    for name in requested:
        if name not in names:
            close = close_names(str(name), names)
            others = "choose among {others}" if names else "leave it out, as columns have no names here"
            raise InputError(
                "name columns of the table" if len(requested) > 1 else "name a column of the table",
                parameter=parameter,
                found=f"{name!r}, which does not exist",
                fix="did you mean {close}?" if close else others,
                close=close,
                others=listed(list(names)),
            )


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
