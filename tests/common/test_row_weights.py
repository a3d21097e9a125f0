"""Shares, counts and the worth of weighted rows, against sums that are written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2auc.common.groups import counts_of, effective_size, shares_of

WEIGHTS = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12)


@given(WEIGHTS)
def test_shares_and_counts_are_weights_in_other_units(weights):
    shares, counts = (of(np.array(weights), len(weights)) for of in (shares_of, counts_of))
    np.testing.assert_allclose(shares, [weight / sum(weights) for weight in weights], rtol=1e-12)
    np.testing.assert_allclose(counts, [weight * len(weights) / sum(weights) for weight in weights], rtol=1e-12)


@given(WEIGHTS)
def test_the_worth_of_rows_lies_between_one_and_all(weights):
    expected = sum(weights) ** 2 / sum(weight * weight for weight in weights)
    found = effective_size(np.array(weights), len(weights))
    assert found == pytest.approx(expected, rel=1e-12)
    assert 1 - 1e-9 <= found <= len(weights) + 1e-9


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1.0, 1e200])
def test_the_worth_of_rows_does_not_depend_on_the_unit(unit):
    assert effective_size(unit * np.array([1.0, 1.0, 2.0]), 3) == pytest.approx(16 / 6)


def test_without_weights_all_rows_count_alike():
    assert (shares_of(None, 4).tolist(), counts_of(None, 4).tolist(), effective_size(None, 4)) == (
        [0.25] * 4,
        [1] * 4,
        4,
    )
    assert shares_of(None, 0).tolist() == counts_of(None, 0).tolist() == []
