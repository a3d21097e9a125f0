"""A fit of one setting, run: its rows are gathered, then a solver makes steps or finds one solution."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from typing import Any, cast

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.estimators.callbacks import FitTask
from s2auc.estimators.checkpointing import kept_rows
from s2auc.estimators.kept_runs import KeptRun
from s2auc.estimators.record import describe_fit
from s2auc.estimators.single_fit import FitState, SingleFit
from s2auc.estimators.single_plan import SinglePlan
from s2auc.solvers.history import History
from s2auc.solvers.qsg import QSG


class StopReason(StrEnum):
    """Why a fit ended."""

    MAX_ITER = "max_iter"
    CALLBACK = "callback"
    EXACT = "exact"


class SolutionRun:
    """A solver that finds the coefficients at once.

    Parameters
    ----------
    fit
        The rows, and what is asked for.
    """

    n_panels = 0

    def __init__(self, fit: SingleFit) -> None:
        self._fit = fit

    def finish(self, task: FitTask) -> dict[str, Any]:  # noqa: ARG002 there is nothing to tell before the end
        """Solve, and return the fitted attributes."""
        found = {"history_": {}, "n_iter_": 1, "stop_reason_": StopReason.EXACT}
        return self._fit.attributes(self._fit.solution()) | found


class StepRun:
    """A solver that makes steps, from where an earlier run stands or from the start.

    Parameters
    ----------
    fit
        The rows, and what is asked for.
    checkpoint
        Where a run that was killed is looked for, and this one is kept; None for nowhere.
    history
        How the steps went that it goes on from; None if there are none.
    is_shown
        Whether progress is logged.
    """

    def __init__(
        self,
        fit: SingleFit,
        checkpoint: Checkpoint | None,
        history: Mapping[str, FloatArray] | None,
        *,
        is_shown: bool,
    ) -> None:
        work, run, followed = fit.work, fit.state.run, None
        self._fit, self._solver, self._kept = fit, cast(QSG, fit.solver), KeptRun(checkpoint)
        self._first = run.iterates.n_iterations + 1
        found = self._kept.load()
        if found is not None:
            run, followed, history = found
        self._run = run
        self.n_panels, self._panels = fit.steps(self._solver, run, followed)
        self._history = History(
            work.tested < work.order.n_positive,
            history,
            weight=work.order.weight_of(work.tested),
            n_steps=fit.settings.max_iter,
            is_shown=is_shown,
        )

    def finish(self, task: FitTask) -> dict[str, Any]:
        """Make all steps unless a callback wants to stop, and return the fitted attributes."""
        run, stop_reason = self._run, StopReason.MAX_ITER
        # Steps hold BLAS to one thread: an error's traceback must not keep them, and with them the limit.
        with closing(self._panels):
            for panel in self._panels:
                self._history.add(panel, self._first)
                self._kept.save(run, panel.followed, self._history.as_arrays)
                if task.subtask_done(self._attributes):
                    stop_reason = StopReason.CALLBACK
                    break
        return self._attributes() | {
            "history_": self._history.as_arrays(),
            "n_iter_": run.iterates.n_iterations,
            "curvature_": float(run.curvature[0]),
            "stop_reason_": stop_reason,
            "_state_": replace(self._fit.state, run=run),
        }

    def _attributes(self) -> dict[str, Any]:
        """Return the fitted attributes of the model that the steps so far have led to."""
        found = self._run.iterates.coefficients(averaged=self._solver.average)
        return self._fit.attributes(np.stack([array[:, 0] for array in found]))


def prepare_run(
    ranker: Any, plan: SinglePlan, history: Mapping[str, FloatArray] | None = None
) -> StepRun | SolutionRun:
    """Gather the rows of a plan, and return the run that will make its model.

    Parameters
    ----------
    ranker
        The `S2AUCClassifier` with the parameters.
    plan
        What it will do.
    history
        How the steps went that it goes on from; None if there are none.
    """
    data = kept_rows(plan.data, plan.touched, plan.checkpoint)
    state = plan.earlier or FitState.fresh(data, plan.settings.choice, ranker.sparse_components)
    fit = SingleFit(data, state, plan.settings, plan.solver, describe_fit(ranker, data, state.sample))
    if not plan.solver.makes_steps:
        return SolutionRun(fit)
    return StepRun(fit, plan.checkpoint, history, is_shown=bool(ranker.verbose))
