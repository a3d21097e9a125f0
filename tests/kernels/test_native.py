"""Every kernel of this installation against plain float64 NumPy."""

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from joblib import Parallel, delayed
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from s2auc.common.threads import available_cores, map_in_order, n_threads, single_blas_thread
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.schema.schema import Schema
from s2auc.kernels import fourier_native
from s2auc.kernels.fourier import evaluate, features
from s2auc.kernels.instruction_sets import available_instruction_sets, choose_instruction_set
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.versions import collect_versions
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from sparse_rows import random_rows

NATIVE = [name for name in available_instruction_sets() if name != "numpy"]
native_only = pytest.mark.skipif(not NATIVE, reason="no compiled kernel in this installation")


def make(n, m, d, size=1.0, seed=0):
    rng = np.random.default_rng([seed, n, m, d])
    return size * rng.normal(size=(n, d)), rng.normal(size=(m, d)) / np.sqrt(d)


def exact_waves(X, W):
    angles = np.asarray(X, dtype=np.float64) @ W.T
    return np.cos(angles), np.sin(angles)


def check_all(X, W, tolerance=2e-6, n_models=()):
    """Compare both operations with float64; errors relative to the sum of the weights."""
    rng = np.random.default_rng(7)
    cosines, sines = exact_waves(X.toarray() if hasattr(X, "toarray") else X, W)
    cosine, sine = rng.normal(size=(2, len(W), *n_models))
    scores = evaluate(X, W, cosine, sine)
    expected = cosines @ cosine + sines @ sine
    assert scores.shape == expected.shape
    assert scores.dtype == np.float64
    assert np.abs(scores - expected).max(initial=0.0) <= tolerance * np.abs([cosine, sine]).sum()
    waves = features(X, W)
    assert waves.dtype == np.float32
    assert waves.shape == (X.shape[0], 2 * len(W))
    # One cosine, unlike a sum of many, shows the rounding of its own angle.
    assert np.abs(waves - np.hstack([cosines, sines])).max(initial=0.0) <= 10 * tolerance


@pytest.mark.parametrize("m", [0, 1, 15, 17, 256, 1031])
@pytest.mark.parametrize("n", [0, 1, 5, 7, 97, 193])
def test_any_shape(kernel, n, m):
    for d, n_models in product([1, 3, 18], [(), (1,), (3,)]):
        try:
            check_all(*make(n, m, d), n_models=n_models)
        except AssertionError as error:
            error.add_note(f"{d} columns, {n_models} models")
            raise


@pytest.mark.parametrize("d", [1, 2, 7, 54, 200, 1031, 5000])
def test_any_number_of_columns(kernel, d):
    check_all(*make(31, 300, d), tolerance=2e-6)


def test_many_rows_go_through_several_tiles(kernel):
    check_all(*make(2 * fourier_native.NATIVE_TILE_ROWS + 11, 401, 4), n_models=(2,))


def test_no_columns(kernel):
    """Every angle is zero then."""
    X, W = np.zeros((3, 0)), np.zeros((4, 0))
    assert evaluate(X, W, np.ones(4), np.ones(4)) == pytest.approx([4, 4, 4], rel=1e-6)
    assert features(X, W).tolist() == [[1] * 4 + [0] * 4] * 3


def misaligned(X):
    memory = bytearray(X.nbytes + 1)
    array = np.frombuffer(memory, dtype=X.dtype, offset=1, count=X.size).reshape(X.shape)
    array[...] = X
    assert not array.flags.aligned
    return array


def read_only(X):
    frozen = X.copy()
    frozen.flags.writeable = False
    return frozen


