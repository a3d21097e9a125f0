"""From held-out AUCs to the settings that make the model, and how much each counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.parameters import Choice, Instance, Number, Rule, check_parameters
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.search.grids.grid import ALL_COLUMNS, INDEPENDENT_COLUMNS, KERNEL_FUNCTIONS, LINEAR, MEMBERS, TREES, Setting

SETTINGS_OF_AN_ENTRY = 2
"""At most this many settings of one entry take part in an average: others of the grid bring more."""

SHARPNESS, FEW_LABELS, MIN_SHARPNESS = 0.03, 200, 0.005
"""Families are weighed by exp(mean AUC / sharpness): one that is this much better counts 2.7 times as much. With more
labels than `FEW_LABELS` held-out AUCs are known better: the sharpness falls with the root of their number, to the last
of these at most."""

PRIOR_WEIGHTS: Mapping[str, float] = {TREES: 1.5, LINEAR: 0.5, ALL_COLUMNS: 2.0, INDEPENDENT_COLUMNS: 20.0}
"""What families count before the evidence; 1 where nothing is said. With three scalings of equal merit, forests have
about a third of the say; where others see components, the function of all columns has a third, or nearly
all of it where columns are independent."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Settings with their held-out AUCs.

    Attributes
    ----------
    settings
        The settings, in the order of the grid.
    entries
        The number of each one's entry.
    fold_auc
        AUC of each setting on each fold, (settings, folds).
    n_labeled
        How many rows are labelled.
    """

    settings: Sequence[Setting]
    entries: Sequence[int]
    fold_auc: FloatArray
    n_labeled: int = FEW_LABELS

    @property
    def sharpness(self) -> float:
        """By how much a family must be better to count 2.7 times as much."""
        return max(MIN_SHARPNESS, SHARPNESS * min(1.0, float(np.sqrt(FEW_LABELS / self.n_labeled))))

    @property
    def mean(self) -> FloatArray:
        """Mean AUC of each setting over the folds."""
        mean: FloatArray = self.fold_auc.mean(axis=1)
        return mean

    def in_order(self) -> IndexArray:
        """Return the settings from the best to the worst, ties in the order of the grid."""
        # Rounded, so that ties are ties whatever the last bits are.
        return np.argsort(-np.round(self.mean, 12), kind="stable")


class Best(BaseEstimator):  # type: ignore[misc]
    """The setting with the highest mean AUC."""

    name: ClassVar[str] = "best"
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {}
    members: ClassVar[tuple[str, ...]] = (KERNEL_FUNCTIONS,)

    def choose(self, candidates: Candidates) -> dict[int, float]:
        """Return the best setting."""
        return {int(candidates.in_order()[0]): 1.0}


class WithinOneError(Best):
    """The simplest setting whose mean AUC is within one standard error of the highest.

    Simpler is: fewer steps, then more regularisation, then a wider kernel, then unlabelled rows left out.
    """

    name: ClassVar[str] = "one-standard-error"

    def choose(self, candidates: Candidates) -> dict[int, float]:
        """Return the simplest setting near the best."""
        best = int(candidates.in_order()[0])
        folds = candidates.fold_auc[best]
        error = float(np.std(folds, ddof=1) / np.sqrt(len(folds))) if len(folds) > 1 else 0.0
        near = np.flatnonzero(candidates.mean >= candidates.mean[best] - error)

        def complexity(place: int) -> tuple[float, ...]:
            words = candidates.settings[place].parameters
            width = Bandwidth.read(words["kernel_gamma"]).factor
            unlabeled = words["neighbor_weight"], -words["labeled_weight"]
            return words["max_iter"], -words["alpha"], width, *unlabeled, -candidates.mean[place]

        return {min(map(int, near), key=complexity): 1.0}


@describes_parameters_like()
class Average(BaseEstimator):  # type: ignore[misc]
    """The best settings of every family, averaged, and the averages weighed: options of `selection="average"`.

    Families are the scalings of columns (for kernels), linear functions and forests. They are weighed by how well their
    settings did on held-out rows, so that none has a say where it is clearly worse.

    Parameters
    ----------
    n
        How many settings of a family take part.
    max_frequencies
        How many frequencies they may have in all families together; a family none of whose settings fits is left out.

    Examples
    --------
    >>> Average(n=4)
    Average(n=4)
    """

    name: ClassVar[str] = "average"
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {
        "n": (Number(1, integer=True),),
        "max_frequencies": (Number(1, integer=True),),
    }
    members: ClassVar[tuple[str, ...]] = MEMBERS

    def __init__(self, n: int = 8, max_frequencies: int = 2**15) -> None:
        self.n = n
        self.max_frequencies = max_frequencies

    def choose(self, candidates: Candidates) -> dict[int, float]:
        """Return the best settings of every family, each with its part of the family's weight."""
        chosen = self._best_of_families(candidates)
        merit = np.array([candidates.mean[places].mean() for places in chosen.values()])
        weights = np.exp((merit - merit.max()) / candidates.sharpness) * [
            PRIOR_WEIGHTS.get(family.partition(",")[0], 1.0) for family in chosen
        ]
        weights /= weights.sum()
        return {
            place: float(weight) / len(places)
            for places, weight in zip(chosen.values(), weights, strict=True)
            for place in places
        }

    def _best_of_families(self, candidates: Candidates) -> dict[str, list[int]]:
        """Return the best settings of every family, from that of the best setting on, as far as frequencies go."""
        by_family: dict[str, list[int]] = {}
        for place in map(int, candidates.in_order()):
            by_family.setdefault(candidates.settings[place].family, []).append(place)
        waiting = {setting.family for setting in candidates.settings if setting.n_frequencies}
        left, chosen = int(self.max_frequencies), {}
        for family, places in by_family.items():
            # What is left is for this family and those that wait, but one setting may take all of it.
            found, used = self._best_of(places, candidates, most=left, fair=left // max(len(waiting), 1))
            if found:
                chosen[family] = found
            left -= used
            waiting.discard(family)
        # Where nothing fits, the best setting has to be had at its price.
        return chosen or {family: places[:1] for family, places in list(by_family.items())[:1]}

    def _best_of(self, places: list[int], candidates: Candidates, most: int, fair: int) -> tuple[list[int], int]:
        """Return the best of a family's settings, few of any one entry, and how many frequencies they have.

        Parameters
        ----------
        places, candidates
            The settings, from the best to the worst.
        most, fair
            How many frequencies a single setting may have, and how many several.
        """
        chosen: list[int] = []
        count: Counter[int] = Counter()
        used: dict[int, int] = {}
        for place in places:
            setting, entry = candidates.settings[place], candidates.entries[place]
            # Settings of one entry share their frequencies.
            wanted = used | {entry: max(used.get(entry, 0), setting.n_frequencies)}
            allowed = max(fair, sum(used.values())) if chosen else most
            if count[entry] >= SETTINGS_OF_AN_ENTRY or sum(wanted.values()) > allowed:
                continue
            chosen.append(place)
            count[entry] += 1
            used = wanted
            if len(chosen) == self.n:
                break
        return chosen, sum(used.values())


Selection: TypeAlias = Average | Best
"""How held-out AUCs become a model: an entry of `SELECTIONS`, with the options that only it has."""

SELECTIONS: Mapping[str, type[Selection]] = {selection.name: selection for selection in (Average, Best, WithinOneError)}
"""How held-out AUCs become a model: an average of the best settings, the best one, or the simplest near the best."""


SELECTION_RULES: tuple[Rule, ...] = (Choice(SELECTIONS), Instance((Average,)))
"""What a parameter that chooses a selection may be: its name, or an `Average` with its options."""


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
