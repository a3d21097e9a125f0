import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2auc.experiments.datasets.split import semi_supervised_split


@st.composite
def requests(draw):
    """Draw labels with at least two rows of each class, and numbers of rows that they can serve."""
    y = draw(st.permutations([True, True, False, False, *draw(st.lists(st.booleans(), max_size=60))]))
    n_labeled = draw(st.integers(2, len(y)))
    n_test = draw(st.sampled_from([0, *range(2, len(y) - n_labeled + 1)]))
    return y, n_labeled, n_test


@given(requests(), st.none() | st.integers(0, 70), st.integers(0, 2**40))
def test_parts_are_disjoint_and_have_their_sizes(asked, n_unlabeled, seed):
    y, n_labeled, n_test = asked
    split = semi_supervised_split(y, n_labeled=n_labeled, n_test=n_test, n_unlabeled=n_unlabeled, seed=seed)
    left = len(y) - n_labeled - n_test
    assert len(split.labeled) == n_labeled
    assert len(split.test) == n_test
    assert len(split.unlabeled) == (left if n_unlabeled is None else min(left, n_unlabeled))
    rows = np.concatenate([split.labeled, split.unlabeled, split.test])
    assert len(set(rows.tolist())) == len(rows)
    assert set(rows.tolist()) <= set(range(len(y)))
    assert rows.dtype == np.intp
    assert {y[i] for i in split.labeled} == {True, False}
    assert n_test == 0 or {y[i] for i in split.test} == {True, False}


@given(st.integers(0, 500))
def test_a_rare_class_reaches_both_parts(seed):
    y = np.zeros(200, dtype=bool)
    y[[17, 120]] = True
    split = semi_supervised_split(y, n_labeled=2, n_test=197, seed=seed)
    assert y[split.labeled].sum() == y[split.test].sum() == 1


def test_the_seed_makes_the_split():
    y = np.arange(100) % 4 == 0
    first, again, other = (semi_supervised_split(y, n_labeled=10, n_test=20, seed=s) for s in (3, 3, 4))
    for part in ("labeled", "unlabeled", "test"):
        assert np.array_equal(getattr(first, part), getattr(again, part))
        assert not np.array_equal(getattr(first, part), getattr(other, part))


def test_labelled_rows_are_drawn_uniformly():
    y = np.arange(40) < 10
    counts, shares = np.zeros(40), []
    for seed in range(4_000):
        labeled = semi_supervised_split(y, n_labeled=20, n_test=4, seed=seed).labeled
        counts[labeled] += 1
        shares.append(y[labeled].mean())
    assert np.allclose(counts / 4_000, 0.5, atol=0.05)
    assert np.mean(shares) == pytest.approx(0.25, abs=0.005)


def test_forced_rows_are_random_too():
    y = np.arange(1_000) < 5
    forced = [semi_supervised_split(y, n_labeled=2, seed=seed).labeled for seed in range(500)]
    positives = [int(row) for labeled in forced for row in labeled if y[row]]
    assert len(positives) == 500
    assert np.bincount(positives, minlength=5).min() > 60


@pytest.mark.parametrize("y", [[1, -1, 1, -1, 1, -1], ["no", "yes"] * 3, np.array([0.0, 1.0] * 3)])
def test_any_two_labels_do(y):
    split = semi_supervised_split(y, n_labeled=2, n_test=2)
    assert len({y[i] for i in split.labeled}) == len({y[i] for i in split.test}) == 2


FAULTS = [
    ({"n_labeled": 1}, r"'n_labeled' parameter .* int >= 2. Got 1"),
    ({"n_labeled": 2.5}, r"'n_labeled' parameter .* Got 2.5"),
    ({"n_labeled": True}, r"'n_labeled' parameter .* Got True"),
    ({"n_labeled": 11}, r"at most the 10 rows of y together. Got 11 \+ 0"),
    ({"n_labeled": 6, "n_test": 5}, r"at most the 10 rows of y together. Got 6 \+ 5"),
    ({"n_labeled": 2, "n_test": 1}, "none or at least 2, one of each class. Got 1"),
    ({"n_labeled": 2, "n_test": -1}, "'n_test' parameter .* int >= 0. Got -1"),
    ({"n_labeled": 2, "n_unlabeled": -1}, "'n_unlabeled' parameter .* Got -1"),
    ({"n_labeled": 2, "seed": -1}, "'seed' parameter .* Got -1"),
    (
        {"n_labeled": 2, "n_test": 4, "y": [True] + [False] * 9},
        "at least 2 rows, .* Got 1 in the rarer class",
    ),
    ({"n_labeled": 2, "y": [True] * 10}, "exactly two values. Got 1 instead"),
    ({"n_labeled": 2, "y": [0, 1, 2]}, "exactly two values. Got 3 instead"),
    ({"n_labeled": 2, "y": []}, "exactly two values. Got 0 instead"),
    ({"n_labeled": 2, "y": [[0, 1]]}, r"one dimension. Got shape \(1, 2\)"),
]


@pytest.mark.parametrize(("arguments", "message"), FAULTS)
def test_what_cannot_be_done_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        semi_supervised_split(**({"y": [True, False] * 5} | arguments))
