"""What each parameter of the search may be."""

from collections.abc import Mapping

from s2auc.common.parameters import Boolean, Choice, Nothing, Number, Rule, Seed, SequenceOf, Splitter
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.column_scaling import SCALINGS
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.calibration import THRESHOLDS
from s2auc.ranking.losses import LOSSES
from s2auc.search.engines import ENGINES
from s2auc.search.selection import SELECTIONS
from s2auc.search.spaces import COLUMN_WEIGHTS

_COUNT = Number(1, integer=True)
_AUTO = Choice(["auto"])
RULES: Mapping[str, tuple[Rule, ...]] = {
    "loss": (Choice([name for name, loss in LOSSES.items() if loss.ranks]),),
    "kernels": (SequenceOf(Choice(KERNELS)),),
    "relative_gammas": (_AUTO, SequenceOf(Number(0, 1e100, open_low=True))),
    "alphas": (_AUTO, SequenceOf(Number(1e-12))),
    "labeled_weights": (_AUTO, SequenceOf(Number(0, 1))),
    "iterations": (_AUTO, SequenceOf(_COUNT)),
    "preprocessing": (_AUTO, Choice([name for name in SCALINGS if name != "none"]), Nothing()),
    "column_weights": (_AUTO, Choice([name for name in COLUMN_WEIGHTS if name != "none"]), Nothing()),
    "solver": (Choice(ENGINES),),
    "selection": (Choice(SELECTIONS),),
    "n_average": (_COUNT,),
    "max_frequencies": (_COUNT,),
    "n_frequencies": (_COUNT, Nothing()),
    "batch_size": (_COUNT,),
    "max_unlabeled": (_COUNT,),
    "cv": (Number(2, integer=True), Splitter()),
    "judge": (Boolean(),),
    "threshold": (Choice(THRESHOLDS), Nothing()),
    "class_prior": (Number(1e-9, 1 - 1e-9), Nothing()),
    "n_jobs": (_COUNT, Number(-1, -1, integer=True), Nothing()),
    "random_state": (Seed(SEED_LIMIT),),
}
