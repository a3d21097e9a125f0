"""DSG (Dai and others, 2014): kernel logistic regression by doubly stochastic gradients, on labelled rows."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.groups import NEGATIVE, POSITIVE, PositiveFirst
from s2auc.common.memory import check_fits
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.baselines.base import BatchRanker
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.models.parts.cosine import CosinePart
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import pointwise
from s2auc.solvers.batches import Draw, followed_rows, rows_of_steps
from s2auc.solvers.qsg.curvature import N_DRAWS, measure_curvature
from s2auc.solvers.qsg.history import History
from s2auc.solvers.qsg.panels import Problem
from s2auc.solvers.qsg.qsg import QSG, RunState
from s2auc.solvers.space import PreparedColumns, SpaceChoice, make_space


@describes_parameters_like(S2AUCClassifier, QSG)
@dataclass(eq=False, repr=False)
class DSGClassifier(BatchRanker):
    """Binary classifier: kernel logistic regression, fitted by doubly stochastic gradients.

    It minimises mean log(1 + exp(-y·f(x))) + alpha/2·‖f‖² over the functions of a kernel, y being 1 for positive rows
    and -1 for negative ones, without an intercept and without a class balance. Every step draws rows and fresh random
    frequencies. QSG-S2AUC is this method with pairs of three groups of rows in place of single rows: `S2AUCClassifier`
    and this one share the solver, and differ in the objective only. Unlabelled rows settle scaling and width
    only.

    Where the publication is followed in spirit only: rows of a step are drawn from each class in proportion to its
    size, not from all rows together, which has the same mean and less noise; the step sizes are θ/(t + θL), with the
    curvature L measured, where the publication has θ/t ("printed"); the model is the average of the iterates, where it
    has the last one (`average=False`). The authors' program for images multiplies steps by the inverse covariance of
    the features; this one, like the publication, does not.

    Parameters
    ----------
    max_iter
        Steps.
    n_frequencies
        Fresh frequencies a step.
    batch_size
        Labelled rows a step, at least one of each class; a class with no more rows than its part takes part whole.
    random_state
        Seed of rows and frequencies: the same seed gives the same model.

    Attributes
    ----------
    classes_, model_, offset_, kernel_gamma_, seed_, curvature_, history_, n_iter_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.

    References
    ----------
    B. Dai, B. Xie, N. He, Y. Liang, A. Raj, M.-F. Balcan and L. Song (2014), Scalable kernel methods via doubly
    stochastic gradients, NeurIPS.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(500, noise=0.2, random_state=0)
    >>> ranker = DSGClassifier(random_state=0).fit(X[:100], truth[:100])
    >>> ranker.score(X[100:], truth[100:]) > 0.9
    True
    """

    kernel: str = "gaussian"
    _: KW_ONLY
    kernel_gamma: float | str = "median"
    alpha: float = 1e-3
    max_iter: int = 200
    n_frequencies: int = 32
    batch_size: int = 128
    step_scale: float = 1.0
    schedule: str = "shifted"
    average: bool = True

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        check_fits(
            8 * int(self.max_iter) * 2 * int(self.n_frequencies),
            f"{type(self).__name__} with max_iter={self.max_iter} and n_frequencies={self.n_frequencies}",
            "use fewer steps, or fewer frequencies a step",
        )
        rows = data.rows
        choice = SpaceChoice(self.scaling, "none", self.kernel, Bandwidth.read(self.kernel_gamma))
        prepared = PreparedColumns.of_sample(sample, self.scaling)
        space = make_space(choice, prepared, np.ones(len(prepared.columns.shift)), data.seed)
        problem = self._problem(rows, space.columns.apply(rows.labeled), data.seed)
        solver = QSG(float(self.step_scale), self.schedule, bool(self.average))
        state = RunState.fresh()
        curvature = measure_curvature(problem, space.stream, state.iterates)
        history = History(
            problem.followed < rows.order.n_positive,
            weight=rows.order.weight_of(problem.followed),
            n_steps=int(self.max_iter),
        )
        for panel in solver.advance(problem.first(int(self.max_iter)), space.stream, state, curvature):
            history.add(panel, 1)
        cosine, sine = (array[:, 0] for array in state.iterates.coefficients(averaged=solver.average))
        stream = space.stream
        part = CosinePart(space.columns, stream.kernel, stream.gamma, stream.seed, cosine, sine)
        found = {
            "kernel_gamma_": stream.gamma,
            "curvature_": float(state.curvature[0]),
            "history_": history.as_arrays(),
            "n_iter_": state.iterates.n_iterations,
        }
        return self._keep_part(data, sample, part, found)

    def _problem(self, rows: TrainingRows, X: FloatArray, seed: int) -> Problem:
        """Return which rows steps draw, and what they minimise."""
        order = rows.order
        draws = _plan_draws(order, int(self.batch_size))
        steps = rows_of_steps(draws, seed=seed, first=0, last=max(int(self.max_iter), N_DRAWS))
        steps[NEGATIVE] = steps[NEGATIVE] + order.n_positive
        row_weight = None
        if order.weight is not None:
            row_weight = np.concatenate([draws[group].step_weight for group in order.slices])[:, None]
        return Problem(
            X=X,
            steps=steps,
            objective=pointwise(LOSSES["logistic"], _positive_share(order)),
            alpha=np.array([float(self.alpha)]),
            followed=followed_rows(order),
            row_weight=row_weight,
            n_frequencies=int(self.n_frequencies),
        )


def _plan_draws(order: PositiveFirst, batch_size: int) -> dict[str, Draw]:
    """Return how each class takes part in steps: in proportion to its rows, with one row at least."""
    n_positive = min(max(1, round(batch_size * order.n_positive / order.n_rows)), max(1, batch_size - 1))
    sizes = {POSITIVE: n_positive, NEGATIVE: max(1, batch_size - n_positive)}
    return {
        group: Draw(members.stop - members.start, sizes[group], whole=True, weight=order.weight_of(members))
        for group, members in order.slices.items()
    }


def _positive_share(order: PositiveFirst) -> float:
    """Return how much of all labelled rows the positive ones are, each by its weight."""
    if order.weight is None:
        return order.n_positive / order.n_rows
    return float(order.weight[order.positive].sum() / order.weight.sum())
