"""SSRankBoost: the stumps of pair by pair boosting, who borrows labels, a loss that never rises, and speed."""

from time import process_time

import numpy as np
import pytest
from scipy import sparse

from baselines import as_rows, make_groups, many_rows, raw_scores
from reference.ssrankboost import borrowed_labels, rank_boost, side_pairs
from s2auc import SSRankBoostClassifier
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.matrix_rows import open_source
from s2auc.estimators.baselines.ssrankboost import borrow_labels, find_neighbors

PLAIN = {"scaling": "none", "random_state": 0}


def small_rows(seed=0):
    """Few rows, with ties, in values that float32 holds."""
    groups = {group: np.round(8 * X) / 8 for group, X in make_groups(6, 9, 25, seed).items()}
    return groups, *as_rows(groups)


def literal(groups, weight, n_rounds, unlabeled_weight, k=3):
    labeled = np.vstack([groups["positive"], groups["negative"]])
    is_positive = [True] * len(groups["positive"]) + [False] * len(groups["negative"])
    pairs = side_pairs(range(len(labeled)), is_positive, weight, 1.0)
    X = labeled
    if unlabeled_weight:
        borrowed = borrowed_labels(labeled, is_positive, groups["unlabeled"], k)
        rows = sorted(borrowed)
        X = np.vstack([labeled, groups["unlabeled"][rows]])
        places = range(len(labeled), len(X))
        pairs += side_pairs(places, [borrowed[row] for row in rows], [1.0] * len(rows), unlabeled_weight)
    return rank_boost(X, pairs, n_rounds)


def stumps_of(model):
    part = model.model_.parts[0]
    nodes = zip(part.column.reshape(-1, 3), part.number.reshape(-1, 3), strict=True)
    return [(int(column[0]), number[0], number[2]) for column, number in nodes]