LAYOUTS = {
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "columns reversed": lambda X: np.ascontiguousarray(X[:, ::-1])[:, ::-1],
    "rows reversed": lambda X: np.ascontiguousarray(X[::-1])[::-1],
    "by columns": np.asfortranarray,
    "one row for all": lambda X: np.broadcast_to(X[:1], X.shape),
    "misaligned": misaligned,
    "read only": read_only,
    "foreign byte order": lambda X: X.astype(X.dtype.newbyteorder()),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_the_rows_does_not_change_bits(kernel, layout, dtype):
    X, W = make(101, 300, 7)
    rows = LAYOUTS[layout](X.astype(dtype))
    plain = np.ascontiguousarray(rows).astype(dtype)
    coefficients = np.random.default_rng(1).normal(size=(2, 300))
    assert np.array_equal(features(rows, W), features(plain, W))
    assert np.array_equal(evaluate(rows, W, *coefficients), evaluate(plain, W, *coefficients))


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "one row for all"])
def test_the_layout_of_frequencies_and_coefficients_does_not_change_bits(kernel, layout):
    X, W = make(101, 300, 7)
    coefficients, change = np.random.default_rng(1).normal(size=(2, 300, 2)), LAYOUTS[layout]
    assert np.array_equal(features(X, change(W)), features(X, W))
    for cosine, sine in (coefficients, coefficients[:, :, 0]):
        assert np.array_equal(evaluate(X, W, change(cosine[:, None])[:, 0], sine), evaluate(X, W, cosine, sine))


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.float16, np.longdouble, np.bool_])
def test_rows_of_other_types(kernel, dtype):
    X, W = make(20, 30, 4)
    check_all((3 * X).astype(dtype), W, tolerance=3e-6)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("n_models", [(), (2,)])
def test_what_is_not_finite_stays_in_its_row(kernel, bad, n_models):
    X, W = make(50, 200, 5)
    coefficients = np.random.default_rng(1).normal(size=(2, 200, *n_models))
    spoilt = X.copy()
    spoilt[[0, 17, 49], [0, 3, 4]] = bad
    is_spoilt = np.isin(np.arange(50), [0, 17, 49])
    for operation in (lambda rows: evaluate(rows, W, *coefficients), lambda rows: features(rows, W)):
        before, after = operation(X), operation(spoilt)
        assert np.isnan(after[is_spoilt]).all()
        assert np.array_equal(after[~is_spoilt], before[~is_spoilt])
    spoilt[1] *= 1e5  # and where rows fall into several classes of size
    assert np.array_equal(np.isnan(features(spoilt, W)).all(axis=1), is_spoilt)


def test_the_cosine_itself(kernel):
    """On one column the angle is exact: what is left is range reduction and polynomial."""
    X = np.linspace(-16.0, 16.0, 100_001).astype(np.float32)[:, None]
    waves = features(X, np.array([[2 * np.pi]]))
    turns = X[:, 0].astype(np.float64)
    exact = np.stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)], axis=1)
    assert np.abs(waves).max() <= 1.0 + 2e-7
    # NumPy's path works in radians, whose float32 rounding alone is this large.
    assert np.abs(waves - exact).max() < (1e-5 if kernel == "numpy" else 3e-7)


@pytest.mark.parametrize("size", [30.0, 300.0, 1e6])
def test_large_angles(kernel, size):
    """Beyond the limit angles are formed in float64: errors do not grow with the angle."""
    X, W = make(200, 300, 6, size=size)
    check_all(X, W, tolerance=4e-6)


def test_sparse_rows(kernel):
    X = random_rows((301, 50), density=0.1, rng=np.random.default_rng(0))
    W = make(0, 100, 50)[1]
    check_all(X, W)
    assert np.array_equal(features(X, W), features(X.toarray(), W))


def test_a_hundred_thousand_columns(kernel):
    X = random_rows((70, 100_000), density=1e-3, rng=np.random.default_rng(0))
    W = np.random.default_rng(1).normal(size=(20, 100_000)) / 10.0
    check_all(csr_array(X), W, tolerance=4e-6)


