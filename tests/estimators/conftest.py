"""What tests of checkpoints look at."""

import pytest

from s2auc.estimators import single_fit
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry
from s2auc.search.grids.spaces import SpaceEntry
from s2auc.solvers.qsg import panels as blocked_solver


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kept"


@pytest.fixture
def trained(monkeypatch):
    """The kinds of all entries that are trained from here on."""
    names = []
    for kind in (SpaceEntry, LinearEntry, WideLinearEntry, ForestEntry):

        def train(entry, training, whole=kind.train):
            names.append(type(entry).__name__)
            return whole(entry, training)

        monkeypatch.setattr(kind, "train", train)
    return names


@pytest.fixture
def steps(monkeypatch):
    """The lengths of all panels that are made from here on, which are short; every one of them is kept."""
    made, make = [], blocked_solver._PanelTable

    def count(problem, iterates, stream, first, last, scores):
        made.append(last - first)
        return make(problem, iterates, stream, first, last, scores)

    monkeypatch.setattr(blocked_solver, "_PanelTable", count)
    for module in (blocked_solver, single_fit):
        monkeypatch.setattr(module, "panel_length", lambda _: 4)
    monkeypatch.setattr(single_fit, "QUIET_SECONDS", 0)
    return made
