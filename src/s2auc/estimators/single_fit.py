"""One setting, from rows to coefficients: the space is settled, rows are drawn and gathered, a solver does the rest."""

from collections.abc import Generator
from dataclasses import dataclass, fields, replace

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.column_scaling import ColumnSample
from s2auc.data.rows import dense_rows
from s2auc.data.schema import Schema
from s2auc.data.training_rows import TrainingRows
from s2auc.models import CosinePart
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.thresholds import Cuts, best_threshold
from s2auc.solvers.job import Job, Points, Solver
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.panels import Followed, Panel, panel_length
from s2auc.solvers.qsg import QSG, RunState
from s2auc.solvers.space import PreparedColumns, Space, SpaceChoice, learn_weights, make_space
from s2auc.solvers.work_rows import collect_rows


@dataclass(frozen=True)
class FitSettings:
    """What a fit is asked to do, in plain values that were checked."""

    choice: SpaceChoice
    loss: str
    labeled_weight: float
    neighbor_weight: float
    n_neighbors: int
    alpha: float
    max_iter: int
    n_frequencies: int
    batch_size: int
    seed: int


@dataclass(frozen=True, eq=False)
class FitState:
    """What a fit leaves to go on from: the space, what it was made for and from, and where the run stands."""

    choice: SpaceChoice
    space: Space
    sample: ColumnSample
    run: RunState

    @classmethod
    def fresh(cls, rows: TrainingRows, choice: SpaceChoice, schema: Schema, seed: int) -> "FitState":
        """Settle the space from the rows."""
        used = choice
        if choice.uses_labels and not (rows.order.n_positive and rows.order.n_negative):
            # One class alone cannot tell which columns matter.
            used = replace(choice, column_weighting="none")
        sample = ColumnSample.of_rows(dense_rows(rows.sample(seed)), schema)
        prepared = PreparedColumns.of_sample(sample, choice.scaling)
        weights = learn_weights(used.column_weighting, prepared.columns.apply(rows.labeled), rows.order)
        space = make_space(used, prepared, weights, seed)
        # What the rows say of their columns is kept, the rows themselves are not.
        return cls(choice, space, replace(sample, rows=sample.rows[:0].copy()), RunState.fresh())

    def going_on(self, run: RunState, choice: SpaceChoice) -> "FitState":
        """Return the state with another run, if the same space is asked for: coefficients mean nothing elsewhere."""
        for field in fields(SpaceChoice):
            before, now = getattr(self.choice, field.name), getattr(choice, field.name)
            if now != before:
                name = "kernel_gamma" if field.name == "bandwidth" else field.name
                raise ValueError(
                    f"The {name!r} parameter must stay as it is while a model goes on learning (partial_fit, "
                    f"warm_start), where it is '{before}'. Got '{now}'; fit with warm_start=False to start anew."
                )
        return replace(self, run=run)


class SingleFit:
    """The rows of a fit, drawn and gathered, and what can be made of them.

    Parameters
    ----------
    rows
        Labelled rows and the source of unlabelled ones.
    state
        Where to go on from; its run is kept up to date.
    settings
        What is asked for.
    solver
        Who does it.
    """

    def __init__(self, rows: TrainingRows, state: FitState, settings: FitSettings, solver: Solver) -> None:
        self.rows, self.state, self.settings, self.solver = rows, state, settings, solver
        points = Points(
            (settings.alpha,), (settings.labeled_weight,), (settings.max_iter,), (settings.neighbor_weight,)
        )
        self.work = collect_rows(
            rows,
            solver.draw_rule(settings.max_iter, settings.batch_size),
            seed=settings.seed,
            first=state.run.n_drawn,
            uses_pool=points.uses_pool,
            uses_neighbors=points.uses_neighbors,
        )
        X = state.space.columns.apply(self.work.X)
        self._job = Job(
            X=X,
            rows=self.work,
            is_trained=np.ones((self.work.order.n_rows, 1), dtype=bool),
            loss=LOSSES[settings.loss],
            points=points,
            stream=state.space.stream,
            n_frequencies=settings.n_frequencies,
            graph=NeighborGraph.of_rows(X[self.work.nodes], settings.n_neighbors) if points.uses_neighbors else None,
        )

    def steps(self, solver: QSG, followed: Followed | None = None) -> tuple[int, Generator[Panel]]:
        """Return how many panels there will be at most, and the panels of steps as they are made.

        Parameters
        ----------
        solver
            Who makes the steps.
        followed
            Where the steps of this fit stopped, if the run of the state holds some of them already.
        """
        stream, run, max_iter = self._job.stream, self.state.run, self.settings.max_iter
        problem = solver.problem(self._job, self.work.tested)
        # Steps that go on keep the sizes that were settled before the first of them.
        curvature = run.curvature if followed else solver.measured_curvature(problem, stream, run)
        n_left = max_iter - (followed.n_done if followed else 0)
        n_panels = -(-n_left // panel_length(problem))
        return n_panels, solver.advance(problem.first(max_iter), stream, run, curvature, followed)

    def solution(self) -> FloatArray:
        """Return the coefficients that a solver without steps finds, cosines then sines."""
        coefficients: FloatArray = self.solver.train(self._job).coefficients[0]
        return coefficients

    def part(self, coefficients: FloatArray) -> CosinePart:
        """Return the model's part with these coefficients, cosines then sines."""
        space = self.state.space
        cosine, sine = coefficients
        return CosinePart(space.columns, space.stream.kernel, space.stream.gamma, space.stream.seed, cosine, sine)

    def offset(self, part: CosinePart) -> float:
        """Return the threshold that best separates the classes; unlabelled rows stand in for one without rows."""
        work, order = self.work, self.work.order
        sides = [
            (rows, order.weight_of(rows)) if rows.stop > rows.start else (work.reference, None)
            for rows in (order.positive, order.negative)
        ]
        high, low = (part.score(work.X[rows]) for rows, _ in sides)
        return best_threshold(Cuts.of_scores(high, low, (sides[0][1], sides[1][1])), "balanced_accuracy")
