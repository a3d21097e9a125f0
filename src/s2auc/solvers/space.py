"""Where a model lives: what happens to columns, and the frequencies of a kernel on them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import PositiveFirst, effective_size
from s2auc.common.randomness import derived_seed
from s2auc.data.features.scaling import SCALINGS, ColumnSample, ColumnScaling, ColumnView, prepare_columns
from s2auc.data.schema.schema import EVERY
from s2auc.kernels.bandwidth import Bandwidth, width_rows
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.metrics import auc_of_columns


def auc_weights(labeled: FloatArray, order: PositiveFirst) -> FloatArray:
    """Return a weight for every column, with mean square one: the larger, the better it tells the classes apart alone.

    The measure of a column is e = |2·AUC - 1|, of its values or of their distance from the median (for columns whose
    extremes belong together), whichever is larger. It is shrunken by what chance would give, e² ← max(0, e² - s²) with
    s² the variance of e under no difference (twice that for the distance, a second look), and the weight is e + s/2: a
    column that tells nothing keeps a small weight, which the more labels there are, the smaller it gets. Where rows
    count differently, AUCs are weighted, and chance is that of as many equal rows as these are worth.

    Parameters
    ----------
    labeled, order
        Labelled rows, positive first.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(0).normal(size=(100, 2))
    >>> noise[:50, 0] += 3.0
    >>> weights = auc_weights(noise, PositiveFirst(50, 50))
    >>> bool(weights[0] > 3 * weights[1])
    True
    """
    n_positive, n_negative = (
        effective_size(order.weight_of(rows), rows.stop - rows.start) for rows in (order.positive, order.negative)
    )
    chance = (n_positive + n_negative + 1) / (3.0 * n_positive * n_negative)
    slope = _separation(labeled, order) - chance
    hump = _separation(np.abs(labeled - np.median(labeled, axis=0)), order) - 2.0 * chance
    telling = np.sqrt(np.maximum(np.maximum(slope, hump), 0.0)) + 0.5 * np.sqrt(chance)
    weights: FloatArray = telling / np.sqrt(np.mean(np.square(telling)))
    return weights


def _separation(labeled: FloatArray, order: PositiveFirst) -> FloatArray:
    """Return (2·AUC - 1)² of every column."""
    sides = order.positive, order.negative
    areas = auc_of_columns(*(labeled[rows] for rows in sides), *map(order.weight_of, sides))
    return np.square(2.0 * areas - 1.0)


@dataclass(frozen=True)
class ColumnWeighting:
    """How columns are weighted, and whether labels take part in it: then every set of labelled rows has its own."""

    weights: Callable[[FloatArray, PositiveFirst], FloatArray]
    uses_labels: bool


COLUMN_WEIGHTINGS: Mapping[str, ColumnWeighting] = {
    "none": ColumnWeighting(lambda labeled, _: np.ones(labeled.shape[1]), uses_labels=False),
    "auc": ColumnWeighting(auc_weights, uses_labels=True),
}
"""`none`: all columns alike; `auc`: by how well each tells the classes apart alone."""


@dataclass(frozen=True)
class SpaceChoice:
    """How columns are scaled and weighted, the kernel with its width, and the columns, one of `VIEWS`."""

    scaling: str
    column_weighting: str
    kernel: str
    bandwidth: Bandwidth
    columns: str = EVERY

    @property
    def view(self) -> ColumnView:
        """The columns and their scaling."""
        return ColumnView(self.scaling, self.columns)

    @property
    def uses_labels(self) -> bool:
        """Whether labels take part in settling the space, so that other labelled rows have another one."""
        return COLUMN_WEIGHTINGS[self.column_weighting].uses_labels

    @property
    def parameters(self) -> dict[str, Any]:
        """The same in the words of users."""
        names = self.scaling, self.column_weighting, self.kernel, self.bandwidth.value
        return dict(zip(("scaling", "column_weighting", "kernel", "kernel_gamma"), names, strict=True))

    def frequency_seed(self, seed: int) -> int:
        """Return the seed of this space's frequencies: spaces that share a seed have frequencies of their own."""
        return derived_seed(seed, str(self.view), self.column_weighting, self.kernel, str(self.bandwidth))


@dataclass(frozen=True, eq=False)
class PreparedColumns:
    """What a scaling does to columns, and the rows that settle widths as they come out of it."""

    columns: ColumnScaling
    width_rows: FloatArray

    @classmethod
    def of_sample(cls, sample: ColumnSample, scaling: str, view: str = EVERY) -> "PreparedColumns":
        """Learn the scaling of the columns of a view from a sample of all rows."""
        columns = prepare_columns(sample, SCALINGS[scaling], view)
        return cls(columns, columns.apply(width_rows(sample.rows)))


@dataclass(frozen=True, eq=False)
class Space:
    """Rescaled columns, and the frequencies of a kernel on them."""

    columns: ColumnScaling
    stream: FrequencyStream


def make_space(choice: SpaceChoice, prepared: PreparedColumns, weights: FloatArray, seed: int) -> Space:
    """Return the space that a choice asks for.

    Parameters
    ----------
    choice
        What is asked for.
    prepared
        The columns after the choice's scaling.
    weights
        Of these columns, from the choice's weighting.
    seed
        Seed of the fit.
    """
    gamma = choice.bandwidth.resolve(KERNELS[choice.kernel], prepared.width_rows * weights)
    stream = FrequencyStream(choice.kernel, gamma, len(weights), choice.frequency_seed(seed))
    return Space(prepared.columns.weighted(weights), stream)
