"""Which rows each model of a search learns from."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2auc.search.plan import MOST_OUTER_FOLDS, WHOLE, auto_folds, auto_repeats, make_plan

SIZES = st.tuples(st.integers(2, 30), st.one_of(st.just(0), st.integers(2, 30)))


def labels(n_positive, n_negative):
    return np.arange(n_positive + n_negative) < n_positive


def left_out(plan, mask):
    return set(np.flatnonzero(~plan.is_trained[:, mask]).tolist())


@settings(max_examples=50)
@given(SIZES, st.integers(2, 7), st.integers(0, 2**31), st.booleans())
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
    masks = [WHOLE, *(plan.mask_without(fold) for fold in range(plan.n_folds)), *plan.pair_masks.values()]
    assert sorted(masks) == list(range(plan.is_trained.shape[1]))
    assert not plan.pair_masks or judged


@settings(max_examples=50)
@given(SIZES, st.integers(2, 7), st.integers(0, 2**31))
def test_every_mask_leaves_rows_of_each_class(sizes, n_splits, seed):
    is_positive = labels(*sizes)
    plan = make_plan(auto_folds(is_positive, n_splits, seed), is_positive, judged=True)
    assert plan.is_trained[is_positive].any(axis=0).all()
    if sizes[1]:
        assert plan.is_trained[~is_positive].any(axis=0).all()


@settings(max_examples=50)
@given(SIZES, st.integers(2, 7), st.integers(0, 2**31))
def test_folds_that_judge_share_no_rows(sizes, n_splits, seed):
    """Rows of a fold would otherwise take part in the choice that the fold judges."""
    is_positive = labels(*sizes)
    tests = auto_folds(is_positive, n_splits, seed)
    plan = make_plan(tests, is_positive, judged=True)
    assert len(plan.outer_folds) <= MOST_OUTER_FOLDS
    for first, second in combinations(plan.outer_folds, 2):
        assert not set(tests[first].tolist()) & set(tests[second].tolist())


def test_all_pairs_of_the_first_folds_judge():
    is_positive = labels(12, 20)
    plan = make_plan(auto_folds(is_positive, 5, 0), is_positive, judged=True)
    assert plan.n_folds == 10  # twice five
    assert plan.outer_folds == (0, 1, 2, 3, 4)
    assert set(plan.pair_masks) == set(combinations(range(5), 2))
    assert plan.is_trained.shape == (32, 1 + 10 + 10)


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


@settings(max_examples=50)
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
