"""Seeds, streams and drawn rows: the same for years, apart from each other, uniform."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from s2auc.common.randomness import (
    FREQUENCY_STREAM,
    GROUP_STREAMS,
    SAMPLE_STREAM,
    SEED_LIMIT,
    SPREAD_STREAM,
    derived_seed,
    draw_rows,
    draw_weighted_rows,
    random_words,
)

# The first eight bytes, the lowest first, of what sha256sum says of the text, whose words are parted by zero bytes.
# Frequencies follow from derived seeds: if these change, a seed no longer gives the model that it gave.
GOLDEN_SEEDS = {
    (0, ()): 0x386FC8FF66EBEC5F,
    (7, ("standard", "none")): 0x9A5CC47BC95E4791,
}

# Rows that steps draw by weight: if these change, a seed no longer gives the model that it gave.
GOLDEN_DRAWS = {
    (5, 2, (1.0, 2.0, 0.5, 4.0), 0): [[3, 3, 2, 1, 3, 1], [3, 1, 3, 1, 1, 1]],
    (2**64 - 1, 3, (0.25, 0.25, 0.25, 0.0), 10**6): [[1, 1, 1, 0, 2, 0], [1, 0, 2, 0, 2, 1]],
}


def test_streams_are_apart():
    streams = [FREQUENCY_STREAM, SAMPLE_STREAM, SPREAD_STREAM, *GROUP_STREAMS.values()]
    assert len(set(streams)) == len(streams) == 7
    drawn = {draw_rows(3, stream, 10**6, 8, 0, 1).tobytes() for stream in streams}
    assert len(drawn) == 7


def test_draws_are_uniform_up_to_the_last_row():
    rows = draw_rows(0, 4, 7, 5, 0, 20_000)
    assert stats.chisquare(np.bincount(rows.ravel(), minlength=7)).pvalue > 1e-3
    large = draw_rows(0, 4, 2**40, 4, 0, 1000)
    assert stats.kstest(large.ravel() / 2**40, "uniform").pvalue > 1e-3
    assert (draw_rows(0, 4, 1, 3, 0, 50) == 0).all()


def test_draws_do_not_depend_on_the_range_asked_for():
    whole = draw_rows(5, 2, 1000, 6, 0, 40)
    for first, last in ((0, 1), (3, 17), (39, 40), (7, 7)):
        np.testing.assert_array_equal(draw_rows(5, 2, 1000, 6, first, last), whole[first:last])


def test_draws_are_shares_of_the_words():
    words = random_words(9, 3, 0, 20, 5)
    expected = [[(int(word) >> 11) * 12_345 // 2**53 for word in row] for row in words]
    assert draw_rows(9, 3, 12_345, 5, 0, 20).tolist() == expected


@pytest.mark.parametrize("seed", [0, 1, 2**63, SEED_LIMIT - 1])
def test_draws_stay_below_the_number_of_rows(seed):
    for n_rows in (1, 2, 3, 2**31, 2**53):
        rows = draw_rows(seed, 1, n_rows, 7, 0, 100)
        assert 0 <= rows.min() <= rows.max() < n_rows


def test_the_largest_word_is_the_last_row(monkeypatch):
    """The product may round up to the number of rows."""
    largest = np.full((1, 1), 2**64 - 1, dtype=np.uint64)
    monkeypatch.setattr("s2auc.common.randomness.random_words", lambda *_: largest)
    for n_rows in (1, 3, 10**6 + 3, 2**40 + 1, 2**53):
        assert draw_rows(0, 0, n_rows, 1, 0, 1).tolist() == [[n_rows - 1]]


@pytest.mark.parametrize("given", GOLDEN_DRAWS)
def test_golden_weighted_draws(given):
    seed, stream, weight, first = given
    assert draw_weighted_rows(seed, stream, np.array(weight), 6, first, first + 2).tolist() == GOLDEN_DRAWS[given]


def test_weighted_draws_are_where_sums_of_weights_pass_the_words():
    weight = np.random.default_rng(0).integers(0, 5, 40)
    words = random_words(9, 3, 0, 20, 5)
    repeated = [row for row, times in enumerate(weight.tolist()) for _ in range(times)]
    expected = [[repeated[(int(word) >> 11) * len(repeated) // 2**53] for word in row] for row in words]
    assert draw_weighted_rows(9, 3, weight.astype(float), 5, 0, 20).tolist() == expected
    np.testing.assert_array_equal(draw_weighted_rows(9, 3, weight / 8, 5, 3, 9), expected[3:9])


def test_rows_are_drawn_as_often_as_their_weights_say():
    weight = np.array([3.0, 0.0, 0.5, 1.0, 0.0, 2.5, 0.0])
    counts = np.bincount(draw_weighted_rows(0, 4, weight, 5, 0, 20_000).ravel(), minlength=7)
    assert counts[weight == 0].tolist() == [0, 0, 0]
    drawn = weight > 0
    assert stats.chisquare(counts[drawn], 100_000 * weight[drawn] / weight.sum()).pvalue > 1e-3


def test_the_largest_word_is_the_last_row_of_any_weight(monkeypatch):
    """The product may round up to the sum of all weights."""
    largest = np.full((1, 1), 2**64 - 1, dtype=np.uint64)
    monkeypatch.setattr("s2auc.common.randomness.random_words", lambda *_: largest)
    for unit in (0.1, 1.0, 1 / 3, 1e-300, 1e300):
        assert draw_weighted_rows(0, 0, unit * np.array([1.0, 7.0, 1.0, 0.0, 0.0]), 1, 0, 1).tolist() == [[2]]


@pytest.mark.parametrize(("seed", "words"), GOLDEN_SEEDS)
def test_golden_derived_seeds(seed, words):
    assert derived_seed(seed, *words) == GOLDEN_SEEDS[seed, words]


def test_derived_seeds_are_seeds_and_all_different():
    seeds = [
        derived_seed(seed, *words)
        for seed in (0, 1, 10, SEED_LIMIT - 1)
        for length in range(3)
        for words in product(["gaussian", "laplacian", "", "0", "1"], repeat=length)
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < SEED_LIMIT for seed in seeds)
    # Nor do words run into each other or into the seed.
    assert derived_seed(0, "ab", "c") != derived_seed(0, "a", "bc")
    assert derived_seed(1, "0") != derived_seed(10)
