"""Sums of cosines against plain float64, whichever kernel computes them."""

import os
import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import reference
from s2auc.data.features.scaled_rows import ScaledRows
from s2auc.kernels.fourier import evaluate, features
from s2auc.kernels.frequencies import FrequencyStream, draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.tiles import ANGLE_LIMIT, TILE_FREQUENCIES, TILE_ROWS, angles_of, cut_tiles

N_COLUMNS = 5

pytestmark = pytest.mark.usefixtures("kernel")


def make(n_rows=300, n_frequencies=1500, kernel="gaussian", gamma=0.3, seed=0, size=1.0):
    X = size * np.random.default_rng(seed).normal(size=(n_rows, N_COLUMNS))
    return X, draw_frequencies(KERNELS[kernel], gamma, N_COLUMNS, seed, 0, n_frequencies)


def coefficients(n_frequencies, *n_models, seed=1):
    return np.random.default_rng(seed).normal(size=(2, n_frequencies, *n_models))


def direct(X, W, cosine, sine):
    angles = X @ W.T
    return np.cos(angles) @ cosine + np.sin(angles) @ sine


@pytest.mark.parametrize("n_models", [(), (1,), (3,)])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-12)])
def test_evaluate_is_the_sum_of_cosines(kernel, n_models, dtype, tolerance):
    X, W = make(kernel=kernel)
    cosine, sine = coefficients(len(W), *n_models)
    expected = direct(X, W, cosine, sine)
    scores = evaluate(X, W, cosine, sine, dtype=dtype)
    assert scores.shape == expected.shape
    assert scores.dtype == np.float64
    assert np.abs(scores - expected).max() < tolerance * np.abs(cosine).sum(axis=0).max()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 4e-5), (np.float64, 1e-11)])
def test_features_are_cosines_then_sines(kernel, dtype, tolerance):
    X, W = make(kernel=kernel)
    expected = reference.features(X, W) * np.sqrt(len(W))
    waves = features(X, W, dtype=dtype)
    assert waves.dtype == dtype
    assert np.abs(waves - expected).max() < tolerance


@pytest.mark.parametrize("size", [1.0, 1e6])
def test_rows_that_are_scaled_as_they_are_used_have_the_same_bits(size, monkeypatch):
    monkeypatch.setattr("s2auc.kernels.fourier_native.DENSE_BYTES", 8 * N_COLUMNS * 70)
    X, W = make(size=size)
    lazy = ScaledRows(X - 1.0, lambda rows: rows + 1.0, N_COLUMNS)
    dense = (X - 1.0) + 1.0
    cosine, sine = coefficients(len(W))
    np.testing.assert_array_equal(evaluate(lazy, W, cosine, sine), evaluate(dense, W, cosine, sine))
    chosen = np.array([250, 3, 3, 77])
    np.testing.assert_array_equal(features(lazy[chosen], W), features(dense[chosen], W))


@cache
def large_angles(size):
    """Rows, frequencies and their cosines, which take long to compute and are the same for every kernel."""
    X, W = make(kernel="laplacian", n_frequencies=3000, size=size)
    return X, W, np.cos(np.longdouble(1) * X @ W.T.astype(np.longdouble)).astype(np.float64)


@pytest.mark.parametrize("size", [1.0, 40.0, 1e4])
def test_large_angles_keep_the_documented_precision(size):
    """Cauchy frequencies reach 1e4 and more: a float32 angle would know nothing of its cosine."""
    X, W, exact = large_angles(size)
    assert np.abs(X @ W.T).max() > 10 * ANGLE_LIMIT
    assert np.abs(features(X, W)[:, : len(W)] - exact).max() < 4e-5
    naive = np.cos(X.astype(np.float32) @ W.T.astype(np.float32))
    assert np.abs(naive - exact).max() > 2e-4


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_a_row_does_not_depend_on_its_company(kernel):
    X, W = make(kernel=kernel, n_rows=400)
    X[::7] *= 1000.0
    cosine, sine = coefficients(len(W))
    scores, waves = evaluate(X, W, cosine, sine), features(X, W)
    bundle = evaluate(X, W, *coefficients(len(W), 15))
    rng = np.random.default_rng(3)
    for n_rows in (1, 2, 13, 128, 129, 300):
        chosen = rng.permutation(400)[:n_rows]
        assert np.array_equal(evaluate(X[chosen], W, cosine, sine), scores[chosen])
        assert np.array_equal(features(X[chosen], W), waves[chosen])
        assert np.array_equal(evaluate(X[chosen], W, *coefficients(len(W), 15)), bundle[chosen])


def test_threads_do_not_change_bits(monkeypatch):
    X, W = make(n_rows=1000)
    cosine, sine = coefficients(len(W))
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("S2AUC_NUM_THREADS", threads)
        results.append((evaluate(X, W, cosine, sine), features(X, W)))
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other, strict=True))


def test_frequencies_beyond_float32_leave_small_rows_finite():
    W = np.array([[1e100, 1.0], [3e38, 3e38], [1e200, 0.0]])
    X = np.array([[0.0, 0.0], [1e-310, 0.0], [1e-290, 1e-300]])
    cosine, sine = coefficients(3)
    np.testing.assert_allclose(evaluate(X, W, cosine, sine), np.full(3, cosine.sum()), rtol=1e-6)
    assert features(X, W).tolist() == [[1, 1, 1, 0, 0, 0]] * 3


