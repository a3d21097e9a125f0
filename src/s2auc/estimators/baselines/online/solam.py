"""SOLAM (Ying, Wen and Lyu, 2016): a linear function by stochastic steps towards a saddle point, one row at a time."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.estimators.baselines.online.online import OnlineRanker
from s2auc.estimators.baselines.online.saddle_point import SaddlePoint, SeenRows
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.models.parts.linear import LinearPart
from s2auc.solvers.space import PreparedColumns


class SOLAMSteps:
    """Steps of SOLAM on rows as they come out of `columns`, and the average of where they led."""

    def __init__(self, columns: ColumnScaling, step_size: float, radius: float) -> None:
        self.columns, self.step_size, self.radius = columns, step_size, radius
        self.numbers_a_row = len(columns.shift)
        self.point, self.seen = SaddlePoint(np.zeros(self.numbers_a_row)), SeenRows()
        self.total_step, self.weight_total = 0.0, np.zeros(self.numbers_a_row)

    def learn(self, X: FloatArray, is_positive: BoolArray) -> None:
        """Make one step a row, in this order."""
        point, seen = self.point, self.seen
        for row, positive in zip(X, is_positive.tolist(), strict=True):
            seen.add(row, positive)
            step = self.step_size / sqrt(seen.n_rows)
            self.total_step += step
            self.weight_total += step * point.weights
            slopes = point.slopes(float(point.weights @ row), positive, seen.share)
            point.move(row, slopes, step)
            point.project(self.radius, seen.largest_norm)

    def part(self) -> LinearPart:
        """Return the average of the iterates, each weighted by the step that was made from it."""
        return LinearPart(self.columns, self.weight_total / self.total_step)


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False, kw_only=True)
class SOLAMClassifier(OnlineRanker[SOLAMSteps]):
    """Binary classifier that learns a linear ranking from one row at a time, by SOLAM.

    The square loss over all pairs of a positive and a negative row, (1 - wᵀ(x - x'))² with ‖w‖ <= R, is a saddle point
    of a mean over single rows (`baselines.online.saddle_point`). Step t goes down in (w, a, b) and up in α from
    one row, with the share p of positive rows so far and γ = c/√t, and projects; the model is the average of the
    iterates before each step, weighted by γ. Time and memory are those of one row a step.

    Parameters
    ----------
    step_size
        c.
    radius
        R, the largest norm of w, for rows that are divided by √columns after scaling: standardised rows then have a
        mean squared norm of one, and c and R mean the same however many columns there are.
    max_epochs
        Passes over the labelled rows in `fit`, each in a random order. Steps are counted on from pass to pass.
        `partial_fit` makes one pass, in the order given.
    random_state
        Seed of the order of rows, and of the rows that settle scaling where the unlabelled ones are many.

    Attributes
    ----------
    classes_, model_, offset_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    n_steps_
        How many steps were made.

    Notes
    -----
    Where the publication is open, or its authors' code differs:

    - a and b are held to ±Rκ and α to ±2Rκ as published, κ being the largest norm of a row so far. The
      authors' code, for rows of norm one, holds a and b from above only, which is a slip.
    - Any start in the set is allowed. Steps start at zero; the authors' code starts on the boundary, from
      w = R/√columns, a = b = R and α = 2R.
    - The authors divide every row by its own norm, after which the model is no longer linear in the row. Here one
      number, √columns, serves all rows.
    - The share p counts the row of the step itself, as in the authors' code.

    References
    ----------
    Y. Ying, L. Wen and S. Lyu (2016), Stochastic online AUC maximization, NeurIPS.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, random_state=0)
    >>> ranker = SOLAMClassifier(random_state=0).fit(X[:1000], y[:1000])
    >>> ranker.n_steps_, ranker.score(X[1000:], y[1000:]) > 0.9
    (15000, True)
    >>> ranker.partial_fit(X[1000:], y[1000:]).n_steps_
    16000
    """

    step_size: float = 1.0
    radius: float = 10.0
    max_epochs: int = 15

    def _make_learner(self, sample: ColumnSample, seed: int, n_rows: int | None) -> SOLAMSteps:  # noqa: ARG002
        return SOLAMSteps(unit_columns(sample, self.scaling), float(self.step_size), float(self.radius))


def unit_columns(sample: ColumnSample, scaling: str) -> ColumnScaling:
    """Return a scaling after which a row is also divided by the square root of how many columns there are.

    Examples
    --------
    >>> from s2auc.data.schema.schema import Schema
    >>> sample = ColumnSample.of_rows(np.array([[8.0, 2.0, 6.0, 4.0]]), Schema(4, {}))
    >>> unit_columns(sample, "none").apply(sample.rows).tolist()
    [[4.0, 1.0, 3.0, 2.0]]
    """
    columns = PreparedColumns.of_sample(sample, scaling).columns
    n_columns = len(columns.shift)
    return columns.weighted(np.full(n_columns, 1.0 / sqrt(n_columns)))
