"""The stochastic solver: curvature, schedule and steps, for one model or for a bundle of them."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.parameters import Boolean, Choice, Number, Rule
from s2auc.common.user_warnings import warn_user
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.ranking.pairs import PAIRINGS
from s2auc.solvers.job import Job, Point, Trained
from s2auc.solvers.qsg.curvature import N_DRAWS, measure_curvature
from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.panels import Followed, Panel, Problem, run_panels
from s2auc.solvers.work_rows import DrawRule

Schedule = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


SCHEDULES: Mapping[str, Schedule] = MappingProxyType(
    {"shifted": lambda t, rate, curvature: 1.0 / (rate * t + curvature), "printed": lambda t, rate, _: 1.0 / (rate * t)}
)
"""`shifted` is θ/(t + θL): it starts just below 1/L, the largest step that the risk allows, and tends to θ/t, for which
the paper proves convergence. `printed` is the paper's θ/t from the start; it diverges where θ is large against 1/L."""

PRINTED, TRIPLET = "printed", "triplet"
"""Algorithm 1 of the paper has steps θ/t, and triplets of random rows."""


FOLD_MARGIN = 1.15
"""Models that leave rows out take steps shorter by this factor: the curvature is measured on all rows only."""


@dataclass
class RunState:
    """Where a run stands, so that it can go on.

    Attributes
    ----------
    iterates
        Every block of coefficients so far.
    curvature
        The L that the steps so far were based on, (n_models,).
    n_drawn
        How many iterations have drawn rows, in this run and those that it goes on from.
    """

    iterates: Iterates
    curvature: FloatArray
    n_drawn: int

    @classmethod
    def fresh(cls, n_models: int = 1) -> "RunState":
        """Return the start of a run."""
        return cls(Iterates.empty(n_models), np.zeros(n_models), n_drawn=0)

    def copied(self) -> "RunState":
        """Return a state that goes on from this one and leaves it alone: schedule and average go on as well."""
        # Iterates replace their arrays as they grow, so a shallow copy is enough.
        return replace(self, iterates=self.iterates.of_models(slice(None)))

    def restarted(self) -> "RunState":
        """Return the start of a new run at the last iterate of this one."""
        iterates = Iterates.starting_at(self.iterates.coefficients())
        return RunState(iterates, np.zeros_like(self.curvature), self.n_drawn)

    def as_arrays(self) -> dict[str, AnyArray]:
        """Return everything that `from_arrays` needs to go on, as plain arrays."""
        return {**vars(self.iterates), "curvature": self.curvature, "n_drawn": np.array(self.n_drawn)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray]) -> "RunState":
        """Return the state that `as_arrays` described."""
        iterates = Iterates(*(arrays[field.name] for field in fields(Iterates)))
        return cls(iterates, arrays["curvature"], int(arrays["n_drawn"]))


