"""The order of labelled rows, against lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from s2auc.common.groups import NEGATIVE, POSITIVE, PositiveFirst

COUNTS = st.integers(0, 6)


@given(COUNTS, COUNTS)
def test_positive_rows_come_first(n_positive, n_negative):
    order = PositiveFirst(n_positive, n_negative)
    rows = ["+"] * n_positive + ["-"] * n_negative
    assert order.n_rows == len(rows)
    assert rows[order.positive] == ["+"] * n_positive
    assert rows[order.negative] == ["-"] * n_negative
    assert order.is_positive.dtype == bool
    assert order.is_positive.tolist() == [row == "+" for row in rows]


@given(COUNTS, COUNTS)
def test_slices_are_those_of_classes_that_have_rows(n_positive, n_negative):
    order = PositiveFirst(n_positive, n_negative)
    expected = {POSITIVE: order.positive} if n_positive else {}
    assert order.slices == expected | ({NEGATIVE: order.negative} if n_negative else {})


@given(COUNTS, COUNTS, st.data())
def test_places_are_split_by_class(n_positive, n_negative, data):
    order = PositiveFirst(n_positive, n_negative)
    some = st.lists(st.integers(0, max(order.n_rows - 1, 0)), unique=True, max_size=order.n_rows)
    listed = sorted(data.draw(some)) if order.n_rows else []
    places = np.array(listed, dtype=np.intp)
    split = {group: part.tolist() for group, part in order.split(places).items()}
    by_hand = {
        POSITIVE: [place for place in listed if place < n_positive],
        NEGATIVE: [place for place in listed if place >= n_positive],
    }
    assert split == {group: part for group, part in by_hand.items() if part}
    chosen = order.chosen(places)
    assert chosen == PositiveFirst(len(by_hand[POSITIVE]), len(by_hand[NEGATIVE]))
    # The chosen rows, listed as they stand, are in that order themselves.
    np.testing.assert_array_equal(order.is_positive[places], chosen.is_positive)


def test_orders_are_equal_if_their_counts_are():
    assert PositiveFirst(2, 3) == PositiveFirst(2, 3)
    assert len({PositiveFirst(2, 3), PositiveFirst(2, 3), PositiveFirst(3, 2)}) == 2
