"""Cross-validation splitters for partly labelled rows: unlabelled rows are always trained on and never tested on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from reprlib import repr as shown
from typing import Any, ClassVar, TypeAlias

import numpy as np
from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRequest
from sklearn.utils.validation import check_consistent_length, indexable

from s2auc.common.arrays import AnyArray, IndexArray, is_missing
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputError
from s2auc.common.parameters import Boolean, Number, Rule, check_parameters
from s2auc.data.labels.labels import Labels, read_labels
from s2auc.data.tables.lazy_table import LabelColumn, values_at

Folds: TypeAlias = Iterator[tuple[IndexArray, IndexArray]]
"""The numbers of the training rows and of the test rows of every fold."""


def read_groups(groups: Any, labels: Labels) -> AnyArray | None:
    """Return the group of every labelled row, positive ones first; None for None.

    Others need none: they are never tested.

    Raises
    ------
    ValueError
        If there is not one group a row, or a labelled row has none.

    Examples
    --------
    >>> from s2auc.data.labels.labels import read_labels
    >>> read_groups(["a", "b", None], read_labels([0, 1, -1])).tolist()
    ['b', 'a']
    """
    if groups is None:
        return None
    shape = (groups.n_rows,) if isinstance(groups, LabelColumn) else np.shape(groups)
    if shape != (labels.n_rows,):
        raise InputError(
            "hold one group for each of {n_rows} rows of {X} (inconsistent numbers of samples)",
            parameter="groups",
            found=f"shape {shape}",
            fix="pass one per row",
            n_rows=labels.n_rows,
        )
    numbers = labels.positive_first()
    found = values_at(groups, numbers) if isinstance(groups, LabelColumn) else np.asanyarray(groups)[numbers]
    values = found.tolist()  # None where they are masked
    for row, value in sorted(zip(numbers.tolist(), values, strict=True), key=lambda pair: pair[0]):
        if is_missing(value):
            raise InputError(
                "name the group of every labelled row",
                parameter="groups",
                found=repr(value),
                row=row,
                fix="give the row a group of its own, or leave it out",
            )
    try:
        np.unique(found)
    except TypeError:
        raise InputError(
            "be of one type, so that they can be sorted",
            parameter="groups",
            found=", ".join(sorted({type(value).__name__ for value in values})),
            fix="convert them to text",
        ) from None
    return np.asarray(found)


def split_rows(splitter: Any, X: Any, y: IndexArray, groups: AnyArray | None) -> list[tuple[IndexArray, IndexArray]]:
    """Return the numbers of the training and test rows of every fold of a splitter.

    Parameters
    ----------
    splitter
        Something with a method split(X, y, groups).
    X, y, groups
        The labelled rows, their labels and their groups, if any.

    Raises
    ------
    ValueError
        If the splitter fails, needs groups that there are none of, or returns anything but pairs of row numbers.

    Examples
    --------
    >>> from sklearn.model_selection import GroupKFold
    >>> split_rows(GroupKFold(2), np.zeros((4, 1)), np.array([0, 1, 0, 1]), groups=None)
    Traceback (most recent call last):
    ...
    ValueError: The 'cv' parameter, GroupKFold(n_splits=2, ...), needs groups. Got None; pass groups=... to fit.
    """
    whose = f"The 'cv' parameter, {_name(splitter)},"
    try:
        folds = list(splitter.split(X, y, groups))
    except Exception as error:
        # Some versions of scikit-learn do not look for groups before they use them: their errors do not say so.
        if groups is None and "group" in f"{type(splitter).__name__} {error}".lower():
            raise ValueError(f"{whose} needs groups. Got None; pass groups=... to fit.") from error
        if type(splitter).__module__.startswith("s2auc."):  # says so itself
            raise
        said = f"{type(error).__name__}: {error}".rstrip(". \n")
        raise ValueError(
            f"{whose} must split the {len(y)} labelled rows. It raised {said}; use fewer folds or another splitter, "
            "such as LabeledKFold."
        ) from error
    if not folds:
        raise ValueError(
            f"{whose} must make folds of the {len(y)} labelled rows. Got none; use a splitter such as LabeledKFold."
        )
    return [_row_numbers(fold, len(y), whose) for fold in folds]


@dataclass(frozen=True, eq=False)
class ListedFolds:
    """Folds that are listed by rows of X, as a splitter of the labelled rows among them.

    Parameters
    ----------
    folds
        Pairs of training and test rows.
    labeled
        The numbers of the labelled rows, ascending.
    n_rows
        How many rows X has.

    Examples
    --------
    >>> folds = ListedFolds([([0, 1, 3], [2])], labeled=np.array([0, 2, 3]), n_rows=4)
    >>> [(train.tolist(), test.tolist()) for train, test in folds.split()]
    [([0, 2], [1])]
    """

    folds: Sequence[Any]
    labeled: IndexArray
    n_rows: int

    def __repr__(self) -> str:
        return f"an iterable of {len(self.folds)} folds"

    def split(self, *_: Any) -> Folds:
        """Yield the places of training and test rows among the labelled rows; unlabelled ones are passed over."""
        for fold in self.folds:
            train, test = _row_numbers(fold, self.n_rows, f"The 'cv' parameter, {self!r},")
            yield np.flatnonzero(np.isin(self.labeled, train)), np.flatnonzero(np.isin(self.labeled, test))


def _row_numbers(fold: Any, n_rows: int, whose: str) -> tuple[IndexArray, IndexArray]:
    try:
        train, test = (np.asarray(side) for side in fold)
    except (TypeError, ValueError):
        train = test = np.zeros((1, 1))
    for side in (train, test):
        is_sound = side.ndim == 1 and (side.dtype.kind in "iu" or not side.size)
        if not is_sound or np.any((side < 0) | (side >= n_rows)):
            raise ValueError(
                f"{whose} must yield pairs of training and test rows, as integers from 0 to {n_rows - 1}. Got "
                f"{' '.join(shown(fold).split())}; use a splitter such as LabeledKFold."
            )
    return train.astype(np.intp), test.astype(np.intp)


def _name(splitter: Any) -> str:
    """Return a splitter in a few words: some are as long as the rows that they hold."""
    text = " ".join(repr(splitter).split())
    return text if len(text) <= 80 and not text.startswith("<") else f"{type(splitter).__name__}(...)"


_RULES: Mapping[str, tuple[Rule, ...]] = {
    "n_splits": (Number(2, integer=True),),
    "n_repeats": (Number(1, integer=True),),
    "shuffle": (Boolean(),),
}


class _LabeledSplitter:
    """What the splitters have in common: labelled rows are split, unlabelled ones join every training fold."""

    n_splits: int
    unlabeled: Any
    pos_label: Any
    _uses_groups: ClassVar[bool] = False

    def split(self, X: Any, y: Any, groups: Any = None) -> Folds:
        """Yield the numbers of the training rows and of the test rows of every fold.

        Parameters
        ----------
        X
            Rows; only their number matters.
        y
            One label a row: two classes, the marker `unlabeled`, missing values.
        groups
            One group a row, for splitters that keep groups together.
        """
        X, groups = indexable(X, groups)
        rules = {name: rule for name, rule in _RULES.items() if hasattr(self, name)}
        check_parameters(type(self).__name__, vars(self), rules)
        labels = read_labels(y, unlabeled=self.unlabeled, pos_label=self.pos_label)
        check_consistent_length(X, labels.is_positive)
        unlabeled = np.flatnonzero(labels.is_unlabeled)
        labeled = labels.labeled
        known_groups = read_groups(groups, labels) if self._uses_groups else None
        kept_groups = None if known_groups is None else known_groups[np.argsort(labels.positive_first())]
        self._check_counts(labels)
        for train, test in self._split_labeled(labels.is_positive[labeled], kept_groups):
            yield np.sort(np.concatenate([labeled[train], unlabeled])), labeled[test]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return the number of folds, over all repeats."""
        return self.n_splits

    def _split_labeled(self, is_positive: Any, groups: Any) -> Folds:
        raise NotImplementedError

    def _check_counts(self, labels: Labels) -> None:
        counts = {str(labels.classes[1]): labels.n_positive, str(labels.classes[0]): labels.n_negative}
        for name, count in counts.items():
            if 0 < count < self.n_splits:
                raise ValueError(
                    f"The 'n_splits' parameter of {type(self).__name__} must be at most the number of labelled rows of "
                    f"each class. Got {self.n_splits} for {count} rows of class {name}; use fewer folds or label more "
                    "rows."
                )


