"""Encoded and rescaled columns in an ONNX graph, as `s2auc.data.features.encoding` and `s2auc.models.parts.bounds` make them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.data.features.encoding import Encoding, Kind
from s2auc.data.features.scaling import ColumnScaling
from s2auc.models.onnx.graph import Tensor
from s2auc.models.onnx_search import SortedTables, padded_length
from s2auc.models.parts.bounds import LARGEST_VALUE


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
        return scaled.held(LARGEST_VALUE)

    def _encode(self, encoding: Encoding) -> Tensor:
        arrays = encoding.source, encoding.kind, encoding.number, encoding.bounds, encoding.knots, encoding.ranks
        key = tuple(array.tobytes() for array in arrays)
        if key not in self._encoded:
            self._encoded[key] = _encode(encoding, self.rows)
        return self._encoded[key]


def column_bytes(columns: ColumnScaling) -> int:
    """Return how many bytes nodes for columns will take in a file at most, but for some thousands.

    Examples
    --------
    >>> column_bytes(ColumnScaling(np.zeros(10), np.ones(10)))
    160
    """
    n_scaled, encoding = len(columns.shift), columns.encoding
    if encoding is None:
        return 16 * n_scaled
    longest = int(np.diff(encoding.bounds).max(initial=1))
    return 32 * n_scaled + 24 * padded_length(longest) * (len(encoding.bounds) - 1)


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
