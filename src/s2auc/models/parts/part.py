"""What every part of a model can do."""

from collections.abc import Mapping
from typing import Any, Protocol, Self

from s2auc.common.arrays import FloatArray
from s2auc.data.sources.rows import Rows


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
