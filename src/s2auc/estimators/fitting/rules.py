"""What each parameter of the two classifiers may be; the axes of the search are lists of what a single fit takes."""

from collections.abc import Mapping

from s2auc.common.parameters import Boolean, Choice, FolderName, Jobs, Nothing, Number, Rule, Seed, SequenceOf, Splitter
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.features.scaling import SCALINGS
from s2auc.estimators.fitting.decision import ThresholdRule
from s2auc.estimators.priors.class_prior import ESTIMATE
from s2auc.kernels.bandwidth import BandwidthRule
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import RankingLosses
from s2auc.search.grids.grid import MEMBERS
from s2auc.search.selection import SELECTION_RULES
from s2auc.solvers.space import COLUMN_WEIGHTINGS
from s2auc.solvers.table import SINGLE_SOLVER_RULES, SOLVER_RULES

COUNT = Number(1, integer=True)
SEED = Seed(SEED_LIMIT)

AXES: Mapping[str, Rule] = {
    "kernel": Choice(KERNELS),
    "kernel_gamma": BandwidthRule(),
    "alpha": Number(0, open_low=True),
    "labeled_weight": Number(0, 1),
    "neighbor_weight": Number(0),
    "scaling": Choice(SCALINGS),
    "column_weighting": Choice(COLUMN_WEIGHTINGS),
    "max_iter": COUNT,
}
_SHARED: Mapping[str, tuple[Rule, ...]] = {
    "loss": (Choice(RankingLosses()),),
    "n_frequencies": (COUNT, Nothing()),
    "n_neighbors": (COUNT,),
    "batch_size": (COUNT,),
    "sparse_components": (Choice(["auto"]), COUNT, Nothing()),
    "solver": SOLVER_RULES,
    "checkpoint": (FolderName(), Nothing()),
    "n_jobs": (Jobs(), Nothing()),
    "random_state": (SEED,),
    "verbose": (Number(0, integer=True), Boolean()),
}

SINGLE_RULES: Mapping[str, tuple[Rule, ...]] = {
    **{name: (rule,) for name, rule in AXES.items()},
    "scaling": (Choice(["auto", *SCALINGS]),),
    **_SHARED,
    "solver": SINGLE_SOLVER_RULES,
    "warm_start": (Boolean(),),
}
"""Parameters of `S2AUCClassifier`."""

SEARCH_RULES: Mapping[str, tuple[Rule, ...]] = {
    **{f"{name}s": (Choice(["auto"]), SequenceOf(rule)) for name, rule in AXES.items()},
    **_SHARED,
    "members": (Choice(["auto"]), SequenceOf(Choice(MEMBERS))),
    "selection": SELECTION_RULES,
    "cv": (Number(2, integer=True), Splitter()),
    "judge": (Boolean(),),
    "threshold": (ThresholdRule(), Nothing()),
    "class_prior": (Number(0, 1, open_low=True, open_high=True), Choice([ESTIMATE]), Nothing()),
}
"""Parameters of `S2AUCClassifierCV`."""
