"""Steps of a plan: checks of memory, components of very many columns, and the unlabelled rows to announce."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.memory import check_fits
from s2auc.data.features.projection import MANY_COLUMNS, choose_n_components, learn_projection
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.ranking.pairs import PAIRINGS
from s2auc.solvers.batches import LABELED_LIMIT
from s2auc.solvers.job import Points, SingleSolver
from s2auc.solvers.work_rows import draw_work_rows

_USUAL: Mapping[str, int] = {"max_iter": 200, "batch_size": 128, "n_frequencies": 500, "max_unlabeled": 2000}
_ADVICE: Mapping[str, str] = {
    "max_iter": "use fewer steps, and partial_fit to go on from there",
    "max_iters": "use fewer steps",
    "batch_size": "use fewer rows a step",
    "n_frequencies": "use fewer",
    "max_unlabeled": "use fewer rows",
}


def check_memory(
    ranker: Any, solver: SingleSolver, rows: TrainingRows, points: Sequence[Points], n_frequencies: int
) -> None:
    """Raise a MemoryError that names the parameter to change, if a fit would need more memory than there is.

    Parameters
    ----------
    ranker
        The estimator.
    solver, rows
        Who does it, and the rows of the fit.
    points
        The settings that are trained: each of these side by side, all of them one after the other.
    n_frequencies
        Frequencies of each model, a step or in all.
    """
    max_iter = max((stop for each in points for stop in each.max_iters), default=1)
    asked, keeps_rows = {"n_frequencies": n_frequencies}, "max_centers" in solver.get_params()
    if solver.makes_steps:
        asked |= {"max_iter": max_iter, "batch_size": int(ranker.batch_size)}
    elif keeps_rows:
        asked = {"max_iter": max_iter, "batch_size": int(ranker.batch_size)}
    elif "max_unlabeled" in solver.get_params():
        asked["max_unlabeled"] = min(int(solver.get_params()["max_unlabeled"]), rows.n_unlabeled)
    # The one that is furthest from what is usual is the one to change.
    name = max(asked, key=lambda name: asked[name] / _USUAL[name])
    parameter = "max_iters" if name == "max_iter" and not hasattr(ranker, name) else name
    whose = type(solver if name == "max_unlabeled" else ranker).__name__
    rule = solver.draw_rule(max_iter, int(ranker.batch_size))
    drawn = 2 if any(each.uses_neighbors for each in points) and (solver.makes_steps or keeps_rows) else 0
    if PAIRINGS[rule.pairing].meets_all:
        drawn += rows.n_unlabeled > rule.batch_size
    else:
        drawn += sum(n_rows > 0 for n_rows in rows.sizes.values())
    # A draw is random bits, a share of one and a row's number, all at the same time.
    numbers = 3 * rule.n_steps * rule.batch_size * drawn
    if solver.makes_steps:
        numbers += 2 * max_iter * n_frequencies * max((len(each.mixes) for each in points), default=1)
    elif keeps_rows:
        numbers += min(rule.draws_from(rows.n_unlabeled), rule.n_steps * rule.batch_size) * rows.n_columns
    else:
        # Two features a frequency and row, in float32 where that will do.
        seen = min(rows.order.n_rows, LABELED_LIMIT) + min(rows.n_unlabeled, rule.batch_size)
        numbers += n_frequencies * (seen + rows.n_columns)
    check_fits(8 * numbers, f"The {parameter!r} parameter of {whose}, {shown(asked[name])},", _ADVICE[parameter])


PROJECTION_ROWS = 10_000
"""Unlabelled rows that, with the labelled ones, settle the components."""


def project(data: FitData, asked: int | str | None, owner: str) -> FitData:
    """Return the data of a fit with its projection, which is learnt if rows are sparse and have very many columns.

    Rows are read only if there is one to learn.

    Parameters
    ----------
    data
        The rows of the fit.
    asked
        The parameter `sparse_components`.
    owner
        The name of the classifier.

    Raises
    ------
    ValueError
        If what is asked for cannot be had.
    MemoryError
        If the components do not fit in memory.
    """
    # Few columns are never projected unless asked for, and on other machines it takes a task to see if rows are sparse.
    if data.schema.n_columns <= MANY_COLUMNS and isinstance(asked, str | None):
        return data
    no_rows = data.source.gather(np.zeros(0, dtype=np.intp))
    wanted = choose_n_components(asked, no_rows, data.schema)
    if wanted is None:
        return data
    sample = data.rows.sparse_sample(data.seed, PROJECTION_ROWS)
    check_fits(
        # Both sides of the decomposition, and what power iterations make of them.
        2 * 8 * min(wanted, *sample.shape) * sum(sample.shape),
        f"The 'sparse_components' parameter of {owner}, {shown(asked)},",
        "use fewer, such as 100",
    )
    return replace(data, projection=learn_projection(sample, wanted, data.seed))


def drawing_of(points: Sequence[Points], solver: SingleSolver, batch_size: int, seed: int) -> dict[str, Any]:
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
