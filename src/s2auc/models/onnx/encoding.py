"""Encoded and rescaled columns in an ONNX graph: `data.features.encoding` and `models.parts.bounds` as nodes."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.data.features.encoding import Encoding, Kind
from s2auc.data.features.scaling import ColumnScaling
from s2auc.models.onnx.graph import Tensor
from s2auc.models.parts.bounds import MAX_VALUE
from s2auc.models.parts.columns import ENCODING_ARRAYS


class SortedTables:
    """Sorted numbers of several columns, and other numbers that belong to each of them.

    They are halved again and again, for all columns at once: nine steps for 512 numbers, on one integer a value.

    Parameters
    ----------
    numbers
        The sorted numbers of every column, at least one each.
    values
        What is looked up: the values of the columns, (n, columns), none of them missing or infinite.
    """

    def __init__(self, numbers: Sequence[FloatArray], values: Tensor) -> None:
        # A power of two: halving then ends everywhere at once and never outside.
        graph, self._width = values.graph, 1 << (max(map(len, numbers)) - 1).bit_length()
        self._numbers = graph.constant(self._padded(numbers, np.inf))
        self._place = graph.constant(np.arange(len(numbers), dtype=np.int64)[None, :] * self._width)
        step = self._width // 2
        while step:
            next_place = self._place + np.array([step])
            is_reached = graph.add("Gather", self._numbers, next_place) <= values
            self._place, step = graph.where(is_reached, next_place, self._place), step // 2

    @property
    def reached(self) -> Tensor:
        """The last number not above each value; the first, if all are above."""
        return self._place.graph.add("Gather", self._numbers, self._place)

    def look_up(self, entries: Sequence[FloatArray]) -> Tensor:
        """Return the entries that belong to the numbers that are reached, given one for each number."""
        return self._place.graph.add("Gather", self._padded(entries, 0.0), self._place)

    def _padded(self, entries: Sequence[FloatArray], filler: float) -> AnyArray:
        padded = np.full((len(entries), self._width), filler)
        for row, own in zip(padded, entries, strict=True):
            row[: len(own)] = own
        return padded.ravel()


class EncodedRows:
    """Rows of numbers, and what parts make of them; those that share an encoding share its nodes.

    Parameters
    ----------
    rows
        The rows, NaN where a value is missing, none of them infinite.
    """

    def __init__(self, rows: Tensor) -> None:
        self.rows = rows
        self._encoded: dict[tuple[bytes, ...], Tensor] = {}

    def scaled(self, columns: ColumnScaling) -> Tensor:
        """Return rows as `s2auc.models.parts.bounds.scaled_rows` gives them.

        Examples
        --------
        >>> from s2auc.models.onnx.graph import Graph
        >>> graph = Graph()
        >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
        >>> _ = EncodedRows(graph.input("X", "DOUBLE", 2)).scaled(columns)
        >>> [node.op_type for node in graph.nodes]
        ['Sub', 'Mul', 'Greater', 'Where', 'Less', 'Where']
        """
        encoded = self.rows if columns.encoding is None else self._encode(columns.encoding)
        scaled: Tensor = (encoded - columns.shift) * columns.scale
        return scaled.held(MAX_VALUE)

    def _encode(self, encoding: Encoding) -> Tensor:
        key = tuple(getattr(encoding, name).tobytes() for name in ENCODING_ARRAYS)
        if key not in self._encoded:
            self._encoded[key] = _encode(encoding, self.rows)
        return self._encoded[key]


def _encode(encoding: Encoding, rows: Tensor) -> Tensor:
    places = {kind: np.flatnonzero(encoding.kind == kind) for kind in ENCODERS}
    groups = [
        ENCODERS[kind](rows[encoding.source[where]], encoding, where) for kind, where in places.items() if len(where)
    ]
    order = np.argsort(np.concatenate(list(places.values())))
    together = rows.graph.beside(groups)
    return together if np.array_equal(order, np.arange(len(order))) else together[order]


def _values(columns: Tensor, encoding: Encoding, where: IndexArray) -> Tensor:
    return columns.graph.where(np.isnan(columns), encoding.number[where], columns)


def _ranks(columns: Tensor, encoding: Encoding, where: IndexArray) -> Tensor:
    cuts = encoding.bounds[1:-1]
    knots, ranks = np.split(encoding.knots, cuts), np.split(encoding.ranks, cuts)
    lowest = np.array([own[0] for own in knots])
    present = _values(columns, encoding, where)
    values = columns.graph.where(present < lowest, lowest, present)
    tables = SortedTables(knots, values)
    with np.errstate(over="ignore"):
        slopes = [np.diff(rank) / np.diff(knot) for rank, knot in zip(ranks, knots, strict=True)]
    # Knots closer than the smallest normal number have no slope; the rank of the lower one will do.
    finite = [np.append(np.where(np.isfinite(slope), slope, 0.0), 0.0) for slope in slopes]
    interpolated: Tensor = tables.look_up(finite) * (values - tables.reached) + tables.look_up(ranks)
    return interpolated


def _levels(columns: Tensor, encoding: Encoding, where: IndexArray) -> Tensor:
    is_level: Tensor = columns == encoding.number[where]
    return is_level.cast("DOUBLE")


def _marks(columns: Tensor, encoding: Encoding, where: IndexArray) -> Tensor:  # noqa: ARG001 a mark needs no number
    is_missing: Tensor = np.isnan(columns)
    return is_missing.cast("DOUBLE")


ENCODERS: Mapping[Kind, Callable[[Tensor, Encoding, IndexArray], Tensor]] = MappingProxyType(
    {Kind.VALUE: _values, Kind.RANK: _ranks, Kind.LEVEL: _levels, Kind.MISSING: _marks}
)
"""What makes encoded columns of each kind, given the columns that they come from and their places in an encoding."""
