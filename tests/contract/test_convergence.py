"""Steps converge to the full-kernel minimiser: literal ones at the rate of the paper's theorem, and real ones."""

import numpy as np

import reference
from s2auc import S2AUCClassifier
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS

GAMMA, ALPHA, LABELED_WEIGHT, BATCH, N_FREQUENCIES, N_COLUMNS = 0.5, 1.0, 0.5, 2, 4, 2
WORST_CURVATURE = 4 * LABELED_WEIGHT + 8 * (1 - LABELED_WEIGHT)
NEIGHBOR_WEIGHT = 50.0
OFFSET = WORST_CURVATURE / ALPHA
TIMES = np.unique(np.geomspace(5 * OFFSET, 5 * OFFSET * 10**1.5, 13).astype(int))


def test_squared_distance_to_the_minimiser_falls_as_one_over_t():
    rng = np.random.default_rng(0)
    groups = {
        "positive": rng.normal(0.7, 1.0, (20, N_COLUMNS)),
        "negative": rng.normal(-0.7, 1.0, (25, N_COLUMNS)),
        "unlabeled": rng.normal(0.0, 1.3, (40, N_COLUMNS)),
    }
    sizes = {group: len(X) for group, X in groups.items()}
    rows = np.vstack(list(groups.values()))
    K = reference.kernel_matrix("gaussian", rows, rows, GAMMA)
    terms = reference.semi_supervised_terms("square", LABELED_WEIGHT, sizes, "all")
    best = K @ reference.kernel_minimiser(K, *reference.quadratic_risk(terms, sizes), ALPHA)

    steps = (1 / ALPHA) / (np.arange(1, TIMES[-1] + 1) + OFFSET)
    errors = np.zeros(len(TIMES))
    n_seeds = 4
    for seed in range(n_seeds):
        rng = np.random.default_rng([1, seed])
        draws = [{g: rng.integers(size, size=BATCH) for g, size in sizes.items()} for _ in steps]

        frequencies = draw_frequencies(KERNELS["gaussian"], GAMMA, N_COLUMNS, seed, 0, N_FREQUENCIES * len(steps))

        def draw(first: int, last: int, frequencies: np.ndarray = frequencies) -> np.ndarray:
            return frequencies[first:last]

        iterates = reference.algorithm_1(
            groups,
            draws,
            loss="square",
            labeled_weight=LABELED_WEIGHT,
            alpha=ALPHA,
            steps=steps,
            draw=draw,
            n_frequencies=N_FREQUENCIES,
        )
        for t, coefficients in enumerate(iterates, start=1):
            where = np.flatnonzero(t == TIMES)
            if len(where):
                scores = reference.predict(rows, coefficients, draw)
                errors[where[0]] += np.mean((scores - best) ** 2) / n_seeds

    slope = np.polyfit(np.log(TIMES), np.log(errors), 1)[0]
    assert -1.25 < slope < -0.75
    assert errors[-1] < 0.1 * np.mean(best**2)


def test_steps_with_neighbours_approach_the_minimiser_over_all_edges():
    """A classifier with few rows and a long run: all pairs in every step, some edges, f* from all edges."""
    rng = np.random.default_rng(0)
    groups = {"positive": rng.normal(0.7, 1.0, (15, 2)), "negative": rng.normal(-0.7, 1.0, (15, 2))}
    groups["unlabeled"] = rng.normal(0.0, 1.3, (60, 2))
    rows, sizes = np.vstack(list(groups.values())), {group: len(X) for group, X in groups.items()}
    edges, _ = reference.neighbor_edges(rows, 4)
    # Every row is a node, in the order of the groups.
    K = reference.kernel_matrix("gaussian", rows, rows, GAMMA)
    terms = reference.semi_supervised_terms("square", LABELED_WEIGHT, sizes, "all")
    slope, curvature = reference.quadratic_risk(terms, sizes)
    _, of_edges = reference.quadratic_risk(
        [reference.neighbor_term(NEIGHBOR_WEIGHT, sorted(edges))], {"node": len(rows)}
    )
    with_term, without = (
        K @ reference.kernel_minimiser(K, slope, matrix, 0.1) for matrix in (curvature + of_edges, curvature)
    )
    assert np.std(with_term - without) > 0.2 * np.std(without)

    labeled, y = np.vstack([groups["positive"], groups["negative"]]), np.repeat([1, 0], 15)

    def distance(max_iter):
        """Mean squared distance of the scores to those of f*, over a few seeds."""
        found = []
        for seed in range(2):
            model = S2AUCClassifier(
                labeled_weight=LABELED_WEIGHT,
                neighbor_weight=NEIGHBOR_WEIGHT,
                n_neighbors=4,
                alpha=0.1,
                kernel_gamma=GAMMA,
                scaling="none",
                max_iter=max_iter,
                n_frequencies=16,
                random_state=seed,
            ).fit(labeled, y, groups["unlabeled"])
            found.append(np.mean(np.square(model.decision_function(rows) + model.offset_ - with_term)))
        return np.mean(found)

    far, near = distance(30), distance(300)
    assert near < far / 10
    assert near < 0.01 * np.mean(np.square(with_term - without))
