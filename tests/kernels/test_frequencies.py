import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtri

import reference
from s2auc.common.randomness import random_words
from s2auc.kernels.frequencies import FREQUENCY_VERSION, draw_frequencies, standard_normals
from s2auc.kernels.shift_invariant import KERNELS

# Random123's published known answers for philox4x64-10: counter, key, output.
KNOWN_ANSWERS = [
    (0, 0, "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b"),
    (2**256 - 1, 2**128 - 1, "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0"),
    (
        0x082EFA98EC4E6C89_A4093822299F31D0_13198A2E03707344_243F6A8885A308D3,
        0xBE5466CF34E90C6C_452821E638D01377,
        "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
    ),
]

# Frequency `index` of seed 20190810, gamma 0.7, three columns, under FREQUENCY_VERSION "philox4x64-10/ndtri/1".
# If a change of code moves these, models saved by users are lost: introduce a new version instead.
GOLDEN = {
    ("gaussian", 0): ["-0x1.5708c7d43a737p-2", "-0x1.7b4a155c32e44p-4", "0x1.12fa9c225b0c0p-5"],
    ("gaussian", 10**9): ["-0x1.6eb1b3523883fp+1", "-0x1.437ac801dca77p-3", "0x1.95fe55bc0ebfep-3"],
    ("gaussian", 2**40): ["0x1.139769b49cca5p+0", "0x1.910b03e98e024p-1", "0x1.0c6d07b7f89eep+0"],
    ("laplacian", 0): ["-0x1.943a8683b0312p-3", "0x1.4ad19b0a5cf1dp-5", "0x1.04775eaca0843p-6"],
    ("laplacian", 10**9): ["-0x1.d01f3949fcc61p+0", "-0x1.5afe96a586deep+0", "0x1.aaa9f9d06b940p+0"],
    ("laplacian", 2**40): ["0x1.483d78698be91p-4", "-0x1.0b67fcffcf859p-10", "-0x1.3ac088b9d0834p+0"],
    ("matern32", 0): ["-0x1.1af76395684f9p-2", "-0x1.38df76eda026ap-4", "0x1.c5a7f2ad9155dp-6"],
    ("matern32", 10**9): ["-0x1.24d8b8c5ddd99p+1", "0x1.ca2efde4aea0fp-3", "0x1.193c807d50962p+2"],
    ("matern32", 2**40): ["-0x1.e64a4ea104c60p-5", "0x1.901fcfac2af42p-10", "0x1.7a7afa381daf7p+1"],
    ("matern52", 0): ["-0x1.2a0e9438f25bap-2", "-0x1.498ef3ea29521p-4", "0x1.ddd9794f3f1f2p-6"],
    ("matern52", 10**9): ["-0x1.fb2201569dcddp-1", "0x1.8cb9f507581c5p-4", "0x1.e706e8006e6a1p+0"],
    ("matern52", 2**40): ["-0x1.1c58973e74358p-5", "0x1.d3ecdffe0c16ep-11", "0x1.ba9d25b191dc9p+0"],
}


@pytest.fixture(params=KERNELS)
def kernel(request):
    return KERNELS[request.param]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_philox_known_answers(counter, key, answer):
    words = [int(word, 16) for word in answer.split()]
    assert reference.philox4x64(counter, key) == words
    # NumPy's generator steps its counter before it is used.
    assert np.random.Philox(key=key, counter=(counter - 1) % 2**256).random_raw(4).tolist() == words


