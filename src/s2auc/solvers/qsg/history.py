"""What a run reports of itself: one line an iteration."""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.progress import Progress, tell_progress
from s2auc.ranking.metrics import auc_of_columns, auc_of_groups
from s2auc.solvers.qsg.panels import Panel

logger = logging.getLogger("s2auc")


class History:
    """Iteration, step, risk of the batch, AUC over the labelled rows and seconds, for every iteration.

    Parameters
    ----------
    is_positive
        Which of the followed rows, from the first, are positive; there may be more, which are not labelled. The AUC is
        NaN where one class is absent.
    weight
        How much each of these counts in it; None where all count alike.
    earlier
        The history that this one goes on from, if any.
    n_steps
        How many iterations will be made, to tell how long they will take.
    is_shown
        Whether to log progress for users, or for debugging only.
    """

    def __init__(
        self,
        is_positive: BoolArray,
        earlier: Mapping[str, FloatArray] | None = None,
        *,
        weight: FloatArray | None = None,
        n_steps: int = 0,
        is_shown: bool = False,
    ) -> None:
        self._is_positive = is_positive
        sides = is_positive, ~is_positive
        self._weights = [None if weight is None else weight[side] for side in sides]
        self._has_auc = bool(is_positive.any() and not is_positive.all())
        self._earlier = earlier
        self._log_level = logging.INFO if is_shown else logging.DEBUG
        self._n_steps, self._begun = n_steps, perf_counter()
        self._started = self._begun - (earlier["seconds"][-1] if earlier else 0.0)
        self._lines: list[tuple[int, float, float, float, float]] = []

    def add(self, panel: Panel, first_iteration: int) -> None:
        """Add the iterations of a panel (of a single model)."""
        seconds = perf_counter() - self._started
        for step, area in enumerate(self._areas(panel.scores[:, : len(self._is_positive), 0])):
            size = float(panel.step_sizes[step, 0])
            iteration = first_iteration + panel.first + step
            self._lines.append((iteration, size, float(panel.risk[step, 0]), area, seconds))
        iteration, size, risk, area, _ = self._lines[-1]
        line = "iteration %d: step %.4g, risk %.4f, labelled AUC %.4f, %.1f s"
        logger.log(self._log_level, line, iteration, size, risk, area, seconds)
        n_done, auc = panel.followed.n_done, area if self._has_auc else None
        left = (perf_counter() - self._begun) / len(self._lines) * max(0, self._n_steps - n_done)
        tell_progress(Progress("steps", f"risk {risk:.4f}", n_done, max(n_done, self._n_steps), auc, left))

    def _areas(self, scores: FloatArray) -> list[float]:
        """Return the AUC of labelled rows after every step, given their scores, (steps, rows)."""
        if not self._has_auc:
            return [float("nan")] * len(scores)
        high, low = scores[:, self._is_positive].T, scores[:, ~self._is_positive].T
        if not any(weight is not None and np.any(weight == 0.0) for weight in self._weights):
            return [float(area) for area in auc_of_columns(high, low, *self._weights)]
        return [auc_of_groups(*both, *self._weights) for both in zip(high.T, low.T, strict=True)]

    def as_arrays(self) -> dict[str, FloatArray]:
        """Return one array a column."""
        names = "iteration", "step", "risk", "labeled_auc", "seconds"
        columns = np.array(self._lines, dtype=np.float64).reshape(-1, len(names)).T
        arrays = dict(zip(names, columns, strict=True))
        if self._earlier:
            return {name: np.concatenate([self._earlier[name], column]) for name, column in arrays.items()}
        return arrays


@contextmanager
def shown_progress(verbose: int) -> Iterator[None]:
    """Let progress through while the block runs: to the handlers that are set up, else to standard error."""
    if not verbose:
        yield
        return
    handler = None if logger.hasHandlers() else logging.StreamHandler(sys.stderr)
    level = logger.level
    if handler is not None:
        handler.setFormatter(logging.Formatter("s2auc: %(message)s"))
        logger.addHandler(handler)
    # Asking for progress outweighs the root logger's level (WARNING by default), not one set for this logger.
    if level == logging.NOTSET:
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        if handler is not None:
            logger.removeHandler(handler)
        logger.setLevel(level)
