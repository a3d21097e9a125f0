"""Which columns of a table users want: the label, those to learn from, and those not to."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from s2auc.data.column_matching import check_distinct, listed


@dataclass(frozen=True)
class Asked:
    """What `open_table` was asked for."""

    label: Any = None
    features: Sequence[Any] | None = None
    drop: Sequence[Any] | None = None

    @property
    def is_anything(self) -> bool:
        """Whether anything was asked for."""
        return not (self.label is None and self.features is None and self.drop is None)

    def spelled(self) -> "Asked":
        """Return the same with the numbers of columns spelled out."""
        features, drop = (
            given if given is None or isinstance(given, str) else list(map(str, given))
            for given in (self.features, self.drop)
        )
        return Asked(None if self.label is None else str(self.label), features, drop)

    def used(self, names: Sequence[str], others: Sequence[str] = ()) -> list[str]:
        """Return the columns to learn from, among all, or raise a ValueError that names one that does not exist.

        Parameters
        ----------
        names
            All columns.
        others
            Those that are something else, such as row IDs.

        Examples
        --------
        >>> Asked("fraud", drop=["id"]).used(["id", "age", "fraud"])
        ['age']
        """
        if self.label is not None:
            check_known([self.label], names, "label")
        for parameter, given in (("features", self.features), ("drop", self.drop)):
            if isinstance(given, str):
                raise ValueError(
                    f"{parameter} must be a list of column names. Got {given!r}; pass [{given!r}] for one."
                )
            check_known(given or (), names, parameter)
            check_distinct(list(given or ()), parameter)
        if self.features is not None and self.label in self.features:
            raise ValueError(f"features must not hold the label. Got {self.label!r}; take it out of features.")
        left = [*(self.drop or ()), *others, *([] if self.label is None else [self.label])]
        used = [name for name in (names if self.features is None else self.features) if name not in left]
        if not names:
            raise ValueError("A table must have columns to learn from. Got none; add some.")
        if not used:
            raise ValueError(
                f"A table must have columns to learn from. Got {listed(list(names))}, none of which is left; drop "
                "fewer."
            )
        return used


def check_known(wanted: Sequence[Any], names: Sequence[str], parameter: str) -> None:
    """Raise a ValueError that names the first column that does not exist, and those that it may stand for."""
    for name in wanted:
        if name not in names:
            close = close_names(str(name), names)
            known = f"did you mean {close}?" if close else f"its columns are {listed(list(names))}."
            raise ValueError(f"{parameter} must name columns of the table. Got {name!r}, which is not there; {known}")


def close_names(wanted: str, names: Sequence[str]) -> str:
    """Return the names that a name which does not exist may stand for, in a line; empty if there are none.

    Examples
    --------
    >>> close_names("agee", ["age", "city"])
    "'age'"
    """
    return listed(get_close_matches(wanted, names, n=3))
