"""From held-out AUCs to settings."""

import pickle
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from s2auc.common.parameters import OneOf, check_parameters
from s2auc.data.features.scaling import ColumnView
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry
from s2auc.search.grids.grid import Grid, Setting
from s2auc.search.grids.spaces import SpaceEntry
from s2auc.search.selection import (
    PRIOR_WEIGHTS,
    SELECTION_RULES,
    SELECTIONS,
    SETTINGS_OF_AN_ENTRY,
    SHARPNESS,
    Average,
    Best,
    Candidates,
    WithinOneError,
    read_selection,
)
from s2auc.solvers.job import Points
from s2auc.solvers.qsg.qsg import QSG
from s2auc.solvers.space import SpaceChoice

PER_ITERATION = 10
POINTS = Points(alphas=(0.01, 0.1), labeled_weights=(1.0, 0.5), max_iters=(8, 16))
NEAR_POINTS = Points(alphas=(0.01, 0.1), labeled_weights=(1.0,), max_iters=(8, 16), neighbor_weights=(1.0, 5.0))


def entry(scaling, weighting, gamma, points=POINTS):
    return SpaceEntry(SpaceChoice(scaling, weighting, "gaussian", Bandwidth.read(gamma)), points, PER_ITERATION, QSG())


KERNELS = Grid(
    [entry("standard", weighting, gamma) for weighting in ("none", "auc") for gamma in ("0.5 median", "0.1 median")]
)
"""One family, four entries of eight settings."""

GRID = Grid(
    [
        *KERNELS.entries,
        entry("rank", "none", "0.5 median"),
        entry("rank", "none", "0.5 median", NEAR_POINTS),
        LinearEntry(ColumnView("standard"), (0.1, 1.0, 10.0)),
        ForestEntry("sqrt"),
        ForestEntry(0.5),
    ]
)
"""Four families."""

N_SETTINGS = len(KERNELS.settings)


def candidates(fold_auc, grid=KERNELS, places=None):
    places = range(len(grid.settings)) if places is None else places
    return Candidates(
        [grid.settings[place] for place in places],
        [grid.places[place][0] for place in places],
        np.asarray(fold_auc, float),
    )


def best(found):
    return Best().choose(found)


def simplest(found):
    return WithinOneError().choose(found)


def average(found, n, max_frequencies=2**15):
    return Average(n, max_frequencies).choose(found)


def random_aucs(seed, n_folds=5, grid=KERNELS):
    """Some of them equal."""
    return np.random.default_rng(seed).integers(50, 60, (len(grid.settings), n_folds)) / 100


def test_selections_are_listed_by_name():
    assert {"average": Average, "best": Best, "one-standard-error": WithinOneError} == SELECTIONS


@given(st.integers(0, 2**32))
def test_the_best_is_the_first_with_the_highest_mean(seed):
    fold_auc = random_aucs(seed)
    means = [round(sum(row) / 5, 10) for row in fold_auc.tolist()]
    assert best(candidates(fold_auc)) == {means.index(max(means)): 1.0}


def test_last_bits_do_not_break_ties():
    fold_auc = np.full((N_SETTINGS, 3), 0.5)
    fold_auc[5] = [0.7, 0.8, 0.9]
    fold_auc[9] = [0.9, 0.7, 0.8 + 1e-15]
    assert best(candidates(fold_auc)) == {5: 1.0}
    assert candidates(fold_auc).in_order()[:2].tolist() == [5, 9]


def is_allowed(places, max_frequencies, grid=GRID):
    """At most two of an entry; settings of one share their frequencies."""
    longest, count = {}, {}
    for place in places:
        number = grid.places[place][0]
        count[number] = count.get(number, 0) + 1
        longest[number] = max(longest.get(number, 0), grid.settings[place].n_frequencies)
    return max(count.values(), default=0) <= SETTINGS_OF_AN_ENTRY and sum(longest.values()) <= max_frequencies


@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(0, 900))
def test_an_average_of_one_family_takes_the_best_that_entries_and_frequencies_allow(seed, n, max_frequencies):
    found = candidates(random_aucs(seed))
    shares = average(found, n, max_frequencies)
    chosen, order = list(shares), found.in_order().tolist()
    assert len(chosen) <= n
    assert chosen == [place for place in order if place in chosen]
    np.testing.assert_allclose(list(shares.values()), 1 / len(chosen))
    fitting = [place for place in order if is_allowed([place], max_frequencies)]
    assert chosen[0] == (fitting or order)[0]
    assert is_allowed(chosen, max_frequencies) or chosen == order[:1]
    # A setting that was passed over would have broken a limit when its turn came.
    for place in order:
        before = [other for other in chosen if order.index(other) < order.index(place)]
        if fitting and place not in chosen and len(before) < n:
            assert not is_allowed([*before, place], max_frequencies)


