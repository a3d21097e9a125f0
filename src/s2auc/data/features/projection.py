"""Very many columns brought down to some components: truncated SVD of the rows, labelled or not.

Words of texts, codes, links: rows that have a few of very many columns lie far from each other in all of them, and a
kernel on so many columns sees little but noise. Their leading singular vectors, learnt from unlabelled rows too, bring
together columns that occur together.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray, IndexArray, is_sparse
from s2auc.common.randomness import derived_seed
from s2auc.common.threads import single_blas_thread
from s2auc.data.features.summary import MIN_WIDTH
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import ConvertedRows, RowSource

MANY_COLUMNS = 256
"""Sparse rows of more columns than this are projected, unless asked otherwise."""

MAX_DENSE_COLUMNS = 2000
"""Sparse rows of more columns than this have to be projected: made dense, they would take too much memory."""

USUAL_COMPONENTS = 100
"""Components unless asked otherwise: fewer lose what tells classes apart, more bring noise that few labels cannot
tell from it."""

MAX_COLUMN = 3.0
"""No column's values are larger than this many times those of the usual column, in the root of their mean square."""

N_ITERATIONS = 4
"""Power iterations of the randomised SVD."""


@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map from many columns to some components.

    Attributes
    ----------
    matrix
        What every column adds to each component, (columns, components).

    Examples
    --------
    >>> Projection(np.array([[1.0], [10.0]])).apply(csr_array([[0.0, 2.0], [np.nan, 0.0]])).tolist()
    [[20.0], [0.0]]
    """

    matrix: FloatArray

    @property
    def n_columns(self) -> int:
        """How many columns the rows have."""
        return len(self.matrix)

    @property
    def n_components(self) -> int:
        """How many components they get."""
        return int(self.matrix.shape[1])

    def apply(self, X: Rows) -> FloatArray:
        """Return the components of every row, which do not depend on the rows that come with it.

        Missing values (NaN) count as zero, and so does what is not stored: dense rows have the components of the same
        rows in sparse form, bit by bit.
        """
        return np.asarray(stored_numbers(X) @ self.matrix)

    def heaviest_column(self, component: int) -> int:
        """Return the column that adds most to a component."""
        return int(np.argmax(np.abs(self.matrix[:, component])))


def stored_numbers(X: Rows) -> csr_array:
    """Return rows in sparse form, without what is missing or zero."""
    rows = csr_array(X)
    is_needed = (rows.data != 0.0) & ~np.isnan(rows.data)
    if is_needed.all():
        return rows
    # Indices that are shared with the rows must stay as they are.
    kept = csr_array((np.where(is_needed, rows.data, 0.0), rows.indices, rows.indptr), shape=rows.shape, copy=True)
    kept.eliminate_zeros()
    return kept


def column_units(rows: csr_array) -> FloatArray:
    """Return what to multiply each column by, so that none is much larger than the usual one: no column is blown up.

    The usual column's stored values have a root mean square of one then, others of at most `MAX_COLUMN`. Columns
    that are small stay small: a word that occurs once is not made as large as one that occurs in every text, and
    weights such as tf-idf are left alone.

    Examples
    --------
    >>> column_units(csr_array([[2.0, 0.0, 1000.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]])).round(3).tolist()
    [0.5, 0.5, 0.003]
    """
    largest = np.zeros(rows.shape[1])
    np.maximum.at(largest, rows.indices, np.abs(rows.data))
    is_used = largest > 0.0
    if not is_used.any():
        return np.ones(rows.shape[1])
    # Squares of very small or very large values leave the range of float64: columns are measured in their own size.
    size = np.where(is_used, largest, 1.0)
    squares = np.bincount(rows.indices, np.square(rows.data / size[rows.indices]), minlength=len(size))
    count = np.bincount(rows.indices, minlength=len(size))
    size *= np.sqrt(np.where(is_used, squares / np.maximum(count, 1), 1.0))
    usual = max(float(np.median(size[is_used])), MIN_WIDTH)
    return np.asarray(1.0 / np.maximum(usual, np.where(is_used, size, usual) / MAX_COLUMN))


def in_units(rows: Rows, units: FloatArray) -> csr_array:
    """Return rows in sparse form, every column multiplied by its unit; what is missing counts as zero."""
    stored = stored_numbers(rows)
    return csr_array((stored.data * units[stored.indices], stored.indices, stored.indptr), shape=stored.shape)


def learn_projection(rows: Rows, n_components: int, seed: int) -> Projection:
    """Return the map to the leading singular vectors of some rows, each column in its unit (`column_units`).

    There are no more components than rows or columns.

    Examples
    --------
    >>> rows = csr_array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.1]])
    >>> learn_projection(rows, n_components=1, seed=0).matrix.round(3).tolist()
    [[0.447], [0.447], [0.0]]
    """
    # Here and not above: experiments use scalings of this package, and start faster without scikit-learn.
    from sklearn.utils.extmath import randomized_svd

    units = column_units(stored_numbers(rows))
    scaled = in_units(rows, units)
    size, random_state = min(n_components, *scaled.shape), derived_seed(seed, "projection") % 2**32
    with single_blas_thread:
        _, _, vectors = randomized_svd(scaled, n_components=size, n_iter=N_ITERATIONS, random_state=random_state)
    return Projection(np.ascontiguousarray(units[:, None] * vectors.T))


class ProjectedRows(ConvertedRows):
    """The components of the rows of another source."""

    def __init__(self, source: RowSource, projection: Projection) -> None:
        super().__init__(source, partial(_projected, projection))
        self.schema = Schema(projection.n_components, {})


def _projected(projection: Projection, rows: Rows, _numbers: IndexArray) -> FloatArray:
    return projection.apply(rows)


def choose_n_components(sparse_components: int | str | None, rows: Rows, schema: Schema) -> int | None:
    """Return how many components rows are to be projected to, None for not at all, as for all rows that are dense.

    Parameters
    ----------
    sparse_components
        A number, None, or "auto": `USUAL_COMPONENTS` for sparse rows of more than `MANY_COLUMNS` columns, all numbers.
    rows, schema
        Some of the rows, and what their columns are.

    Raises
    ------
    ValueError
        If what is asked for cannot be had.
    """
    if not is_sparse(rows):
        return None
    if isinstance(sparse_components, str):
        return USUAL_COMPONENTS if schema.n_columns > MANY_COLUMNS and not schema.levels else None
    if sparse_components is None and schema.n_columns > MAX_DENSE_COLUMNS:
        rule = f"be 'auto' or a number where X is sparse and has over {MAX_DENSE_COLUMNS} columns, too many to be dense"
        found = f"None and {schema.n_columns} columns; leave it at 'auto'"
        raise ValueError(f"The 'sparse_components' parameter must {rule}. Got {found}, or pass a dense array.")
    if sparse_components is not None and schema.levels:
        found = f"{sparse_components} and {len(schema.levels)} such columns; leave categorical_features alone"
        rule = "be 'auto' or None where columns hold categories"
        raise ValueError(f"The 'sparse_components' parameter must {rule}. Got {found}, or pass a dense array.")
    return sparse_components
