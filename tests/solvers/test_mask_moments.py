"""Moments of every mask's rows, against those of its rows taken one by one."""

import numpy as np
import pytest

from s2auc.common.groups import PositiveFirst
from s2auc.solvers.exact.by_features import moments_of_masks

ORDER = PositiveFirst(7, 12)


def folds(n_folds):
    """All rows; all but a fold; all but two."""
    fold_of_row = np.arange(ORDER.n_rows) % n_folds
    left_out = [(), *((i,) for i in range(n_folds)), *((i, i + 1) for i in range(n_folds - 1))]
    return np.stack([~np.isin(fold_of_row, folds) for folds in left_out], axis=1)


def overlapping():
    """More sets of rows that are in the same masks than there are masks."""
    return np.random.default_rng(1).random((ORDER.n_rows, 6)) < 0.6


def moments_by_loops(rows):
    mean = np.array([sum(row[j] for row in rows) / len(rows) for j in range(rows.shape[1])])
    second = sum(np.outer(row, row) for row in rows) / len(rows)
    return mean, second


@pytest.mark.parametrize("is_trained", [folds(3), folds(5), overlapping(), np.ones((19, 1), dtype=bool)])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-13), (np.float32, 1e-6)])
@pytest.mark.parametrize("block_rows", [1, 3, 4096])
def test_moments_are_those_of_the_rows_of_each_mask(is_trained, dtype, tolerance, block_rows):
    labeled = np.random.default_rng(0).normal(size=(ORDER.n_rows, 4)).astype(dtype)
    found = list(moments_of_masks(labeled, ORDER, is_trained, block_rows))
    assert len(found) == is_trained.shape[1]
    for mask, moments in enumerate(found):
        assert list(moments) == ["positive", "negative"]
        for group, places in ORDER.split(np.flatnonzero(is_trained[:, mask])).items():
            mean, second = moments_by_loops(labeled[places].astype(np.float64))
            np.testing.assert_allclose(moments[group].mean, mean, atol=tolerance)
            np.testing.assert_allclose(moments[group].second, second, atol=tolerance)
            assert moments[group].second.dtype == np.float64


def test_groups_without_rows_are_left_out():
    is_trained = np.ones((ORDER.n_rows, 2), dtype=bool)
    is_trained[: ORDER.n_positive, 1] = False
    both, negative = moments_of_masks(np.ones((ORDER.n_rows, 2)), ORDER, is_trained)
    assert (list(both), list(negative)) == (["positive", "negative"], ["negative"])


def test_every_row_is_asked_for_once_and_few_at_a_time():
    asked = []

    class Rows:
        shape = (ORDER.n_rows, 3)

        def __getitem__(self, places):
            asked.append(list(places))
            return np.ones((len(places), 3))

    list(moments_of_masks(Rows(), ORDER, folds(5), block_rows=2))
    assert sorted(place for places in asked for place in places) == list(range(ORDER.n_rows))
    assert max(map(len, asked)) == 2
