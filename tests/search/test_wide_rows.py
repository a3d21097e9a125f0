"""Rows of very many columns beside their components: which they are, their units, and that these leave them sparse."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import reference
from s2auc.common.groups import PositiveFirst
from s2auc.data.features.projection import Projection
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows
from s2auc.data.training_rows import TrainingRows
from s2auc.search.entries.linear import WideRows
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.work_rows import collect_rows
from sparse_rows import random_rows

N_COLUMNS, N_POOL = 40, 900
POOLS = {"sparse": lambda X: SparseRows(X), "dense": lambda X: DenseRows(X.toarray()), "none": lambda X: None}


def make_rows(pool="sparse", order=None):
    """Labelled rows, one of them without values and one with a gap, and a pool of others."""
    order = order or PositiveFirst(4, 6)
    labeled, others = (
        random_rows((n_rows, N_COLUMNS), density=0.2, rng=np.random.default_rng(seed))
        for seed, n_rows in enumerate((order.n_rows, N_POOL))
    )
    labeled.data[: labeled.indptr[1]] = 0.0
    labeled.data[-1] = np.nan
    return TrainingRows(labeled, order, POOLS[pool](others))


@pytest.mark.parametrize("order", [PositiveFirst(4, 6), PositiveFirst(10, 0)], ids=["both classes", "positive"])
@pytest.mark.parametrize("pool", POOLS)
def test_they_are_the_rows_that_solvers_begin_with(pool, order):
    rows = make_rows(pool, order)
    wide = WideRows.of_training(rows, seed=3)
    work = collect_rows(rows.projected(Projection(np.eye(N_COLUMNS))), Exact().draw_rule(1, 8), seed=3)
    found = wide.rows.toarray() / wide.units
    assert len(found) == work.reference.stop
    np.testing.assert_allclose(found, work.X[: work.reference.stop], rtol=1e-14)
    assert wide.rows.nnz == np.count_nonzero(found)


def test_units_are_those_of_all_of_them():
    wide = WideRows.of_training(make_rows(), seed=3)
    np.testing.assert_allclose(wide.units, reference.column_units(wide.rows.toarray() / wide.units), rtol=1e-12)


def test_a_dense_pool_is_no_other_than_a_sparse_one():
    sparse, dense = (WideRows.of_training(make_rows(pool), seed=3) for pool in ("sparse", "dense"))
    np.testing.assert_array_equal(sparse.units, dense.units)
    np.testing.assert_array_equal(sparse.rows.toarray(), dense.rows.toarray())
    assert isinstance(dense.rows, csr_array)


def test_columns_bring_rows_to_their_units_and_fill_gaps_with_nothing():
    wide = WideRows.of_training(make_rows(), seed=3)
    columns, row = wide.columns, np.arange(1.0, N_COLUMNS + 1)
    assert columns.keeps_sparsity
    assert columns.takes_missing
    np.testing.assert_array_equal(columns.apply(row[None]), [row * wide.units])
    row[5] = np.nan
    assert columns.apply(row[None])[0, 5] == 0.0
    weights = np.linspace(-1.0, 1.0, N_COLUMNS)
    np.testing.assert_allclose(
        columns.sparse_product(csr_array(row[None]), weights), columns.apply(row[None]) @ weights, rtol=1e-12
    )
