"""SelectionContext among some settings, and what is taken where nothing can be held out."""

import numpy as np
import pytest

from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry
from s2auc.search.grids.grid import Grid
from s2auc.search.plan import WHOLE
from s2auc.search.procedure import SelectionContext, search_settings
from s2auc.search.selection import Average, Best
from trainings import NEAR, NEAR_POINTS, PLAIN, make_labeled, make_training, make_wide, space_entry

GRID = Grid(
    [
        space_entry(PLAIN),
        space_entry(NEAR, NEAR_POINTS),
        LinearEntry(ColumnView("standard"), (0.1, 1.0)),
        ForestEntry("sqrt"),
    ]
)
EVERYTHING = np.arange(len(GRID.settings))


def choose(selection, allowed, fold_auc=None, grid=GRID):
    return SelectionContext(grid, selection, 200).choose(
        np.zeros((len(allowed), 0)) if fold_auc is None else fold_auc, allowed
    )


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


@pytest.mark.usefixtures("few_trees")
def test_parts_see_components_or_all_columns():
    labeled = make_labeled()
    grid = Grid(
        [LinearEntry(ColumnView("standard"), (0.1, 1.0)), WideLinearEntry(make_wide(), (0.1, 1.0)), ForestEntry("sqrt")]
    )
    found = search_settings(make_training(*grid.entries, labeled=labeled), SelectionContext(grid, Average(), 200))
    components, (wide,) = found.parts(), found.parts(is_wide=True)
    assert [type(part).__name__ for part in components] == ["LinearPart", "TreePart"]
    assert len(wide.weights) == 40
    # Together they are the average that was judged.
    rows = make_wide()
    scores = sum(part.score(labeled) for part in components)
    scores += wide.score((rows.rows.toarray() / rows.units)[: len(labeled)])
    expected = found.evidence.mixed(found.chosen, WHOLE)[: len(labeled)]
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-4)