@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(0, 2000))
def test_families_are_averaged_and_weighed(seed, n, max_frequencies):
    found = candidates(random_aucs(seed, grid=GRID), GRID)
    shares = average(found, n, max_frequencies)
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-12)
    assert min(shares.values()) > 0
    # Linear functions and forests have no frequencies, so that something always fits.
    assert is_allowed(shares, max_frequencies)
    families = {}
    for place, share in shares.items():
        families.setdefault(GRID.settings[place].family, {})[place] = share
    assert families.keys() >= {"linear", "trees"}
    weight, merit = {}, {}
    for family, of_family in families.items():
        assert len(of_family) <= n
        assert len(set(of_family.values())) == 1
        weight[family] = sum(of_family.values())
        merit[family] = sum(found.mean[place] for place in of_family) / len(of_family)
    for family in families:
        expected = exp((merit[family] - merit["trees"]) / SHARPNESS) * PRIOR_WEIGHTS.get(family, 1.0)
        assert weight[family] / weight["trees"] == pytest.approx(expected / PRIOR_WEIGHTS["trees"], rel=1e-9)


def test_families_of_equal_merit_have_the_say_of_their_priors():
    shares = average(candidates(np.full((len(GRID.settings), 3), 0.7), GRID), 8)
    of_family = {}
    for place, share in shares.items():
        family = GRID.settings[place].family
        of_family[family] = of_family.get(family, 0.0) + share
    assert of_family == pytest.approx({"standard": 0.25, "rank": 0.25, "linear": 0.125, "trees": 0.375})
    # Ties go in the order of the grid, two of an entry.
    assert list(shares) == [0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 51, 52]


def test_a_family_that_is_clearly_worse_has_hardly_a_say():
    fold_auc = np.full((len(GRID.settings), 2), 0.9)
    fold_auc[[51, 52]] = 0.6
    shares = average(candidates(fold_auc, GRID), 8)
    assert 0 < shares[51] + shares[52] < 1e-4


def test_last_bits_do_not_change_what_is_averaged():
    fold_auc = random_aucs(3, grid=GRID)
    noise = 1e-15 * np.random.default_rng(0).normal(size=fold_auc.shape)
    before, after = (average(candidates(aucs, GRID), 4) for aucs in (fold_auc, fold_auc + noise))
    assert list(before) == list(after)


def test_settings_of_an_entry_share_their_frequencies():
    fold_auc = np.full((N_SETTINGS, 2), 0.5)
    fold_auc[[0, 1, 2, 4, 8]] = [[0.9], [0.88], [0.86], [0.84], [0.82]]
    assert [KERNELS.places[place][0] for place in (0, 1, 2, 4, 8)] == [0, 0, 0, 0, 1]
    assert KERNELS.settings[4].n_frequencies == 160
    assert list(average(candidates(fold_auc), 3, 160)) == [0, 1, 8]
    assert list(average(candidates(fold_auc), 2, 160)) == [0, 1]
    assert list(average(candidates(fold_auc), 8, 80)) == [0, 1]
    assert list(average(candidates(fold_auc), 8, 1)) == [0]


def test_frequencies_are_shared_by_families_and_none_goes_over_the_bound():
    fold_auc = np.full((len(GRID.settings), 2), 0.5)
    fold_auc[32:40] = 0.9  # ranks are best
    families = {
        most: [GRID.settings[place].family for place in average(candidates(fold_auc, GRID), 8, most)]
        for most in (79, 80, 160, 320)
    }
    assert families[79] == ["linear"] * 2 + ["trees"] * 2
    assert families[80] == ["rank"] * 2 + ["linear"] * 2 + ["trees"] * 2
    assert families[160] == ["rank"] * 2 + ["standard"] * 2 + ["linear"] * 2 + ["trees"] * 2
    # Half of it each.
    assert families[320] == ["rank"] * 4 + ["standard"] * 4 + ["linear"] * 2 + ["trees"] * 2


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_one_standard_error_takes_the_simplest_near_the_best(seed, n_folds):
    fold_auc = random_aucs(seed, n_folds)
    found = candidates(fold_auc)
    top = int(found.in_order()[0])
    error = np.std(fold_auc[top], ddof=1) / np.sqrt(n_folds)
    (place,) = simplest(found)

    def complexity(place):
        words = KERNELS.settings[place].parameters
        gamma = float(words["kernel_gamma"].split()[0])
        return words["max_iter"], -words["alpha"], gamma, -words["labeled_weight"]

    assert found.mean[place] >= found.mean[top] - error
    for other in range(N_SETTINGS):
        if found.mean[other] >= found.mean[top] - error:
            assert complexity(place) <= complexity(other)


