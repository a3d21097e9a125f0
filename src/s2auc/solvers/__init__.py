"""From rows and an objective to coefficients.

In the order data flows:

- `batches`, `work_rows`: which rows are drawn; the rows that a solver works on.
- `neighbors`: which of them are neighbours.
- `column_weights`, `space`: what a kernel sees of them, and its frequencies.
- `job`: what a solver is given and returns, and what it says of itself.
- `qsg`: the stochastic solver, on `problem`, `curvature`, `schedules`, `panels` (the steps) and `iterates` (what they
  leave); `history` is what it reports.
- `exact`: the closed form, on `closed_forms`: `moments`, `exact_by_features` and `exact_by_rows`.
- `table`: the solvers by name.

From outside, use `SOLVERS`, `collect_rows`, `make_space` and `Job`. A new solver is a class as `job.Solver` describes,
and an entry of `SOLVERS`.
"""

from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.job import Job, Point, Points, Solver, Trained
from s2auc.solvers.qsg.qsg import QSG, RunState
from s2auc.solvers.space import PreparedColumns, Space, SpaceChoice, make_space
from s2auc.solvers.table import SOLVERS, SolverRule, read_solver
from s2auc.solvers.work_rows import WorkRows, collect_rows

__all__ = [
    "QSG",
    "SOLVERS",
    "Exact",
    "Job",
    "Point",
    "Points",
    "PreparedColumns",
    "RunState",
    "Solver",
    "SolverRule",
    "Space",
    "SpaceChoice",
    "Trained",
    "WorkRows",
    "collect_rows",
    "make_space",
    "read_solver",
]
