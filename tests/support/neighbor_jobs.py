"""Jobs whose models ask neighbours to agree, and the same models as double loops see them."""

import numpy as np

import reference
from s2auc.common.groups import PositiveFirst
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.ranking.losses import LOSSES
from s2auc.search.plan import auto_folds, make_plan
from s2auc.solvers.job import Job, Points
from s2auc.solvers.neighbors import EdgeDraw, NeighborGraph
from s2auc.solvers.work_rows import WorkRows

SEED, GAMMA, N_COLUMNS, N_POSITIVE = 11, 0.4, 3, 6
N_ITERATIONS, N_REFERENCE = 12, 4


def make_points(alphas=(1e-2, 0.3), labeled_weights=(1.0, 0.5), neighbor_weights=(0.0, 2.0, 30.0), max_iters=(5, 12)):
    return Points(alphas, labeled_weights, max_iters, neighbor_weights)


def make_job(points=None, *, loss="square", n_negative=8, n_pool=20, n_spread=15, n_frequencies=6, n_neighbors=3):
    """A job of three folds; rows are labelled, reference, spread, and those that steps draw."""
    rng = np.random.default_rng(0)
    order = PositiveFirst(N_POSITIVE, n_negative)
    n_before = order.n_rows + N_REFERENCE + n_spread
    X = rng.normal(size=(n_before + n_pool, N_COLUMNS))
    X[:N_POSITIVE] += 0.7
    steps = {"positive": np.broadcast_to(np.arange(N_POSITIVE), (N_ITERATIONS, N_POSITIVE))}
    if n_negative:
        steps["negative"] = np.broadcast_to(np.arange(N_POSITIVE, order.n_rows), (N_ITERATIONS, n_negative))
    if n_pool:
        steps["unlabeled"] = rng.integers(n_before, len(X), (N_ITERATIONS, 5))
    rows = WorkRows(X, order, N_REFERENCE, steps, n_spread, EdgeDraw(SEED, 7, 0, N_ITERATIONS))
    plan = make_plan(auto_folds(order.is_positive, 3, 0)[:3], order.is_positive, judged=True)
    return Job(
        X=X,
        rows=rows,
        is_trained=plan.is_trained,
        loss=LOSSES[loss],
        points=points or make_points(),
        stream=FrequencyStream("gaussian", GAMMA, N_COLUMNS, SEED),
        n_frequencies=n_frequencies,
        graph=NeighborGraph.of_rows(X[rows.nodes], n_neighbors),
    )


def literal_minimiser(job, point, mask):
    """w of one model from all pairs and all edges, rows that the mask leaves out being nodes only."""
    W = job.stream.take(0, job.n_frequencies)
    used = np.flatnonzero(job.is_trained[:, mask])
    groups = {
        "positive": used[used < N_POSITIVE],
        "negative": used[used >= N_POSITIVE],
        "unlabeled": np.arange(len(job.X))[job.rows.pool],
        "node": job.rows.nodes,
    }
    sizes = {group: len(rows) for group, rows in groups.items()}
    terms = reference.semi_supervised_terms("square", point.labeled_weight, sizes, "all")
    terms.append(reference.neighbor_term(point.neighbor_weight, job.graph.edges.tolist()))
    Phi = reference.features(job.X[np.concatenate(list(groups.values()))], W)
    return reference.linear_minimiser(Phi, *reference.quadratic_risk(terms, sizes), point.alpha)