def test_what_is_simpler():
    spread = np.array([0.6, 0.7, 0.8])  # mean 0.7, error 0.058

    def choose(near, last=31):
        fold_auc = np.full((len(GRID.settings), 3), 0.5)
        fold_auc[near] = 0.65
        fold_auc[last] = spread
        (place,) = simplest(candidates(fold_auc[:48], GRID, range(48)))
        return GRID.settings[place].parameters

    def places(**words):
        return [
            place for place, setting in enumerate(GRID.settings[:48]) if words.items() <= setting.parameters.items()
        ]

    most_complex = GRID.settings[31].parameters
    assert choose([]) == most_complex
    anything = choose(list(range(48)))
    simple = {"alpha": 0.1, "labeled_weight": 1.0, "max_iter": 8, "kernel_gamma": "0.1 median", "neighbor_weight": 0.0}
    assert anything.items() >= simple.items()
    assert choose(places(alpha=0.01, labeled_weight=0.5, max_iter=8))["max_iter"] == 8
    assert choose(places(alpha=0.1, labeled_weight=0.5, max_iter=16))["alpha"] == 0.1
    # Neighbours are left out before pairs with unlabelled rows are.
    same = {"scaling": "rank", "alpha": 0.1, "max_iter": 8}
    assert choose(places(**same), places(**same, neighbor_weight=5.0)[0])["neighbor_weight"] == 0.0
    assert choose([], places(**same, neighbor_weight=5.0)[0])["neighbor_weight"] == 5.0


def test_outside_one_error_simplicity_does_not_count():
    fold_auc = np.full((N_SETTINGS, 3), 0.64)
    fold_auc[31] = [0.6, 0.7, 0.8]
    assert simplest(candidates(fold_auc)) == {31: 1.0}


def test_a_single_fold_has_no_error():
    fold_auc = np.full((N_SETTINGS, 1), 0.6)
    fold_auc[31] = 0.6001
    assert simplest(candidates(fold_auc)) == {31: 1.0}


def test_a_subset_of_the_settings_is_numbered_by_itself():
    fold_auc = [[0.6, 0.6], [0.8, 0.8], [0.7, 0.7]]
    found = candidates(fold_auc, places=(3, 20, 30))
    assert best(found) == {1: 1.0}
    assert list(average(found, 3)) == [1, 2, 0]


def test_only_averages_take_others_than_kernels():
    assert Average.members == ("kernels", "linear", "trees")
    assert Best.members == WithinOneError.members == ("kernels",)


@pytest.mark.parametrize("selection", [Average(4, 100), Average(), Best(), WithinOneError()], ids=repr)
def test_selections_are_objects_with_options(selection):
    assert clone(selection).get_params() == selection.get_params()
    assert type(pickle.loads(pickle.dumps(selection))) is type(selection)
    assert SELECTIONS[selection.name] is type(selection)
    assert set(selection.rules) == set(selection.get_params())
    check_parameters("selection", selection.get_params(), selection.rules)


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_name_is_read_as_its_selection_with_the_usual_options(name):
    selection = read_selection(name, n_frequencies=64)
    assert type(selection) is SELECTIONS[name]
    assert selection.get_params() == SELECTIONS[name]().get_params()
    assert OneOf(SELECTION_RULES).accepts(name)


def test_an_average_of_ones_own_is_read_as_it_is():
    own = Average(n=3, max_frequencies=100)
    assert read_selection(own, n_frequencies=100) is own
    assert OneOf(SELECTION_RULES).accepts(own)


@pytest.mark.parametrize("value", ["Best", "", None, 3, ["best"], Average, Best()])
def test_what_is_no_selection(value):
    assert not OneOf(SELECTION_RULES).accepts(value)


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
        check_parameters("Model", {"selection": "worst"}, {"selection": SELECTION_RULES})
    assert str(caught.value) == (
        "The 'selection' parameter of Model must be a str among {'average', 'best', 'one-standard-error'} or an object "
        "Average(...). Got 'worst' instead."
    )


@pytest.mark.parametrize(("n_labeled", "sharpness"), [(20, 0.03), (200, 0.03), (800, 0.015), (10**6, 0.005)])
def test_more_labels_weigh_families_sharper(n_labeled, sharpness):
    candidates = Candidates((), (), np.zeros((0, 1)), n_labeled)
    assert candidates.sharpness == pytest.approx(sharpness)


def test_a_family_counts_by_how_much_better_it_is_in_units_of_sharpness():
    settings = [Setting("kernels", family, {}) for family in ("one", "other")]
    shares = {}
    for n_labeled in (200, 5000):
        candidates = Candidates(settings, (0, 1), np.array([[0.9], [0.91]]), n_labeled)
        shares[n_labeled] = Average().choose(candidates)
        ratio = np.exp(0.01 / candidates.sharpness)
        assert shares[n_labeled][1] / shares[n_labeled][0] == pytest.approx(ratio)
    assert shares[5000][1] > shares[200][1]
