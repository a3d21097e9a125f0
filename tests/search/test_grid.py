"""Entries side by side: the order of their settings, and what they need."""

import pickle

from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry
from s2auc.search.grids.grid import Grid
from trainings import NEAR, NEAR_POINTS, PLAIN, POINTS, WEIGHTED, make_wide, space_entry

GRID = Grid(
    [
        space_entry(WEIGHTED),
        space_entry(PLAIN),
        LinearEntry(ColumnView("standard"), (0.1, 1.0)),
        space_entry(NEAR, NEAR_POINTS),
        ForestEntry("sqrt"),
    ]
)


def test_settings_of_an_entry_stand_together_in_its_order():
    n_points = len(POINTS.listed)
    assert [number for number, _ in GRID.places] == [0] * 8 + [1] * 8 + [2] * 2 + [3] * 8 + [4]
    assert [place for _, place in GRID.places[:n_points]] == list(range(n_points))
    for setting, (number, place) in zip(GRID.settings, GRID.places, strict=True):
        assert setting is GRID.entries[number].settings[place]


def test_points_run_over_stops_then_alphas_then_weights():
    words = [setting.parameters for setting in GRID.entries[0].settings]
    points = [(word["max_iter"], word["alpha"], -word["labeled_weight"]) for word in words]
    assert points == sorted(points)


def test_what_entries_need_is_there_once():
    assert GRID.views == [ColumnView("standard"), ColumnView("rank")]
    assert GRID.neighbor_views == [ColumnView("standard")]
    assert GRID.points == [POINTS, POINTS, NEAR_POINTS]
    alone = Grid([ForestEntry("sqrt")])
    assert (alone.views, alone.neighbor_views, alone.points) == ([ColumnView("standard")], [], [])
    # Who sees all columns of wide rows sees to their units, too.
    wide = Grid([WideLinearEntry(make_wide(), (0.1,)), *GRID.entries])
    assert wide.views == GRID.views
    assert [entry.is_wide for entry in wide.entries] == [True, False, False, False, False, False]


def test_a_grid_pickles():
    again = pickle.loads(pickle.dumps(GRID))
    assert again.settings == GRID.settings
    assert again.places == GRID.places


def test_spaces_have_frequencies_of_their_own():
    seeds = {choice.frequency_seed(seed) for choice in (PLAIN, WEIGHTED, NEAR) for seed in (0, 1)}
    assert len(seeds) == 6
