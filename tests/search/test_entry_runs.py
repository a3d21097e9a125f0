"""Entries are the same, and come in the order of the grid, whoever trains them."""

import pickle

import numpy as np
import pytest

from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry
from s2auc.search.procedure import run_entries
from trainings import NEAR, NEAR_POINTS, WEIGHTED, make_training, space_entry

pytestmark = pytest.mark.usefixtures("few_trees")

ENTRIES = (
    space_entry(),
    space_entry(WEIGHTED),
    space_entry(NEAR, NEAR_POINTS),
    LinearEntry(ColumnView("standard"), (0.1, 1.0)),
    ForestEntry("sqrt"),
)


class FarCrew:
    """Workers to whom everything travels as bytes, and who count what they did."""

    def __init__(self):
        self.n_done, self.is_closed = 0, False

    def map_in_order(self, work, shared, tasks):
        try:
            for task in tasks:
                there = pickle.loads(pickle.dumps((work, shared, task)))
                self.n_done += 1
                yield pickle.loads(pickle.dumps(there[0](*there[1:])))
        finally:
            self.is_closed = True


def same(mine, theirs):
    assert type(mine.common) is type(theirs.common)
    np.testing.assert_array_equal(theirs.scores, mine.scores)
    for ours, others in ((mine.numbers, theirs.numbers), (mine.common.arrays(), theirs.common.arrays())):
        for name, array in ours.items():
            np.testing.assert_array_equal(others[name], array)


@pytest.fixture(scope="module")
def training():
    return make_training(*ENTRIES)


def test_a_crew_trains_what_threads_do(training):
    crew = FarCrew()
    for (mine, _), (theirs, seconds) in zip(
        run_entries(ENTRIES, training), run_entries(ENTRIES, training, crew=crew), strict=True
    ):
        same(mine, theirs)
        assert seconds > 0
    assert crew.n_done == len(ENTRIES)


def test_a_crew_is_asked_for_what_a_checkpoint_does_not_have(training, tmp_path):
    first = run_entries(ENTRIES, training, Checkpoint(tmp_path / "run"), FarCrew())
    begun = [next(first) for _ in range(2)]
    first.close()
    crew = FarCrew()
    runs = list(run_entries(ENTRIES, training, Checkpoint(tmp_path / "run"), crew))
    assert crew.n_done == len(ENTRIES) - 2
    assert [seconds is None for _, seconds in runs] == [True, True, False, False, False]
    for (mine, _), (theirs, _) in zip(begun, runs, strict=False):
        same(mine, theirs)


def test_a_search_that_stops_lets_the_crew_go(training):
    crew = FarCrew()
    runs = run_entries(ENTRIES, training, crew=crew)
    next(runs)
    runs.close()
    assert (crew.n_done, crew.is_closed) == (1, True)
