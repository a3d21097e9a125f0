"""What a fit would hold at least, by its sizes, so that absurd ones are refused before any work."""

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shown
from typing import Any

from s2auc.common.memory import check_fits
from s2auc.data.training_rows import TrainingRows
from s2auc.ranking.pairs import PAIRINGS
from s2auc.search.grids.grid import Grid
from s2auc.solvers.batches import LABELED_LIMIT
from s2auc.solvers.job import Solver

NUMBER = 8
"""Bytes of a float64, or of a row's number."""

_USUAL: Mapping[str, int] = {"max_iter": 200, "batch_size": 128, "n_frequencies": 500, "max_unlabeled": 2000}
_ADVICE: Mapping[str, str] = {
    "max_iter": "use fewer steps, and partial_fit to go on from there",
    "max_iters": "use fewer steps",
    "batch_size": "use fewer rows a step",
    "n_frequencies": "use fewer",
    "max_unlabeled": "use fewer rows",
}


@dataclass(frozen=True)
class FitSizes:
    """The sizes that a fit was asked for.

    Attributes
    ----------
    max_iter, batch_size, n_frequencies
        As the parameters of `S2AUCClassifier`.
    n_models
        How many models are trained side by side.
    uses_neighbors
        Whether any of them looks at neighbours.
    """

    max_iter: int
    batch_size: int
    n_frequencies: int
    n_models: int = 1
    uses_neighbors: bool = False

    def needed_bytes(self, solver: Solver, rows: TrainingRows) -> int:
        """Return what the fit would hold at the least: drawn rows, features and coefficients.

        Examples
        --------
        >>> import numpy as np
        >>> from s2auc.common.groups import PositiveFirst
        >>> from s2auc.solvers import QSG
        >>> rows = TrainingRows(np.zeros((4, 2)), PositiveFirst(2, 2), None)
        >>> FitSizes(max_iter=1000, batch_size=128, n_frequencies=32).needed_bytes(QSG(), rows)
        512000
        """
        rule = solver.draw_rule(self.max_iter, self.batch_size)
        drawn = 2 if self.uses_neighbors and solver.makes_steps else 0
        drawn += sum(n_rows > rule.batch_size for n_rows in self._drawn_from(rule.pairing, rows))
        # A draw is random bits, a share of one and a row's number, all at the same time.
        numbers = 3 * rule.n_steps * rule.batch_size * drawn
        if solver.makes_steps:
            numbers += 2 * self.max_iter * self.n_frequencies * self.n_models
        else:
            # Two features a frequency and row, in float32 where that will do.
            seen = min(rows.order.n_rows, LABELED_LIMIT) + min(rows.n_unlabeled, rule.batch_size)
            numbers += self.n_frequencies * (seen + rows.n_columns)
        return NUMBER * numbers

    def _drawn_from(self, pairing: str, rows: TrainingRows) -> list[float]:
        """Return the sizes of the groups that steps draw from; a group that is drawn whatever its size is infinite."""
        if PAIRINGS[pairing].meets_all:
            return [rows.n_unlabeled]
        return [float("inf") for n_rows in rows.sizes.values() if n_rows]


def check_sizes(owner: str, sizes: FitSizes, solver: Solver, rows: TrainingRows, *, is_search: bool = False) -> None:
    """Raise a MemoryError that names the parameter to change, if a fit would need more memory than there is.

    Parameters
    ----------
    owner
        The estimator's name.
    sizes, solver, rows
        What was asked for, by whom it is done, and the rows of the fit.
    is_search
        Whether the estimator is a search, whose parameter of steps is a list.
    """
    asked = {"n_frequencies": sizes.n_frequencies}
    if solver.makes_steps:
        asked |= {"max_iter": sizes.max_iter, "batch_size": sizes.batch_size}
    elif "max_unlabeled" in solver.get_params():
        asked["max_unlabeled"] = min(int(solver.get_params()["max_unlabeled"]), rows.n_unlabeled)
    # The one that is furthest from what is usual is the one to change.
    name = max(asked, key=lambda name: asked[name] / _USUAL[name])
    parameter = "max_iters" if name == "max_iter" and is_search else name
    whose = type(solver).__name__ if name == "max_unlabeled" else owner
    check_fits(
        sizes.needed_bytes(solver, rows),
        f"The {parameter!r} parameter of {whose}, {shown(asked[name])},",
        _ADVICE[parameter],
    )


def check_search_sizes(search: Any, solver: Solver, rows: TrainingRows, grid: Grid) -> None:
    """Raise a MemoryError if an `S2AUCClassifierCV` would need more memory than there is."""
    points = grid.points
    sizes = FitSizes(
        max_iter=max((stop for each in points for stop in each.max_iters), default=1),
        batch_size=int(search.batch_size),
        n_frequencies=int(search.n_frequencies or solver.search_frequencies),
        n_models=max((len(each.mixes) for each in points), default=1),
        uses_neighbors=any(each.uses_neighbors for each in points),
    )
    check_sizes(type(search).__name__, sizes, solver, rows, is_search=True)
