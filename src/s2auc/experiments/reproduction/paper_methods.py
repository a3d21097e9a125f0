"""The methods of the paper, with its grids and what it fixes; importing this module adds them to the table.

Columns come scaled to [0, 1] by the harness, so that no method scales them again. Every method has a search of its
own: QSG-S2AUC and SAMULT minimise one objective, but a setting that suits the kernel itself need not suit its random
frequencies.
"""

from typing import Any

from s2auc.experiments.methods.learners import NamedLearner
from s2auc.experiments.methods.table import METHODS, Method, full_kernel_bytes
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


_SIZES = {"n_frequencies": N_FREQUENCIES, "batch_size": BATCH_SIZE}
_QSG_SEARCH: dict[str, Any] = {
    **_SIZES,
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
_SAMULT_SEARCH: dict[str, Any] = {"estimator": "SAMULTClassifierCV", "scaling": "none"}
_PNU_SEARCH: dict[str, Any] = {"estimator": "PNUAUCClassifierCV", "scaling": "none", "etas": ETAS}
_GRID: dict[str, Any] = {"kernel_gammas": POWERS, "alphas": POWERS}
_WIDE_GRID: dict[str, Any] = {"kernel_gammas": WIDE_GAMMAS, "alphas": WIDE_ALPHAS}

#: Descriptions and parameters by name.
_TABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "paper_qsg": (
        "QSG-S2AUC with the settings of the paper's protocol",
        {**_SIZES, "estimator": "S2AUCClassifier", "scaling": "none", "max_iter": MAX_ITER},
    ),
    "paper_samult": (
        "SAMULT, every row a centre, with the settings of the paper's protocol",
        {"estimator": "SAMULTClassifier", "scaling": "none"},
    ),
    "paper_pnu_auc": (
        "PNU-AUC, every row a centre, with the settings of the paper's protocol",
        {"estimator": "PNUAUCClassifier", "scaling": "none", "n_centers": "all"},
    ),
    "qsg_search": (
        "QSG-S2AUC's search of the paper's grid: λ and σ from 1/8 to 8, γ from 0 to 1",
        {**_QSG_SEARCH, **_GRID, "labeled_weights": WEIGHTS},
    ),
    "samult_search": (
        "SAMULT's search of the paper's grid: λ and σ from 1/8 to 8, γ from 0 to 1",
        {**_SAMULT_SEARCH, **_GRID, "labeled_weights": WEIGHTS},
    ),
    "pnu_auc_search": (
        "PNU-AUC's search of the paper's grid, with 200 centres as in its authors' code",
        {**_PNU_SEARCH, **_GRID},
    ),
    "qsg_wide": (
        "QSG-S2AUC's search with λ from 2⁻¹⁵ and σ from 2⁻⁹ on",
        {**_QSG_SEARCH, **_WIDE_GRID, "labeled_weights": WIDE_WEIGHTS},
    ),
    "samult_wide": (
        "SAMULT's search with λ from 2⁻¹⁵ and σ from 2⁻⁹ on",
        {**_SAMULT_SEARCH, **_WIDE_GRID, "labeled_weights": WIDE_WEIGHTS},
    ),
    "pnu_auc_wide": ("PNU-AUC's search with λ from 2⁻¹⁵ and σ from 2⁻⁹ on", {**_PNU_SEARCH, **_WIDE_GRID}),
    "optag_all": (
        "OptAG that looks at all unlabelled rows, as published",
        {"estimator": "OptAGClassifier", "max_unlabeled": 10**9},
    ),
}

PAPER_METHODS = tuple(
    Method(
        name=name,
        description=description,
        build=paper_qsg if "qsg" in name else NamedLearner,
        parameters=parameters,
        library="s2auc",
        memory=full_kernel_bytes if name in ("paper_samult", "paper_pnu_auc") else None,
    )
    for name, (description, parameters) in _TABLE.items()
)

METHODS.update({method.name: method for method in PAPER_METHODS})
