"""What was learnt of one column of a table, before it takes its place among the columns of a model."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from s2auc.data.column_matching import Name
from s2auc.data.date_parts import PARTS, part_name
from s2auc.data.frames import Level, plain_levels


@dataclass(frozen=True)
class LearntColumn:
    """What a column of a table is.

    Attributes
    ----------
    name
        What it is called, or its number.
    is_categorical
        Whether it holds categories.
    levels
        These, in the order of their codes; None where numbers stand for themselves.
    parts
        If it holds dates, times or durations: the parts that are read, in the order of `date_parts.PARTS`.
    """

    name: Name
    is_categorical: bool = False
    levels: tuple[Level, ...] | None = None
    parts: tuple[str, ...] = ()

    def named_parts(self) -> Iterator[tuple[str, str]]:
        """Yield what the column of each part is called, and the part."""
        if self.parts and not isinstance(self.name, str):
            raise ValueError(
                f"Columns of X must have names that are text where some of them hold dates. Got {self.name!r}; rename "
                "them, such as by X.columns = X.columns.map(str)."
            )
        for part in self.parts:
            yield part_name(str(self.name), part), part


def joined_column(own: LearntColumn, more: LearntColumn) -> LearntColumn:
    """Return a column with the categories, or the parts, that it has in either of two tables.

    Examples
    --------
    >>> joined_column(LearntColumn("x", True, ("a", "c")), LearntColumn("x", True, ("b", "c"))).levels
    ('a', 'c', 'b')
    """
    if own.levels is not None and more.levels is not None:
        return replace(own, levels=_joined_levels(own.levels, more.levels))
    if own.parts and more.parts and PARTS[own.parts[0]].kind == PARTS[more.parts[0]].kind:
        return replace(own, parts=tuple(part for part in PARTS if part in own.parts or part in more.parts))
    return own


def _joined_levels(own: tuple[Level, ...], more: tuple[Level, ...]) -> tuple[Level, ...]:
    together = list(dict.fromkeys([*own, *more]))
    # One of two tables may hold the numbers of a column as floats, as it does where some are missing.
    is_text = {isinstance(level, str) for level in together}
    return tuple(together if len(is_text) > 1 else dict.fromkeys(plain_levels(together)))
