"""What a notebook shows of a search: scikit-learn's diagram before the fit, what was found after it."""

import numpy as np
import pytest
from sklearn import config_context

from s2auc import S2AUCClassifierCV


@pytest.fixture
def search():
    small = {"kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["standard"], "members": ["kernels"]}
    return S2AUCClassifierCV(**small, alphas=[1e-2], random_state=0)


def fit(search):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    return search.fit(X, np.where(np.arange(120) < 40, (X[:, 0] > 0).astype(int), -1))


def test_before_the_fit_it_is_the_diagram(search):
    bundle = search._repr_mimebundle_()
    assert "sk-estimator" in bundle["text/html"]
    assert "sk-estimator" in search._repr_html_()


def test_after_the_fit_it_is_what_was_found(search):
    fit(search)
    bundle = search._repr_mimebundle_()
    assert bundle["text/html"] == search._repr_html_()
    for words in (f"{search.held_out_auc_.value:.3f}", "Unlabelled rows", "More labels", "Seed"):
        assert words in bundle["text/html"]
    assert "<script" not in bundle["text/html"]
    assert bundle["text/plain"] == repr(search)


def test_text_only_where_that_is_asked_for(search):
    fit(search)
    with config_context(display="text"):
        assert list(search._repr_mimebundle_()) == ["text/plain"]
        assert not hasattr(search, "_repr_html_")
