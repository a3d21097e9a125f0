"""What every part of a model can do, and the table of their kinds: a new kind is one class and one entry here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol, Self

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.column_scaling import ColumnScaling
from s2auc.models.cosine_part import CosinePart
from s2auc.models.kernel_part import KernelPart
from s2auc.models.linear_part import LinearPart
from s2auc.models.tree_part import TreePart


class Part(Protocol):
    """A function of rows that is a term of a model's score, and its form in a file.

    A file keeps a part as a few words and some arrays: `from_file(part.description(), part.arrays())` scores rows bit
    by bit as the part does.
    """

    @property
    def columns(self) -> ColumnScaling:
        """What happens to columns first."""

    def score(self, X: AnyArray) -> FloatArray:
        """Return the part's score of every row, given rows of numbers, dense or sparse (`s2auc.data.rows`)."""

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


PARTS: Mapping[str, type[Part]] = MappingProxyType(
    {"cosines": CosinePart, "kernels": KernelPart, "linear": LinearPart, "trees": TreePart}
)
"""`cosines`: random Fourier features, from a seed; `kernels`: kernels at rows that are kept; `linear`: columns by their
weights; `trees`: the mean over a forest."""


def kind_of_part(part: Part) -> str:
    """Return the name of a part's kind in `PARTS`; a ValueError if it has none.

    Examples
    --------
    >>> import numpy as np
    >>> columns = ColumnScaling(np.zeros(1), np.ones(1))
    >>> kind_of_part(KernelPart(columns, "gaussian", gamma=1.0, centers=np.zeros((1, 1)), coefficients=np.ones(1)))
    'kernels'
    """
    for name, kind in PARTS.items():
        if type(part) is kind:
            return name
    raise ValueError(f"its parts must be of the kinds {sorted(PARTS)}, got one of type {type(part).__name__}")
