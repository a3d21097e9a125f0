"""Slow and obvious references, float64 throughout, sharing no code with what they check.

Everything here is written from the formulas, one pair, one row or one iteration at a time. Fast code must match it.
"""

from reference.algorithm import algorithm_1, average, features, predict, second_rule
from reference.columns import auc_weights, encode, interpolate, moments, rank
from reference.energy import energy_distance
from reference.kernels import kernel, kernel_matrix
from reference.losses import LOSS
from reference.metrics import auc
from reference.minimisers import (
    brute_force,
    kernel_minimiser,
    linear_minimiser,
    objective,
    quadratic_risk,
    symmetric_root,
)
from reference.neighbors import neighbor_edges, neighbor_term, roughness
from reference.online import (
    fsauc,
    fsauc_radii,
    fsauc_stages,
    kernel_one_pass,
    one_pass,
    one_pass_loss,
    pair_loss,
    project_both,
    saddle_objective,
    solam,
)
from reference.pairs import Pair, Term, all_pairs, risk, row_pairs, semi_supervised_terms
from reference.philox import PHILOX_MULTIPLIERS, PHILOX_WEYL, WORD, philox4x64
from reference.pnu import pnu_terms, zero_one_pnu_risk
from reference.pool_weights import class_rates_p_value, pool_weights, random_p_value
from reference.projection import column_units, components, singular_vectors
from reference.sparse import dense_form

__all__ = [
    "LOSS",
    "PHILOX_MULTIPLIERS",
    "PHILOX_WEYL",
    "WORD",
    "Pair",
    "Term",
    "algorithm_1",
    "all_pairs",
    "auc",
    "auc_weights",
    "average",
    "brute_force",
    "class_rates_p_value",
    "column_units",
    "components",
    "dense_form",
    "encode",
    "energy_distance",
    "features",
    "fsauc",
    "fsauc_radii",
    "fsauc_stages",
    "interpolate",
    "kernel",
    "kernel_matrix",
    "kernel_minimiser",
    "kernel_one_pass",
    "linear_minimiser",
    "moments",
    "neighbor_edges",
    "neighbor_term",
    "objective",
    "one_pass",
    "one_pass_loss",
    "pair_loss",
    "philox4x64",
    "pnu_terms",
    "pool_weights",
    "predict",
    "project_both",
    "quadratic_risk",
    "random_p_value",
    "rank",
    "risk",
    "roughness",
    "row_pairs",
    "saddle_objective",
    "second_rule",
    "semi_supervised_terms",
    "singular_vectors",
    "solam",
    "symmetric_root",
    "zero_one_pnu_risk",
]
