"""Whatever is wrong with a splitter, or with groups, is told in one sentence of our own."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    PredefinedSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from s2auc import LabeledGroupKFold, LabeledKFold, PNUAUCClassifierCV, S2AUCClassifierCV, SAMULTClassifierCV
from s2auc.data.labels.labels import read_labels
from s2auc.search.folds import read_groups, split_rows

N_ROWS = 40


def make_rows():
    X = np.random.default_rng(0).normal(size=(N_ROWS, 2))
    return X, np.where(np.arange(N_ROWS) < 20, np.arange(N_ROWS) % 2, -1)


class Answering:
    """A splitter that answers, or fails, as it was told to."""

    def __init__(self, answer):
        self.answer = answer

    def split(self, X, y=None, groups=None):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


GROUPED = [
    GroupKFold(3),
    LeaveOneGroupOut(),
    StratifiedGroupKFold(3),
    LabeledGroupKFold(3),
    LeavePGroupsOut(2),
    GroupShuffleSplit(3),
]


@pytest.mark.parametrize("search", [S2AUCClassifierCV, SAMULTClassifierCV, PNUAUCClassifierCV])
@pytest.mark.parametrize("splitter", GROUPED, ids=lambda splitter: type(splitter).__name__)
def test_splitters_of_groups_ask_for_them(splitter, search):
    X, y = make_rows()
    model = search(cv=splitter)
    name = type(splitter).__name__
    sentence = rf"^The 'cv' parameter, {name}\(.*, needs groups\. Got None; pass groups=\.\.\. to fit\.$"
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)
    assert set(vars(model)) == set(model.get_params())


REFUSED = {
    "failing": (
        Answering(KeyError("a")),
        r"^The 'cv' parameter, Answering\(\.\.\.\), must .* raised KeyError: 'a'; use",
    ),
    "no iterable": (Answering(3), r"must split the 20 labelled rows\. It raised TypeError"),
    "no folds": (Answering([]), r"must make folds of the 20 labelled rows\. Got none; use a splitter such as"),
    "all trained on": (PredefinedSplit(np.full(20, -1)), r"must make folds of the 20 labelled rows\. Got none"),
    "no pairs": (Answering([1, 2]), r"must yield pairs of training and test rows, as integers from 0 to 19\. Got 1;"),
    "three sides": (Answering([([0], [1], [2])]), "must yield pairs of training and test rows"),
    "fractions": (Answering([([0.5], [1.5])]), "must yield pairs of training and test rows"),
    "masks": (Answering([(np.ones(20, bool), np.zeros(20, bool))]), "must yield pairs of training and test rows"),
    "beyond": (Answering([([0, 1], [99])]), "must yield pairs of training and test rows"),
    "negative": (Answering([([0, 1], [-1])]), "must yield pairs of training and test rows"),
    "more folds than rows": (
        KFold(50),
        r"must split the 20 labelled rows\. It raised ValueError: Cannot .*; use fewer",
    ),
    "more folds than rows of a class": (StratifiedKFold(15), "must split the 20 labelled rows. It raised ValueError"),
    "more labelled folds": (
        LabeledKFold(50),
        "^The 'n_splits' parameter of LabeledKFold must be at most .* Got 50 for",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_splitters_that_fail_do_so_in_one_sentence(case):
    splitter, sentence = REFUSED[case]
    X, y = make_rows()
    with pytest.raises(ValueError, match=sentence) as caught:
        S2AUCClassifierCV(cv=splitter).fit(X, y)
    assert "\n" not in str(caught.value)


LISTED = {
    "no folds": (
        [],
        r"^The 'cv' parameter, an iterable of 0 folds, must make folds of the 20 .*\. Got none",
    ),
    "no pairs": ([1, 2], r"an iterable of 2 folds, must yield pairs .* as integers from 0 to 39\. Got 1; use"),
    "beyond": ([(np.arange(30), np.arange(30, 41))], r"must yield pairs .* as integers from 0 to 39\. Got \(array"),
    "too few": ([([0, 1, 2], [3, 4])], "must train on all labelled rows that it does not test. Got 3 and 2 of 20 rows"),
    "one class": (
        [(np.arange(1, 40), [0])],
        "must test and train on rows of both classes. Got none of one class in fold 0",
    ),
    "unlabelled only": ([(np.arange(20), np.arange(20, 40))], "must test and train on rows of both classes"),
}


@pytest.mark.parametrize("search", [S2AUCClassifierCV, SAMULTClassifierCV, PNUAUCClassifierCV])
@pytest.mark.parametrize("case", LISTED)
def test_listed_folds_that_cannot_be_used(case, search):
    folds, sentence = LISTED[case]
    X, y = make_rows()
    for cv in (folds, iter(folds)):
        with pytest.raises(ValueError, match=sentence) as caught:
            search(cv=cv).fit(X, y)
        assert "\n" not in str(caught.value)


FEW = {"kernel_gammas": ["median"], "alphas": [1e-2], "random_state": 0}
SEARCHES = {
    "search": S2AUCClassifierCV(kernels=["gaussian"], scalings=["standard"], members=["kernels"], judge=False, **FEW),
    "samult": SAMULTClassifierCV(**FEW),
    "pnu": PNUAUCClassifierCV(etas=[0.5], class_prior=0.5, **FEW),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_folds_may_be_listed_by_rows(name):
    X, y = make_rows()
    order = np.random.default_rng(1).permutation(N_ROWS)  # labelled rows are not the first ones
    X, y, splitter = X[order], y[order], LabeledKFold(4)
    expected, *others = (
        clone(SEARCHES[name]).set_params(cv=cv).fit(X, y)
        for cv in (splitter, list(splitter.split(X, y)), splitter.split(X, y))
    )
    for found in others:
        np.testing.assert_array_equal(found.decision_function(X), expected.decision_function(X))
        np.testing.assert_array_equal(found.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"])
    recorded = [found.model_.record["settings"]["cv"] for found in others]
    assert recorded[0].startswith("[(array([")
    assert recorded[1] == "generator(...)"  # nothing that another run would not write


def test_interruptions_pass():
    with pytest.raises(KeyboardInterrupt):
        split_rows(Answering(KeyboardInterrupt()), None, np.zeros(2), None)


GROUPS = {
    "too few": (np.arange(N_ROWS - 1), r"groups must hold one group for each of 40 rows .* Got shape \(39,\)"),
    "a matrix": (np.zeros((N_ROWS, 1)), r"groups must hold one group for each of 40 rows .* Got shape \(40, 1\)"),
    "text": ("patients", r"groups must hold one group for each of 40 rows .* Got shape \(\)"),
    "nan": (np.where(np.arange(N_ROWS) == 7, np.nan, 1.0), r"every labelled row\. Got nan in row 7; give the row"),
    "none": ([None] * N_ROWS, r"every labelled row\. Got None in row 0"),
    "two types": (
        np.array(["a", 1] * 20, dtype=object),
        r"groups must be of one type, .* Got int, str; convert them to text",
    ),
}


@pytest.mark.parametrize("case", GROUPS)
def test_groups_that_cannot_be_used(case):
    groups, sentence = GROUPS[case]
    X, y = make_rows()
    for search in (S2AUCClassifierCV(), SAMULTClassifierCV(), S2AUCClassifierCV(cv=GroupKFold(2))):
        with pytest.raises(ValueError, match=sentence):
            search.fit(X, y, groups=groups)
    if case not in {"too few", "text"}:  # scikit-learn says that
        with pytest.raises(ValueError, match=sentence):
            next(LabeledGroupKFold(2).split(X, y, groups))


def test_a_single_group_cannot_be_held_out():
    X, y = make_rows()
    with pytest.raises(
        ValueError, match=r"^groups must hold at least two groups of labelled rows, .* Got 1; label rows of more groups"
    ):
        S2AUCClassifierCV().fit(X, y, groups=np.zeros(N_ROWS))


def test_unlabelled_rows_need_no_group():
    _, y = make_rows()
    groups = np.where(y == -1, np.nan, np.arange(N_ROWS) // 4)
    labels = read_labels(y)
    np.testing.assert_array_equal(read_groups(groups, labels), groups[labels.positive_first()])
    folds = list(LabeledGroupKFold(2).split(y, y, groups))
    assert sorted(np.concatenate([test for _, test in folds]).tolist()) == list(range(20))
    assert read_groups(None, read_labels(y)) is None
