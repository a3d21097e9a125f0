"""Which rows each model of a search learns from."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold, TimeSeriesSplit

from s2auc.data.labels.labels import read_labels
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.search.folds import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold
from s2auc.search.plan import MAX_OUTER_FOLDS, WHOLE, auto_folds, auto_repeats, folds_of, held_out_places, make_plan

SIZES = st.tuples(st.integers(2, 30), st.one_of(st.just(0), st.integers(2, 30)))


def labels(n_positive, n_negative):
    return np.arange(n_positive + n_negative) < n_positive


def left_out(plan, mask):
    return set(np.flatnonzero(~plan.is_trained[:, mask]).tolist())


@given(SIZES, st.integers(2, 7), st.integers(0, 2**64 - 1), st.booleans())
def test_masks_leave_out_nothing_a_fold_or_two(sizes, n_splits, seed, judged):
    is_positive = labels(*sizes)
    tests = auto_folds(is_positive, n_splits, seed)
    plan = make_plan(tests, is_positive, judged=judged)
    assert plan.n_folds == len(tests)
    assert left_out(plan, WHOLE) == set()
    for fold, test in enumerate(tests):
        assert left_out(plan, plan.mask_without(fold)) == set(test.tolist())
    for first, second in combinations(plan.outer_folds, 2):
        mask = plan.mask_without(first, second)
        assert mask == plan.mask_without(second, first)
        assert left_out(plan, mask) == {*tests[first].tolist(), *tests[second].tolist()}
    for folds, mask in plan.few_masks.items():
        kept = {row for fold in folds for row in tests[fold].tolist()}
        assert left_out(plan, mask) == set(range(len(is_positive))) - kept
    masks = [WHOLE, *(plan.mask_without(fold) for fold in range(plan.n_folds)), *plan.pair_masks.values()]
    assert sorted([*masks, *plan.few_masks.values()]) == list(range(plan.is_trained.shape[1]))
    assert not plan.pair_masks or judged
    assert not plan.few_masks or plan.pair_masks


@given(SIZES, st.integers(2, 7), st.integers(0, 2**31))
def test_masks_of_few_folds_use_every_judging_fold_alike_and_fewer_rows_than_others(sizes, n_splits, seed):
    is_positive = labels(*sizes)
    plan = make_plan(auto_folds(is_positive, n_splits, seed), is_positive, judged=True)
    n_trained = plan.is_trained.sum(axis=0)
    for size in {len(folds) for folds in plan.few_masks}:
        sets = [folds for folds in plan.few_masks if len(folds) == size]
        assert sorted(fold for folds in sets for fold in folds) == sorted([*plan.outer_folds] * size)
        most = max(n_trained[plan.few_masks[folds]] for folds in sets)
        assert most < min(n_trained[mask] for mask in plan.pair_masks.values())


@given(SIZES, st.integers(2, 7), st.integers(0, 2**31))
def test_every_mask_leaves_rows_of_each_class(sizes, n_splits, seed):
    is_positive = labels(*sizes)
    plan = make_plan(auto_folds(is_positive, n_splits, seed), is_positive, judged=True)
    assert plan.is_trained[is_positive].any(axis=0).all()
    if sizes[1]:
        assert plan.is_trained[~is_positive].any(axis=0).all()


@given(SIZES, st.integers(2, 7), st.integers(0, 2**31))
def test_folds_that_judge_share_no_rows(sizes, n_splits, seed):
    """Rows of a fold would otherwise take part in the choice that the fold judges."""
    is_positive = labels(*sizes)
    tests = auto_folds(is_positive, n_splits, seed)
    plan = make_plan(tests, is_positive, judged=True)
    assert len(plan.outer_folds) <= MAX_OUTER_FOLDS
    for first, second in combinations(plan.outer_folds, 2):
        assert not set(tests[first].tolist()) & set(tests[second].tolist())


def test_all_pairs_of_the_first_folds_judge():
    is_positive = labels(12, 20)
    plan = make_plan(auto_folds(is_positive, 5, 0), is_positive, judged=True)
    assert plan.n_folds == 10  # twice five
    assert plan.outer_folds == (0, 1, 2, 3, 4)
    assert set(plan.pair_masks) == set(combinations(range(5), 2))
    assert set(plan.few_masks) == {*((fold,) for fold in range(5)), (0, 1), (1, 2), (2, 3), (3, 4), (0, 4)}
    assert plan.is_trained.shape == (32, 1 + 10 + 10 + 10)


@pytest.mark.parametrize(
    ("n_positive", "n_splits", "outer"), [(40, 3, 3), (40, 7, 5), (10, 3, 3), (4, 5, 4), (3, 5, 3)]
)
def test_how_many_folds_judge(n_positive, n_splits, outer):
    is_positive = labels(n_positive, 40)
    plan = make_plan(auto_folds(is_positive, n_splits, 0), is_positive, judged=True)
    assert plan.outer_folds == tuple(range(outer))


@pytest.mark.parametrize(
    ("tests", "outer"),
    [
        ([[0, 4], [0, 2, 4, 6], [1, 5], [2, 6]], (0, 2, 3)),
        ([[0, 4], [1, 5], [1, 6], [2, 6]], (0, 1, 3)),  # one common row is enough
        ([[0, 4], [1, 3, 7, 5], [1, 5], [2, 6], [2, 6]], (0, 1, 3)),
        ([[0, 4], [0, 5], [0, 6]], ()),
    ],
)
def test_folds_that_overlap_choose_but_do_not_judge(tests, outer):
    tests = [np.array(test) for test in tests]
    plan = make_plan(tests, labels(4, 4), judged=True)
    assert plan.n_folds == len(tests)
    assert plan.outer_folds == outer


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "tests"),
    [
        (4, 4, [[0, 1, 4], [2, 3, 5], [6, 7]]),  # the first two folds hold all positives
        (4, 4, [[0, 4, 5], [1, 6, 7], [2]]),  # and here all negatives
        (3, 0, [[0], [1, 2]]),  # two folds leave nothing
        (2, 20, [[0, 2], [1, 3]]),
    ],
)
def test_no_pairs_where_a_class_would_vanish(n_positive, n_negative, tests):
    tests = [np.array(test) for test in tests]
    plan = make_plan(tests, labels(n_positive, n_negative), judged=True)
    assert plan.pair_masks == {}
    assert plan.outer_folds == ()
    assert plan.is_trained.shape[1] == 1 + len(tests)


def test_one_class_alone_is_judged_too():
    plan = make_plan(auto_folds(labels(9, 0), 3, 0), labels(9, 0), judged=True)
    assert plan.outer_folds == (0, 1, 2)


@given(SIZES, st.integers(2, 8), st.integers(0, 2**31))
def test_automatic_folds_adapt_to_the_smaller_class(sizes, n_splits, seed):
    n_positive, n_negative = sizes
    is_positive = labels(n_positive, n_negative)
    smallest = n_positive if not n_negative else min(n_positive, n_negative)
    tests = auto_folds(is_positive, n_splits, seed)
    n_folds = min(n_splits, smallest)
    assert len(tests) == n_folds * auto_repeats(smallest)
    for first in range(0, len(tests), n_folds):
        once = np.concatenate(tests[first : first + n_folds])
        assert sorted(once.tolist()) == list(range(len(is_positive)))
    for test in tests:
        assert is_positive[test].any()
        assert not n_negative or not is_positive[test].all()
    assert [test.tolist() for test in auto_folds(is_positive, n_splits, seed)] == [test.tolist() for test in tests]


def test_repeats_become_fewer_as_rows_become_more():
    repeats = [auto_repeats(smallest) for smallest in range(2, 60)]
    assert repeats == sorted(repeats, reverse=True)
    assert (repeats[0], repeats[-1]) == (3, 1)


@given(st.integers(2, 15), st.integers(2, 5), st.integers(0, 2**32))
def test_automatic_folds_keep_groups_together(n_groups, n_splits, seed):
    groups = np.repeat(np.arange(n_groups), 2)
    tests = auto_folds(np.arange(2 * n_groups) % 2 == 0, n_splits, seed, groups)
    assert len(tests) == min(n_splits, n_groups)
    assert sorted(np.concatenate(tests).tolist()) == list(range(2 * n_groups))
    for first, second in combinations(tests, 2):
        assert not set(groups[first].tolist()) & set(groups[second].tolist())


@pytest.mark.parametrize("n_negative", [0, 1, 30])
def test_a_class_of_one_row_allows_no_folds(n_negative):
    assert auto_folds(labels(1, n_negative), 5, 0) == []


SPLITTERS = [
    KFold(3),
    StratifiedKFold(3, shuffle=True, random_state=0),
    LabeledKFold(3),
    LabeledKFold(3, unlabeled=0, pos_label="whatever"),
    RepeatedLabeledKFold(3, n_repeats=2, random_state=0),
]


def mixed_labels(n_rows=18):
    return np.arange(n_rows) % 3 == 0


@pytest.mark.parametrize("splitter", SPLITTERS, ids=repr)
def test_folds_of_a_splitter_are_its_tests(splitter):
    """Markers and classes of the library's own splitters do not matter: they see labelled rows, as zeros and ones."""
    is_positive = mixed_labels()
    before = dict(vars(splitter))
    tests = folds_of(splitter, np.zeros((18, 2)), is_positive, None)
    counts = np.bincount(np.concatenate(tests), minlength=18)
    assert set(counts) == {len(tests) // 3}
    assert vars(splitter) == before
    for test in tests:
        assert set(is_positive[test].tolist()) == {False, True}


def test_splitters_are_given_the_rows_and_their_groups():
    seen = []

    class Recording(GroupKFold):
        def split(self, X, y=None, groups=None):
            seen.append((X, y, groups))
            return super().split(X, y, groups)

    X, groups = np.arange(36.0).reshape(18, 2), np.arange(18) // 3
    folds_of(Recording(3), X, mixed_labels(), groups)
    ((rows, y, given_groups),) = seen
    assert rows is X
    assert given_groups is groups
    assert y.tolist() == mixed_labels().astype(int).tolist()
    assert y.dtype.kind == "i"


@pytest.mark.parametrize(
    ("splitter", "groups", "message"),
    [
        (TimeSeriesSplit(3), None, r"must train on all labelled rows that it does not test\. Got 6 and 4 of 18 rows"),
        (ShuffleSplit(2, train_size=0.5, test_size=0.2), None, "must train on all labelled rows .* of 18 rows"),
        (
            GroupKFold(3),
            np.arange(18) % 3,
            r"must test and train on rows of both classes\. Got none of one class in fold",
        ),
    ],
    ids=["time", "shuffled", "groups"],
)
def test_folds_that_do_not_suit_are_refused(splitter, groups, message):
    with pytest.raises(ValueError, match=message):
        folds_of(splitter, np.zeros((18, 2)), mixed_labels(), groups)


def test_folds_of_one_class_need_that_class_only():
    tests = folds_of(KFold(3), np.zeros((6, 1)), np.ones(6, dtype=bool), None)
    assert [test.tolist() for test in tests] == [[0, 1], [2, 3], [4, 5]]


def partly_labelled():
    """Rows in mixed order: 9 negative, 6 positive, 10 unlabelled ones; the only column is the row's number."""
    y = np.random.default_rng(5).permutation(np.repeat([0, 1, -1], [9, 6, 10]))
    return DenseRows(np.arange(25.0)[:, None]), read_labels(y), y


@pytest.mark.parametrize("splitter", SPLITTERS[1:], ids=repr)
def test_tests_are_places_among_labelled_rows_positive_first(splitter):
    rows, known, y = partly_labelled()
    tests = held_out_places(splitter, rows, known, None)
    order = known.positive_first()
    plain = splitter if isinstance(splitter, StratifiedKFold) else LabeledKFold(3)
    in_order = np.flatnonzero(y != -1)
    # The splitter sees labelled rows in the order of X, whatever order they stand in here.
    expected = [in_order[test] for _, test in plain.split(in_order, y[in_order])]
    if not isinstance(splitter, RepeatedLabeledKFold):
        assert [sorted(order[test].tolist()) for test in tests] == [test.tolist() for test in expected]
    for test in tests:
        assert set(y[order[test]]) == {0, 1}
        assert np.all(np.diff(test) > 0)


def test_rows_of_a_group_are_tested_together():
    rows, known, _ = partly_labelled()
    groups = np.arange(25) % 5
    tests = held_out_places(LabeledGroupKFold(3), rows, known, groups[known.positive_first()])
    tested = [set(groups[known.positive_first()[test]].tolist()) for test in tests]
    for first, second in combinations(tested, 2):
        assert not first & second


def test_folds_of_very_many_rows_leave_all_their_rows_out_and_look_at_some():
    rows, known, _ = partly_labelled()
    order = known.positive_first()
    plan = make_plan(held_out_places(StratifiedKFold(3), rows, known, None), known.is_positive[order], judged=True)
    followed = np.array([0, 2, 4, 5, 7, 8, 9, 13, 14])
    among = plan.among(followed)
    assert among.is_trained is plan.is_trained
    for test, whole in zip(among.tests, plan.tests, strict=True):
        assert followed[test].tolist() == [place for place in whole if place in followed]
    assert sorted(np.concatenate(among.tests).tolist()) == list(range(len(followed)))


@pytest.mark.parametrize(("n_labeled", "n_folds"), [(1999, 5), (2000, 3)])
def test_with_many_labels_some_of_the_folds_are_enough(n_labeled, n_folds):
    is_positive = np.arange(n_labeled) < 500
    tests = auto_folds(is_positive, 5, seed=0)
    assert len(tests) == n_folds
    assert all(len(test) in (n_labeled // 5, n_labeled // 5 + 1) for test in tests)
    grouped = auto_folds(is_positive, 5, seed=0, groups=np.arange(n_labeled) // 4)
    assert len(grouped) == n_folds
    plan = make_plan(tests, is_positive, judged=True)
    assert plan.outer_folds == tuple(range(n_folds))
