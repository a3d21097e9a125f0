"""Columns of a table by what users want of them: the label, features, and those to drop."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from s2auc.common.errors import InputError
from s2auc.data.schema.column_names import listed


@dataclass(frozen=True)
class ColumnSelection:
    """What `open_table` was asked for."""

    label: Any = None
    features: Sequence[Any] | None = None
    drop: Sequence[Any] | None = None

    @property
    def is_anything(self) -> bool:
        """Whether anything was asked for."""
        return not (self.label is None and self.features is None and self.drop is None)

    def spelled(self) -> "ColumnSelection":
        """Return the same with the numbers of columns spelled out."""
        features, drop = (
            given if given is None or isinstance(given, str) else list(map(str, given))
            for given in (self.features, self.drop)
        )
        return ColumnSelection(None if self.label is None else str(self.label), features, drop)

    def used(self, names: Sequence[str], others: Sequence[str] = ()) -> list[str]:
        """Return the features among all columns, or raise an InputError that names one that does not exist.

        Parameters
        ----------
        names
            All columns.
        others
            Those that are something else, such as row IDs.

        Examples
        --------
        >>> ColumnSelection("fraud", drop=["id"]).used(["id", "age", "fraud"])
        ['age']
        """
        if self.label is not None:
            check_known([self.label], names, "label")
        for parameter, given in (("features", self.features), ("drop", self.drop)):
            if isinstance(given, str):
                raise InputError(
                    "be a list of column names",
                    parameter=parameter,
                    found=repr(given),
                    fix="pass {one} for a single column",
                    one=[given],
                )
            check_known(given or (), names, parameter)
            check_once(given or (), parameter)
        if self.features is not None and self.label in self.features:
            found = repr(self.label)
            raise InputError("not include the label column", parameter="features", found=found, fix="remove it there")
        left = [*(self.drop or ()), *others, *([] if self.label is None else [self.label])]
        used = [name for name in (names if self.features is None else self.features) if name not in left]
        if not names:
            raise InputError("have columns", subject="The table", found="none", fix="add some")
        if not used:
            found = f"{listed(list(names))}, all of which are excluded"
            raise InputError("have at least one feature", subject="The table", found=found, fix="exclude fewer columns")
        return used


def check_known(wanted: Sequence[Any], names: Sequence[str], parameter: str) -> None:
    """Raise an InputError that names the first column that does not exist, and those that may be meant."""
    for name in wanted:
        if name not in names:
            close = close_names(str(name), names)
            others = "choose among {others}" if names else "leave it out, as columns have no names here"
            raise InputError(
                "name columns of the table" if len(wanted) > 1 else "name a column of the table",
                parameter=parameter,
                found=f"{name!r}, which does not exist",
                fix="did you mean {close}?" if close else others,
                close=close,
                others=listed(list(names)),
            )


def check_once(wanted: Sequence[Any], parameter: str) -> None:
    """Raise an InputError if a column is named twice."""
    repeated = [name for name, count in Counter(wanted).items() if count > 1]
    if repeated:
        found = f"{listed(repeated)} more than once"
        raise InputError("name each column once", parameter=parameter, found=found, fix="remove the repeats")


def close_names(wanted: str, names: Sequence[str]) -> str:
    """Return existing names that resemble one that does not exist, in a line; empty if there are none.

    Examples
    --------
    >>> close_names("agee", ["age", "city"])
    "'age'"
    """
    return listed(get_close_matches(wanted, names, n=3))
