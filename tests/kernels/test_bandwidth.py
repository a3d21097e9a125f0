"""Widths as users write them, and what they mean on rows."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from s2auc.common.parameters import check_parameters
from s2auc.kernels.bandwidth import BANDWIDTHS, MAX_GAMMA, WIDTH_ROWS, Bandwidth, BandwidthRule
from s2auc.kernels.shift_invariant import KERNELS

X = np.random.default_rng(3).normal(size=(7, 3))


@pytest.fixture(params=KERNELS)
def kernel(request):
    return KERNELS[request.param]


def resolve(kernel, value, rows):
    return Bandwidth.read(value).resolve(kernel, rows)


def test_scale_is_the_one_of_scikit_learns_svc(kernel):
    y = np.arange(7) % 2
    expected = SVC(gamma="scale").fit(X, y)._gamma
    assert resolve(kernel, "scale", X) == pytest.approx(expected, rel=1e-12)


def test_median_uses_the_distance_of_the_kernel():
    pairs = [(a, b) for i, a in enumerate(X) for b in X[:i]]
    squared = np.median([np.sum((a - b) ** 2) for a, b in pairs])
    absolute = np.median([np.sum(np.abs(a - b)) for a, b in pairs])
    for name, median in (("gaussian", squared), ("matern32", squared), ("matern52", squared), ("laplacian", absolute)):
        assert resolve(KERNELS[name], "median", X) == pytest.approx(1 / median)


@pytest.mark.parametrize("rule", BANDWIDTHS)
def test_degenerate_rows_still_give_a_width(rule):
    gaussian = KERNELS["gaussian"]
    assert resolve(gaussian, rule, np.ones((5, 2))) == 1.0
    assert resolve(gaussian, rule, np.ones((1, 2))) == 1.0
    assert resolve(gaussian, f"0.1 {rule}", np.ones((5, 2))) == 0.1
    mostly_equal = np.zeros((20, 2))
    mostly_equal[0] = 3.0
    assert 0 < resolve(gaussian, rule, mostly_equal) < np.inf


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1e-120])
@pytest.mark.parametrize("rule", BANDWIDTHS)
def test_rows_next_to_each_other_have_a_gamma_that_models_can_keep(kernel, rule, size):
    assert 0 < resolve(kernel, rule, size * X) <= MAX_GAMMA


def test_median_over_distinct_rows_where_most_are_equal():
    mostly_equal = np.zeros((20, 1))
    mostly_equal[0] = 2.0
    assert resolve(KERNELS["gaussian"], "median", mostly_equal) == 0.25


def test_only_a_sample_of_many_rows_is_used_and_it_spans_them_all():
    many = np.zeros((10 * WIDTH_ROWS, 1))
    many[::10] = np.linspace(0, 1, WIDTH_ROWS)[:, None]
    assert resolve(KERNELS["gaussian"], "scale", many) == pytest.approx(12, rel=0.01)


def test_a_number_is_taken_as_it_is(kernel):
    for value in (0.25, np.float32(0.25), 3, 1e-300, MAX_GAMMA):
        assert resolve(kernel, value, X) == value


@pytest.mark.parametrize("rule", BANDWIDTHS)
@given(factor=st.floats(1e-6, 1e6))
def test_a_factor_multiplies_the_gamma_of_the_rule(rule, factor):
    gaussian = KERNELS["gaussian"]
    plain = resolve(gaussian, rule, X)
    assert resolve(gaussian, f"{factor!r} {rule}", X) == pytest.approx(factor * plain, rel=1e-12)


READ = {
    0.5: (0.5, None),
    2: (2.0, None),
    np.float32(0.25): (0.25, None),
    np.int64(3): (3.0, None),
    "median": (1.0, "median"),
    "scale": (1.0, "scale"),
    "1 median": (1.0, "median"),
    "0.1 median": (0.1, "median"),
    " 1e-3   scale ": (1e-3, "scale"),
    np.str_("2 median"): (2.0, "median"),
}


@pytest.mark.parametrize(("value", "meaning"), READ.items(), ids=map(repr, READ))
def test_what_users_write(value, meaning):
    bandwidth = Bandwidth.read(value)
    assert (bandwidth.factor, bandwidth.rule) == meaning
    assert type(bandwidth.factor) is float
    assert BandwidthRule().accepts(value)
    # Equal widths are equal however they are written, and say so in the same words.
    assert Bandwidth.read(bandwidth.value) == bandwidth
    assert Bandwidth.read(str(bandwidth) if bandwidth.rule else float(str(bandwidth))) == bandwidth
    assert hash(Bandwidth.read(bandwidth.value)) == hash(bandwidth)


def test_the_words_of_a_width():
    assert [Bandwidth.read(value).value for value in (2, 0.5, "1 scale", "0.10 median")] == [
        *(2.0, 0.5, "scale", "0.1 median")
    ]
    assert [str(Bandwidth.read(value)) for value in (2, 0.5, "1 scale", "0.10 median")] == [
        *("2.0", "0.5", "scale", "0.1 median")
    ]


REFUSED = [
    *(0, 0.0, -1, np.nan, np.inf, 1.1 * MAX_GAMMA, True, None, [0.5], 1j, np.array([0.5])),
    *("", " ", "mean", "0.1", "median 0.1", "0.1median", "a median", "0 median", "-1 median"),
    *("nan median", "inf scale", "1e101 scale", "0.1 0.2 median", "median scale", "Median", b"median"),
]


@pytest.mark.parametrize("value", REFUSED, ids=map(repr, REFUSED))
def test_what_means_no_width(value):
    with pytest.raises(ValueError, match=r"could not convert string to float|is no|is out of range"):
        Bandwidth.read(value)
    assert not BandwidthRule().accepts(value)


def test_the_sentence_says_what_is_allowed():
    with pytest.raises(ValueError, match="kernel_gamma") as caught:
        check_parameters("Model", {"kernel_gamma": "mean"}, {"kernel_gamma": (BandwidthRule(),)})
    assert str(caught.value) == (
        "The 'kernel_gamma' parameter of Model must be a float in the range (0, 1e+100], 'median' or 'scale', or one "
        "of these after a factor ('0.1 median'). Got 'mean' instead."
    )


def test_a_width_pickles():
    for value in (0.5, "0.1 median"):
        assert pickle.loads(pickle.dumps(Bandwidth.read(value))) == Bandwidth.read(value)
