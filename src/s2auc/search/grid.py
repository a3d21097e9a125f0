"""The settings that are tried: spaces, which need cosines of their own, times points, which share them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

AUTO_SCALINGS = ("standard", "rank")
AUTO_LABELED_WEIGHTS = (1.0, 0.5)
MANY_LABELS = 1000
"""From this many labelled rows on there is more to learn: longer runs, less regularisation, narrower kernels."""


@dataclass(frozen=True)
class SpaceChoice:
    """How columns are scaled and weighted, and the kernel with its width relative to the median rule."""

    scaling: str
    column_weights: str
    kernel: str
    relative_gamma: float


@dataclass(frozen=True)
class Point:
    """Settings that models with the same cosines can differ in."""

    alpha: float
    labeled_weight: float
    n_iter: int


@dataclass(frozen=True)
class Setting:
    """One setting of the grid: its space, by number, and its point."""

    space: int
    point: Point


@dataclass(frozen=True)
class Grid:
    """Everything that is tried.

    Examples
    --------
    >>> grid = Grid((SpaceChoice("standard", "none", "gaussian", 1.0),), (0.1, 1.0), (1.0,), (8, 16))
    >>> len(grid.settings), grid.max_iter
    (4, 16)
    """

    spaces: tuple[SpaceChoice, ...]
    alphas: tuple[float, ...]
    labeled_weights: tuple[float, ...]
    iterations: tuple[int, ...]

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points of every space."""
        return tuple(
            Point(alpha, weight, n_iter)
            for n_iter, alpha, weight in product(self.iterations, self.alphas, self.labeled_weights)
        )

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """All settings, those of a space together."""
        return tuple(Setting(space, point) for space in range(len(self.spaces)) for point in self.points)

    @property
    def max_iter(self) -> int:
        """The longest run."""
        return max(self.iterations)


def make_spaces(
    scalings: Sequence[str], column_weights: Sequence[str], kernels: Sequence[str], gammas: Sequence[float]
) -> tuple[SpaceChoice, ...]:
    """Return every combination, in a fixed order."""

    def choices() -> Iterator[SpaceChoice]:
        for scaling, weights, kernel, gamma in product(scalings, column_weights, kernels, gammas):
            yield SpaceChoice(scaling, weights, kernel, float(gamma))

    return tuple(choices())


def auto_alphas(n_labeled: int) -> tuple[float, ...]:
    """Return the alphas that suit a number of labelled rows."""
    return (1e-5, 1e-4, 1e-3, 1e-2) if n_labeled >= MANY_LABELS else (1e-4, 1e-3, 1e-2, 1e-1)


def auto_gammas(n_labeled: int) -> tuple[float, ...]:
    """Return the widths, relative to the median rule, that suit a number of labelled rows."""
    return (0.1, 0.5, 2.0) if n_labeled >= MANY_LABELS else (0.1, 0.5)


def auto_iterations(n_labeled: int) -> tuple[int, ...]:
    """Return the stopping iterations that suit a number of labelled rows."""
    return (32, 64, 128) if n_labeled >= MANY_LABELS else (16, 32, 64)
