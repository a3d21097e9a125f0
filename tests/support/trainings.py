"""Rows and folds that entries of a grid are trained with, and the same with other labels on the rows of a fold."""

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.groups import PositiveFirst
from s2auc.data.features.projection import column_units, in_units
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.training_rows import TrainingRows
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.ranking.losses import LOSSES
from s2auc.search.entries.linear import WideRows
from s2auc.search.grids.grid import Grid
from s2auc.search.grids.spaces import SpaceEntry
from s2auc.search.plan import auto_folds, make_plan
from s2auc.search.training import Training
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.job import Points
from s2auc.solvers.space import SpaceChoice
from s2auc.solvers.work_rows import collect_rows

N_POSITIVE, N_NEGATIVE, N_COLUMNS, N_NEIGHBORS = 8, 10, 3, 3
ORDER = PositiveFirst(N_POSITIVE, N_NEGATIVE)
POINTS = Points(alphas=(1e-2, 1e-1), labeled_weights=(1.0, 0.5), max_iters=(3, 6))
NEAR_POINTS = Points(alphas=(1e-2, 1e-1), labeled_weights=(1.0,), max_iters=(3, 6), neighbor_weights=(5.0, 20.0))
WEIGHTED = SpaceChoice("standard", "auc", "gaussian", Bandwidth.read("0.5 median"))
PLAIN = SpaceChoice("rank", "none", "laplacian", Bandwidth.read("median"))
NEAR = SpaceChoice("standard", "none", "gaussian", Bandwidth.read("median"))
EXACT = Exact()


def space_entry(choice=PLAIN, points=POINTS, solver=EXACT, n_frequencies=16):
    return SpaceEntry(choice, points, n_frequencies, solver)


def make_labeled(seed=0):
    """Labelled rows, positive ones first."""
    noise = np.random.default_rng(seed).normal(size=(ORDER.n_rows, N_COLUMNS))
    return noise + ORDER.is_positive[:, None] * [1.0, 0.5, 0.0]


def make_training(*entries, solver=EXACT, labeled=None, seed=0, **limits):
    """What some entries need to be trained: 18 labelled rows, 60 others, three folds and what judges them."""
    labeled = make_labeled() if labeled is None else labeled
    n_columns = labeled.shape[1]
    pool = np.random.default_rng(1).normal(size=(60, n_columns))
    rows = TrainingRows(labeled, ORDER, DenseRows(pool))
    work = collect_rows(rows, solver.draw_rule(6, 8), seed=seed, uses_neighbors=True)
    sample = ColumnSample.of_rows(rows.sample(seed), Schema(n_columns, {}))
    plan = make_plan(auto_folds(ORDER.is_positive, 3, seed)[:3], ORDER.is_positive, judged=True)
    fixed = {"loss": LOSSES["square"], "n_neighbors": N_NEIGHBORS, "seed": seed}
    return Training.for_grid(Grid(entries), work, sample, plan, **fixed, **limits)


def make_wide(labeled=None, n_columns=40):
    """Sparse rows of many columns that stand for the labelled and the reference rows of `make_training`."""
    labeled = make_labeled() if labeled is None else labeled
    # What a row has in further columns means nothing, but goes with the row wherever it stands.
    noise = np.sin(np.outer(1e3 * labeled[:, 0], np.arange(1.0, n_columns - N_COLUMNS + 1)))
    reference = np.random.default_rng(2).poisson(0.3, (60, n_columns))
    stacked = np.concatenate([np.hstack([labeled, np.where(noise > 0.6, noise, 0.0)]), reference])
    units = column_units(csr_array(stacked))
    return WideRows(in_units(stacked, units), units)


def garbled(rows):
    """The places that labelled rows come from if some of them have each other's labels: both classes change places."""
    assert {True, False} == set(ORDER.is_positive[rows].tolist())
    order = np.arange(ORDER.n_rows)
    order[rows] = rows[::-1]
    assert np.any(ORDER.is_positive[order] != ORDER.is_positive)
    return order
