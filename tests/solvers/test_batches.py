import numpy as np
import pytest
from scipy import stats

from s2auc.common.groups import PositiveFirst
from s2auc.solvers.batches import LABELED_LIMIT, followed_rows, plan_draws, rows_of_steps

SIZES = {"positive": 5, "negative": 8, "unlabeled": 1000}


def draw(pairing, sizes=SIZES, batch_size=16, first=0, last=30, seed=0):
    return rows_of_steps(plan_draws(sizes, pairing=pairing, batch_size=batch_size), seed=seed, first=first, last=last)


def test_triplets_take_as_many_rows_of_every_group():
    steps = draw("triplet")
    assert {group: index.shape for group, index in steps.items()} == dict.fromkeys(SIZES, (30, 16))
    for group, index in steps.items():
        assert 0 <= index.min() <= index.max() < SIZES[group]


def test_all_pairs_take_every_labelled_row_each_time():
    steps = draw("all")
    assert (steps["positive"] == np.arange(5)).all()
    assert (steps["negative"] == np.arange(8)).all()
    assert steps["unlabeled"].shape == (30, 16)


def test_a_pool_smaller_than_the_batch_takes_part_whole():
    steps = draw("all", {**SIZES, "unlabeled": 9})
    assert (steps["unlabeled"] == np.arange(9)).all()


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "shares"),
    [(5000, 5000, (1000, 1000)), (100, 50_000, (100, 1900)), (3000, 10, (1990, 10)), (1000, 1000, (1000, 1000))],
)
def test_very_many_labelled_rows_are_drawn_up_to_the_limit(n_positive, n_negative, shares):
    steps = draw("all", {"positive": n_positive, "negative": n_negative, "unlabeled": 0})
    assert (steps["positive"].shape[1], steps["negative"].shape[1]) == shares
    assert sum(shares) <= LABELED_LIMIT
    assert len(np.unique(steps["positive"])) >= min(n_positive, 1000)
    assert "unlabeled" not in steps


@pytest.mark.parametrize("only", ["positive", "negative"])
def test_the_only_labelled_class_has_the_whole_limit(only):
    assert draw("all", {only: LABELED_LIMIT, "unlabeled": 10})[only].tolist() == [list(range(LABELED_LIMIT))] * 30
    assert draw("all", {only: LABELED_LIMIT + 1, "unlabeled": 10})[only].shape == (30, LABELED_LIMIT)


@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_rows_of_an_iteration_do_not_depend_on_the_range_asked_for(pairing):
    whole = draw(pairing)
    for first, last in ((0, 1), (3, 17), (29, 30)):
        part = draw(pairing, first=first, last=last)
        assert all(np.array_equal(part[group], whole[group][first:last]) for group in SIZES)


WEIGHTS = {"positive": np.array([1.0, 2.0, 3.0, 0.5, 3.5]), "negative": None}


def test_rows_that_take_part_whole_count_by_their_weights():
    draws = plan_draws(SIZES, pairing="all", batch_size=16, weights=WEIGHTS)
    steps = rows_of_steps(draws, seed=0, first=0, last=30)
    assert (steps["positive"] == np.arange(5)).all()
    assert draws["positive"].step_weight.tolist() == WEIGHTS["positive"].tolist()
    assert draws["negative"].step_weight.tolist() == [1.0] * 8


@pytest.mark.parametrize("batch_size", [1, 16])
def test_drawn_rows_are_drawn_by_their_weights_and_count_alike(batch_size):
    draws = plan_draws(SIZES, pairing="triplet", batch_size=batch_size, weights=WEIGHTS)
    steps = rows_of_steps(draws, seed=1, first=0, last=16_000 // batch_size)
    often = np.bincount(steps["positive"].ravel(), minlength=5)
    assert stats.chisquare(often, 16_000 * WEIGHTS["positive"] / 10.0).pvalue > 1e-3
    assert draws["positive"].step_weight.tolist() == [1.0] * 5
    plain = draw("triplet", batch_size=batch_size, last=16_000 // batch_size, seed=1)
    for group in ("negative", "unlabeled"):
        np.testing.assert_array_equal(steps[group], plain[group])


def test_of_very_many_labelled_rows_heavy_ones_are_drawn_more_often():
    n_rows = LABELED_LIMIT + 500
    weights = {"negative": np.where(np.arange(n_rows) < 500, 4.0, 0.5)}
    sizes = {"positive": 5, "negative": n_rows}
    draws = plan_draws(sizes, pairing="all", batch_size=16, weights=weights)
    steps = rows_of_steps(draws, seed=0, first=0, last=30)
    assert steps["negative"].shape == (30, LABELED_LIMIT - 5)
    assert np.mean(steps["negative"] < 500) == pytest.approx(2000 / 3000, abs=0.01)
    assert draws["negative"].step_weight.tolist() == [1.0] * n_rows


def test_groups_and_seeds_and_iterations_draw_differently():
    sizes = dict.fromkeys(SIZES, 10**6)
    steps = draw("triplet", sizes)
    assert len(np.unique(np.concatenate([index.ravel() for index in steps.values()]))) > 1400
    assert not np.array_equal(steps["unlabeled"], draw("triplet", sizes, seed=1)["unlabeled"])


def test_a_rare_class_is_followed_whole():
    order = PositiveFirst(40, 20_000)
    followed = followed_rows(order)
    assert followed[:40].tolist() == list(range(40))
    assert len(followed) == len(set(followed.tolist())) == LABELED_LIMIT
    assert followed[-1] == order.n_rows - 1
    assert followed_rows(PositiveFirst(1500, 1500)).tolist()[999:1001] == [1499, 1500]
    assert followed_rows(PositiveFirst(3, 0)).tolist() == [0, 1, 2]
    assert len(followed_rows(PositiveFirst(0, 0))) == 0
