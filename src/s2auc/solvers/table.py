"""The tables of solvers, and what a parameter that names one may be."""

from collections.abc import Mapping
from typing import Any

from s2auc.common.parameters import Choice, Instance, Rule, check_parameters
from s2auc.ranking.losses import LOSSES
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.job import SingleSolver, Solver
from s2auc.solvers.kernel_sgd.kernel_sgd import KernelSGD
from s2auc.solvers.qsg.qsg import QSG

SOLVERS: Mapping[str, type[QSG] | type[Exact]] = {solver.name: solver for solver in (QSG, Exact)}
"""`qsg`: the paper's stochastic gradients; `exact`: the closed form on random features."""

SINGLE_SOLVERS: Mapping[str, type[QSG] | type[Exact] | type[KernelSGD]] = {**SOLVERS, KernelSGD.name: KernelSGD}
"""The same for fits of one setting, with `kernel_sgd`: the paper's second update rule, on the kernel itself."""


SOLVER_RULES: tuple[Rule, ...] = (Choice(SOLVERS), Instance(tuple(SOLVERS.values())))
"""What a parameter that chooses the solver of a search may be: its name, or an object with its options."""

SINGLE_SOLVER_RULES: tuple[Rule, ...] = (Choice(SINGLE_SOLVERS), Instance(tuple(SINGLE_SOLVERS.values())))
"""The same for a fit of one setting."""


def read_solver(value: str | QSG | Exact, loss: str, owner: str) -> Solver:
    """Return the solver of a search, once its options are known to be sound and to suit the loss."""
    solver: Solver = SOLVERS[value]() if isinstance(value, str) else value
    _check(solver, loss, owner)
    return solver


def read_single_solver(value: str | QSG | Exact | KernelSGD, loss: str, owner: str) -> SingleSolver:
    """Return the solver of a fit of one setting, once its options are known to be sound and to suit the loss."""
    solver: SingleSolver = SINGLE_SOLVERS[value]() if isinstance(value, str) else value
    _check(solver, loss, owner)
    return solver


def _check(solver: SingleSolver, loss: str, owner: str) -> None:
    check_parameters(f"{type(solver).__name__}", solver.get_params(deep=False), solver.rules)
    if solver.needs_quadratic_loss and LOSSES[loss].quadratic is None:
        others = [name for name, other in SOLVERS.items() if not other.needs_quadratic_loss]
        raise ValueError(
            f"The 'loss' parameter of {owner} must be 'square' with solver={solver.name!r}. Got {loss!r} instead; use "
            f"solver={others[0]!r} for it."
        )
    steps: Any = solver
    if hasattr(steps, "warn_unproved"):
        steps.warn_unproved()
