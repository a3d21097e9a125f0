"""Rules of constructor parameters."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from s2auc import LabeledKFold
from s2auc.common.parameters import (
    Boolean,
    Choice,
    Jobs,
    Nothing,
    Number,
    Seed,
    SequenceOf,
    Splitter,
    check_parameters,
)

POSITIVE, SHARE, COUNT = Number(0, open_low=True), Number(0, 1), Number(1, integer=True)
OPEN = Number(0, 1, open_low=True, open_high=True)

ACCEPTED = [
    (POSITIVE, [1e-300, 1, 2.5, np.float32(0.1), np.int8(3), Fraction(1, 3)]),
    (SHARE, [0, 1, 0.0, 1.0, 0.5, np.float64(1)]),
    (COUNT, [1, 10**9, np.int64(4), np.uint8(1)]),
    (Choice({"a": 1, "b": 2}), ["a", np.str_("b")]),
    (Boolean(), [True, False, np.True_]),
    (Jobs(), [1, 10**30, -1, -2, -(10**30), np.int8(-3)]),
    (OPEN, [1e-300, 0.5, 1 - 2**-53, Fraction(1, 3)]),
    (Nothing(), [None]),
    (Seed(2**64), [None, 0, 2**64 - 1, np.int32(5), np.random.RandomState(0), np.random]),
    (SequenceOf(POSITIVE), [[1.0], (1, 2.5), np.array([0.1, 3]), np.array([2]), [np.float32(1), Fraction(1, 3)]]),
    (SequenceOf(COUNT), [[1], (3, 3), np.arange(1, 4)]),
    (SequenceOf(Choice(["a", "b"])), [["a"], ("b", "a", "b"), np.array(["a", "b"])]),
    (Splitter(), [KFold(3), ShuffleSplit(), LabeledKFold(2), [([0], [1])], iter([([0], [1])])]),
]
REFUSED = [
    (POSITIVE, [0, 0.0, -1, np.nan, np.inf, 10**400, "1", None, True, 1j, [1.0], np.array([1.0])]),
    (SHARE, [-1e-9, 1 + 1e-9, np.nan, -np.inf, False]),
    (COUNT, [0, -3, 1.0, 2.5, np.nan, True, "3", 10**400, None]),
    (Choice(["a", "b"]), ["c", "A", "", 1, None, ["a"], {"a"}]),
    (Boolean(), [0, 1, "True", None]),
    (Jobs(), [0, 1.0, True, "2", None]),
    (OPEN, [0, 1, 0.0, 1.0, np.float32(1), 1 + 1e-9, np.nan]),
    (Nothing(), [0, False, "None"]),
    (Seed(2**64), [-1, 2**64, 10**400, 1.0, "0", True, [1], np.random.default_rng(0)]),
    (
        SequenceOf(POSITIVE),
        [[], (), np.zeros(0), 1.0, np.array(1.0), "1", None, {1.0}, {1.0: 2}, range(1, 3), iter([1.0])],
    ),
    (SequenceOf(POSITIVE), [[1.0, 0.0], (1, np.nan), np.array([1.0, np.inf]), [True], [None], ["1"]]),
    (SequenceOf(POSITIVE), [[[1.0]], [[1.0], [1.0, 2.0]], np.ones((1, 2)), [np.ones(1), np.ones(1)]]),
    (SequenceOf(COUNT), [[1.0], [1, 0], np.array([1.0, 2.0])]),
    (SequenceOf(Choice(["a", "b"])), ["a", "ab", ["c"], ["a", None], [["a"]]]),
    (Splitter(), [3, None, "a b", b"a b", {0: 1}, KFold]),
]


def pairs(table):
    return [pytest.param(rule, value, id=f"{rule}-{value!r:.20}") for rule, values in table for value in values]


@pytest.mark.parametrize(("rule", "value"), pairs(ACCEPTED))
def test_accepts(rule, value):
    assert rule.accepts(value) is True
    check_parameters("Model", {"knob": value}, {"knob": (rule,)})


@pytest.mark.parametrize(("rule", "value"), pairs(REFUSED))
def test_refuses(rule, value):
    assert rule.accepts(value) is False
    with pytest.raises(ValueError, match=r"The 'knob' parameter of Model must be .+\. Got .+ instead\."):
        check_parameters("Model", {"knob": value}, {"knob": (rule,)})


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ((POSITIVE,), "a float > 0."),
        ((SHARE,), "a float in the range [0, 1]."),
        ((Number(0, 1, open_low=True),), "a float in the range (0, 1]."),
        ((Number(0, 1, open_high=True),), "a float in the range [0, 1)."),
        ((Number(0, 1, open_low=True, open_high=True),), "a float in the range (0, 1)."),
        ((Jobs(), Nothing()), "an int other than 0 or None."),
        ((COUNT, Nothing()), "an int >= 1 or None."),
        ((Choice(["a", "b"]), POSITIVE), "a str among {'a', 'b'} or a float > 0."),
        ((Number(0, integer=True), Boolean()), "an int >= 0 or a bool."),
        ((SequenceOf(SHARE),), "a list of which every entry is a float in the range [0, 1]."),
        (
            (COUNT, Splitter()),
            "an int >= 1 or a splitter with a method split(X, y, groups) or an iterable of (train, test) row numbers.",
        ),
        ((Seed(2**64),), "an int in [0, 2**64), a numpy.random.RandomState or None."),
    ],
)
def test_the_sentence_says_what_is_allowed(rules, words):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the whole message is compared
        check_parameters("Model", {"knob": -1.5}, {"knob": rules})
    assert str(caught.value) == f"The 'knob' parameter of Model must be {words} Got -1.5 instead."


def test_seeds_are_read():
    rule = Seed(2**64)
    assert rule.read(np.int64(12)) == 12
    assert rule.read(2**64 - 1) == 2**64 - 1
    states = [np.random.RandomState(4) for _ in range(2)]
    first = rule.read(states[0])
    assert first == rule.read(states[1])
    assert first != rule.read(states[0])
    assert len({rule.read(None) for _ in range(5)}) > 1