@pytest.mark.parametrize("unlabeled_weight", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_stumps_are_those_of_boosting_pair_by_pair(unlabeled_weight, weighted, seed):
    groups, X, y = small_rows(seed)
    counts = np.random.default_rng(3).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    model = SSRankBoostClassifier(12, unlabeled_weight=unlabeled_weight, **PLAIN)
    model.fit(X, y, sample_weight=counts if weighted else None)
    stumps, losses = literal(groups, counts[y != -1], 12, unlabeled_weight)
    np.testing.assert_allclose(stumps_of(model), stumps, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.losses_, losses, rtol=1e-9)
    expected = [sum(step for column, threshold, step in stumps if row[column] > threshold) for row in X]
    np.testing.assert_allclose(raw_scores(model, X), expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_rounding_errors_do_not_choose_between_equal_stumps(seed):
    """Thresholds of a column and of the same column turned round split rows alike, but sum them in another order."""
    X, _, y = many_rows(300, 60, seed)
    X = X.astype(np.float32).astype(np.float64)
    turned = np.hstack([X, -X])
    model = SSRankBoostClassifier(40, **PLAIN).fit(turned, y)
    assert max(column for column, _, _ in stumps_of(model)) < X.shape[1]
    alone = SSRankBoostClassifier(40, **PLAIN).fit(X, y)
    assert stumps_of(model) == stumps_of(alone)


@pytest.mark.parametrize("unlabeled_weight", [0.0, 0.5])
def test_the_loss_never_rises(unlabeled_weight):
    X, truth, y = many_rows(1500, 200)
    flipped = np.where(np.random.default_rng(1).random(len(y)) < 0.2, 1 - truth, truth)
    model = SSRankBoostClassifier(150, unlabeled_weight=unlabeled_weight).fit(X, np.where(y < 0, y, flipped))
    assert model.n_iter_ == 150
    assert model.losses_[0] == pytest.approx(1 + unlabeled_weight, abs=1e-12)
    assert np.all(np.diff(model.losses_) < 0)


@pytest.mark.parametrize("chunk", [1, 7, 10**6])
def test_who_borrows_labels(chunk):
    groups, _, _ = small_rows()
    labeled = np.vstack([groups["positive"], groups["negative"]])
    is_positive = np.arange(len(labeled)) < 6
    # A row of the pool that stands on a labelled row, and one that is as near to two.
    pool = np.vstack([groups["unlabeled"], labeled[:1], (labeled[1:2] + labeled[8:9]) / 2])
    columns = ColumnScaling(np.zeros(2), np.ones(2))
    for k in (1, 3, 100):
        near = find_neighbors(labeled, open_source(sparse.csr_array(pool)), columns, k, chunk_rows=chunk)
        numbers, up = borrow_labels(*near, is_positive)
        assert dict(zip(numbers.tolist(), up.tolist(), strict=True)) == borrowed_labels(labeled, is_positive, pool, k)


def test_how_many_borrowed():
    X, _, y = many_rows()
    assert SSRankBoostClassifier(1, unlabeled_weight=0).fit(X, y).n_borrowed_ == 0
    assert 40 < SSRankBoostClassifier(1, n_neighbors=2).fit(X, y).n_borrowed_ <= 80
    assert SSRankBoostClassifier(1, n_neighbors=500).fit(X, y).n_borrowed_ == 360


def test_borrowed_labels_help_where_classes_are_clusters():
    alone, helped = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        truth = np.arange(400) % 2
        X = rng.normal(size=(400, 6)) + 1.5 * truth[:, None]
        y = np.where(np.arange(400) < 4, truth, -1)
        for weight, found in ((0.0, alone), (1.0, helped)):
            model = SSRankBoostClassifier(unlabeled_weight=weight, n_neighbors=30, random_state=0).fit(X, y)
            found.append(model.score(X[4:], truth[4:]))
    assert np.mean(helped) > np.mean(alone) + 0.05


def test_without_pairs_of_borrowed_labels_there_is_rank_boost():
    """The one unlabelled row is a neighbour of all, and nearest to a positive one."""
    X, y = np.array([[0.0], [1.0], [2.0], [3.0], [0.4]]), np.array([1, 0, 1, 0, -1])
    model = SSRankBoostClassifier(3, **PLAIN).fit(X, y)
    alone = SSRankBoostClassifier(3, unlabeled_weight=0, **PLAIN).fit(X, y)
    assert model.n_borrowed_ == 0
    assert stumps_of(model) == stumps_of(alone)


def test_one_stump_that_orders_all_pairs_ends_boosting():
    X = np.arange(12.0)[:, None]
    model = SSRankBoostClassifier(unlabeled_weight=0, **PLAIN).fit(X, np.repeat([0, 1], 6))
    assert model.n_iter_ == 1
    assert model.score(X, np.repeat([0, 1], 6)) == 1.0
    assert stumps_of(model)[0][:2] == (0, 5.5)
    assert stumps_of(model)[0][2] == pytest.approx(0.5 * np.log((2 - 1e-6) / 1e-6), rel=1e-9)


def test_labelled_rows_that_are_all_alike_have_no_stump(tmp_path):
    X, y = np.ones((12, 2)), np.repeat([0, 1], 6)
    model = SSRankBoostClassifier(unlabeled_weight=0).fit(X, y, np.eye(2))
    assert model.n_iter_ == 0
    assert model.losses_.tolist() == [1.0]
    np.testing.assert_array_equal(raw_scores(model, X), 0.0)
    model.save(tmp_path / "model.safetensors")


def test_without_unlabelled_rows_it_says_what_it_is():
    X, y = np.eye(2), [0, 1]
    with pytest.warns(UserWarning, match="There are no unlabelled rows: .* as with unlabeled_weight=0"):
        model = SSRankBoostClassifier().fit(X, y)
    assert model.n_borrowed_ == 0


def test_neighbouring_and_huge_floats_are_told_apart_as_in_the_model():
    """Thresholds stand between values that float32 tells apart, and nowhere else."""
    steps = np.nextafter(np.float32(1), np.float32(2)), 1.0, 1.0 + 1e-12, -1e300, 1e300, 1e300
    X, y = np.array(steps)[:, None], np.array([1, 0, 1, 0, 1, 0])
    model = SSRankBoostClassifier(5, unlabeled_weight=0, **PLAIN).fit(X, y)
    assert model.decision_function(X)[1] == model.decision_function(X)[2]
    assert model.decision_function(X)[4] == model.decision_function(X)[5]
    assert np.all(np.diff(model.losses_) < 0)
    pairs = [np.exp(-(up - down)) for up in raw_scores(model, X)[y == 1] for down in raw_scores(model, X)[y == 0]]
    assert np.mean(pairs) == pytest.approx(model.losses_[-1], rel=1e-9)


def test_thousands_of_rows_take_seconds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7000, 20))
    truth = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=7000) > 0
    y = np.where(np.arange(7000) < 2000, truth, -1)
    start = process_time()
    model = SSRankBoostClassifier(100, n_neighbors=10).fit(X, y)
    assert process_time() - start < 8.0
    assert model.n_iter_ == 100
    assert model.n_borrowed_ > 3000
