"""From held-out AUCs to the settings that make the model, and how much each counts."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from sklearn.base import BaseEstimator

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.parameters import Number, Rule, check_parameters
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


class Selection(Protocol):
    """How held-out AUCs become a model: an entry of `SELECTIONS`, with the options that only it has."""

    name: ClassVar[str]
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options."""

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the chosen settings, by their places among the candidates."""

    def most(self, n_frequencies: int) -> int:
        """Return how many settings of so many frequencies each a model may have."""


class Best(BaseEstimator):  # type: ignore[misc]
    """The setting with the highest mean AUC."""

    name: ClassVar[str] = "best"
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {}

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the best setting."""
        return [int(candidates.in_order()[0])]

    def most(self, n_frequencies: int) -> int:  # noqa: ARG002 one signature for all
        """Return that a model has one setting."""
        return 1


class WithinOneError(Best):
    """The simplest setting whose mean AUC is within one standard error of the highest.

    Simpler is: fewer steps, then more regularisation, then a wider kernel, then unlabelled rows left out.
    """

    name: ClassVar[str] = "one-standard-error"

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the simplest setting near the best."""
        best = int(candidates.in_order()[0])
        folds = candidates.fold_auc[best]
        error = float(np.std(folds, ddof=1) / np.sqrt(len(folds))) if len(folds) > 1 else 0.0
        near = np.flatnonzero(candidates.mean >= candidates.mean[best] - error)

        def complexity(place: int) -> tuple[float, ...]:
            setting = candidates.settings[place]
            width, point = candidates.grid.spaces[setting.space].bandwidth, setting.point
            return point.max_iter, -point.alpha, width.factor, -point.labeled_weight, -candidates.mean[place]

        return [min(map(int, near), key=complexity)]


class Average(BaseEstimator):  # type: ignore[misc]
    """The best settings, few of any one space, averaged: options of `selection="average"`.

    Parameters
    ----------
    n
        How many settings take part.
    max_frequencies
        How many frequencies they may have in all.

    Examples
    --------
    >>> Average(n=8)
    Average(n=8)
    """

    name: ClassVar[str] = "average"
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {
        "n": (Number(1, integer=True),),
        "max_frequencies": (Number(1, integer=True),),
    }

    def __init__(self, n: int = 16, max_frequencies: int = 2**15) -> None:
        self.n = n
        self.max_frequencies = max_frequencies

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the best settings, as far as the frequencies go."""
        chosen: list[int] = []
        count: Counter[int] = Counter()
        used: dict[int, int] = {}
        for place in map(int, candidates.in_order()):
            setting = candidates.settings[place]
            if count[setting.space] >= SETTINGS_OF_A_SPACE:
                continue
            # Settings of one space share their frequencies.
            wanted = used | {setting.space: max(used.get(setting.space, 0), candidates.frequencies_of(setting))}
            if chosen and sum(wanted.values()) > self.max_frequencies:
                continue
            chosen.append(place)
            count[setting.space] += 1
            used = wanted
            if len(chosen) == self.n:
                break
        return chosen

    def most(self, n_frequencies: int) -> int:
        """Return how many settings of so many frequencies each fit in."""
        return max(1, min(int(self.n), int(self.max_frequencies) // n_frequencies))


SELECTIONS: Mapping[str, type[Average] | type[Best]] = {
    selection.name: selection for selection in (Average, Best, WithinOneError)
}
"""How held-out AUCs become a model: an average of the best settings, the best one, or the simplest near the best."""


@dataclass(frozen=True)
class SelectionRule:
    """The rule for parameters that choose a selection: its name, or an `Average` with its options."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value chooses a selection."""
        return value in SELECTIONS if isinstance(value, str) else isinstance(value, Average)

    def __str__(self) -> str:
        return f"a str among {{{', '.join(map(repr, SELECTIONS))}}} or an object Average(...)"


def read_selection(value: str | Average, n_frequencies: int) -> Selection:
    """Return the selection that a parameter chooses, once its options are known to be sound."""
    selection: Selection = SELECTIONS[value]() if isinstance(value, str) else value
    options = selection.get_params(deep=False)
    check_parameters(type(selection).__name__, options, selection.rules)
    if options.get("max_frequencies", n_frequencies) < n_frequencies:
        raise ValueError(
            f"The 'max_frequencies' parameter of {type(selection).__name__} must be at least n_frequencies, "
            f"{n_frequencies}. Got {options['max_frequencies']} instead; use more, or fewer n_frequencies."
        )
    return selection
