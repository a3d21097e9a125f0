"""Labels of a fold's rows say nothing to the models that leave it out, whatever the models are.

The rows of a fold are given each other's labels: positive ones stand where negative ones stood. Whoever had seen a
label of the fold, by itself, through weights of columns or through neighbours, would score rows otherwise than before.
"""

from dataclasses import replace

import numpy as np
import pytest

from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry
from s2auc.search.plan import WHOLE
from s2auc.solvers.job import Points
from trainings import (
    NEAR,
    NEAR_POINTS,
    ORDER,
    POINTS,
    WEIGHTED,
    garbled,
    make_labeled,
    make_training,
    make_wide,
    space_entry,
)

NEAR_AND_PAIRS = Points((1e-2,), (0.5,), (1,), (0.0, 20.0))
ENTRIES = {
    "kernels": space_entry(NEAR, POINTS),
    "kernels, by features": space_entry(NEAR, POINTS, n_frequencies=5),
    # Not scaled: statistics of columns differ in their last bits if rows change places, and weights look at ties.
    "weighted columns": space_entry(replace(WEIGHTED, scaling="none"), POINTS),
    "neighbours": space_entry(NEAR, NEAR_POINTS),
    "neighbours and pairs": space_entry(NEAR, NEAR_AND_PAIRS),
    "linear": LinearEntry(ColumnView("standard"), (1e-2, 1.0)),
    "trees": ForestEntry("sqrt"),
}
ALL_COLUMNS = "linear, all columns"


def entry_of(name, labeled):
    """An entry for labelled rows, which those that see all columns hold themselves."""
    return WideLinearEntry(make_wide(labeled), (1e-2, 1.0)) if name == ALL_COLUMNS else ENTRIES[name]


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("name", [*ENTRIES, ALL_COLUMNS])
def test_labels_of_a_fold_change_nothing_for_models_without_it(name):
    entry = entry_of(name, make_labeled())
    training = make_training(entry)
    before = entry.train(training).scores
    plan = training.plan
    for fold, rows in enumerate(plan.tests):
        order = garbled(rows)
        labeled = make_labeled()[order]
        entry = entry_of(name, labeled)
        after = entry.train(make_training(entry, labeled=labeled)).scores
        moved = np.concatenate([order, np.arange(ORDER.n_rows, before.shape[2])])
        without = [mask for mask in range(before.shape[1]) if not plan.is_trained[rows, mask].any()]
        assert plan.mask_without(fold) in without
        assert len(without) == 3  # and two with another fold each
        np.testing.assert_allclose(after[:, without], before[:, without][:, :, moved], rtol=1e-3, atol=1e-4)
        # Those who see the labels notice.
        assert np.abs(after[:, WHOLE] - before[:, WHOLE][:, moved]).max() > 1e-2
