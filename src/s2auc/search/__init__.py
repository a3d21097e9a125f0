"""Choosing settings by cross-validation: whole grids trained together, and what was chosen judged on unseen folds.

In the order data flows:

- `folds`, `plan`: which labelled rows are held out, one fold at a time to choose and two at a time to judge.
- `grid`: the settings that are tried.
- `spaces`: one space of the grid, trained with all its masks and points.
- `evidence`: what held-out scores say of every setting, and of what a rule chooses among them.
- `selection`: the rules.
- `procedure`: the search as a whole; `verdict`: whether unlabelled rows helped.
- `results`, `display`: everything that was tried, as a table and as a picture.

From outside, use `search_settings`. A new way to select is an entry of `SELECTIONS`.
"""

from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
from s2auc.search.grid import Grid, UsualValues, make_spaces
from s2auc.search.plan import FoldPlan, make_plan
from s2auc.search.procedure import Choosing, SearchResult, search_settings
from s2auc.search.selection import SELECTIONS, Average
from s2auc.search.spaces import TrainedSpace, Training

__all__ = [
    "SELECTIONS",
    "Average",
    "Choosing",
    "FoldPlan",
    "Grid",
    "LabeledGroupKFold",
    "LabeledKFold",
    "RepeatedLabeledKFold",
    "SearchResult",
    "TrainedSpace",
    "Training",
    "UsualValues",
    "make_plan",
    "make_spaces",
    "search_settings",
]
