"""The stages of FSAUC: when each begins, and how far its iterates may go from where it begins."""

from dataclasses import dataclass
from math import floor, inf, log, log2, sqrt

from s2auc.estimators.baselines.online.projections import held

DELTA = 0.1
"""δ of the publication: its bounds hold with probability 1-δ. A co-author's code has this value."""

_DOUBT = 2.0 * log(12.0 / DELTA)


def n_stages_of(n_rows: int) -> int:
    """Return the number m of stages for n rows: ⌊½·log₂(2n/log₂n)⌋ - 1, but at least one.

    Examples
    --------
    >>> [n_stages_of(n_rows) for n_rows in (1, 255, 256, 100_000)]
    [1, 1, 2, 5]
    """
    return max(1, floor(0.5 * log2(2.0 * n_rows / log2(n_rows))) - 1) if n_rows > 2 else 1


@dataclass(frozen=True)
class StagePlan:
    """When stages begin.

    Where it is known that n rows will come, these are m stages of ⌊n/m⌋ rows, the last of which takes what is left
    over, and whatever comes after. Where it is not, the next stage begins as soon as the publication has one more for
    the number of rows so far: each is then about four times as long as all before it.

    Examples
    --------
    >>> [StagePlan(1000).start(stage) for stage in (1, 2, 3)]
    [0, 500, inf]
    >>> [StagePlan(None).start(stage) for stage in (1, 2, 3, 4)]
    [0, 256, 1329, 6484]
    """

    n_rows: int | None

    def start(self, stage: int) -> float:
        """Return how many rows come before a stage, which counts from one; infinity if there is no such stage."""
        if self.n_rows is not None:
            n_stages = n_stages_of(self.n_rows)
            return (stage - 1) * (self.n_rows // n_stages) if stage <= n_stages else inf
        if stage == 1:
            return 0
        low, high = 2, 4
        while n_stages_of(high) < stage:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if n_stages_of(middle) >= stage else (middle, high)
        return high


@dataclass
class StageBounds:
    """How far iterates of a stage may go from its start, and the step: r, D, β and η of the publication.

    Attributes
    ----------
    radius
        R, the largest norm of the weights.
    step
        η of this stage.
    stage
        Which stage this is, from one.
    n_sure
        min(p, 1-p)·n₀ - √(2·n₀·ln(12/δ)), the rows of the rarer class that the stage before has at least had, but for
        the probability δ; not above zero where it was too short to say.
    spread
        β; infinity where `n_sure` is not above zero.
    """

    radius: float
    step: float
    stage: int = 1
    n_sure: float = inf
    spread: float = inf

    def next(self, share: float, largest_norm: float, n_before: int) -> "StageBounds":
        """Return the bounds of the next stage, after one of so many rows.

        Parameters
        ----------
        share
            p, the share of positive rows so far.
        largest_norm
            κ, the largest norm of a row so far.
        n_before
            n₀, the number of rows of the stage that ends.
        """
        n_sure = min(share, 1.0 - share) * n_before - sqrt(_DOUBT * n_before)
        first = 1.0 + 8.0 * largest_norm**2
        spread = inf
        if n_sure > 0.0:
            doubt = (largest_norm * (1.0 + 2.0 * largest_norm) * (2.0 + sqrt(_DOUBT))) ** 2
            spread = first + 32.0 * doubt * n_before / n_sure
        before = first if self.stage == 1 else self.spread
        is_known = spread < inf and before < inf
        growth = sqrt(spread / before) if is_known else 1.0
        step = held(self.step * growth / 2.0, self.step / 2.0, self.step)
        return StageBounds(self.radius, step, self.stage + 1, n_sure, spread)

    def primal(self, largest_norm: float) -> float:
        """Return r, the largest distance of (w, a, b) from where the stage began."""
        return 2.0 ** (2 - self.stage) * sqrt(1.0 + 2.0 * largest_norm**2) * self.radius

    def dual(self, largest_norm: float) -> float:
        """Return D, the largest distance of α from where the stage began."""
        near = 2.0 * sqrt(2.0) * largest_norm * self.primal(largest_norm)
        if self.stage == 1:
            return near
        if self.n_sure <= 0.0:
            return inf
        doubt = largest_norm * (2.0 + sqrt(_DOUBT)) * (1.0 + 2.0 * largest_norm) * self.radius
        return near + 4.0 * sqrt(2.0) * doubt / sqrt(self.n_sure)
