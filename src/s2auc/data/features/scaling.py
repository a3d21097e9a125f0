"""What happens to columns before the kernel sees them: encoded if need be, then (x - shift) · scale."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.data.features.encoding import Encoding, Kind, ranks_of
from s2auc.data.features.summary import MIN_WIDTH, Statistics, check_measurable, measure
from s2auc.data.schema.schema import EVERY, TEXT, Schema
from s2auc.data.sources.rows import Rows, dense_rows

FEW_VALUES = 10
"""Columns with at most this many distinct values are not ranked: ranks say little about them."""

MAX_LEVELS = 100
"""Levels of a categorical column that get a column of their own, the most frequent ones."""

MEASURED_NUMBERS = 2**22
"""Encoded numbers that are measured at a time: 32 megabytes, and some copies of them meanwhile."""

N_KNOTS = 512
"""Ranks are exact at this many values of a column, and interpolated between them."""


@dataclass(frozen=True, eq=False)
class ColumnScaling:
    """An affine map of every column, after an encoding where there is one.

    Examples
    --------
    >>> import numpy as np
    >>> SCALINGS["minmax"](np.array([[1.0, 5.0], [3.0, 5.0]])).apply(np.array([[2.0, 6.0]])).tolist()
    [[0.5, 1.0]]
    """

    shift: FloatArray
    scale: FloatArray
    encoding: Encoding | None = None

    @property
    def n_columns(self) -> int:
        """How many columns the rows have before they are encoded."""
        return len(self.shift) if self.encoding is None else self.encoding.n_columns

    def apply(self, X: Rows) -> FloatArray:
        """Return the rows as the kernel sees them, dense and in float64."""
        rows = dense_rows(X)
        encoded = rows if self.encoding is None else self.encoding.apply(rows)
        scaled: FloatArray = (encoded - self.shift) * self.scale
        return scaled

    @property
    def takes_missing(self) -> bool:
        """Whether missing values have something to stand in for them."""
        return self.encoding is not None

    @property
    def keeps_sparsity(self) -> bool:
        """Whether `sparse_product` can be used: every column stands for itself, but for its shift and its scale."""
        return self.encoding is None or self.encoding.is_plain

    def sparse_product(self, X: Rows, weights: FloatArray) -> FloatArray:
        """Return the product of what `apply` gives with weights, one a column, for sparse rows, which stay sparse.

        Examples
        --------
        >>> import numpy as np
        >>> from scipy.sparse import csr_array
        >>> ColumnScaling(np.array([1.0, 2.0]), np.ones(2)).sparse_product(csr_array([[0.0, 5.0]]), np.ones(2)).tolist()
        [2.0]
        """
        rows = csr_array(X)
        filled = rows if self.encoding is None else self.encoding.fill_sparse(rows)
        slopes = self.scale * weights
        product: FloatArray = filled @ slopes - (self.shift * slopes).sum()
        return product

    def weighted(self, weights: FloatArray) -> "ColumnScaling":
        """Return the same map with every encoded column multiplied by a weight."""
        return replace(self, scale=self.scale * weights)


@dataclass(frozen=True)
class Scaling:
    """A way to bring columns to comparable widths: one entry of `SCALINGS`.

    Attributes
    ----------
    window
        Gives the point of each column that becomes zero, and the width that becomes one.
    ranks
        Whether columns of more than a few values become ranks first.
    """

    window: Callable[[Statistics], tuple[FloatArray, FloatArray]]
    ranks: bool = False

    def __call__(self, X: FloatArray) -> ColumnScaling:
        """Return the map that suits a sample of rows."""
        if self.ranks:
            return prepare_columns(ColumnSample.of_rows(X, Schema(X.shape[1], {})), self)
        return self.fit(measure(X))

    def fit(self, columns: Statistics) -> ColumnScaling:
        """Return the affine map that suits columns with these statistics."""
        shift, width = self.window(columns)
        # The width of a constant column may be rounding error only.
        is_constant = width <= 1e-12 * columns.size
        return ColumnScaling(shift, 1.0 / np.where(is_constant, 1.0, np.maximum(width, MIN_WIDTH)))


@dataclass(frozen=True, eq=False)
class ColumnSample:
    """Rows that settle what happens to columns, with what they say about them.

    Attributes
    ----------
    rows
        The rows, NaN where a value is missing.
    statistics
        Of every column.
    schema
        What the columns are.
    n_rows
        How many rows there were, also where they are no longer kept.
    """

    rows: FloatArray
    statistics: Statistics
    schema: Schema
    n_rows: int

    @classmethod
    def of_rows(cls, rows: FloatArray, schema: Schema) -> "ColumnSample":
        """Measure the columns of some rows; a ValueError names one that cannot be used."""
        # Overflow shows in the result, which is checked.
        with np.errstate(over="ignore", invalid="ignore"):
            statistics = measure(rows)
        check_measurable(statistics, schema.called_columns)
        return cls(rows, statistics, schema, len(rows))


@dataclass(frozen=True)
class ColumnView:
    """Columns as a part of a model sees them: which of them, and scaled how.

    Attributes
    ----------
    scaling
        An entry of `SCALINGS`.
    columns
        One of `VIEWS`.

    Examples
    --------
    >>> str(ColumnView("rank")), str(ColumnView("common", "text"))
    ('rank', 'common, text columns')
    """

    scaling: str
    columns: str = EVERY

    def __str__(self) -> str:
        return of_view(self.scaling, self.columns)

    @property
    def words(self) -> dict[str, str]:
        """The columns in the parameters of a setting: none where it sees all."""
        return {} if self.columns == EVERY else {"columns": self.columns}


def of_view(word: str, columns: str) -> str:
    """Return a word with the columns that it is about, if they are not all."""
    return word if columns == EVERY else f"{word}, {columns} columns"


def prepare_columns(sample: ColumnSample, scaling: Scaling, view: str = EVERY) -> ColumnScaling:
    """Return what suits the columns of a sample.

    Categorical columns become one column a level (of the `MAX_LEVELS` most frequent ones in the sample). Columns with
    missing values get a second one that marks them, and their median in place of the missing ones. Where the scaling
    ranks, other columns become ranks if they have more than `FEW_VALUES` distinct values. Everything is then scaled.

    Components of texts keep their proportions next to other columns: together they vary as much as all others.

    Parameters
    ----------
    sample
        Rows, and what is known of their columns.
    scaling
        An entry of `SCALINGS`.
    view
        Which columns are seen, one of `VIEWS`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, np.nan], [2.0, 3.0], [0.0, 5.0]])
    >>> columns = prepare_columns(ColumnSample.of_rows(X, Schema(2, {0: None})), SCALINGS["standard"])
    >>> columns.apply(X).shape
    (4, 5)
    """
    source, kind, number, bounds = [], [], [], [0]
    knots, ranks = [np.zeros(0)], [np.zeros(0)]
    is_categorical = sample.schema.is_categorical
    is_text = np.isin(np.arange(sample.schema.n_columns), sample.schema.columns_of_view(TEXT))
    for column in sample.schema.columns_of_view(view).tolist():
        values = sample.rows[:, column]
        present = values[~np.isnan(values)] if sample.statistics.n_missing[column] else values
        if is_categorical[column]:
            levels, counts = np.unique(present, return_counts=True)
            kept = np.sort(levels[np.argsort(-counts, kind="stable")[:MAX_LEVELS]])
            entries = [(Kind.LEVEL, level) for level in kept]
        elif scaling.ranks and not is_text[column] and has_many_values(present):
            new_knots, new_ranks = ranks_of(present, N_KNOTS)
            knots.append(new_knots)
            ranks.append(new_ranks)
            bounds.append(bounds[-1] + len(new_knots))
            entries = [(Kind.RANK, np.median(present))]
        else:
            entries = [(Kind.VALUE, np.median(present) if len(present) else 0.0)]
        if sample.statistics.n_missing[column]:
            entries.append((Kind.MISSING, 0.0))
        source += [column] * len(entries)
        kind += [entry[0] for entry in entries]
        number += [float(entry[1]) for entry in entries]
    encoding = Encoding(
        n_columns=sample.rows.shape[1],
        source=np.array(source, dtype=np.intp),
        kind=np.array(kind, dtype=np.intp),
        number=np.array(number, dtype=np.float64),
        bounds=np.array(bounds, dtype=np.intp),
        knots=np.concatenate(knots),
        ranks=np.concatenate(ranks),
    )
    # Plain values are scaled by what was there, without what stands in for missing ones.
    made_up = _measure_encoded(encoding, sample.rows)
    statistics = made_up.or_else(sample.statistics.of(encoding.source), encoding.kind == Kind.VALUE)
    scaled = replace(scaling.fit(statistics), encoding=encoding)
    return scaled if view == TEXT else _with_texts_in_proportion(scaled, statistics, is_text[encoding.source])


def _with_texts_in_proportion(columns: ColumnScaling, statistics: Statistics, is_text: BoolArray) -> ColumnScaling:
    """Return a scaling in which components of texts vary together as much as all other columns do, or by one."""
    if not is_text.any():
        return columns
    deviation = statistics.deviation
    total = float(np.square(deviation[is_text]).sum())
    others = float(np.square(deviation[~is_text] * columns.scale[~is_text]).sum())
    scale, shift = columns.scale.copy(), columns.shift.copy()
    scale[is_text] = np.sqrt((others or 1.0) / total) if total > 0.0 else 1.0
    shift[is_text] = statistics.mean[is_text]
    return replace(columns, shift=shift, scale=scale)


def _measure_encoded(encoding: Encoding, rows: FloatArray) -> Statistics:
    """Return the statistics of encoded columns, of which there may be a hundred times as many as rows have."""
    n_encoded = len(encoding.source)
    # Two at least: numbers of a single column add up in another order.
    step = n_encoded if encoding.is_plain else max(2, MEASURED_NUMBERS // len(rows))
    ends = [*range(step, n_encoded - 1, step), n_encoded]
    parts = [encoding.part(slice(first, end)) for first, end in pairwise([0, *ends])]
    found = [measure(part.apply(rows)) for part in parts]
    return Statistics(*(np.concatenate(values) for values in zip(*found, strict=True)))


def has_many_values(values: FloatArray) -> bool:
    """Return whether a column has more than `FEW_VALUES` distinct values."""
    # The first rows tell as a rule, without sorting all of them.
    return len(np.unique(values[:100])) > FEW_VALUES or len(np.unique(values)) > FEW_VALUES


def _standard(columns: Statistics) -> tuple[FloatArray, FloatArray]:
    return columns.mean, columns.deviation


def _minmax(columns: Statistics) -> tuple[FloatArray, FloatArray]:
    return columns.low, columns.high - columns.low


def _common(columns: Statistics) -> tuple[FloatArray, FloatArray]:
    largest = columns.deviation.max() or 1.0
    # Squares of very small or very large deviations leave the range of float64.
    width = largest * np.sqrt(np.mean(np.square(columns.deviation / largest)))
    return columns.mean, np.full_like(columns.deviation, width)


def _none(columns: Statistics) -> tuple[FloatArray, FloatArray]:
    return np.zeros_like(columns.mean), np.ones_like(columns.mean)


SCALINGS: Mapping[str, Scaling] = MappingProxyType(
    {
        "standard": Scaling(_standard),
        "minmax": Scaling(_minmax),
        "rank": Scaling(_standard, ranks=True),
        "common": Scaling(_common),
        "none": Scaling(_none),
    }
)
"""`standard`: mean 0 and standard deviation 1; `minmax`: from 0 to 1, the paper's choice; `rank`: the share of rows
below, then as `standard`, for columns of more than a few values; `common`: mean 0, all divided by one number, for
columns in the same units such as pixels, spectra and embeddings; `none`: as they come."""
