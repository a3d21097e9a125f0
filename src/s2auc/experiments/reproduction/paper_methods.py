"""The methods of the paper, with its grids and what it fixes; importing this module adds them to the table.

Columns come scaled to [0, 1] by the harness, so that no method scales them again. QSG-S2AUC and SAMULT minimise one
objective: one search over the paper's grid, by SAMULT's exact solution, serves both.
"""

from typing import Any

from s2auc.experiments.learners import NamedLearner
from s2auc.experiments.methods import METHODS, Method

POWERS = [2.0**power for power in range(-3, 4)]
"""The paper's grid of λ and of σ: 2⁻³ to 2³. It does not say how fine; here every power of two."""

WIDE_POWERS = [2.0**power for power in range(-15, 4, 2)]
"""A grid of λ that goes on downwards, where the good values of most tables lie."""

WEIGHTS = [round(0.1 * step, 1) for step in range(11)]
"""The paper's grid of γ: 0 to 1 in steps of 0.1."""

ETAS = [round(0.1 * step, 1) for step in range(-10, 11)]
"""The paper's grid of PNU-AUC's trade-off: -1 to 1 in steps of 0.1."""

N_FREQUENCIES, BATCH_SIZE, MAX_ITER = 64, 64, 200
"""What the paper leaves open of QSG-S2AUC: D, rows of a mini-batch, and steps."""


def paper_qsg(seed: int, **parameters: Any) -> NamedLearner:
    """Return QSG-S2AUC as published: the last iterate is the model."""
    from s2auc.solvers.qsg import QSG

    return NamedLearner(seed, solver=QSG(average=False), **parameters)


_SAMULT_GRID = {
    "estimator": "SAMULTClassifierCV",
    "scaling": "none",
    "kernel_gammas": POWERS,
    "labeled_weights": WEIGHTS,
}
_PNU_GRID = {"estimator": "PNUAUCClassifierCV", "scaling": "none", "kernel_gammas": POWERS, "etas": ETAS}
_QSG = {
    "estimator": "S2AUCClassifier",
    "scaling": "none",
    "n_frequencies": N_FREQUENCIES,
    "batch_size": BATCH_SIZE,
    "max_iter": MAX_ITER,
}

PAPER_METHODS = (
    Method(
        name="paper_qsg",
        description="QSG-S2AUC with the settings of the paper's protocol",
        build=paper_qsg,
        parameters=_QSG,
        library="s2auc",
    ),
    Method(
        name="paper_qsg_wide",
        description="QSG-S2AUC with settings from λ = 2⁻¹⁵ on",
        build=paper_qsg,
        parameters=_QSG,
        library="s2auc",
    ),
    Method(
        name="paper_samult",
        description="SAMULT, every row a centre, with the settings of the paper's protocol",
        build=NamedLearner,
        parameters={"estimator": "SAMULTClassifier", "scaling": "none"},
        library="s2auc",
        memory=METHODS["samult"].memory,
    ),
    Method(
        name="paper_pnu_auc",
        description="PNU-AUC, every row a centre, with the settings of the paper's protocol",
        build=NamedLearner,
        parameters={"estimator": "PNUAUCClassifier", "scaling": "none", "n_centers": "all"},
        library="s2auc",
        memory=METHODS["samult"].memory,
    ),
    Method(
        name="samult_search",
        description="SAMULT's search of the paper's grid: λ and σ from 1/8 to 8, γ from 0 to 1",
        build=NamedLearner,
        parameters={**_SAMULT_GRID, "alphas": POWERS},
        library="s2auc",
    ),
    Method(
        name="pnu_auc_search",
        description="PNU-AUC's search of the paper's grid, with 200 centres as in its authors' code",
        build=NamedLearner,
        parameters={**_PNU_GRID, "alphas": POWERS},
        library="s2auc",
    ),
    Method(
        name="samult_wide",
        description="SAMULT's search with λ from 2⁻¹⁵ on",
        build=NamedLearner,
        parameters={**_SAMULT_GRID, "alphas": WIDE_POWERS},
        library="s2auc",
    ),
    Method(
        name="pnu_auc_wide",
        description="PNU-AUC's search with λ from 2⁻¹⁵ on",
        build=NamedLearner,
        parameters={**_PNU_GRID, "alphas": WIDE_POWERS},
        library="s2auc",
    ),
    Method(
        name="optag_all",
        description="OptAG that looks at all unlabelled rows, as published",
        build=NamedLearner,
        parameters={"estimator": "OptAGClassifier", "max_unlabeled": 10**9},
        library="s2auc",
    ),
)

METHODS.update({method.name: method for method in PAPER_METHODS})
