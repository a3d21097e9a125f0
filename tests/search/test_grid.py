"""Settings that a search tries where none are given: which ones suit few and many labels."""

import pytest

from s2auc.search.grid import MANY_LABELS, auto_alphas, auto_gammas, auto_iterations


@pytest.mark.parametrize("choose", [auto_alphas, auto_gammas, auto_iterations])
def test_many_labels_begin_at_their_limit(choose):
    assert choose(2) == choose(MANY_LABELS - 1)
    assert choose(MANY_LABELS - 1) != choose(MANY_LABELS)
    assert choose(MANY_LABELS) == choose(100 * MANY_LABELS)


def test_many_labels_allow_rougher_functions():
    few, many = MANY_LABELS - 1, MANY_LABELS
    assert max(auto_alphas(many)) < max(auto_alphas(few))
    assert min(auto_alphas(many)) < min(auto_alphas(few))
    assert max(auto_gammas(many)) > max(auto_gammas(few))
    assert max(auto_iterations(many)) > max(auto_iterations(few))
