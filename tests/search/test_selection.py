"""From held-out AUCs to settings, and to the table of all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2auc.search.grid import Grid, Point, SpaceChoice, make_spaces
from s2auc.search.results import PARAMETERS, make_results, parameters_of
from s2auc.search.selection import SELECTIONS, SETTINGS_OF_A_SPACE, Candidates
from s2auc.search.selection import choose_average as average
from s2auc.search.selection import choose_best as best
from s2auc.search.selection import choose_within_one_error as simplest

GRID = Grid(
    spaces=make_spaces(["standard"], ["none", "auc"], ["gaussian"], [0.5, 0.1]),
    alphas=(0.01, 0.1),
    labeled_weights=(1.0, 0.5),
    iterations=(8, 16),
)
N_SETTINGS = 4 * 2 * 2 * 2
PER_ITERATION = 10


def candidates(fold_auc, grid=GRID, settings=None):
    settings = grid.settings if settings is None else settings
    return Candidates(settings, grid, np.asarray(fold_auc, float), lambda setting: PER_ITERATION * setting.point.n_iter)


def random_aucs(seed, n_folds=5):
    """Some of them equal."""
    return np.random.default_rng(seed).integers(50, 60, (N_SETTINGS, n_folds)) / 100


def test_selections_are_the_functions():
    assert {"average": average, "best": best, "one-standard-error": simplest} == SELECTIONS


@given(st.integers(0, 2**32))
def test_the_best_is_the_first_with_the_highest_mean(seed):
    fold_auc = random_aucs(seed)
    means = [round(sum(row) / 5, 10) for row in fold_auc.tolist()]
    assert best(candidates(fold_auc), 4, 1) == [means.index(max(means))]


def test_last_bits_do_not_break_ties():
    fold_auc = np.full((N_SETTINGS, 3), 0.5)
    fold_auc[5] = [0.7, 0.8, 0.9]
    fold_auc[9] = [0.9, 0.7, 0.8 + 1e-15]
    assert best(candidates(fold_auc), 1, 1) == [5]
    assert candidates(fold_auc).in_order()[:2].tolist() == [5, 9]


@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(0, 900))
def test_an_average_takes_the_best_that_space_and_frequencies_allow(seed, n_settings, max_frequencies):
    found = candidates(random_aucs(seed))
    chosen = average(found, n_settings, max_frequencies)
    order = found.in_order().tolist()
    assert chosen[0] == order[0]
    assert len(chosen) == len(set(chosen)) <= n_settings
    assert chosen == [place for place in order if place in chosen]

    def is_allowed(places):
        longest = {}
        for place in places:
            setting = GRID.settings[place]
            longest[setting.space] = max(longest.get(setting.space, 0), PER_ITERATION * setting.point.n_iter)
        counts = [sum(GRID.settings[place].space == space for place in places) for space in longest]
        return max(counts) <= SETTINGS_OF_A_SPACE and sum(longest.values()) <= max_frequencies

    assert len(chosen) == 1 or is_allowed(chosen)
    # A setting that was passed over would have broken a limit when its turn came.
    for place in order:
        before = [other for other in chosen if order.index(other) < order.index(place)]
        if place not in chosen and len(before) < n_settings:
            assert not is_allowed([*before, place])


def test_settings_of_a_space_share_their_frequencies():
    fold_auc = np.full((N_SETTINGS, 2), 0.5)
    fold_auc[[0, 1, 2, 4, 8]] = [[0.9], [0.88], [0.86], [0.84], [0.82]]
    assert [GRID.settings[place].space for place in (0, 1, 2, 4, 8)] == [0, 0, 0, 0, 1]
    assert GRID.settings[4].point.n_iter == 16
    assert average(candidates(fold_auc), 3, 160) == [0, 1, 8]
    assert average(candidates(fold_auc), 2, 160) == [0, 1]
    assert average(candidates(fold_auc), 8, 80) == [0, 1]
    assert average(candidates(fold_auc), 8, 1) == [0, 1][:1]


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_one_standard_error_takes_the_simplest_near_the_best(seed, n_folds):
    fold_auc = random_aucs(seed, n_folds)
    found = candidates(fold_auc)
    top = int(found.in_order()[0])
    error = np.std(fold_auc[top], ddof=1) / np.sqrt(n_folds)
    (place,) = simplest(found, 4, 1)

    def complexity(setting):
        point = setting.point
        gamma = GRID.spaces[setting.space].relative_gamma
        return point.n_iter, -point.alpha, gamma, -point.labeled_weight

    assert found.mean[place] >= found.mean[top] - error
    for other in range(N_SETTINGS):
        if found.mean[other] >= found.mean[top] - error:
            assert complexity(GRID.settings[place]) <= complexity(GRID.settings[other])


def test_what_is_simpler():
    spread = np.array([0.6, 0.7, 0.8])  # mean 0.7, error 0.058

    def choose(near):
        fold_auc = np.full((N_SETTINGS, 3), 0.5)
        fold_auc[near] = 0.65
        fold_auc[31] = spread  # the most complex but for the kernel
        return GRID.settings[simplest(candidates(fold_auc), 1, 1)[0]]

    assert choose([]) == GRID.settings[31]
    assert choose(list(range(32))).point == Point(0.1, 1.0, 8)
    assert GRID.spaces[choose(list(range(32))).space].relative_gamma == 0.1
    settings = GRID.settings
    shorter = [place for place in range(31) if settings[place].point == Point(0.01, 0.5, 8)]
    assert choose(shorter).point.n_iter == 8
    stronger = [place for place in range(31) if settings[place].point == Point(0.1, 0.5, 16)]
    assert choose(stronger).point.alpha == 0.1


def test_outside_one_error_simplicity_does_not_count():
    fold_auc = np.full((N_SETTINGS, 3), 0.64)
    fold_auc[31] = [0.6, 0.7, 0.8]
    assert simplest(candidates(fold_auc), 1, 1) == [31]


def test_a_single_fold_has_no_error():
    fold_auc = np.full((N_SETTINGS, 1), 0.6)
    fold_auc[31] = 0.6001
    assert simplest(candidates(fold_auc), 1, 1) == [31]


def test_a_subset_of_the_settings_is_numbered_by_itself():
    some = [GRID.settings[place] for place in (3, 20, 30)]
    fold_auc = [[0.6, 0.6], [0.8, 0.8], [0.7, 0.7]]
    assert best(candidates(fold_auc, settings=some), 1, 1) == [1]
    assert average(candidates(fold_auc, settings=some), 3, 10_000) == [1, 2, 0]


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_results_are_a_table_of_all_settings(seed, n_folds):
    fold_auc = random_aucs(seed, n_folds)
    results = make_results(GRID, fold_auc)
    assert results["params"] == [parameters_of(setting, GRID) for setting in GRID.settings]
    for name in PARAMETERS:
        column = results[f"param_{name}"]
        assert isinstance(column, np.ma.MaskedArray)
        assert not np.ma.is_masked(column)
        assert column.tolist() == [entry[name] for entry in results["params"]]
    for fold in range(n_folds):
        np.testing.assert_array_equal(results[f"split{fold}_test_score"], fold_auc[:, fold])
    assert f"split{n_folds}_test_score" not in results
    means = [sum(row) / n_folds for row in fold_auc.tolist()]
    np.testing.assert_allclose(results["mean_test_score"], means, rtol=1e-12)
    spread = [(sum((v - m) ** 2 for v in row) / n_folds) ** 0.5 for row, m in zip(fold_auc, means, strict=True)]
    np.testing.assert_allclose(results["std_test_score"], spread, atol=1e-9)
    ranks = [1 + sum(other > mean + 1e-9 for other in means) for mean in means]
    assert results["rank_test_score"].tolist() == ranks


def test_settings_in_the_words_of_users():
    grid = Grid((SpaceChoice("rank", "auc", "laplacian", 0.5),), (0.1,), (0.5,), (8,))
    assert parameters_of(grid.settings[0], grid) == {
        "preprocessing": "rank",
        "column_weights": "auc",
        "kernel": "laplacian",
        "relative_gamma": 0.5,
        "alpha": 0.1,
        "labeled_weight": 0.5,
        "max_iter": 8,
    }


@pytest.mark.parametrize("space", range(4))
def test_settings_of_a_space_stand_together_and_points_run_over_stops_then_alphas_then_weights(space):
    settings = GRID.settings[8 * space : 8 * (space + 1)]
    assert {setting.space for setting in settings} == {space}
    points = [(setting.point.n_iter, setting.point.alpha, -setting.point.labeled_weight) for setting in settings]
    assert points == sorted(points)
