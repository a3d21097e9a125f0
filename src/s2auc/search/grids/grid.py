"""Everything that is tried: entries, each trained in one go, and the settings that come out of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.data.features.scaling import ColumnView
from s2auc.data.schema.schema import OTHER
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.parts.trees.part import TreePart
from s2auc.solvers.job import Points

if TYPE_CHECKING:  # entries are trained with what only the search as a whole knows
    from s2auc.search.training import Training

KERNEL_FUNCTIONS, LINEAR, TREES = "kernels", "linear", "trees"
MEMBERS = (KERNEL_FUNCTIONS, LINEAR, TREES)
"""Who may take part in an average: functions of kernels, linear ones, and forests."""

ALL_COLUMNS, INDEPENDENT_COLUMNS = "all columns", "independent columns"
"""The family of linear functions of all columns, where others see components of them; and its name where columns have
nothing to do with each other, so that components say little."""


@dataclass(frozen=True)
class Setting:
    """One setting of an entry.

    Attributes
    ----------
    member
        One of `MEMBERS`.
    family
        Settings of a family compete; families are then weighed against each other.
    parameters
        In the words of users: for kernels, parameters of `S2AUCClassifier`.
    n_frequencies
        How many frequencies its model has.
    uses_unlabeled
        Whether unlabelled rows have a say in it, beyond scaling and width.
    is_usual
        Whether it is one to take where nothing is known.
    is_candidate
        Whether it may take part in a model; others are there for comparison.
    """

    member: str
    family: str
    parameters: Mapping[str, Any]
    n_frequencies: int = 0
    uses_unlabeled: bool = False
    is_usual: bool = True
    is_candidate: bool = True


@dataclass(frozen=True, eq=False)
class TrainedEntry:
    """An entry after training: models of one kind that differ in some of their numbers.

    Attributes
    ----------
    scores
        Of the followed rows, (settings, masks, rows), in float32.
    common
        A part with everything that the models have in common.
    numbers
        By the name of a field of this part, its value in each setting's model, learnt from all labelled rows.
    """

    scores: AnyArray
    common: CosinePart | LinearPart | TreePart
    numbers: Mapping[str, FloatArray]

    def part(self, shares: Mapping[int, float]) -> Part:
        """Return the weighted sum of the models of some settings."""
        mixed: dict[str, Any] = {
            name: np.sum([share * values[place] for place, share in shares.items()], axis=0)
            for name, values in self.numbers.items()
        }
        return replace(self.common, **mixed).trimmed()


class Entry(Protocol):
    """Settings that are trained together."""

    @property
    def view(self) -> ColumnView | None:
        """The columns that it sees; None where the entry sees to that itself."""

    @property
    def is_wide(self) -> bool:
        """Whether it sees all columns where others see components of them."""

    @property
    def points(self) -> Points | None:
        """What a solver is to try; None for entries that need none."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings, in the order of their scores."""

    def train(self, training: "Training") -> TrainedEntry:
        """Train all settings, under every mask."""


@dataclass(frozen=True)
class Grid:
    """Everything that is tried, entry by entry, settings for comparison at the end.

    Attributes
    ----------
    entries
        The entries.
    has_texts
        Whether there are text columns.
    learns_words
        Whether unlabelled rows have explained the words of these: whoever sees texts then uses such rows.
    """

    entries: Sequence[Entry]
    has_texts: bool = False
    learns_words: bool = False

    @property
    def points(self) -> list[Points]:
        """What solvers are to try, entry by entry."""
        return [entry.points for entry in self.entries if entry.points is not None]

    @property
    def views(self) -> list[ColumnView]:
        """The views of columns that some entry needs."""
        return _viewed(self.entries)

    @property
    def neighbor_views(self) -> list[ColumnView]:
        """The views of columns that some entry looks at neighbours with."""
        near = [entry for entry in self.entries if entry.points is not None and entry.points.uses_neighbors]
        return _viewed(near)

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """All settings, those of an entry together."""
        return tuple(
            replace(setting, uses_unlabeled=True) if self.learns_words and self.sees_texts(entry) else setting
            for entry in self.entries
            for setting in entry.settings
        )

    @cached_property
    def candidates(self) -> IndexArray:
        """The numbers of the settings that may take part in a model: the first ones."""
        return np.flatnonzero([setting.is_candidate for setting in self.settings])

    @cached_property
    def n_candidates(self) -> int:
        """The number of entries whose settings may take part in a model: the first ones."""
        return sum(all(setting.is_candidate for setting in entry.settings) for entry in self.entries)

    def sees_texts(self, entry: Entry) -> bool:
        """Return whether an entry sees numbers that texts have become."""
        is_shown = entry.is_wide or (entry.view is not None and entry.view.columns != OTHER)
        return self.has_texts and is_shown

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The number of each setting's entry, and its place in it."""
        return tuple(
            (number, place) for number, entry in enumerate(self.entries) for place in range(len(entry.settings))
        )


def _viewed(entries: Sequence[Entry]) -> list[ColumnView]:
    """Return the views of some entries, once each."""
    return list(dict.fromkeys(entry.view for entry in entries if entry.view is not None))
