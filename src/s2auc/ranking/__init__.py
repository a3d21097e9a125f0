"""What it means to rank well: losses of pairs, objectives made of them, metrics, intervals, thresholds.

In the order data flows:

- `losses`: functions of the gap between two scores.
- `quadratic`, `pairs`: which rows meet, and the mean loss over their pairs; the pair formula.
- `objective`: sums of such terms, the one form in which a risk travels.
- `metric_inputs`, `metrics`, `intervals`: AUCs and their confidence intervals.
- `top_rows`: what is found among the highest scores; `roc_band`: the ROC curve and where it may lie.
- `calibration`: from scores to probabilities and thresholds; `reliability`: what probabilities are worth.

Scores come in as arrays by group; nothing here knows of rows or models. A new loss is an entry of `LOSSES`, a new kind
of pair a class as `pairs.PairRule` describes.
"""

from s2auc.ranking.intervals import Estimate, delong_difference, delong_interval
from s2auc.ranking.losses import LOSSES, Loss
from s2auc.ranking.metrics import auc, auc_of_groups, lift_at, precision_at
from s2auc.ranking.objective import Objective, Term, pointwise, semi_supervised
from s2auc.ranking.pairs import PAIRINGS, AllPairs, IndexPairs, RowPairs

__all__ = [
    "LOSSES",
    "PAIRINGS",
    "AllPairs",
    "Estimate",
    "IndexPairs",
    "Loss",
    "Objective",
    "RowPairs",
    "Term",
    "auc",
    "auc_of_groups",
    "delong_difference",
    "delong_interval",
    "lift_at",
    "pointwise",
    "precision_at",
    "semi_supervised",
]
