"""The rule behind suggested rows, against plain loops."""

import numpy as np
import pytest

from reference.suggestion import uncertain_and_far
from s2auc.models.uncertain_rows import DOUBTED, choose_uncertain
from s2auc.models.unlabeled_numbers import UnlabeledNumbers


@pytest.mark.parametrize("n", [1, 3, 20, 60])
@pytest.mark.parametrize("n_rows", [1, 5, 80, 400])
def test_chosen_rows_are_those_of_the_reference(n_rows, n):
    rng = np.random.default_rng([n_rows, n])
    # Whole numbers: many equal scores and distances.
    scores, places = rng.integers(-9, 10, n_rows) / 4.0, rng.integers(0, 4, (n_rows, 3)).astype(float)
    chosen = choose_uncertain(scores, places, n)
    assert chosen.tolist() == uncertain_and_far(scores, places, n, DOUBTED)
    assert len(set(chosen.tolist())) == len(chosen) == min(n, n_rows)


def test_equal_rows_are_taken_last_and_once():
    places = np.zeros((50, 2))
    places[30] = 1.0
    assert choose_uncertain(np.linspace(0.1, 0.2, 50), places, 5).tolist() == [0, 30, 1, 2, 3]


def test_rows_far_from_the_threshold_are_not_taken():
    scores = np.concatenate([np.full(100, 0.1), np.full(900, 5.0)])
    places = np.arange(1000.0)[:, None]
    assert choose_uncertain(scores, places, 10).max() < 100


def test_places_of_any_size():
    places = np.array([[0.0], [1e308], [-1e308], [1.0]])
    assert sorted(choose_uncertain(np.zeros(4), places, 4).tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize("labeled", [[], [0], [9], [0, 1, 2], [3, 5, 9], list(range(9))])
@pytest.mark.parametrize("most", [3, 10, 100])
def test_unlabeled_numbers(labeled, most):
    numbers = UnlabeledNumbers(10, np.array(labeled, dtype=np.intp))
    expected = sorted(set(range(10)) - set(labeled))
    drawn = numbers.drawn(most, seed=1).tolist()
    assert len(numbers) == len(expected)
    assert drawn == sorted(set(drawn))
    assert set(drawn) <= set(expected)
    assert drawn == expected or len(expected) > most >= len(drawn) > 0


def test_unlabeled_numbers_of_a_very_long_table():
    numbers = UnlabeledNumbers(10**12, np.arange(0, 10**6, 2))
    drawn = numbers.drawn(2000, seed=0)
    assert 1900 < len(drawn) <= 2000
    assert abs(drawn.mean() / 10**12 - 0.5) < 0.05
    assert drawn.tolist() != numbers.drawn(2000, seed=1).tolist()
