"""Choosing settings by cross-validation: whole grids trained together, and what was chosen judged on unseen folds.

In the order data flows:

- `splitting`: splitters and groups as users give them, checked.
- `folds`, `plan`: which labelled rows are held out, one fold at a time to choose and two at a time to judge.
- `grid`: the settings that are tried, in entries: `spaces` (functions of kernels that share a space), `linear_entry`
  (by `linear_models`, of `wide_rows` too) and `forest_entry`; `make_grid` lists them, with `usual_values` where users
  leave the choice, and `training` is what they are trained with, by whoever `entry_runs` gives them to.
- `evidence`: what held-out scores say of every setting, and of what a rule chooses among them.
- `selection`: the rules.
- `procedure`: the search as a whole, told of by `progress`; `verdict`: whether unlabelled rows helped.
- `results`, `display`: everything that was tried, as a table and as a picture.

From outside, use `make_grid` and `search_settings`. A new way to select is an entry of `SELECTIONS`; a new member of
averages is a class as `grid.Entry` describes, and a line in `make_grid`.
"""

from s2auc.search.entries.wide_rows import WideRows
from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
from s2auc.search.grids.grid import MEMBERS, Grid
from s2auc.search.grids.make_grid import Wanted, make_grid
from s2auc.search.grids.spaces import SpaceEntry, TrainedSpace
from s2auc.search.plan import FoldPlan, make_plan
from s2auc.search.procedure import Choosing, SearchResult, search_settings
from s2auc.search.selection import SELECTIONS, Average
from s2auc.search.training import Training
from s2auc.search.usual_values import UsualValues

__all__ = [
    "MEMBERS",
    "SELECTIONS",
    "Average",
    "Choosing",
    "FoldPlan",
    "Grid",
    "LabeledGroupKFold",
    "LabeledKFold",
    "RepeatedLabeledKFold",
    "SearchResult",
    "SpaceEntry",
    "TrainedSpace",
    "Training",
    "UsualValues",
    "Wanted",
    "WideRows",
    "make_grid",
    "make_plan",
    "search_settings",
]
