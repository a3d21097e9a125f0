"""What a fit would hold at least, by its sizes, so that absurd ones are refused before any work."""

from collections.abc import Mapping, Sequence
from reprlib import repr as shown
from typing import Any

from s2auc.common.memory import check_fits
from s2auc.data.training_rows import TrainingRows
from s2auc.ranking.pairs import PAIRINGS
from s2auc.solvers.batches import LABELED_LIMIT
from s2auc.solvers.job import Points, Solver

_USUAL: Mapping[str, int] = {"max_iter": 200, "batch_size": 128, "n_frequencies": 500, "max_unlabeled": 2000}
_ADVICE: Mapping[str, str] = {
    "max_iter": "use fewer steps, and partial_fit to go on from there",
    "max_iters": "use fewer steps",
    "batch_size": "use fewer rows a step",
    "n_frequencies": "use fewer",
    "max_unlabeled": "use fewer rows",
}


def check_memory(ranker: Any, solver: Solver, rows: TrainingRows, points: Sequence[Points], n_frequencies: int) -> None:
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
    asked = {"n_frequencies": n_frequencies}
    if solver.makes_steps:
        asked |= {"max_iter": max_iter, "batch_size": int(ranker.batch_size)}
    elif "max_unlabeled" in solver.get_params():
        asked["max_unlabeled"] = min(int(solver.get_params()["max_unlabeled"]), rows.n_unlabeled)
    # The one that is furthest from what is usual is the one to change.
    name = max(asked, key=lambda name: asked[name] / _USUAL[name])
    parameter = "max_iters" if name == "max_iter" and not hasattr(ranker, name) else name
    whose = type(solver if name == "max_unlabeled" else ranker).__name__
    rule = solver.draw_rule(max_iter, int(ranker.batch_size))
    drawn = 2 if any(each.uses_neighbors for each in points) and solver.makes_steps else 0
    if PAIRINGS[rule.pairing].meets_all:
        drawn += rows.n_unlabeled > rule.batch_size
    else:
        drawn += sum(n_rows > 0 for n_rows in rows.sizes.values())
    # A draw is random bits, a share of one and a row's number, all at the same time.
    numbers = 3 * rule.n_steps * rule.batch_size * drawn
    if solver.makes_steps:
        numbers += 2 * max_iter * n_frequencies * max((len(each.mixes) for each in points), default=1)
    else:
        # Two features a frequency and row, in float32 where that will do.
        seen = min(rows.order.n_rows, LABELED_LIMIT) + min(rows.n_unlabeled, rule.batch_size)
        numbers += n_frequencies * (seen + rows.n_columns)
    check_fits(8 * numbers, f"The {parameter!r} parameter of {whose}, {shown(asked[name])},", _ADVICE[parameter])