@describes_parameters_like()
@dataclass(eq=False)
class LabeledKFold(_LabeledSplitter):
    """K folds of the labelled rows, stratified by class; unlabelled rows are in every training fold and no test fold.

    Parameters
    ----------
    n_splits
        Number of folds.
    shuffle
        Whether to shuffle the labelled rows first.
    unlabeled
        Value of y that marks unlabelled rows; None if there is none. Missing values always mean unlabelled.
    pos_label
        The positive class; needed only where y holds a single class.
    random_state
        Seed of the shuffle.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([1, 0, -1, 1, 0, -1])
    >>> for train, test in LabeledKFold(n_splits=2).split(y, y):
    ...     print(train.tolist(), test.tolist())
    [2, 3, 4, 5] [0, 1]
    [0, 1, 2, 5] [3, 4]
    """

    n_splits: int = 5
    _: KW_ONLY
    shuffle: bool = False
    unlabeled: Any = -1
    pos_label: Any = None
    random_state: int | np.random.RandomState | None = None

    def _split_labeled(self, is_positive: Any, groups: Any) -> Folds:  # noqa: ARG002
        return _stratified(self.n_splits, is_positive, self.shuffle, self.random_state if self.shuffle else None)


@describes_parameters_like(LabeledKFold)
class LabeledGroupKFold(LabeledKFold):
    """K folds that keep groups of labelled rows together: all rows of a patient, or of an account, on one side.

    Classes are spread over the folds as evenly as the groups allow. Unlabelled rows are in every training fold, also
    those of a group whose labelled rows are tested on: they carry no label.

    Parameters
    ----------
    n_splits
        Number of folds.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([1, 0, -1, 1, 0, -1])
    >>> patient = np.array([7, 7, 7, 8, 8, 8])
    >>> for train, test in LabeledGroupKFold(n_splits=2).split(y, y, patient):
    ...     print(train.tolist(), test.tolist())
    [2, 3, 4, 5] [0, 1]
    [0, 1, 2, 5] [3, 4]
    """

    _uses_groups: ClassVar[bool] = True

    def get_metadata_routing(self) -> MetadataRequest:
        """Return that groups are asked for, where scikit-learn's metadata routing hands them on."""
        request = MetadataRequest(owner=self)
        request.split.add_request(param="groups", alias=True)
        return request

    def _split_labeled(self, is_positive: Any, groups: Any) -> Folds:
        if groups is None:
            raise ValueError("LabeledGroupKFold needs groups, one for each row. Got None; pass groups=... to split.")
        distinct = len(np.unique(groups))
        if distinct < self.n_splits:
            raise ValueError(
                "The 'n_splits' parameter of LabeledGroupKFold must be at most the number of groups with labelled "
                f"rows. Got {self.n_splits} for {distinct} groups; use fewer folds."
            )
        seed = self.random_state if self.shuffle else None
        splitter = StratifiedGroupKFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
        folds: Folds = splitter.split(is_positive, is_positive, groups)
        return folds