def make_model():
    """Return a model of one part a kernel function, on five columns."""
    rng = np.random.default_rng(3)
    columns = ColumnScaling(rng.normal(size=5), rng.uniform(0.5, 2.0, 5))
    coefficients = rng.normal(size=(len(KERNELS), 2, 400))
    parts = tuple(
        CosinePart(columns, name, gamma=0.3, seed=seed, cosine=cosine, sine=sine)
        for seed, (name, (cosine, sine)) in enumerate(zip(KERNELS, coefficients, strict=True))
    )
    return Model(parts, offset=0.5, classes=np.array([0, 1]), schema=Schema(5, {}))


def test_scores_of_a_model_agree_across_kernels(monkeypatch):
    model = make_model()
    X = np.random.default_rng(0).normal(size=(500, model.n_columns))
    amplitudes = sum(np.hypot(part.cosine, part.sine).sum() for part in model.parts)
    scores = []
    for name in available_instruction_sets():
        monkeypatch.setenv("S2AUC_KERNEL", name)
        scores.append(model.decision_function(X))
    assert np.ptp(scores, axis=0).max() <= 1e-5 * amplitudes


@pytest.mark.parametrize("name", ["avx 2", "SSE9", "sse9"])
def test_a_kernel_that_is_not_there_is_an_error(monkeypatch, name):
    monkeypatch.setenv("S2AUC_KERNEL", name)
    with pytest.raises(ValueError, match=rf"S2AUC_KERNEL must name a kernel .*: numpy.* Got '{name}'; unset it"):
        features(*make(2, 2, 2))
    assert "S2AUC_KERNEL must name" in dict(collect_versions())["kernel"]


@pytest.mark.parametrize("spelling", [str.upper, " {} ".format, "\t{}\n".format])
def test_capitals_and_blanks_around_a_kernel_do_not_matter(monkeypatch, spelling):
    for name in available_instruction_sets():
        monkeypatch.setenv("S2AUC_KERNEL", spelling(name))
        assert choose_instruction_set().name == name


@pytest.mark.parametrize("nothing", ["", " "])
def test_an_empty_variable_forces_no_kernel(monkeypatch, nothing):
    monkeypatch.setenv("S2AUC_KERNEL", nothing)
    assert choose_instruction_set().name == available_instruction_sets()[-1]
    assert "forced" not in choose_instruction_set().reason


def test_the_kernel_and_its_reason_are_told(monkeypatch):
    monkeypatch.delenv("S2AUC_KERNEL", raising=False)
    fastest = available_instruction_sets()[-1]
    assert choose_instruction_set().name == fastest
    assert dict(collect_versions())["kernel"].startswith(f"{fastest}: ")
    monkeypatch.setenv("S2AUC_KERNEL", "numpy")
    assert dict(collect_versions())["kernel"] == "numpy: forced by S2AUC_KERNEL"


def test_numpy_serves_where_there_is_no_extension():
    code = """
import sys
from itertools import product
sys.modules["s2auc.kernels._cosines"] = None
import numpy as np
from s2auc.kernels.fourier import features
from s2auc.kernels.instruction_sets import choose_instruction_set
assert features(np.ones((3, 2)), np.ones((4, 2))).shape == (3, 8)
print(choose_instruction_set().name, choose_instruction_set().reason)
"""
    environment = {name: value for name, value in os.environ.items() if name != "S2AUC_KERNEL"}
    finished = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert finished.stdout.startswith("numpy no compiled extension (")


def test_threads_keep_to_the_limits_of_others(monkeypatch):
    monkeypatch.delenv("S2AUC_NUM_THREADS", raising=False)
    cores = available_cores()
    # Processes that share the cores for the tests may have a limit already.
    with threadpool_limits(cores):
        assert n_threads() == cores
        with threadpool_limits(1):
            assert n_threads() == 1
            with single_blas_thread:
                assert n_threads() == 1
        with single_blas_thread:
            assert n_threads() == cores
        assert n_threads() == cores
    monkeypatch.setenv("S2AUC_NUM_THREADS", "3")
    with threadpool_limits(1):
        assert n_threads() == 3


