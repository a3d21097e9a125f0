"""Where a model lives: what happens to columns, and the frequencies of a kernel on them."""

from dataclasses import dataclass

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import PositiveFirst
from s2auc.common.randomness import derived_seed
from s2auc.data.features.scaling import SCALINGS, ColumnSample, ColumnScaling, prepare_columns
from s2auc.kernels.bandwidth import Bandwidth, width_rows
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.solvers.column_weights import COLUMN_WEIGHTINGS


@dataclass(frozen=True)
class SpaceChoice:
    """How columns are scaled and weighted, and the kernel with its width."""

    scaling: str
    column_weighting: str
    kernel: str
    bandwidth: Bandwidth

    @property
    def uses_labels(self) -> bool:
        """Whether labels take part in settling the space, so that other labelled rows have another one."""
        return COLUMN_WEIGHTINGS[self.column_weighting].uses_labels

    def frequency_seed(self, seed: int) -> int:
        """Return the seed of this space's frequencies: spaces that share a seed have frequencies of their own."""
        return derived_seed(seed, self.scaling, self.column_weighting, self.kernel, str(self.bandwidth))


@dataclass(frozen=True, eq=False)
class PreparedColumns:
    """What a scaling does to columns, and the rows that settle widths as they come out of it."""

    columns: ColumnScaling
    width_rows: FloatArray

    @classmethod
    def of_sample(cls, sample: ColumnSample, scaling: str) -> "PreparedColumns":
        """Learn the scaling from a sample of all rows."""
        columns = prepare_columns(sample, SCALINGS[scaling])
        return cls(columns, columns.apply(width_rows(sample.rows)))


@dataclass(frozen=True, eq=False)
class Space:
    """Rescaled columns, and the frequencies of a kernel on them."""

    columns: ColumnScaling
    stream: FrequencyStream
    weights: FloatArray


def learn_weights(weighting: str, labeled: FloatArray, order: PositiveFirst) -> FloatArray:
    """Return the weight of every column, learnt from labelled rows after scaling, positive first."""
    return COLUMN_WEIGHTINGS[weighting].weights(labeled, order)


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
    return Space(prepared.columns.weighted(weights), stream, weights)