@describes_parameters_like(LabeledKFold)
@dataclass(eq=False)
class RepeatedLabeledKFold(_LabeledSplitter):
    """`LabeledKFold` several times over, with the labelled rows in another order each time.

    Parameters
    ----------
    n_splits
        Number of folds of each repeat.
    n_repeats
        How many times the labelled rows are split anew.
    random_state
        Seed of the orders.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([1, 0, -1, 1, 0, -1])
    >>> RepeatedLabeledKFold(n_splits=2, n_repeats=3, random_state=0).get_n_splits()
    6
    """

    n_splits: int = 5
    _: KW_ONLY
    n_repeats: int = 10
    unlabeled: Any = -1
    pos_label: Any = None
    random_state: int | np.random.RandomState | None = None

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return the number of folds, over all repeats."""
        return self.n_splits * self.n_repeats

    def _split_labeled(self, is_positive: Any, groups: Any) -> Folds:  # noqa: ARG002
        random = check_random_state(self.random_state)
        for _ in range(self.n_repeats):
            yield from _stratified(self.n_splits, is_positive, True, random.randint(2**31 - 1))


def _stratified(n_splits: int, is_positive: Any, shuffle: bool, seed: Any) -> Folds:
    # A single class needs no stratification, and scikit-learn warns about it.
    splitter = (KFold if is_positive.all() else StratifiedKFold)(n_splits, shuffle=shuffle, random_state=seed)
    folds: Folds = splitter.split(is_positive, is_positive)
    return folds
