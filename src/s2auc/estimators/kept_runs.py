"""Runs of steps in a checkpoint: kept every few seconds, so that a run that was killed goes on where it stood."""

from collections.abc import Callable, Mapping
from time import monotonic

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.solvers.qsg.panels import Followed
from s2auc.solvers.qsg.qsg import RunState

QUIET_SECONDS = 5.0
"""A run is kept at most so often."""


class KeptRun:
    """A run of steps in a checkpoint: where it stands, and how it went so far.

    Parameters
    ----------
    checkpoint
        Where it is kept; None for nowhere.
    """

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self._checkpoint = checkpoint
        self._last = monotonic()

    def load(self) -> tuple[RunState, Followed, dict[str, FloatArray]] | None:
        """Return the state, the scores of followed rows and the history of a run that was killed, if there was one."""
        found = None if self._checkpoint is None else self._checkpoint.load("run")
        if found is None:
            return None
        words, arrays = found
        parts: dict[str, dict[str, AnyArray]] = {"state": {}, "followed": {}, "history": {}}
        for name, array in arrays.items():
            part, _, field = name.partition(".")
            parts[part][field] = array
        return RunState.from_arrays(parts["state"]), Followed(words["n_done"], **parts["followed"]), parts["history"]

    def save(self, state: RunState, followed: Followed, history: Callable[[], Mapping[str, FloatArray]]) -> None:
        """Keep where a run stands, unless that was done a moment ago."""
        if self._checkpoint is None or monotonic() - self._last < QUIET_SECONDS:
            return
        arrays = {f"state.{name}": array for name, array in state.as_arrays().items()}
        arrays |= {"followed.iterate": followed.iterate, "followed.average": followed.average}
        arrays |= {f"history.{name}": array for name, array in history().items()}
        self._checkpoint.save("run", {"n_done": followed.n_done}, arrays)
        self._last = monotonic()


def run_bytes(max_iter: int, n_frequencies: int, n_followed: int) -> int:
    """Return the size of a run of steps in a checkpoint, at most: two of them, while one takes the other's place."""
    numbers = 3 * max_iter * n_frequencies + 7 * max_iter + 2 * n_followed
    return 2 * 8 * numbers