def test_no_rows_and_no_frequencies():
    X, W = make(n_rows=3, n_frequencies=4)
    assert evaluate(X[:0], W, *coefficients(4)).shape == (0,)
    assert evaluate(X, W[:0], *coefficients(0)).tolist() == [0, 0, 0]
    assert evaluate(X, W[:0], *coefficients(0, 2)).shape == (3, 2)
    assert features(X[:0], W).shape == (0, 8)


def test_tiles_cover_every_row_and_frequency_once():
    X, W = make(kernel="laplacian", n_rows=2 * TILE_ROWS + 5, n_frequencies=TILE_FREQUENCIES + 7, size=30.0)
    seen = np.zeros((len(X), len(W)), dtype=int)
    n_wide = 0
    for tile in cut_tiles(X, W, np.float32):
        for run, angles in angles_of(X, tile, np.float32):
            assert angles.shape == (TILE_ROWS, len(run.W))
            assert angles.dtype == np.float32
            seen[tile.place(run)] += 1
            n_wide += run.is_wide
    assert (seen == 1).all()
    assert n_wide


def test_forked_children_can_compute():
    """Threads do not survive a fork: a child that waited for its parent's would hang."""
    code = """
import multiprocessing, numpy as np
from s2auc.kernels.fourier import features
X = np.ones((1000, 2)); W = np.ones((3, 2))
features(X, W)
context = multiprocessing.get_context("fork")
with context.Pool(1) as pool:
    assert pool.apply_async(features, (X, W)).get(timeout=600).shape == (1000, 6)
print("done")
"""
    environment = {**os.environ, "S2AUC_NUM_THREADS": "2", "PYTHONWARNINGS": "ignore"}
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert finished.stdout.strip() == "done", finished.stderr


def test_a_stream_beyond_its_memory_gives_the_same_frequencies_and_scores():
    X, W = make(n_rows=20, n_frequencies=5000)
    cosine, sine = coefficients(5000)
    whole = FrequencyStream("gaussian", 0.3, N_COLUMNS, 0)
    pieces = FrequencyStream("gaussian", 0.3, N_COLUMNS, 0, max_bytes=1)
    assert pieces.piece == TILE_FREQUENCIES < 5000 < whole.piece
    for first, last in ((0, 10), (5, 2000), (4000, 5000)):
        assert np.array_equal(whole.take(first, last), W[first:last])
        assert np.array_equal(pieces.take(first, last), W[first:last])
    np.testing.assert_allclose(
        pieces.evaluate(X, cosine, sine), whole.evaluate(X, cosine, sine), rtol=1e-12, atol=1e-12
    )


def test_a_stream_pickles_without_its_frequencies():
    stream = FrequencyStream("laplacian", 0.3, N_COLUMNS, 9)
    kept = stream.take(0, 5000).copy()
    sent = pickle.dumps(stream)
    assert len(sent) < 1000
    again = pickle.loads(sent)
    assert (again.kernel, again.gamma, again.n_columns, again.seed) == ("laplacian", 0.3, N_COLUMNS, 9)
    assert np.array_equal(again.take(100, 5000), kept[100:])
    assert np.array_equal(stream.take(0, 5000), kept)


def test_threads_that_ask_a_stream_at_once_see_whole_frequencies(monkeypatch):
    """Another thread fills the stream just before room is made for it again, and reads while it is filled again."""
    stream, expected = FrequencyStream("gaussian", 0.3, N_COLUMNS, 0), make(n_rows=1, n_frequencies=500)[1]
    empty, draw = np.empty, FrequencyStream._draw
    between = []

    def make_room(shape, *args, **kwargs):
        if not between:
            between.append("making room")
            stream.take(0, 500)
        room = empty(shape, *args, **kwargs)
        room.fill(0)
        return room

    def draw_slowly(self, first, last):
        between.append(stream.take(0, 500).copy() if len(between) == 2 else "drawing")
        return draw(self, first, last)

    monkeypatch.setattr("s2auc.kernels.frequencies.np.empty", make_room)
    monkeypatch.setattr(FrequencyStream, "_draw", draw_slowly)
    assert np.array_equal(stream.take(0, 500), expected)
    assert np.array_equal(between[2], expected)


@pytest.mark.parametrize("size", [1e20, 1e40, 1e155, 1e300])
@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_any_finite_row_has_a_finite_score(kernel, size):
    X, W = make(kernel=kernel, n_rows=20)
    X[::3] *= size
    assert np.isfinite(evaluate(X, W, *coefficients(len(W)))).all()
    assert np.abs(features(X, W)).max() <= 1.0
    ordinary = np.arange(20) % 3 > 0
    assert np.array_equal(features(X, W)[ordinary], features(X[ordinary], W))


def test_concurrent_work_leaves_blas_as_it_was():
    from concurrent.futures import ThreadPoolExecutor

    from threadpoolctl import threadpool_info

    X, W = make()
    before = [library["num_threads"] for library in threadpool_info()]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: features(X, W), range(40)))
    assert [library["num_threads"] for library in threadpool_info()] == before


@pytest.mark.parametrize("wanted", ["0", "-1", "many", "1.5"])
def test_a_wrong_number_of_threads_is_an_error(monkeypatch, wanted):
    monkeypatch.setenv("S2AUC_NUM_THREADS", wanted)
    with pytest.raises(ValueError, match=f"must be an int >= 1. Got '{wanted}'"):
        features(*make())
