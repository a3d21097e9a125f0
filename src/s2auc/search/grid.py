"""The settings that are tried: spaces, which need cosines of their own, times points, which share them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from s2auc.kernels.bandwidth import Bandwidth
from s2auc.solvers.job import Point, Points
from s2auc.solvers.space import SpaceChoice

MANY_LABELS = 1000
"""From this many labelled rows on there is more to learn: longer runs, less regularisation, narrower kernels."""


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
    >>> grid = Grid(make_spaces(["standard"], ["none"], ["gaussian"], ["median"]), Points((0.1, 1.0), (1.0,), (8, 16)))
    >>> len(grid.settings), grid.parameters_of(grid.settings[0])["kernel_gamma"]
    (4, 'median')
    """

    spaces: tuple[SpaceChoice, ...]
    points: Points

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """All settings, those of a space together."""
        return tuple(Setting(space, point) for space in range(len(self.spaces)) for point in self.points.listed)

    def parameters_of(self, setting: Setting) -> dict[str, Any]:
        """Return a setting in the words of users: parameters of `S2AUCClassifier`."""
        space, point = self.spaces[setting.space], setting.point
        return {
            "scaling": space.scaling,
            "column_weighting": space.column_weighting,
            "kernel": space.kernel,
            "kernel_gamma": space.bandwidth.value,
            "alpha": point.alpha,
            "labeled_weight": point.labeled_weight,
            "max_iter": point.max_iter,
        }


PARAMETERS = ("scaling", "column_weighting", "kernel", "kernel_gamma", "alpha", "labeled_weight", "max_iter")
"""The parameters that settings differ in."""


def make_spaces(
    scalings: Sequence[str],
    column_weightings: Sequence[str],
    kernels: Sequence[str],
    kernel_gammas: Sequence[float | str],
) -> tuple[SpaceChoice, ...]:
    """Return every combination once, in a fixed order."""
    widths = map(Bandwidth.read, kernel_gammas)
    return tuple(
        dict.fromkeys(
            SpaceChoice(scaling, weighting, kernel, width)
            for scaling, weighting, kernel, width in product(scalings, column_weightings, kernels, list(widths))
        )
    )


def distinct(values: Iterable[float]) -> list[float]:
    """Return the values once each, in their order."""
    return list(dict.fromkeys(map(float, values)))


@dataclass(frozen=True)
class UsualValues:
    """What "auto" stands for, by the number of labelled rows."""

    n_labeled: int

    kernels = ("gaussian", "laplacian")
    scalings = ("standard", "rank")
    column_weightings = ("none", "auc")
    labeled_weights = (1.0, 0.5)

    @property
    def alphas(self) -> tuple[float, ...]:
        """Strengths of regularisation."""
        return (1e-5, 1e-4, 1e-3, 1e-2) if self.n_labeled >= MANY_LABELS else (1e-4, 1e-3, 1e-2, 1e-1)

    @property
    def kernel_gammas(self) -> tuple[str, ...]:
        """Widths of kernels."""
        few = "0.1 median", "0.5 median"
        return (*few, "2 median") if self.n_labeled >= MANY_LABELS else few

    @property
    def max_iters(self) -> tuple[int, ...]:
        """Stopping iterations."""
        return (32, 64, 128) if self.n_labeled >= MANY_LABELS else (16, 32, 64)
