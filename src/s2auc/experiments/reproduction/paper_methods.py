"""The methods of the paper, with its grids and what it fixes; importing this module adds them to the table.

Columns come scaled to [0, 1] by the harness, so that no method scales them again. Every method has a search of its
own: QSG-S2AUC and SAMULT minimise one objective, but a setting that suits the kernel itself need not suit its random
frequencies.
"""

from typing import Any

from s2auc.experiments.methods.learners import NamedLearner
from s2auc.experiments.methods.table import METHODS, Method
from s2auc.experiments.reproduction.protocol import POWERS

WIDE_ALPHAS = [2.0**power for power in range(-15, 4, 2)]
"""A grid of λ that goes on downwards, where the good values of most tables lie."""

WIDE_GAMMAS = [2.0**power for power in range(-9, 4, 2)]
"""A grid of σ with wider kernels too, which tables with many columns need."""

WEIGHTS = [round(0.1 * step, 1) for step in range(11)]
"""The paper's grid of γ: 0 to 1 in steps of 0.1."""

WIDE_WEIGHTS = [0.0, 0.5, 1.0]
"""A coarse grid of γ, which matters less than the others."""

ETAS = [round(0.1 * step, 1) for step in range(-10, 11)]
"""The paper's grid of PNU-AUC's trade-off: -1 to 1 in steps of 0.1."""

N_FREQUENCIES, BATCH_SIZE, MAX_ITER = 64, 64, 200
"""What the paper leaves open of QSG-S2AUC: D, rows of a mini-batch, and steps."""


def paper_qsg(seed: int, **parameters: Any) -> NamedLearner:
    """Return QSG-S2AUC as published: the last iterate is the model."""
    from s2auc.solvers.qsg.qsg import QSG

    return NamedLearner(seed, solver=QSG(average=False), **parameters)


_QSG = {"n_frequencies": N_FREQUENCIES, "batch_size": BATCH_SIZE}
_QSG_SEARCH = {
    **_QSG,
    "estimator": "S2AUCClassifierCV",
    "kernels": ["gaussian"],
    "scalings": ["none"],
    "column_weightings": ["none"],
    "neighbor_weights": [0.0],
    "members": ["kernels"],
    "max_iters": [MAX_ITER],
    "selection": "best",
    "judge": False,
}
_SAMULT_SEARCH = {"estimator": "SAMULTClassifierCV", "scaling": "none"}
_PNU_SEARCH = {"estimator": "PNUAUCClassifierCV", "scaling": "none", "etas": ETAS}
_GRID = {"kernel_gammas": POWERS, "alphas": POWERS}
_WIDE_GRID = {"kernel_gammas": WIDE_GAMMAS, "alphas": WIDE_ALPHAS}

PAPER_METHODS = (
    Method(
        name="paper_qsg",
        description="QSG-S2AUC with the settings of the paper's protocol",
        build=paper_qsg,
        parameters={**_QSG, "estimator": "S2AUCClassifier", "scaling": "none", "max_iter": MAX_ITER},
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
        name="qsg_search",
        description="QSG-S2AUC's search of the paper's grid: λ and σ from 1/8 to 8, γ from 0 to 1",
        build=paper_qsg,
        parameters={**_QSG_SEARCH, **_GRID, "labeled_weights": WEIGHTS},
        library="s2auc",
    ),
    Method(
        name="samult_search",
        description="SAMULT's search of the paper's grid: λ and σ from 1/8 to 8, γ from 0 to 1",
        build=NamedLearner,
        parameters={**_SAMULT_SEARCH, **_GRID, "labeled_weights": WEIGHTS},
        library="s2auc",
    ),
    Method(
        name="pnu_auc_search",
        description="PNU-AUC's search of the paper's grid, with 200 centres as in its authors' code",
        build=NamedLearner,
        parameters={**_PNU_SEARCH, **_GRID},
        library="s2auc",
    ),
    Method(
        name="qsg_wide",
        description="QSG-S2AUC's search with λ from 2⁻¹⁵ and σ from 2⁻⁹ on",
        build=paper_qsg,
        parameters={**_QSG_SEARCH, **_WIDE_GRID, "labeled_weights": WIDE_WEIGHTS},
        library="s2auc",
    ),
    Method(
        name="samult_wide",
        description="SAMULT's search with λ from 2⁻¹⁵ and σ from 2⁻⁹ on",
        build=NamedLearner,
        parameters={**_SAMULT_SEARCH, **_WIDE_GRID, "labeled_weights": WIDE_WEIGHTS},
        library="s2auc",
    ),
    Method(
        name="pnu_auc_wide",
        description="PNU-AUC's search with λ from 2⁻¹⁵ and σ from 2⁻⁹ on",
        build=NamedLearner,
        parameters={**_PNU_SEARCH, **_WIDE_GRID},
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
