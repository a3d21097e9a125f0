"""Which labelled rows each model of a bundle learns from: all of them, all but a fold or two, one or two folds alone.

Models without one fold choose between settings. Models without two judge the choice: what they say of one of the two
folds settles a choice that the other fold, which none of them has seen, then judges. So an unbiased verdict needs no
search within a search, only ten more masks for five folds. Models of one or two folds tell, beside the others, how the
AUC grows with the number of labels: ten masks more.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.common.errors import InputError
from s2auc.data.labels.labels import Labels
from s2auc.data.sources.source import RowSource
from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, ListedFolds, RepeatedLabeledKFold, split_rows

WHOLE = 0
"""The mask that leaves no row out."""

MAX_OUTER_FOLDS = 5

TIME_PARTS = 5
"""Parts of the time of labelled rows; all but the first are tested on."""

FEW_FOLDS_LABELS, FEW_FOLDS = 2000, 3
"""From this many labelled rows on, three of the folds hold rows enough to choose and to judge by."""


@dataclass(frozen=True, eq=False)
class FoldPlan:
    """Folds of the labelled rows, and the masks they need.

    Attributes
    ----------
    tests
        The labelled rows that each fold tests, by their places.
    is_trained
        Which rows each mask trains on, (labelled rows, masks): all; without fold 0, 1, 2 …; without two folds.
    pair_masks
        The mask without folds i < j; empty if nothing is judged.
    is_judged
        Whether that was asked for.
    few_masks
        The mask of some judging folds alone, one or two of them; empty where masks without two leave no more rows.
    later
        Pairs of a mask of earlier rows and the later rows that it is tested on.
    """

    tests: tuple[IndexArray, ...]
    is_trained: BoolArray
    pair_masks: Mapping[tuple[int, int], int]
    is_judged: bool
    few_masks: Mapping[tuple[int, ...], int] = field(default_factory=dict)
    later: tuple[tuple[int, IndexArray], ...] = ()

    @property
    def n_folds(self) -> int:
        """How many folds choose between settings."""
        return len(self.tests)

    @property
    def outer_folds(self) -> tuple[int, ...]:
        """The folds that judge what the others chose."""
        return tuple(sorted({fold for pair in self.pair_masks for fold in pair}))

    def among(self, followed: IndexArray) -> "FoldPlan":
        """Return the plan with the tests of some rows only, by their places among these."""
        place = np.full(len(self.is_trained), -1)
        place[followed] = np.arange(len(followed))
        tests = (place[test] for test in self.tests)
        later = ((mask, place[test]) for mask, test in self.later)
        return replace(
            self,
            tests=tuple(test[test >= 0] for test in tests),
            later=tuple((mask, test[test >= 0]) for mask, test in later),
        )

    def with_later(self, steps: Sequence[tuple[IndexArray, IndexArray]]) -> "FoldPlan":
        """Return the plan with masks that train on earlier rows, given pairs of earlier and later rows."""
        n_rows, n_masks = self.is_trained.shape
        masks = [np.isin(np.arange(n_rows), earlier) for earlier, _ in steps]
        later = tuple((n_masks + place, test) for place, (_, test) in enumerate(steps))
        return replace(self, is_trained=np.column_stack([self.is_trained, *masks]), later=later)

    def mask_without(self, fold: int, other: int | None = None) -> int:
        """Return the mask that leaves out one fold, or two."""
        return 1 + fold if other is None else self.pair_masks[min(fold, other), max(fold, other)]


def make_plan(tests: Sequence[IndexArray], is_positive: BoolArray, *, judged: bool) -> FoldPlan:
    """Return the masks for some folds.

    Parameters
    ----------
    tests
        The labelled rows that each fold tests.
    is_positive
        Which labelled rows are positive; all of them where there are no negatives.
    judged
        Whether masks for pairs of the first folds that share no rows are wanted. They are left out where a pair would
        leave no row of a class.

    Examples
    --------
    >>> import numpy as np
    >>> tests = [np.array([0, 3]), np.array([1, 4]), np.array([2, 5])]
    >>> plan = make_plan(tests, np.arange(6) < 3, judged=True)
    >>> plan.is_trained.shape, plan.pair_masks[0, 2]
    ((6, 7), 5)
    """
    needed = set(is_positive.tolist())
    left_out = [np.zeros(0, dtype=np.intp), *tests]
    pair_masks: dict[tuple[int, int], int] = {}
    if judged:
        pairs = list(combinations(_disjoint(tests)[:MAX_OUTER_FOLDS], 2))
        unions = [np.union1d(tests[first], tests[second]) for first, second in pairs]
        if len(pairs) > 1 and all(needed <= set(np.delete(is_positive, union).tolist()) for union in unions):
            pair_masks = {pair: len(left_out) + place for place, pair in enumerate(pairs)}
            left_out += unions
    few = _few_folds(tests, sorted({fold for pair in pair_masks for fold in pair}), len(is_positive))
    few_masks = {folds: len(left_out) + place for place, folds in enumerate(few)}
    everything = np.arange(len(is_positive))
    masks = [~np.isin(everything, rows) for rows in left_out]
    masks += [np.isin(everything, np.concatenate([tests[fold] for fold in folds])) for folds in few]
    return FoldPlan(tuple(tests), np.stack(masks, axis=1), pair_masks, judged, few_masks)


def auto_folds(is_positive: BoolArray, n_splits: int, seed: int, groups: AnyArray | None = None) -> list[IndexArray]:
    """Return folds that suit the number of labels: as many as the smaller class allows, repeated if it is small.

    A class of a single row allows none. Where labels are many, the first `FEW_FOLDS` of the folds do: other rows are
    trained on and never tested. Rows of a group stay together if groups are given; there are no repeats then.
    """
    n_positive = int(is_positive.sum())
    smallest = n_positive if is_positive.all() else min(n_positive, len(is_positive) - n_positive)
    if smallest < 2:
        return []
    splitter: LabeledGroupKFold | RepeatedLabeledKFold
    if groups is None:
        n_repeats = auto_repeats(smallest)
        splitter = RepeatedLabeledKFold(min(n_splits, smallest), n_repeats=n_repeats, random_state=seed % 2**32)
    else:
        n_groups = len(np.unique(groups))
        if n_groups < 2:
            raise InputError(
                "hold at least two groups of labelled rows, so that one can be tested without the others",
                parameter="groups",
                found=str(n_groups),
                fix="label rows of more groups, or leave {groups} out",
            )
        n_splits = max(2, min(n_splits, smallest, n_groups))
        splitter = LabeledGroupKFold(n_splits, shuffle=True, random_state=seed % 2**32)
    tests = folds_of(splitter, is_positive, is_positive, groups)
    return tests[:FEW_FOLDS] if len(is_positive) >= FEW_FOLDS_LABELS else tests


def random_tests(tests: Sequence[IndexArray], is_random: BoolArray, is_positive: BoolArray) -> list[IndexArray]:
    """Return folds of users without rows that were not drawn at random; each needs rows of both classes, still."""
    kept = [test[is_random[test]] for test in tests]
    if any(set(is_positive.tolist()) - set(is_positive[test].tolist()) for test in kept):
        raise ValueError(
            "Every fold of the 'cv' parameter must test rows of both classes that 'random_labels' marks. Got a fold "
            "without; use fewer folds, or leave random_labels out."
        )
    return kept


def time_steps(
    time: FloatArray, is_positive: BoolArray, is_random: BoolArray | None = None
) -> list[tuple[IndexArray, IndexArray]]:
    """Return pairs of earlier and later rows: the rows before each part of the time but the first, and the part.

    Rows of one time stay in one part. Pairs that lack a class on either side are left out.

    Parameters
    ----------
    time
        The time of each labelled row.
    is_positive
        Which of them are positive.
    is_random
        Which of them may be tested on; None for all.

    Examples
    --------
    >>> steps = time_steps(np.arange(10.0), np.arange(10) % 2 == 0)
    >>> [(len(earlier), later.tolist()) for earlier, later in steps]
    [(2, [2, 3]), (4, [4, 5]), (6, [6, 7]), (8, [8, 9])]
    """
    needed = set(is_positive.tolist())
    ends = np.sort(time)[[len(time) * part // TIME_PARTS for part in range(1, TIME_PARTS)]]
    part_of = np.searchsorted(np.unique(ends), time, "right")
    may_test = np.ones(len(time), dtype=bool) if is_random is None else is_random
    steps = [
        (np.flatnonzero(part_of < part), np.flatnonzero((part_of == part) & may_test))
        for part in range(1, int(part_of.max()) + 1)
    ]
    return [pair for pair in steps if all(needed <= set(is_positive[rows].tolist()) for rows in pair)]


def held_out_places(cv: Any, rows: RowSource, labels: Labels, groups: AnyArray | None) -> list[IndexArray]:
    """Return the rows that each given fold tests, by their places among the labelled rows, positive ones first.

    A splitter is given labelled rows only, in the order of X, their labels as zeros and ones, and their groups.

    Parameters
    ----------
    cv
        Something with a method split(X, y, groups), or an iterable of pairs of training and test rows of X.
    rows, labels, groups
        The rows of X, what y means, and the group of every labelled row, positive ones first, if any.
    """
    numbers = labels.positive_first()
    place = np.argsort(numbers)
    ascending = numbers[place]
    kept_groups = None if groups is None else groups[place]
    splitter = cv if hasattr(cv, "split") else ListedFolds(list(cv), ascending, labels.n_rows)
    tests = folds_of(splitter, rows.gather(ascending), place < labels.n_positive, kept_groups)
    return [np.sort(place[test]) for test in tests]


def folds_of(splitter: Any, X: Any, is_positive: BoolArray, groups: AnyArray | None) -> list[IndexArray]:
    """Return the rows that each fold of a splitter tests, once they are known to suit."""
    if isinstance(splitter, LabeledKFold | RepeatedLabeledKFold):
        # They are given the labelled rows only, as zeros and ones.
        splitter = copy(splitter)
        splitter.unlabeled, splitter.pos_label = None, 1
    folds = split_rows(splitter, X, is_positive.astype(np.intp), groups)
    needed = set(is_positive.tolist())
    for fold, (train, test) in enumerate(folds):
        if len(train) + len(test) != len(is_positive) or np.intersect1d(train, test).size:
            raise ValueError(
                "Every fold of the 'cv' parameter must train on all labelled rows that it does not test. Got "
                f"{len(train)} and {len(test)} of {len(is_positive)} rows; use a splitter such as LabeledKFold."
            )
        if any(needed - set(is_positive[rows].tolist()) for rows in (train, test)):
            raise ValueError(
                "Every fold of the 'cv' parameter must test and train on rows of both classes. Got none of one class "
                f"in fold {fold}; use fewer folds or a stratified splitter such as LabeledKFold."
            )
    return [test for _, test in folds]


def keep_together(tests: Sequence[IndexArray], first: IndexArray, is_positive: BoolArray) -> list[IndexArray]:
    """Return folds that test equal rows together: each with the first of its equals, in every repeat of the folds.

    Rows whose first equal is never tested are not tested either. Where a fold would be left without a class, nothing
    changes.

    Parameters
    ----------
    tests
        The labelled rows that each fold tests.
    first
        The place of the first of its equals, for every labelled row.
    is_positive
        Which labelled rows are positive.

    Examples
    --------
    >>> tests, is_positive = [np.array([0, 1, 4]), np.array([2, 3, 5])], np.arange(6) < 4
    >>> [test.tolist() for test in keep_together(tests, np.array([0, 1, 0, 3, 4, 5]), is_positive)]
    [[0, 1, 2, 4], [3, 5]]
    """
    # All equals of the first rows of a fold, and only these.
    moved = [np.flatnonzero(np.isin(first, test[first[test] == test])) for test in tests]
    needed, everything = set(is_positive.tolist()), np.arange(len(first))
    sides = [rows for test in moved for rows in (test, np.setdiff1d(everything, test))]
    is_sound = all(needed <= set(is_positive[rows].tolist()) for rows in sides)
    return moved if is_sound else list(tests)


def auto_repeats(smallest: int) -> int:
    """Return how often the folds are drawn anew, by the size of the smaller class."""
    return 3 if smallest <= 5 else 2 if smallest < 20 else 1


def _disjoint(tests: Sequence[IndexArray]) -> list[int]:
    """Return folds that share no rows, from the first on: rows that judge a choice must take no part in it."""
    chosen: list[int] = []
    seen = np.zeros(0, dtype=np.intp)
    for fold, rows in enumerate(tests):
        if not np.isin(rows, seen).any():
            chosen.append(fold)
            seen = np.concatenate([seen, rows])
    return chosen


def _few_folds(tests: Sequence[IndexArray], folds: Sequence[int], n_rows: int) -> list[tuple[int, ...]]:
    """Return sets of one and of two folds that hold fewer rows than are left without two: each fold as often."""
    if not folds:
        return []
    largest = sorted((len(tests[fold]) for fold in folds), reverse=True)
    sets: list[tuple[int, ...]] = []
    for size in (1, 2):
        if sum(largest[:size]) < n_rows - sum(largest[:2]):
            turns = [[*folds, *folds][first : first + size] for first in range(len(folds))]
            sets += [tuple(sorted(turn)) for turn in turns]
    return sets
