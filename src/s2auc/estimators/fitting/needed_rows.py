"""The unlabelled rows that a fit will look at: drawn before any is read, and announced to their source."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.data.training_rows import TrainingRows
from s2auc.solvers.job import Points, Solver
from s2auc.solvers.work_rows import draw_work_rows


def drawing_of(points: Sequence[Points], solver: Solver, batch_size: int, seed: int) -> dict[str, Any]:
    """Return which rows some settings want to be drawn, as arguments of `draw_work_rows` and `collect_rows`."""
    return {
        "rule": solver.draw_rule(max((stop for each in points for stop in each.max_iters), default=1), batch_size),
        "seed": seed,
        "uses_pool": any(each.uses_pool for each in points),
        "uses_neighbors": any(each.uses_neighbors for each in points),
    }


def announce_needed_rows(
    rows: TrainingRows, drawing: Mapping[str, Any], *, is_kept: bool, n_more: int = 0
) -> IndexArray:
    """Announce the unlabelled rows of a fit, and return their numbers; none where nobody has to know them before.

    Parameters
    ----------
    rows
        The rows of the fit.
    drawing
        Which rows the settings want to be drawn.
    is_kept
        Whether they will be kept in a checkpoint.
    n_more
        How many other unlabelled rows will be looked at.
    """
    if not (rows.is_read_whole or is_kept):
        return np.zeros(0, dtype=np.intp)
    seed = drawing["seed"]
    drawn = draw_work_rows(rows, **drawing).unlabeled
    needed_rows = np.unique(np.concatenate([rows.sample_numbers(seed), drawn, rows.unlabeled_numbers(n_more, seed)]))
    rows.announce(needed_rows)
    return needed_rows