@pytest.mark.parametrize("index", [0, 1, 10**9, 2**40, 2**62])
@pytest.mark.parametrize("width", [1, 4, 5, 11])
def test_words_are_the_documented_ones(index, width):
    seed, stream = 2**63 + 5, 3
    counters = -(-width // 4)
    expected = [reference.philox4x64(index * counters + j // 4 + 1, seed + (stream << 64))[j % 4] for j in range(width)]
    assert random_words(seed, stream, index, index + 1, width)[0].tolist() == expected


def test_normals_are_the_documented_ones_and_never_zero_or_infinite():
    words = random_words(5, 0, 0, 50, 6)
    expected = [[ndtri((int(w) // 2**12 + 0.5) / 2**52) for w in row] for row in words]
    assert standard_normals(5, 0, 0, 50, 6).tolist() == expected
    extremes = ndtri((np.array([0, 2**51 - 1, 2**51, 2**52 - 1], dtype=np.float64) + 0.5) / 2**52)
    assert np.isfinite(extremes).all()
    assert (extremes != 0).all()
    assert np.abs(extremes).max() < 8.3


@pytest.mark.parametrize("index", [0, 10**9, 2**40])
def test_golden_frequencies(kernel, index):
    assert FREQUENCY_VERSION == "philox4x64-10/ndtri/1"
    frequencies = draw_frequencies(kernel, 0.7, 3, 20190810, index, index + 1)
    assert [value.hex() for value in frequencies[0].tolist()] == GOLDEN[kernel.name, index]


@given(
    name=st.sampled_from(sorted(KERNELS)),
    first=st.one_of(st.integers(0, 100), st.integers(2**40, 2**40 + 100)),
    cuts=st.lists(st.integers(0, 30), max_size=5),
    n_columns=st.integers(1, 9),
)
def test_any_split_into_blocks_gives_the_same_bits(name, first, cuts, n_columns):
    ends = [first, *(first + cut for cut in sorted(cuts)), first + 30]
    draw = KERNELS[name], 0.3, n_columns, 99
    whole = draw_frequencies(*draw, first, first + 30)
    blocks = [draw_frequencies(*draw, a, b) for a, b in itertools.pairwise(ends)]
    assert np.vstack(blocks).tobytes() == whole.tobytes()


def test_seeds_and_streams_and_indices_do_not_overlap():
    seen = {
        random_words(seed, stream, index, index + 1, 4).tobytes()
        for seed in (0, 1, 2**64 - 1)
        for stream in (0, 1)
        for index in (0, 1, 2**40)
    }
    assert len(seen) == 18


def test_normals_pass_kolmogorov_smirnov_and_moments():
    normals = standard_normals(11, 0, 0, 50_000, 4)
    for column in normals.T:
        assert stats.kstest(column, "norm").pvalue > 1e-3
    flat = normals.ravel()
    moments = [np.mean(flat**k) for k in (1, 2, 3, 4)]
    allowed = 4 * np.sqrt(np.array([1, 2, 15, 96]) / flat.size)
    assert (np.abs(np.subtract(moments, [0, 1, 0, 3])) < allowed).all()
    assert np.abs(np.corrcoef(normals.T) - np.eye(4)).max() < 4 / np.sqrt(50_000)


MARGINALS = {
    "gaussian": lambda g: stats.norm(scale=np.sqrt(2 * g)),
    "laplacian": lambda g: stats.cauchy(scale=g),
    "matern32": lambda g: stats.t(3, scale=np.sqrt(2 * g)),
    "matern52": lambda g: stats.t(5, scale=np.sqrt(2 * g)),
}


@pytest.mark.parametrize("gamma", [0.05, 2.0])
def test_frequencies_follow_the_spectral_density(kernel, gamma):
    W = draw_frequencies(kernel, gamma, 3, 12, 0, 40_000)
    marginal = MARGINALS[kernel.name](gamma)
    for column in W.T:
        assert stats.kstest(column, marginal.cdf).pvalue > 1e-3
    # Quartiles: moments that exist for every one of these laws.
    np.testing.assert_allclose(np.quantile(W, [0.25, 0.5, 0.75]), marginal.ppf([0.25, 0.5, 0.75]),
                               atol=0.03 * marginal.ppf(0.75))  # fmt: skip
    assert abs(stats.spearmanr(W[:, 0], W[:, 1]).statistic) < 4 / np.sqrt(len(W))


def test_student_frequencies_share_one_radius_and_cauchy_ones_do_not():
    """Matérn is isotropic: large in one column means large in the others. The Laplacian kernel is a product."""
    dependence = {
        name: stats.spearmanr(*np.abs(draw_frequencies(KERNELS[name], 1.0, 2, 4, 0, 40_000)).T).statistic
        for name in KERNELS
    }
    assert dependence["matern32"] > dependence["matern52"] > 0.05
    assert abs(dependence["laplacian"]) < 0.02
    assert abs(dependence["gaussian"]) < 0.02


def test_gaussian_frequencies_have_covariance_two_gamma():
    W = draw_frequencies(KERNELS["gaussian"], 0.3, 4, 3, 0, 100_000)
    np.testing.assert_allclose(np.cov(W.T), 0.6 * np.eye(4), atol=0.012)
