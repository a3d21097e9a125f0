"""A fit of one setting, from planned rows to a model: one solution, or steps that can be stopped and resumed."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from time import monotonic
from typing import Any, cast

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.features.scaled_rows import scale_rows
from s2auc.estimators.fitting.callbacks import FitTask
from s2auc.estimators.fitting.checkpointing import kept_rows
from s2auc.estimators.fitting.decision import best_offset
from s2auc.estimators.fitting.record import describe_fit
from s2auc.estimators.single_plan import FitState, SinglePlan
from s2auc.kernels.tiles import dense_part
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.part import Part
from s2auc.ranking.losses import LOSSES
from s2auc.solvers.job import Job, Solver
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.qsg.curvature import measure_curvature
from s2auc.solvers.qsg.history import History
from s2auc.solvers.qsg.panels import Followed, panel_length
from s2auc.solvers.qsg.qsg import QSG, RunState
from s2auc.solvers.work_rows import collect_rows

QUIET_SECONDS = 5.0
"""A run is kept at most so often."""


class StopReason(StrEnum):
    """Why a fit ended."""

    MAX_ITER = "max_iter"
    CALLBACK = "callback"
    EXACT = "exact"


class SingleFit:
    """The rows of a plan, gathered, and the fit by a solver that finds the coefficients at once.

    Parameters
    ----------
    plan
        The plan, whose rows are read here.
    """

    n_panels = 0

    def __init__(self, plan: SinglePlan) -> None:
        ranker, points = plan.ranker, plan.points
        data = kept_rows(plan.data, plan.needed_rows, plan.checkpoint)
        state = plan.earlier or FitState.fresh(data, plan.choice, ranker.sparse_components)
        work = collect_rows(data.model_rows, **plan.drawing)
        columns = state.space.columns
        X = scale_rows(work.X, columns.apply, len(columns.shift))
        self._plan, self._data, self._state = plan, data, state
        self._record = describe_fit(ranker, data, state.sample)
        self._job = Job(
            X=X,
            rows=work,
            is_trained=np.ones((work.order.n_rows, 1), dtype=bool),
            loss=LOSSES[ranker.loss],
            points=points,
            stream=state.space.stream,
            n_frequencies=plan.n_frequencies,
            graph=NeighborGraph.of_rows(dense_part(X, work.nodes), int(ranker.n_neighbors))
            if points.uses_neighbors
            else None,
        )

    def finish(self, task: FitTask) -> dict[str, Any]:  # noqa: ARG002 there is nothing to tell before the end
        """Make the model, and return the fitted attributes."""
        found = {"history_": {}, "n_iter_": 1, "stop_reason_": StopReason.EXACT}
        coefficients = cast(Solver, self._plan.solver).train(self._job).coefficients[0]
        return self._attributes(self._cosines(coefficients)) | found

    def _cosines(self, coefficients: FloatArray) -> Part:
        """Return the sum of cosines with these coefficients, those of cosines first."""
        stream = self._state.space.stream
        return CosinePart(self._state.space.columns, stream.kernel, stream.gamma, stream.seed, *coefficients)

    def _attributes(self, part: Part) -> dict[str, Any]:
        """Return the model of a part and what describes it, as fitted attributes."""
        data = self._data
        work = self._job.rows
        offset = best_offset(part, work.X[: work.order.n_rows], work.order, work.X[work.reference])
        return data.attributes() | {
            "model_": Model(data.parts_of_rows((part,)), offset, data.labels.classes, data.schema, record=self._record),
            "offset_": offset,
            "kernel_gamma_": self._state.space.stream.gamma,
            "labeled_weight_": self._plan.points.labeled_weights[0],
        }


class StepFit(SingleFit):
    """A fit by a solver that makes steps, from where an earlier run stands or from the start.

    Parameters
    ----------
    plan
        The plan. A run that was killed is looked for in its checkpoint, where this one is kept.
    history
        How the steps went that it goes on from; None if there are none.
    """

    def __init__(self, plan: SinglePlan, history: Mapping[str, FloatArray] | None) -> None:
        super().__init__(plan)
        self._solver, self._run, followed = cast(QSG, plan.solver), self._state.run, None
        self._first, self._stop_reason = self._run.iterates.n_iterations + 1, StopReason.MAX_ITER
        self._last_kept = monotonic()
        found = None if plan.checkpoint is None else plan.checkpoint.load("run")
        if found is not None:
            self._run, followed, history = _read_run(*found)
        run, work, stream, max_iter = self._run, self._job.rows, self._job.stream, plan.points.max_iters[0]
        problem = self._solver.problem(self._job, work.tested)
        # Steps that go on keep the sizes that were settled before the first of them.
        curvature = run.curvature if followed else measure_curvature(problem, stream, run.iterates)
        n_left = max_iter - (followed.n_done if followed else 0)
        self.n_panels = -(-n_left // panel_length(problem))
        self._panels = self._solver.advance(problem.first(max_iter), stream, run, curvature, followed)
        self._history = History(
            work.tested < work.order.n_positive,
            history,
            weight=work.order.weight_of(work.tested),
            n_steps=max_iter,
            is_shown=bool(plan.ranker.verbose),
        )

    def finish(self, task: FitTask) -> dict[str, Any]:
        """Make all steps unless a callback wants to stop, and return the fitted attributes."""
        # Steps hold BLAS to one thread: an error's traceback must not keep them, and with them the limit.
        with closing(self._panels):
            for panel in self._panels:
                self._history.add(panel, self._first)
                self._keep_run(panel.followed)
                if task.subtask_done(self._step_attributes):
                    self._stop_reason = StopReason.CALLBACK
                    break
        return self._step_attributes() | {
            "history_": self._history.as_arrays(),
            "n_iter_": self._run.iterates.n_iterations,
            "curvature_": float(self._run.curvature[0]),
            "_state_": replace(self._state, run=self._run),
        }

    def _step_attributes(self) -> dict[str, Any]:
        """Return the fitted attributes of the model that the steps so far have led to."""
        found = self._run.iterates.coefficients(averaged=self._solver.average)
        fitted = self._attributes(self._cosines(np.stack([array[:, 0] for array in found])))
        return fitted | {"stop_reason_": self._stop_reason}

    def _keep_run(self, followed: Followed) -> None:
        """Keep where the run stands and how it went so far, unless that was done a moment ago."""
        if self._plan.checkpoint is None or monotonic() - self._last_kept < QUIET_SECONDS:
            return
        arrays = {f"state.{name}": array for name, array in self._run.as_arrays().items()}
        arrays |= {"followed.iterate": followed.iterate, "followed.average": followed.average}
        arrays |= {f"history.{name}": array for name, array in self._history.as_arrays().items()}
        self._plan.checkpoint.save("run", {"n_done": followed.n_done}, arrays)
        self._last_kept = monotonic()


def _read_run(
    words: Mapping[str, Any], arrays: Mapping[str, AnyArray]
) -> tuple[RunState, Followed, dict[str, FloatArray]]:
    """Return the state, the scores of followed rows and the history of a run that was killed."""
    parts: dict[str, dict[str, AnyArray]] = {"state": {}, "followed": {}, "history": {}}
    for name, array in arrays.items():
        part, _, field = name.partition(".")
        parts[part][field] = array
    return RunState.from_arrays(parts["state"]), Followed(words["n_done"], **parts["followed"]), parts["history"]
