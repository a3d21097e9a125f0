"""One setting, from rows to a model: the space is settled, rows are drawn and gathered, a solver does the rest."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.needed_rows import drawing_of
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.thresholds import Cuts, best_threshold
from s2auc.solvers.job import Job, Points, Solver
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.qsg.curvature import measure_curvature
from s2auc.solvers.qsg.panels import Followed, Panel, panel_length
from s2auc.solvers.qsg.qsg import QSG, RunState
from s2auc.solvers.space import COLUMN_WEIGHTINGS, PreparedColumns, Space, SpaceChoice, make_space
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

    @classmethod
    def of(cls, ranker: Any, data: FitData, solver: Solver, labeled_weight: float) -> "FitSettings":
        """Read the parameters of an `S2AUCClassifier`, with the labelled weight that suits the rows."""
        usual_scaling = "standard" if data.projection is None else "common"
        scaling = usual_scaling if ranker.scaling == "auto" else ranker.scaling
        return cls(
            choice=SpaceChoice(scaling, ranker.column_weighting, ranker.kernel, Bandwidth.read(ranker.kernel_gamma)),
            loss=ranker.loss,
            labeled_weight=labeled_weight,
            neighbor_weight=float(ranker.neighbor_weight),
            n_neighbors=int(ranker.n_neighbors),
            alpha=float(ranker.alpha),
            max_iter=int(ranker.max_iter),
            n_frequencies=int(ranker.n_frequencies or solver.usual_frequencies),
            batch_size=int(ranker.batch_size),
            seed=data.seed,
        )

    @property
    def points(self) -> Points:
        """The one setting, as solvers take it."""
        return Points((self.alpha,), (self.labeled_weight,), (self.max_iter,), (self.neighbor_weight,))

    def drawing(self, solver: Solver) -> dict[str, Any]:
        """Return which rows the setting wants to be drawn."""
        return drawing_of([self.points], solver, self.batch_size, self.seed)


@dataclass(frozen=True, eq=False)
class FitState:
    """What a fit leaves to go on from.

    Attributes
    ----------
    choice
        What the space was made for.
    space, sample
        The space, and what is known of the columns that it was made from.
    run
        Where the run of steps stands.
    projection, sparse_components
        The components that the model sees in the place of columns, if any, and the parameter that asked for them.
    """

    choice: SpaceChoice
    space: Space
    sample: ColumnSample
    run: RunState
    projection: Projection | None
    sparse_components: int | str | None

    @classmethod
    def fresh(cls, data: FitData, choice: SpaceChoice, sparse_components: int | str | None) -> "FitState":
        """Settle the space from the rows."""
        rows, used = data.model_rows, choice
        if choice.uses_labels and not (rows.order.n_positive and rows.order.n_negative):
            # One class alone cannot tell which columns matter.
            used = replace(choice, column_weighting="none")
        sample = data.sample_columns()
        prepared = PreparedColumns.of_sample(sample, choice.scaling)
        weights = COLUMN_WEIGHTINGS[used.column_weighting].weights(prepared.columns.apply(rows.labeled), rows.order)
        space = make_space(used, prepared, weights, data.seed)
        # What the rows say of their columns is kept, the rows themselves are not.
        kept = replace(sample, rows=sample.rows[:0].copy())
        return cls(choice, space, kept, RunState.fresh(), data.projection, sparse_components)

    def check_same(self, choice: SpaceChoice, sparse_components: int | str | None) -> None:
        """Raise a ValueError unless components and space stay: coefficients mean nothing elsewhere."""
        asked = {"sparse_components": (self.sparse_components, sparse_components)}
        for field in fields(SpaceChoice):
            name = "kernel_gamma" if field.name == "bandwidth" else field.name
            asked[name] = str(getattr(self.choice, field.name)), str(getattr(choice, field.name))
        for name, (before, now) in asked.items():
            if now != before:
                raise ValueError(
                    f"The {name!r} parameter must stay as it is while a model goes on learning (partial_fit, "
                    f"warm_start), where it is {before!r}. Got {now!r}; fit with warm_start=False to start anew."
                )


class SingleFit:
    """The rows of a fit, drawn and gathered, and what can be made of them.

    Parameters
    ----------
    data
        Labelled rows and the source of unlabelled ones.
    state
        Where to go on from.
    settings
        What is asked for.
    solver
        Who does it.
    record
        What the model's file says of how it came about.
    """

    def __init__(
        self, data: FitData, state: FitState, settings: FitSettings, solver: Solver, record: Mapping[str, Any]
    ) -> None:
        self.data, self.state, self.settings, self.solver = data, state, settings, solver
        self._record = record
        points = settings.points
        self.work = collect_rows(data.model_rows, **settings.drawing(solver), first=state.run.n_drawn)
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

    def steps(self, solver: QSG, run: RunState, followed: Followed | None) -> tuple[int, Generator[Panel]]:
        """Return how many panels there will be at most, and the panels of steps as they are made.

        Parameters
        ----------
        solver
            Who makes the steps.
        run
            Where they go on from; it is kept up to date.
        followed
            Where the steps of this fit stopped, if the run holds some of them already.
        """
        stream, max_iter = self._job.stream, self.settings.max_iter
        problem = solver.problem(self._job, self.work.tested)
        # Steps that go on keep the sizes that were settled before the first of them.
        curvature = run.curvature if followed else measure_curvature(problem, stream, run.iterates)
        n_left = max_iter - (followed.n_done if followed else 0)
        n_panels = -(-n_left // panel_length(problem))
        return n_panels, solver.advance(problem.first(max_iter), stream, run, curvature, followed)

    def solution(self) -> FloatArray:
        """Return the coefficients that a solver without steps finds, cosines then sines."""
        coefficients: FloatArray = self.solver.train(self._job).coefficients[0]
        return coefficients

    def attributes(self, coefficients: FloatArray) -> dict[str, Any]:
        """Return the model with these coefficients, cosines then sines, and what describes it, as fitted attributes."""
        data, columns, stream = self.data, self.state.space.columns, self.state.space.stream
        part = CosinePart(columns, stream.kernel, stream.gamma, stream.seed, *coefficients)
        parts, offset = data.parts_of_rows((part,)), self._offset(part)
        return data.attributes() | {
            "model_": Model(parts, offset, data.labels.classes, data.schema, record=self._record),
            "offset_": offset,
            "kernel_gamma_": stream.gamma,
            "labeled_weight_": self.settings.labeled_weight,
        }

    def _offset(self, part: CosinePart) -> float:
        """Return the threshold that best separates the classes; unlabelled rows stand in for one without rows."""
        work, order = self.work, self.work.order
        sides = [
            (rows, order.weight_of(rows)) if rows.stop > rows.start else (work.reference, None)
            for rows in (order.positive, order.negative)
        ]
        high, low = (part.score(work.X[rows]) for rows, _ in sides)
        return best_threshold(Cuts.of_scores(high, low, (sides[0][1], sides[1][1])), "balanced_accuracy")
