"""The table of solvers, and what a parameter that names one may be."""

from collections.abc import Mapping

from s2auc.common.parameters import Choice, Instance, Rule, check_parameters
from s2auc.ranking.losses import LOSSES
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.job import Solver
from s2auc.solvers.qsg.qsg import QSG

SOLVERS: Mapping[str, type[QSG] | type[Exact]] = {solver.name: solver for solver in (QSG, Exact)}
"""`qsg`: the paper's stochastic gradients; `exact`: the closed form on random features."""


SOLVER_RULES: tuple[Rule, ...] = (Choice(SOLVERS), Instance(tuple(SOLVERS.values())))
"""What a parameter that chooses a solver may be: its name, or an object with its options."""


def read_solver(value: str | QSG | Exact, loss: str, owner: str) -> Solver:
    """Return the solver that a parameter chooses, once its options are known to be sound and to suit the loss."""
    solver: Solver = SOLVERS[value]() if isinstance(value, str) else value
    check_parameters(f"{type(solver).__name__}", solver.get_params(deep=False), solver.rules)
    if solver.needs_quadratic_loss and LOSSES[loss].quadratic is None:
        others = [name for name, other in SOLVERS.items() if not other.needs_quadratic_loss]
        raise ValueError(
            f"The 'loss' parameter of {owner} must be 'square' with solver={solver.name!r}. Got {loss!r} instead; use "
            f"solver={others[0]!r} for it."
        )
    if isinstance(solver, QSG):
        solver.warn_unproved()
    return solver
