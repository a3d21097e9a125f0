"""A fit by the paper's second update rule, whose model is a sum of kernels at rows."""

from contextlib import closing
from typing import Any, cast

import numpy as np

from s2auc.estimators.fitting.callbacks import FitTask
from s2auc.estimators.single_fit import SingleFit, StopReason
from s2auc.estimators.single_plan import SinglePlan
from s2auc.kernels.tiles import dense_part
from s2auc.models.parts.kernel import KernelPart
from s2auc.solvers.kernel_sgd.expansion import Expansion, panel_length
from s2auc.solvers.kernel_sgd.kernel_sgd import KernelSGD, measure_kernel_curvature
from s2auc.solvers.qsg.history import History


class KernelFit(SingleFit):
    """A fit by the solver "kernel_sgd".

    Parameters
    ----------
    plan
        The plan, whose rows are read here.
    """

    def __init__(self, plan: SinglePlan) -> None:
        super().__init__(plan)
        self._solver, work, stream = cast(KernelSGD, plan.solver), self._job.rows, self._job.stream
        problem, max_iter = self._solver.problem(self._job, work.tested), plan.points.max_iters[0]
        self._curvature = measure_kernel_curvature(problem, stream.kernel, stream.gamma)
        self._expansion, self._n_done, self._stop_reason = Expansion.empty(len(problem.X)), 0, StopReason.MAX_ITER
        self._panels = self._solver.run(
            problem.first(max_iter), stream.kernel, stream.gamma, self._curvature, self._expansion
        )
        self.n_panels = -(-max_iter // panel_length(problem))
        self._history = History(
            work.tested < work.order.n_positive,
            weight=work.order.weight_of(work.tested),
            n_steps=max_iter,
            is_shown=bool(plan.ranker.verbose),
        )

    def finish(self, task: FitTask) -> dict[str, Any]:
        """Make all steps unless a callback wants to stop, and return the fitted attributes."""
        # Steps hold BLAS to one thread: an error's traceback must not keep them, and with them the limit.
        with closing(self._panels):
            for panel in self._panels:
                self._history.add(panel, 1)
                self._n_done = panel.followed.n_done
                if task.subtask_done(self._kernel_attributes):
                    self._stop_reason = StopReason.CALLBACK
                    break
        return self._kernel_attributes() | {"history_": self._history.as_arrays(), "curvature_": self._curvature}

    def _kernel_attributes(self) -> dict[str, Any]:
        """Return the fitted attributes of the model that the steps so far have led to."""
        stream, columns = self._state.space.stream, self._state.space.columns
        coefficients = self._expansion.average if self._solver.average else self._expansion.iterate
        # A part has one centre at least.
        used = np.flatnonzero(coefficients) if coefficients.any() else np.zeros(1, dtype=np.intp)
        centers = np.asarray(dense_part(self._job.X, used), dtype=np.float64)
        part = KernelPart(columns, stream.kernel, stream.gamma, centers, coefficients[used])
        found = {"n_centers_": len(used), "n_iter_": self._n_done, "stop_reason_": self._stop_reason}
        return self._attributes(part) | found
