"""The interface of the parts of a model, and the form in files of those that read columns as they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, index
from typing import Any, ClassVar, Protocol, Self

from s2auc.common.arrays import FloatArray
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows
from s2auc.models.parts.columns import column_arrays, decode_columns, describe_columns, names_of_arrays
from s2auc.models.strict_json import decode_float, fields_of


class Part(Protocol):
    """A function of rows that is a term of a model's score, and its form in a file.

    A file keeps a part as a few words and some arrays: `from_file(part.description(), part.arrays())` scores rows bit
    by bit as the part does.
    """

    @property
    def takes_missing(self) -> bool:
        """Whether missing values (NaN) can be scored."""

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row, given rows of numbers, dense or sparse (`s2auc.data.sources.rows`)."""

    def description(self) -> dict[str, Any]:
        """Return what a file says about the part in words: a small JSON object without the name "kind".

        Floats are in hexadecimal, which is exact.
        """

    def arrays(self) -> dict[str, FloatArray]:
        """Return the numbers that a file keeps of the part: vectors and matrices of float64, by name."""

    @classmethod
    def from_file(cls, description: Mapping[str, Any], arrays: Mapping[str, FloatArray]) -> Self:
        """Return the part that a file describes; a ValueError if names or types are not those of this kind.

        Both come from a stranger. That arrays are vectors or matrices of float64 is known, nothing else is.
        """

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part's values.

        Parameters
        ----------
        place
            The part's place in the model, for the sentence.
        n_columns
            How many columns the rows have that it is to score.
        """


def sum_scores(parts: Sequence[Part], X: Rows) -> FloatArray:
    """Return the sum of the scores of parts, at least one, for every row."""
    # One part after the other: `np.sum` adds up those of a single row in another order.
    return reduce(add, (part.score(X) for part in parts))


@dataclass(frozen=True, eq=False)
class ColumnPart:
    """Base class of parts that read columns as they are: `columns` says what happens to these first.

    A file keeps the fields whose names are in `FLOATS`, `WORDS` (texts and integers) and `ARRAYS`.
    """

    FLOATS: ClassVar[tuple[str, ...]] = ()
    WORDS: ClassVar[tuple[str, ...]] = ()
    ARRAYS: ClassVar[tuple[str, ...]] = ()

    columns: ColumnScaling

    @property
    def takes_missing(self) -> bool:
        """Whether missing values can be scored."""
        return self.columns.takes_missing

    def trimmed(self) -> Self:
        """Return the part without numbers at its end that have no say."""
        return self

    def description(self) -> dict[str, Any]:
        """Return what a file says about the part in words."""
        words = {name: getattr(self, name) for name in self.WORDS}
        return {
            **{name: value if isinstance(value, str) else index(value) for name, value in words.items()},
            **{name: float(getattr(self, name)).hex() for name in self.FLOATS},
            **describe_columns(self.columns),
        }

    def arrays(self) -> dict[str, FloatArray]:
        """Return the numbers that a file keeps of the part."""
        return column_arrays(self.columns) | {name: getattr(self, name) for name in self.ARRAYS}

    @classmethod
    def from_file(cls, description: Mapping[str, Any], arrays: Mapping[str, FloatArray]) -> Self:
        """Return the part that a file describes; its values are for `check` to judge."""
        words = fields_of(description, "description", {"encoding", *cls.FLOATS, *cls.WORDS})
        fields_of(arrays, "arrays", names_of_arrays(words["encoding"]) | set(cls.ARRAYS))
        return cls(
            columns=decode_columns(words["encoding"], arrays),
            **{name: decode_float(words[name], name) for name in cls.FLOATS},
            **{name: words[name] for name in cls.WORDS},
            **{name: arrays[name] for name in cls.ARRAYS},
        )
