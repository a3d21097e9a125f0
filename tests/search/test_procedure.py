"""Choosing among some settings, and what is taken where nothing can be held out."""

import numpy as np

from s2auc.search import Choosing, Grid
from s2auc.search.forest_entry import ForestEntry
from s2auc.search.linear_entry import LinearEntry
from s2auc.search.selection import Average, Best
from trainings import NEAR, NEAR_POINTS, PLAIN, space_entry

GRID = Grid(
    [space_entry(PLAIN), space_entry(NEAR, NEAR_POINTS), LinearEntry("standard", (0.1, 1.0)), ForestEntry("sqrt")]
)
EVERYTHING = np.arange(len(GRID.settings))


def choose(selection, allowed, fold_auc=None, grid=GRID):
    return Choosing(grid, selection).choose(np.zeros((len(allowed), 0)) if fold_auc is None else fold_auc, allowed)


def test_choices_are_numbers_of_the_grid():
    allowed = np.array([3, 9, 16, 18])
    fold_auc = np.array([[0.6], [0.9], [0.7], [0.8]])
    assert choose(Best(), allowed, fold_auc) == {9: 1.0}
    assert set(choose(Average(), allowed, fold_auc)) == {3, 9, 16, 18}


def test_without_folds_usual_settings_are_averaged():
    chosen = choose(Average(), EVERYTHING)
    assert [GRID.settings[place].is_usual for place in chosen] == [True] * 3
    assert {GRID.settings[place].member for place in chosen} == {"kernels", "linear", "trees"}
    assert sum(chosen.values()) == 1.0


def test_without_folds_and_usual_settings_there_is_still_a_model():
    grid = Grid(GRID.entries[1:])
    chosen = choose(Average(), np.arange(len(grid.settings)), grid=grid)
    assert {grid.settings[place].member for place in chosen} == {"kernels", "linear", "trees"}
    assert choose(Best(), np.arange(8), grid=grid) == {0: 1.0}
