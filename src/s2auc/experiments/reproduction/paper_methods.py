"""The methods of the paper, with its grids and what it fixes; importing this module adds them to the table.

Columns come scaled to [0, 1] by the harness, so that no method scales them again. Methods that are tuned have a search
of their own each, with the centres that they fit with: QSG-S2AUC and SAMULT minimise one objective, but a setting that
suits the kernel itself need not suit its random frequencies. The second update rule has the objective and the kernel of
SAMULT, and takes its settings.
"""

from pathlib import Path
from typing import Any

from s2auc.experiments.methods.learners import NamedLearner
from s2auc.experiments.methods.table import METHODS, read_methods


def paper_qsg(seed: int, **parameters: Any) -> NamedLearner:
    """Return QSG-S2AUC with the steps of this library; the last iterate is the model, as in the paper."""
    from s2auc.solvers.qsg.qsg import QSG

    return NamedLearner(seed, solver=QSG(average=False), **parameters)


def published_qsg(seed: int, **parameters: Any) -> NamedLearner:
    """Return QSG-S2AUC as published."""
    from s2auc.solvers.qsg.qsg import QSG

    return NamedLearner(seed, solver=QSG.as_published(), **parameters)


def published_kernel(seed: int, **parameters: Any) -> NamedLearner:
    """Return the second update rule with the options of the paper."""
    from s2auc.solvers.kernel_sgd.kernel_sgd import KernelSGD
    from s2auc.solvers.qsg.qsg import QSG

    return NamedLearner(seed, solver=KernelSGD(**QSG.as_published().get_params()), **parameters)


PAPER_METHODS = read_methods(
    Path(__file__).with_name("paper_methods.toml"),
    paper_qsg=paper_qsg,
    published_qsg=published_qsg,
    published_kernel=published_kernel,
)

METHODS.update(PAPER_METHODS)
