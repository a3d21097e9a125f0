"""The methods of the paper, with its grids and what it fixes; importing this module adds them to the table.

Columns come scaled to [0, 1] by the harness, so that no method scales them again. Every method has a search of its
own: QSG-S2AUC and SAMULT minimise one objective, but a setting that suits the kernel itself need not suit its random
frequencies.
"""

from pathlib import Path
from typing import Any

from s2auc.experiments.methods.learners import NamedLearner
from s2auc.experiments.methods.table import METHODS, read_methods


def paper_qsg(seed: int, **parameters: Any) -> NamedLearner:
    """Return QSG-S2AUC as published: the last iterate is the model."""
    from s2auc.solvers.qsg.qsg import QSG

    return NamedLearner(seed, solver=QSG(average=False), **parameters)


PAPER_METHODS = read_methods(Path(__file__).with_name("paper_methods.toml"), paper_qsg=paper_qsg)

METHODS.update(PAPER_METHODS)