def test_joblib_workers_share_the_cores(monkeypatch):
    for name in ("S2AUC_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    n_jobs = max(2, available_cores())
    assert Parallel(n_jobs=n_jobs)(delayed(n_threads)() for _ in range(2)) == [1, 1]


def test_work_may_hand_out_work(monkeypatch):
    monkeypatch.setenv("S2AUC_NUM_THREADS", "2")
    X, W = make(2000, 500, 3)
    expected = features(X, W)
    results = list(map_in_order(lambda _: features(X, W), range(4)))
    assert all(np.array_equal(waves, expected) for waves in results)


@native_only
def test_threads_share_one_pool_of_the_compiled_kernel(monkeypatch):
    monkeypatch.setenv("S2AUC_NUM_THREADS", "2")
    X, W = make(2000, 500, 3)
    expected = features(X, W)
    results = Parallel(n_jobs=4, backend="threading")(delayed(features)(X, W) for _ in range(8))
    assert all(np.array_equal(waves, expected) for waves in results)


@native_only
def test_tiles_are_whole_groups_of_rows_of_the_extension():
    from s2auc.kernels import _cosines

    assert fourier_native.MIN_TILE % _cosines.GROUP_ROWS == 0
    assert fourier_native.NATIVE_TILE_ROWS % fourier_native.MIN_TILE == 0


@native_only
def test_norms_of_many_rows_are_those_of_few():
    X = make(1000, 0, 7)[0]
    X[[3, 500], 0] = np.inf, 1e200
    whole = fourier_native._norms(X)
    assert np.array_equal(fourier_native._norms(X, chunk_numbers=7 * 96), whole, equal_nan=True)


@native_only
def test_the_extension_checks_what_it_is_given():
    from s2auc.kernels import _cosines

    X, W = make(4, 6, 3)
    pack = _cosines.pack(NATIVE[-1], W, False, np.zeros(6), np.zeros((1, 6)))
    waves = np.zeros((4, 12), dtype=np.float32)
    _cosines.features(pack, X, waves)
    mistakes = [
        lambda: _cosines.pack("sse9", W, False, np.zeros(6), np.zeros((1, 6))),
        lambda: _cosines.pack(NATIVE[-1], W, False, np.zeros(5), np.zeros((1, 6))),
        lambda: _cosines.pack(NATIVE[-1], W, False, np.zeros(6), np.zeros((1, 7))),
        lambda: _cosines.pack(NATIVE[-1], W.astype(np.float32), False, np.zeros(6), np.zeros((1, 6))),
        lambda: _cosines.features(pack, X[:, :2], waves),
        lambda: _cosines.features(pack, X[:3], waves),
        lambda: _cosines.features(pack, X, waves.astype(np.float64)),
        lambda: _cosines.features(pack, X, waves[:, ::2]),
        lambda: _cosines.features(pack, X.astype(int), waves),
        lambda: _cosines.features(pack, X[0], waves),
        lambda: _cosines.features(pack, X, read_only(waves)),
        lambda: _cosines.features(object(), X, waves),
        lambda: _cosines.evaluate(pack, X, np.zeros(3)),
        lambda: _cosines.evaluate_bundle(pack, X, np.zeros((4, 1))),
        lambda: _cosines.norms(X, np.zeros(3)),
        lambda: _cosines.multiply_add(NATIVE[-1], -1),
    ]
    for mistake in mistakes:
        with pytest.raises((ValueError, BufferError)):
            mistake()


@native_only
@pytest.mark.parametrize("name", NATIVE)
def test_the_peak_loop_counts_its_operations(name):
    from s2auc.kernels import _cosines

    assert _cosines.multiply_add(name, 10) == 10 * _cosines.multiply_add(name, 1) > 0
