"""Shift is found where there is some, and only there, whatever share of each class was labelled."""

import warnings

import numpy as np
import pytest

from s2auc.common.groups import PositiveFirst
from s2auc.data.features import shift as shifts
from s2auc.data.features.shift import MIN_ROWS


def draw(rng, n_rows, is_positive, n_columns=6):
    """Rows of one class: columns that tell the classes apart, one that is skewed, one with ties, noise."""
    X = rng.normal(size=(n_rows, n_columns))
    X[:, 0] += 1.5 * is_positive
    X[:, 1] *= 1.0 + is_positive
    X[:, 2] = np.exp(X[:, 2] + 0.5 * is_positive)
    X[:, 3] = X[:, 3].round()
    return X


def find_shift(positive, negative, unlabeled, weight=None):
    labeled = np.concatenate([positive, negative])
    return shifts.find_shift(labeled, PositiveFirst(len(positive), len(negative), weight), unlabeled)


def make_groups(seed, n_positive=40, n_negative=40, n_unlabeled=300, prior=0.3):
    rng = np.random.default_rng(seed)
    n_hidden = rng.binomial(n_unlabeled, prior)
    unlabeled = np.concatenate([draw(rng, n_hidden, True), draw(rng, n_unlabeled - n_hidden, False)])
    return draw(rng, n_positive, True), draw(rng, n_negative, False), unlabeled


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "prior"),
    [(40, 40, 0.3), (100, 10, 0.05), (8, 200, 0.5), (5, 5, 0.5), (50, 50, 0.0), (30, 60, 1.0)],
)
def test_no_shift_is_seldom_called_one(n_positive, n_negative, prior):
    found = [find_shift(*make_groups(seed, n_positive, n_negative, prior=prior)) for seed in range(200)]
    p_values = np.array([shift.p_value for shift in found])
    assert np.mean(p_values < 0.001) < 0.02
    assert np.mean(p_values < 0.05) < 0.12
    assert np.all((p_values >= 0.0) & (p_values <= 1.0))


@pytest.mark.parametrize("prior", [0.1, 0.5, 0.9])
def test_the_share_of_positive_rows_is_recovered_from_many_labels(prior):
    found = [find_shift(*make_groups(seed, 800, 200, 2000, prior)).class_prior for seed in range(20)]
    assert np.mean(found) == pytest.approx(prior, abs=0.05)


@pytest.mark.parametrize("column", range(6))
def test_a_moved_column_is_found_and_named(column):
    positive, negative, unlabeled = make_groups(column)
    spread = unlabeled[:, column].std()
    for move in (-2.0 * spread, 2.0 * spread):
        moved = unlabeled.copy()
        moved[:, column] += move
        shift = find_shift(positive, negative, moved)
        assert shift.p_value < 1e-4
        assert shift.column == column


@pytest.mark.parametrize("column", [0, 1, 3, 4, 5])
@pytest.mark.parametrize("factor", [0.1, 6.0])
def test_a_stretched_column_is_found_and_named(column, factor):
    positive, negative, unlabeled = make_groups(column)
    middle = np.median(unlabeled[:, column])
    unlabeled[:, column] = middle + factor * (unlabeled[:, column] - middle)
    shift = find_shift(positive, negative, unlabeled)
    assert shift.p_value < 1e-2
    assert shift.column == column


def test_units_and_order_of_rows_do_not_matter():
    groups = make_groups(0)
    expected = find_shift(*groups)
    found = find_shift(*[np.exp(0.25 * X[::-1]) for X in groups])
    assert found.column == expected.column
    assert found.p_value == pytest.approx(expected.p_value, rel=1e-9)
    assert found.class_prior == pytest.approx(expected.class_prior, rel=1e-9)


def test_classes_can_be_exchanged():
    positive, negative, unlabeled = make_groups(1)
    expected, found = find_shift(positive, negative, unlabeled), find_shift(negative, positive, unlabeled)
    assert found.class_prior == pytest.approx(1.0 - expected.class_prior, abs=1e-9)
    assert (found.column, found.p_value) == (expected.column, pytest.approx(expected.p_value, rel=1e-6))


@pytest.mark.parametrize("few", range(3))
def test_few_rows_tell_nothing(few):
    sizes = [20, 20, 20]
    sizes[few] = MIN_ROWS - 1
    assert find_shift(*make_groups(0, *sizes)) is None
    sizes[few] = MIN_ROWS
    assert find_shift(*make_groups(0, *sizes)) is not None


def test_constant_columns_do_no_harm():
    groups = make_groups(2)
    expected = find_shift(*groups)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = find_shift(*[np.hstack([X, np.full((len(X), 1), 3.0)]) for X in groups])
        constant = find_shift(*[np.zeros((len(X), 2)) for X in groups])
    assert found.column == expected.column
    assert found.class_prior == pytest.approx(expected.class_prior, rel=1e-9)
    # One column more is two comparisons more.
    assert found.p_value == pytest.approx(min(1.0, expected.p_value * 14 / 12), rel=1e-9)
    assert constant.p_value == 1.0
    assert 0.0 <= constant.class_prior <= 1.0


def test_a_column_that_is_constant_but_among_unlabelled_rows_is_found():
    groups = [np.hstack([X, np.zeros((len(X), 1))]) for X in make_groups(3)]
    groups[2][:, -1] = 1.0
    shift = find_shift(*groups)
    assert shift.column == 6
    assert shift.p_value < 1e-6


@pytest.mark.parametrize("rate", [0.05, 0.2])
@pytest.mark.parametrize("n_labeled", [10, 20, 50])
def test_rare_levels_raise_no_alarm(rate, n_labeled):
    """A rare level is often absent from the few rows of a class, which says nothing."""
    random = np.random.default_rng(0)
    alarms = 0
    for _ in range(100):
        rows = (random.random((2 * n_labeled + 1000, 10)) < rate).astype(float)
        groups = np.split(rows, [n_labeled, 2 * n_labeled])
        alarms += find_shift(*groups).p_value < 1e-3
    assert alarms <= 2


def test_weights_that_make_up_for_how_rows_were_picked_leave_no_shift():
    rng = np.random.default_rng(0)
    positive, negative, unlabeled = make_groups(0, 1000, 1000)
    # Rows with a large first value were picked for labelling nine times as often.
    labeled = np.concatenate([positive, negative])
    is_picked = rng.random(len(labeled)) < np.where(labeled[:, 0] > 0.5, 0.95, 0.1)
    kept = [group[mask] for group, mask in zip((positive, negative), np.split(is_picked, [1000]), strict=True)]
    weight = 1.0 / np.where(np.concatenate(kept)[:, 0] > 0.5, 0.95, 0.1)
    plain, weighted = find_shift(*kept, unlabeled), find_shift(*kept, unlabeled, weight)
    assert plain.p_value < 1e-3 < 0.01 < weighted.p_value
    equal = find_shift(*kept, unlabeled, np.full(len(weight), 2.0))
    assert (equal.column, equal.p_value) == (plain.column, pytest.approx(plain.p_value))