@describes_parameters_like()
class QSG(BaseEstimator):  # type: ignore[misc]
    """Quadruply stochastic gradients, the paper's solver: options of `solver="qsg"`.

    Parameters
    ----------
    step_scale
        θ·alpha, where θ is the constant of the schedule.
    schedule
        "shifted" θ/(t + θL), with L the curvature measured on the data, or the paper's "printed" θ/t, whose theorem
        asks for a `step_scale` in (1, 2) or a whole number.
    average
        Whether the model is the t-weighted average of the iterates, or the last one.
    pairing
        "all": every labelled row (up to 2000) takes part in every step, paired with all others; "triplet": the
        paper's (positive, negative, unlabelled) triplets of random rows.

    Examples
    --------
    >>> QSG(average=False)
    QSG(average=False)
    """

    name: ClassVar[str] = "qsg"
    needs_quadratic_loss: ClassVar[bool] = False
    makes_steps: ClassVar[bool] = True
    usual_frequencies: ClassVar[int] = 32
    search_frequencies: ClassVar[int] = 32
    neighbor_frequencies: ClassVar[int] = 32
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {
        "step_scale": (Number(0, open_low=True),),
        "schedule": (Choice(SCHEDULES),),
        "average": (Boolean(),),
        "pairing": (Choice(PAIRINGS),),
    }

    def __init__(
        self, step_scale: float = 1.0, schedule: str = "shifted", average: bool = True, pairing: str = "all"
    ) -> None:
        self.step_scale = step_scale
        self.schedule = schedule
        self.average = average
        self.pairing = pairing

    def draw_rule(self, max_iter: int, batch_size: int) -> DrawRule:
        """Return that every step draws a batch, and as many at least as the curvature is measured on."""
        return DrawRule(max(max_iter, N_DRAWS), batch_size, self.pairing)

    @classmethod
    def as_published(cls, step_scale: float = 1.0) -> Self:
        """Return the options of Algorithm 1 as the paper describes it.

        These are steps of θ/t (`schedule="printed"`), random triplets of rows (`pairing="triplet"`) and the last
        iterate as the model (`average=False`). The paper uses mini-batches: leave `batch_size` and `n_frequencies` at
        16 or more, because one row and one frequency per step can diverge.

        Parameters
        ----------
        step_scale : float, default=1.0
            θ·alpha, in (1, 2) or a whole number, as the paper's theorem asks.

        Examples
        --------
        >>> QSG.as_published()
        QSG(average=False, pairing='triplet', schedule='printed')
        """
        return cls(step_scale=step_scale, schedule=PRINTED, average=False, pairing=TRIPLET)

    def warn_unproved(self) -> None:
        """Warn if the steps are those of the paper but its theorem does not cover their scale."""
        scale = float(self.step_scale)
        if self.schedule == PRINTED and not 1.0 < scale < 2.0 and not scale.is_integer():
            warn_user(
                f"With schedule='printed' the paper proves convergence (its Theorem 1) for a step_scale in (1, 2) or a "
                f"positive whole number, not for {scale:g}; set step_scale=1, or use schedule='shifted'."
            )

    def frequencies_of(self, point: Point, n_frequencies: int) -> int:
        """Return how many frequencies a model has in all."""
        return n_frequencies * point.max_iter

    def advance(
        self,
        problem: Problem,
        stream: FrequencyStream,
        state: RunState,
        curvature: FloatArray,
        followed: Followed | None = None,
    ) -> Generator[Panel]:
        """Make all iterations of a problem from where a state stands, which is kept up to date; yield every panel.

        Parameters
        ----------
        problem
            Rows, steps and objective.
        stream
            The frequencies.
        state
            Where to go on from.
        curvature
            What was measured on this problem; steps never get longer than a larger one before allowed.
        followed
            Where the iterations of this problem stopped, if the state holds some of them already.
        """
        state.curvature = np.maximum(state.curvature, curvature)
        first = state.iterates.n_iterations + 1 - (followed.n_done if followed else 0)
        iterations = np.arange(first, first + problem.n_iterations, dtype=np.float64)[:, None]
        sizes = SCHEDULES[self.schedule](iterations, problem.alpha / self.step_scale, state.curvature)
        for panel in run_panels(problem, state.iterates, stream, sizes, averaged=self.average, followed=followed):
            state.n_drawn += len(panel.risk)
            yield panel

    def problem(self, job: Job, followed: IndexArray) -> Problem:
        """Return the problem of the models of all labelled rows, one for each alpha, labelled and neighbour weight."""
        alpha, labeled_weight, neighbor_weight = job.points.mixes.T
        return Problem(
            X=job.X,
            steps=job.steps,
            objective=job.objective(labeled_weight, neighbor_weight, self.pairing),
            alpha=alpha,
            followed=followed,
            row_weight=None if job.rows.step_weight is None else _row_weight(job, np.ones(len(alpha))),
            n_frequencies=job.n_frequencies,
            n_common=job.rows.reference.stop,
        )

    def train(self, job: Job) -> Trained:
        """Train all masks and points as one bundle; stopping times fall out of it."""
        points, n_masks, mixes = job.points, job.is_trained.shape[1], job.points.mixes
        whole = self.problem(job, job.rows.followed)
        alpha, labeled_weight, neighbor_weight = np.repeat(mixes, n_masks, axis=0).T
        has_weights = n_masks > 1 or job.rows.step_weight is not None
        bundle = replace(
            whole,
            objective=job.objective(labeled_weight, neighbor_weight, self.pairing),
            alpha=alpha,
            row_weight=_row_weight(job, np.tile(job.is_trained, len(mixes))) if has_weights else None,
        )
        state = RunState.fresh(len(alpha))
        margin = np.tile(np.where(np.arange(n_masks) == 0, 1.0, FOLD_MARGIN), len(mixes))
        curvature = np.repeat(measure_curvature(whole, job.stream, state.iterates), n_masks) * margin
        scores = np.empty((len(points.max_iters), len(bundle.followed), len(alpha)))
        for panel in self.advance(bundle.first(max(points.max_iters)), job.stream, state, curvature):
            for place, stop in enumerate(points.max_iters):
                if panel.first < stop <= panel.first + len(panel.scores):
                    scores[place] = panel.scores[stop - 1 - panel.first]
        by_mask = scores.reshape(len(points.max_iters), len(bundle.followed), len(mixes), n_masks)
        return Trained(
            scores=by_mask.transpose(0, 2, 3, 1).reshape(-1, n_masks, len(bundle.followed)),
            coefficients=self._coefficients(state.iterates.of_models(slice(0, None, n_masks)), job),
        )

    def _coefficients(self, iterates: Iterates, job: Job) -> FloatArray:
        """Return the coefficients of every point, (points, 2, frequencies), of iterates of all rows' models."""
        stops = job.points.max_iters
        found = np.zeros((len(stops), iterates.n_models, 2, iterates.n_frequencies))
        for place, stop in enumerate(stops):
            waves = iterates.coefficients(stop, averaged=self.average)
            found[place, :, :, : waves.shape[1]] = np.moveaxis(waves, 2, 0)
        return found.reshape(-1, 2, iterates.n_frequencies)


def _row_weight(job: Job, is_trained: AnyArray) -> FloatArray:
    """Return how much each row counts in the steps of each model, given which labelled rows it learns from."""
    order, step_weight = job.rows.order, job.rows.step_weight
    row_weight = np.ones((len(job.X), is_trained.shape[-1]))
    row_weight[: order.n_rows] = is_trained * (1.0 if step_weight is None else step_weight[:, None])
    return row_weight
