"""What was understood of a table before anything is fitted."""

from dataclasses import asdict, dataclass
from typing import Any

from s2auc.data.tables.description import ColumnRole


@dataclass(frozen=True)
class UnderstoodTable:
    """What was understood of a table before anything is fitted.

    Attributes
    ----------
    name
        What it was opened from.
    n_rows, n_positive, n_negative, n_unlabeled
        Its rows, by what their labels say.
    n_more_unlabeled
        Rows of other tables of unlabelled rows.
    label
        The column of labels; None where the format has a place of its own for them.
    negative, positive
        The classes. Without negative rows the name of the negative one is made up.
    marker
        The value that marks unlabelled rows beside blanks, if there is one.
    negative_values
        Values of the label column that are negative where there may be several, each with how many rows have it.
    passed_over
        Values of the label column that are neither positive nor negative, each with how many rows have it; these rows
        count as unlabelled.
    columns
        What each column holds, and whether it is learnt from; empty where columns have no names.
    """

    name: str
    n_rows: int
    n_positive: int
    n_negative: int
    n_unlabeled: int
    n_more_unlabeled: int
    label: str | None
    negative: Any
    positive: Any
    marker: Any
    negative_values: tuple[tuple[Any, int], ...]
    passed_over: tuple[tuple[Any, int], ...]
    columns: tuple[ColumnRole, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, such as JSON holds."""
        return asdict(self)
