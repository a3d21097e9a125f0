"""Running a solver for a single setting: steps or one solution, the model they make, and what is kept of them."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self, cast

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.estimators.callbacks import FitTask
from s2auc.estimators.checkpointing import keep_model
from s2auc.estimators.kept_runs import KeptRun
from s2auc.estimators.projecting import ProjectingRanker
from s2auc.estimators.record import describe_fit
from s2auc.estimators.single_fit import FitState, SingleFit
from s2auc.models import Model
from s2auc.solvers.history import History
from s2auc.solvers.qsg import QSG


class StopReason(StrEnum):
    """Why a fit ended."""

    MAX_ITER = "max_iter"
    CALLBACK = "callback"
    EXACT = "exact"


@dataclass(frozen=True, eq=False)
class FitCall:
    """What `fit` or `partial_fit` was called with, for callbacks.

    Attributes
    ----------
    X, y
        What it was called with.
    earlier
        The history that goes on, if any.
    checkpoint
        Where its work is kept, if anywhere.
    """

    X: Any
    y: Any
    earlier: Mapping[str, FloatArray] | None = None
    checkpoint: Checkpoint | None = None


class RunningRanker(ProjectingRanker):
    """Base of the classifier that fits one setting, by a solver with steps or without."""

    verbose: int
    seed_: int
    stop_reason_: StopReason
    history_: dict[str, FloatArray]
    n_iter_: int
    curvature_: float
    _state: FitState

    def _fit(self, fit: SingleFit, call: FitCall) -> Self:
        solver = fit.solver
        return self._make_steps(fit, cast(QSG, solver), call) if solver.makes_steps else self._solve_at_once(fit, call)

    def _make_steps(self, fit: SingleFit, solver: QSG, call: FitCall) -> Self:
        """Make steps and keep the model, how they went, and where they ended."""
        work, first, followed = fit.work, fit.state.run.iterates.n_iterations + 1, None
        kept = KeptRun(call.checkpoint)
        found = kept.load()
        if found is not None:
            state, followed, earlier = found
            fit.state, call = replace(fit.state, run=state), replace(call, earlier=earlier)
        run = fit.state.run
        n_panels, panels = fit.steps(solver, followed)
        history = History(
            work.tested < work.order.n_positive,
            call.earlier,
            weight=work.order.weight_of(work.tested),
            n_steps=fit.settings.max_iter,
            is_shown=bool(self.verbose),
        )
        task = FitTask(self, n_panels, call.X, call.y)

        def model() -> Model:
            found = run.iterates.coefficients(averaged=solver.average)
            return self._model(fit, np.stack([array[:, 0] for array in found]))

        def attributes() -> dict[str, Any]:
            return _attributes_of(model(), fit)

        self.stop_reason_ = StopReason.MAX_ITER
        # Steps hold BLAS to one thread: an error's traceback must not keep them, and with them the limit.
        with closing(panels):
            for panel in panels:
                history.add(panel, first)
                kept.save(run, panel.followed, history.as_arrays)
                if task.subtask_done(attributes):
                    self.stop_reason_ = StopReason.CALLBACK
                    break
        self._state = fit.state
        self.history_ = history.as_arrays()
        self.n_iter_ = run.iterates.n_iterations
        self.curvature_ = float(run.curvature[0])
        return self._keep(attributes(), task, call.checkpoint)

    def _solve_at_once(self, fit: SingleFit, call: FitCall) -> Self:
        """Solve and keep the model."""
        task = FitTask(self, 0, call.X, call.y)
        attributes = _attributes_of(self._model(fit, fit.solution()), fit)
        # What an earlier fit by steps left is of another model.
        for name in {"_state", "curvature_"} & vars(self).keys():
            delattr(self, name)
        self.history_ = {}
        self.n_iter_ = 1
        self.stop_reason_ = StopReason.EXACT
        return self._keep(attributes, task, call.checkpoint)

    def _model(self, fit: SingleFit, coefficients: FloatArray) -> Model:
        part = fit.part(coefficients)
        record = describe_fit(self, fit.rows, fit.state.sample, self._schema, self.seed_)
        parts = self._parts_of_rows((part,))
        return Model(parts, fit.offset(part), self.classes_, self._schema, record=record)

    def _keep(self, attributes: dict[str, Any], task: FitTask, checkpoint: Checkpoint | None) -> Self:
        for name, value in attributes.items():
            setattr(self, name, value)
        keep_model(self.model_, checkpoint)
        task.done(lambda: attributes)
        return self


def _attributes_of(model: Model, fit: SingleFit) -> dict[str, Any]:
    """Return the fitted attributes that scoring needs, or that describe the model."""
    return {"model_": model, "offset_": model.offset, "kernel_gamma_": fit.state.space.stream.gamma}
