"""What a run reports of itself: one line an iteration."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import numpy as np

from s2auc.arrays import BoolArray, FloatArray
from s2auc.metrics import auc_of_groups
from s2auc.solver import Panel

logger = logging.getLogger("s2auc")


class History:
    """Iteration, step, risk of the batch, AUC over the labelled rows and seconds, for every iteration.

    Parameters
    ----------
    is_positive
        Which of the followed rows are positive. The AUC is NaN where one class is absent.
    """

    def __init__(self, is_positive: BoolArray) -> None:
        self._is_positive = is_positive
        self._has_auc = bool(is_positive.any() and not is_positive.all())
        self._started = perf_counter()
        self._lines: list[tuple[int, float, float, float, float]] = []

    def add(self, panel: Panel, first_iteration: int, step_sizes: FloatArray) -> None:
        """Add the iterations of a panel (of a single model)."""
        seconds = perf_counter() - self._started
        for step, scores in enumerate(panel.scores[:, :, 0]):
            area = (
                auc_of_groups(scores[self._is_positive], scores[~self._is_positive]) if self._has_auc else float("nan")
            )
            size = float(step_sizes[panel.first + step, 0])
            iteration = first_iteration + panel.first + step
            self._lines.append((iteration, size, float(panel.risk[step, 0]), area, seconds))
        iteration, size, risk, area, _ = self._lines[-1]
        logger.info(
            "iteration %d: step %.4g, risk %.4f, labelled AUC %.4f, %.1f s", iteration, size, risk, area, seconds
        )

    def as_arrays(self) -> dict[str, FloatArray]:
        """Return one array a column."""
        names = "iteration", "step", "risk", "labeled_auc", "seconds"
        columns = np.array(self._lines, dtype=np.float64).reshape(-1, len(names)).T
        return dict(zip(names, columns, strict=True))


@contextmanager
def shown_progress(verbose: int) -> Iterator[None]:
    """Show what is logged on standard error while the block runs, unless the caller has set up logging already."""
    if not verbose or logger.hasHandlers():
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("s2auc: %(message)s"))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
