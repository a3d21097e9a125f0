"""From held-out AUCs to settings."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from s2auc.common.parameters import check_parameters
from s2auc.search.grid import Grid, make_spaces
from s2auc.search.selection import (
    SELECTIONS,
    SETTINGS_OF_A_SPACE,
    Average,
    Best,
    Candidates,
    SelectionRule,
    WithinOneError,
    read_selection,
)
from s2auc.solvers.job import Point, Points

GRID = Grid(
    spaces=make_spaces(["standard"], ["none", "auc"], ["gaussian"], ["0.5 median", "0.1 median"]),
    points=Points(alphas=(0.01, 0.1), labeled_weights=(1.0, 0.5), max_iters=(8, 16)),
)
N_SETTINGS = 4 * 2 * 2 * 2
PER_ITERATION = 10


def frequencies_of(setting):
    return PER_ITERATION * setting.point.max_iter


def candidates(fold_auc, grid=GRID, settings=None):
    settings = grid.settings if settings is None else settings
    return Candidates(settings, grid, np.asarray(fold_auc, float), frequencies_of)


def best(found):
    return Best().choose(found)


def simplest(found):
    return WithinOneError().choose(found)


def average(found, n, max_frequencies):
    return Average(n, max_frequencies).choose(found)


def random_aucs(seed, n_folds=5):
    """Some of them equal."""
    return np.random.default_rng(seed).integers(50, 60, (N_SETTINGS, n_folds)) / 100


def test_selections_are_listed_by_name():
    assert {"average": Average, "best": Best, "one-standard-error": WithinOneError} == SELECTIONS


@given(st.integers(0, 2**32))
def test_the_best_is_the_first_with_the_highest_mean(seed):
    fold_auc = random_aucs(seed)
    means = [round(sum(row) / 5, 10) for row in fold_auc.tolist()]
    assert best(candidates(fold_auc)) == [means.index(max(means))]


def test_last_bits_do_not_break_ties():
    fold_auc = np.full((N_SETTINGS, 3), 0.5)
    fold_auc[5] = [0.7, 0.8, 0.9]
    fold_auc[9] = [0.9, 0.7, 0.8 + 1e-15]
    assert best(candidates(fold_auc)) == [5]
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
            longest[setting.space] = max(longest.get(setting.space, 0), frequencies_of(setting))
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
    assert GRID.settings[4].point.max_iter == 16
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
    (place,) = simplest(found)

    def complexity(setting):
        point = setting.point
        gamma = GRID.spaces[setting.space].bandwidth.factor
        return point.max_iter, -point.alpha, gamma, -point.labeled_weight

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
        return GRID.settings[simplest(candidates(fold_auc))[0]]

    assert choose([]) == GRID.settings[31]
    assert choose(list(range(32))).point == Point(0.1, 1.0, 8)
    assert GRID.spaces[choose(list(range(32))).space].bandwidth.value == "0.1 median"
    settings = GRID.settings
    shorter = [place for place in range(31) if settings[place].point == Point(0.01, 0.5, 8)]
    assert choose(shorter).point.max_iter == 8
    stronger = [place for place in range(31) if settings[place].point == Point(0.1, 0.5, 16)]
    assert choose(stronger).point.alpha == 0.1


def test_outside_one_error_simplicity_does_not_count():
    fold_auc = np.full((N_SETTINGS, 3), 0.64)
    fold_auc[31] = [0.6, 0.7, 0.8]
    assert simplest(candidates(fold_auc)) == [31]


def test_a_single_fold_has_no_error():
    fold_auc = np.full((N_SETTINGS, 1), 0.6)
    fold_auc[31] = 0.6001
    assert simplest(candidates(fold_auc)) == [31]


def test_a_subset_of_the_settings_is_numbered_by_itself():
    some = [GRID.settings[place] for place in (3, 20, 30)]
    fold_auc = [[0.6, 0.6], [0.8, 0.8], [0.7, 0.7]]
    assert best(candidates(fold_auc, settings=some)) == [1]
    assert average(candidates(fold_auc, settings=some), 3, 10_000) == [1, 2, 0]


@pytest.mark.parametrize("selection", [Average(4, 100), Average(), Best(), WithinOneError()], ids=repr)
def test_selections_are_objects_with_options(selection):
    assert clone(selection).get_params() == selection.get_params()
    assert type(pickle.loads(pickle.dumps(selection))) is type(selection)
    assert SELECTIONS[selection.name] is type(selection)
    assert set(selection.rules) == set(selection.get_params())
    check_parameters("selection", selection.get_params(), selection.rules)


def test_how_many_settings_a_model_may_have():
    assert Best().most(1) == WithinOneError().most(10**9) == 1
    assert [Average(8, 1000).most(frequencies) for frequencies in (1, 125, 126, 500, 501, 2000)] == [8, 8, 7, 2, 1, 1]


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_name_is_read_as_its_selection_with_the_usual_options(name):
    selection = read_selection(name, n_frequencies=64)
    assert type(selection) is SELECTIONS[name]
    assert selection.get_params() == SELECTIONS[name]().get_params()
    assert SelectionRule().accepts(name)


def test_an_average_of_ones_own_is_read_as_it_is():
    own = Average(n=3, max_frequencies=100)
    assert read_selection(own, n_frequencies=100) is own
    assert SelectionRule().accepts(own)


@pytest.mark.parametrize("value", ["Best", "", None, 3, ["best"], Average, Best()])
def test_what_is_no_selection(value):
    assert not SelectionRule().accepts(value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "The 'n' parameter of Average must be an int >= 1. Got 0"),
        ({"n": 2.5}, "The 'n' parameter of Average must be an int >= 1. Got 2.5"),
        ({"max_frequencies": 0}, "The 'max_frequencies' parameter of Average must be an int >= 1. Got 0"),
        ({"max_frequencies": 63}, "The 'max_frequencies' parameter of Average must be at least n_frequencies, 64. Got"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match="parameter of Average") as caught:
        read_selection(Average(**options), n_frequencies=64)
    assert str(caught.value).startswith(message)


def test_the_sentence_says_what_is_allowed():
    with pytest.raises(ValueError, match="selection") as caught:
        check_parameters("Model", {"selection": "worst"}, {"selection": (SelectionRule(),)})
    assert str(caught.value) == (
        "The 'selection' parameter of Model must be a str among {'average', 'best', 'one-standard-error'} or an object "
        "Average(...). Got 'worst' instead."
    )
