"""A fit of one setting, planned before any unlabelled row is read, then run: steps of a solver, or one solution."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from time import monotonic
from typing import Any, cast

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.estimators.fitting.callbacks import FitTask
from s2auc.estimators.fitting.checkpointing import kept_rows, open_checkpoint
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.needed_rows import announce_needed_rows
from s2auc.estimators.fitting.projection import project
from s2auc.estimators.fitting.record import describe_fit
from s2auc.estimators.single_fit import FitSettings, FitState, SingleFit
from s2auc.solvers.job import Solver
from s2auc.solvers.qsg.history import History
from s2auc.solvers.qsg.panels import Followed
from s2auc.solvers.qsg.qsg import QSG, RunState

QUIET_SECONDS = 5.0
"""A run is kept at most so often."""


class KeptRun:
    """A run of steps in a checkpoint: where it stands, and how it went so far.

    Parameters
    ----------
    checkpoint
        Where it is kept; None for nowhere.
    """

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self._checkpoint = checkpoint
        self._last = monotonic()

    def load(self) -> tuple[RunState, Followed, dict[str, FloatArray]] | None:
        """Return the state, the scores of followed rows and the history of a run that was killed, if there was one."""
        found = None if self._checkpoint is None else self._checkpoint.load("run")
        if found is None:
            return None
        words, arrays = found
        parts: dict[str, dict[str, AnyArray]] = {"state": {}, "followed": {}, "history": {}}
        for name, array in arrays.items():
            part, _, field = name.partition(".")
            parts[part][field] = array
        return RunState.from_arrays(parts["state"]), Followed(words["n_done"], **parts["followed"]), parts["history"]

    def save(self, state: RunState, followed: Followed, history: Callable[[], Mapping[str, FloatArray]]) -> None:
        """Keep where a run stands, unless that was done a moment ago."""
        if self._checkpoint is None or monotonic() - self._last < QUIET_SECONDS:
            return
        arrays = {f"state.{name}": array for name, array in state.as_arrays().items()}
        arrays |= {"followed.iterate": followed.iterate, "followed.average": followed.average}
        arrays |= {f"history.{name}": array for name, array in history().items()}
        self._checkpoint.save("run", {"n_done": followed.n_done}, arrays)
        self._last = monotonic()


def run_bytes(max_iter: int, n_frequencies: int, n_followed: int) -> int:
    """Return the size of a run of steps in a checkpoint, at most: two of them, while one takes the other's place."""
    numbers = 3 * max_iter * n_frequencies + 7 * max_iter + 2 * n_followed
    return 2 * 8 * numbers


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
        self._first, self._stop_reason = run.iterates.n_iterations + 1, StopReason.MAX_ITER
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
        run = self._run
        # Steps hold BLAS to one thread: an error's traceback must not keep them, and with them the limit.
        with closing(self._panels):
            for panel in self._panels:
                self._history.add(panel, self._first)
                self._kept.save(run, panel.followed, self._history.as_arrays)
                if task.subtask_done(self._attributes):
                    self._stop_reason = StopReason.CALLBACK
                    break
        return self._attributes() | {
            "history_": self._history.as_arrays(),
            "n_iter_": run.iterates.n_iterations,
            "curvature_": float(run.curvature[0]),
            "_state_": replace(self._fit.state, run=run),
        }

    def _attributes(self) -> dict[str, Any]:
        """Return the fitted attributes of the model that the steps so far have led to."""
        found = self._run.iterates.coefficients(averaged=self._solver.average)
        fitted = self._fit.attributes(np.stack([array[:, 0] for array in found]))
        return fitted | {"stop_reason_": self._stop_reason}


@dataclass(frozen=True, eq=False)
class SinglePlan:
    """The plan of a fit of one setting, settled before any unlabelled row is read.

    Attributes
    ----------
    data
        The rows.
    settings, solver
        What is asked for, and who does it.
    earlier
        Where it goes on from; None for a fit of its own.
    needed_rows
        Numbers of the unlabelled rows that it will look at, if they have to be known before.
    checkpoint
        Where its work is kept; None for nowhere.
    """

    data: FitData
    settings: FitSettings
    solver: Solver
    earlier: FitState | None
    needed_rows: IndexArray
    checkpoint: Checkpoint | None

    @classmethod
    def make(
        cls,
        ranker: Any,
        data: FitData,
        solver: Solver,
        labeled_weight: float,
        earlier: FitState | None = None,
        *,
        may_keep: bool = False,
    ) -> "SinglePlan":
        """Settle what happens to the rows, and announce those that will be read.

        Parameters
        ----------
        ranker
            The `S2AUCClassifier` with the parameters.
        data, solver, earlier
            As the attributes.
        labeled_weight
            The labelled weight to fit with.
        may_keep
            Whether the work may be kept in a checkpoint.
        """
        if earlier is None:
            data = project(data, ranker.sparse_components, type(ranker).__name__)
        else:
            data = replace(data, projection=earlier.projection)
        settings = FitSettings.of(ranker, data, solver, labeled_weight)
        if earlier is not None:
            earlier.check_same(settings.choice, ranker.sparse_components)
        is_kept = may_keep and ranker.checkpoint is not None
        first = 0 if earlier is None else earlier.run.n_drawn
        needed_rows = announce_needed_rows(data.rows, settings.drawing(solver), is_kept=is_kept, first=first)
        checkpoint = None
        if is_kept:
            n_steps = settings.max_iter if solver.makes_steps else 1
            needed = run_bytes(n_steps, settings.n_frequencies, data.rows.order.n_rows)
            checkpoint = open_checkpoint(ranker, data, needed_rows, needed=needed)
        return cls(data, settings, solver, earlier, needed_rows, checkpoint)

    def prepare(self, ranker: Any, history: Mapping[str, FloatArray] | None = None) -> StepRun | SolutionRun:
        """Gather the rows, and return the run that will make the model.

        Parameters
        ----------
        ranker
            The `S2AUCClassifier` with the parameters.
        history
            How the steps went that it goes on from; None if there are none.
        """
        data = kept_rows(self.data, self.needed_rows, self.checkpoint)
        state = self.earlier or FitState.fresh(data, self.settings.choice, ranker.sparse_components)
        fit = SingleFit(data, state, self.settings, self.solver, describe_fit(ranker, data, state.sample))
        if not self.solver.makes_steps:
            return SolutionRun(fit)
        return StepRun(fit, self.checkpoint, history, is_shown=bool(ranker.verbose))
