"""Where a model lives: what happens to columns, and the frequencies of a kernel on them."""

from dataclasses import dataclass

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import PositiveFirst
from s2auc.common.randomness import derived_seed
from s2auc.data.column_scaling import SCALINGS, ColumnSample, ColumnScaling, prepare_columns
from s2auc.kernels.bandwidth import WIDTH_ROWS, Bandwidth
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
        return cls(columns, columns.apply(sample.rows[:: -(-len(sample.rows) // WIDTH_ROWS)]))


@dataclass(frozen=True, eq=False)
class Space:
    """Rescaled columns, and the frequencies of a kernel on them."""

    columns: ColumnScaling
    stream: FrequencyStream
    weights: FloatArray


def make_space(
    choice: SpaceChoice, prepared: PreparedColumns, labeled: FloatArray, order: PositiveFirst, seed: int
) -> Space:
    """Return the space that a choice asks for.

    Parameters
    ----------
    choice
        What is asked for.
    prepared
        The columns after the choice's scaling.
    labeled, order
        Labelled rows after that scaling, positive first: column weights are learnt from them.
    seed
        Seed of the fit.
    """
    weighting = COLUMN_WEIGHTINGS[choice.column_weighting]
    weights = weighting.weights(labeled[order.positive], labeled[order.negative])
    gamma = choice.bandwidth.resolve(KERNELS[choice.kernel], prepared.width_rows * weights)
    stream = FrequencyStream(choice.kernel, gamma, len(weights), choice.frequency_seed(seed))
    return Space(prepared.columns.weighted(weights), stream, weights)
