"""From held-out AUCs to the settings that make the model, and how much each counts."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.search.grid import Grid, Setting

SETTINGS_OF_A_SPACE = 2
"""At most this many settings of one space take part in an average: others of the grid bring more."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Settings with their held-out AUCs.

    Attributes
    ----------
    settings
        The settings, in the order of the grid.
    grid
        Where they come from.
    fold_auc
        AUC of each setting on each fold, (settings, folds).
    frequencies_of
        Gives how many frequencies a model of a setting has.
    """

    settings: Sequence[Setting]
    grid: Grid
    fold_auc: FloatArray
    frequencies_of: Callable[[Setting], int]

    @property
    def mean(self) -> FloatArray:
        """Mean AUC of each setting over the folds."""
        mean: FloatArray = self.fold_auc.mean(axis=1)
        return mean

    def in_order(self) -> IndexArray:
        """Return the settings from the best to the worst, ties in the order of the grid."""
        # Rounded, so that ties are ties whatever the last bits are.
        return np.argsort(-np.round(self.mean, 12), kind="stable")


def choose_best(candidates: Candidates, n_settings: int, max_frequencies: int) -> list[int]:  # noqa: ARG001
    """Return the setting with the highest mean AUC."""
    return [int(candidates.in_order()[0])]


def choose_within_one_error(candidates: Candidates, n_settings: int, max_frequencies: int) -> list[int]:  # noqa: ARG001
    """Return the simplest setting whose mean AUC is within one standard error of the highest.

    Simpler is: fewer steps, then more regularisation, then a wider kernel, then unlabelled rows left out.
    """
    best = int(candidates.in_order()[0])
    folds = candidates.fold_auc[best]
    error = float(np.std(folds, ddof=1) / np.sqrt(len(folds))) if len(folds) > 1 else 0.0
    near = np.flatnonzero(candidates.mean >= candidates.mean[best] - error)

    def complexity(place: int) -> tuple[float, ...]:
        setting = candidates.settings[place]
        space, point = candidates.grid.spaces[setting.space], setting.point
        return point.n_iter, -point.alpha, space.relative_gamma, -point.labeled_weight, -candidates.mean[place]

    return [min(map(int, near), key=complexity)]


def choose_average(candidates: Candidates, n_settings: int, max_frequencies: int) -> list[int]:
    """Return the best settings, few of any one space, as far as the frequencies go."""
    chosen: list[int] = []
    count: Counter[int] = Counter()
    used: dict[int, int] = {}
    for place in map(int, candidates.in_order()):
        setting = candidates.settings[place]
        if count[setting.space] >= SETTINGS_OF_A_SPACE:
            continue
        # Settings of one space share their frequencies.
        wanted = used | {setting.space: max(used.get(setting.space, 0), candidates.frequencies_of(setting))}
        if chosen and sum(wanted.values()) > max_frequencies:
            continue
        chosen.append(place)
        count[setting.space] += 1
        used = wanted
        if len(chosen) == n_settings:
            break
    return chosen


SELECTIONS: Mapping[str, Callable[[Candidates, int, int], list[int]]] = {
    "average": choose_average,
    "best": choose_best,
    "one-standard-error": choose_within_one_error,
}
"""How held-out AUCs become a model: an average of the best settings, the best one, or the simplest near the best."""
