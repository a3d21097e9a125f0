"""What weights do to labels: rows of no weight are gone, and only ratios of the others matter."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from s2auc.data.labels.labels import read_labels
from s2auc.data.labels.weights import weigh_labels

Y = [1, 0, -1, 1, 0, -1, 0]
WEIGHT = np.array([2.0, 0.0, np.nan, 4.0, 1.0, -3.0, 1.0])


def weigh(sample_weight, y=Y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return weigh_labels(read_labels(y, pos_label=1), sample_weight)


def test_rows_of_no_weight_are_in_no_group():
    labels = weigh(WEIGHT)
    assert np.flatnonzero(labels.is_positive).tolist() == [0, 3]
    assert np.flatnonzero(labels.is_negative).tolist() == [4, 6]
    assert np.flatnonzero(labels.is_unlabeled).tolist() == [2, 5]
    assert labels.positive_first().tolist() == [0, 3, 4, 6]
    assert labels.order.weight.tolist() == [1.0, 2.0, 0.5, 0.5]


@pytest.mark.parametrize("unit", [1e-300, 1e-3, 1024.0, 1e300])
def test_the_unit_of_weights_does_not_matter(unit):
    np.testing.assert_allclose(weigh(unit * WEIGHT).order.weight, weigh(WEIGHT).order.weight, rtol=1e-12)


@pytest.mark.parametrize("of_unlabeled", [0.0, -1.0, np.nan, np.inf, -np.inf, 1e308])
def test_weights_of_unlabelled_rows_are_not_looked_at(of_unlabeled):
    weight = np.where(np.array(Y) == -1, of_unlabeled, 1e-20 * np.arange(1.0, 8.0))
    np.testing.assert_allclose(weigh(weight).order.weight, np.array([1, 4, 2, 5, 7]) / 3.8)


@pytest.mark.parametrize("value", [1.0, 7.5, 1e-300, 0.1])
def test_equal_weights_are_none(value):
    assert weigh(np.full(7, value)).order.weight is None
    assert weigh(np.where(np.arange(7) == 1, 0.0, value)).order.weight is None
    assert weigh(None).order.weight is None


FORMS = {
    "list": list,
    "tuple": tuple,
    "series": lambda weight: pd.Series(weight, index=range(10, 17)),
    "nullable series": lambda weight: pd.Series(weight, dtype="Float64").mask(pd.Series(np.array(Y) == -1)),
    "float32": lambda weight: weight.astype(np.float32),
    "integers": lambda weight: weight.astype(np.int8),
    "unsigned integers": lambda weight: weight.astype(np.uint64),
    "objects": lambda weight: np.where(np.array(Y) == -1, None, weight),
    "masked": lambda weight: np.ma.masked_array(weight, np.array(Y) == -1),
}


@pytest.mark.parametrize("form", FORMS)
def test_weights_come_in_many_forms(form):
    weight = np.array([2.0, 0.0, 9.0, 4.0, 1.0, 9.0, 1.0])
    assert weigh(FORMS[form](weight)).order.weight.tolist() == [1.0, 2.0, 0.5, 0.5]
    assert weight.tolist() == [2.0, 0.0, 9.0, 4.0, 1.0, 9.0, 1.0]


def test_booleans_keep_or_leave_out():
    labels = weigh([True, False, True, True, True, False, True])
    assert (labels.n_positive, labels.n_negative, labels.order.weight) == (2, 2, None)


def test_rows_may_all_be_unlabelled():
    labels = weigh_labels(read_labels([1, 0, -1]), None)
    nothing = replace(labels, n_rows=2, positive=labels.positive[:0], negative=labels.negative[:0])
    assert weigh_labels(nothing, [1.0, 2.0]).order.weight is None


ONES = [1.0] * 7
BAD = {
    "too short": ([1.0, 2.0], r"one number for each of the 7 rows of X\. Got shape \(2,\)"),
    "a table": (np.ones((7, 1)), r"one number for each of the 7 rows of X\. Got shape \(7, 1\)"),
    "a number": (2.0, r"one number for each of the 7 rows of X\. Got shape \(\)"),
    "text": (["a"] * 7, r"one number for each of the 7 rows of X\. Got a list of something else"),
    "numbers as text": (["1"] * 7, r"one number for each of the 7 rows of X\. Got a list of something else"),
    "a word": ("balanced", r"one number for each of the 7 rows of X\. Got a str of something else"),
    "a mapping": ({0: 1.0, 1: 2.0}, r"one number for each of the 7 rows of X\. Got a dict of something else"),
    "ragged": ([[1.0], [1.0, 2.0]], r"one number for each of the 7 rows of X\. Got a list of something else"),
    "complex": (np.ones(7) + 1j, r"one number for each of the 7 rows of X\. Got a ndarray of something else"),
    "dates": (np.full(7, np.datetime64("2020-01-01")), r"each of the 7 rows of X\. Got a ndarray of something else"),
    "negative": ([1.0, -2.5, *ONES[2:]], r"finite numbers >= 0\. Got -2\.5 in row 1"),
    "infinite": ([*ONES[:4], np.inf, 1.0, 1.0], r"finite numbers >= 0\. Got inf in row 4"),
    "missing": ([*ONES[:6], np.nan], r"finite numbers >= 0\. Got nan in row 6"),
    "masked": (np.ma.masked_array(ONES, np.arange(7) == 3), r"finite numbers >= 0\. Got nan in row 3"),
    "all zero": (np.zeros(7), r"some row of each class\. Got zeros for all 2 positive rows"),
    "zero for a class": ([1, 0, 0, 1, 0, 0, 0], r"some row of each class\. Got zeros for all 3 negative rows"),
    "next to nothing for a class": (np.where(np.array(Y) == 1, 1e-200, 1e200), r"Got zeros for all 2 positive rows"),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_weights_are_told_in_a_sentence(bad):
    given, message = BAD[bad]
    with pytest.raises(ValueError, match=rf"^sample_weight must [^\n]*{message}[^\n]*; [^\n]*\.$"):
        weigh(given)
