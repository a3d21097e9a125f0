"""What "auto" stands for, with few and with many labels."""

import pytest

from s2auc.common.parameters import check_parameters
from s2auc.data.features.scaling import ColumnView
from s2auc.estimators.fitting.rules import SEARCH_RULES, SINGLE_RULES
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.search.grids.make_grid import MANY_LABELS, UsualValues

FEW, MANY = UsualValues(MANY_LABELS - 1), UsualValues(MANY_LABELS)
PROJECTED = UsualValues(MANY_LABELS - 1, is_projected=True)


def factors(gammas):
    return [Bandwidth.read(gamma).factor for gamma in gammas]


@pytest.mark.parametrize("name", ["alphas", "max_iters"])
def test_many_labels_begin_at_their_limit(name):
    assert getattr(UsualValues(2), name) == getattr(FEW, name)
    assert getattr(FEW, name) != getattr(MANY, name)
    assert getattr(MANY, name) == getattr(UsualValues(100 * MANY_LABELS), name)


def test_many_labels_allow_rougher_functions():
    assert max(MANY.alphas) < max(FEW.alphas)
    assert min(MANY.alphas) < min(FEW.alphas)
    assert max(MANY.max_iters) > max(FEW.max_iters)
    for scaling in FEW.scalings:
        assert max(factors(MANY.kernel_gammas(scaling))) >= max(factors(FEW.kernel_gammas(scaling)))
    assert max(factors(MANY.kernel_gammas("standard"))) > max(factors(FEW.kernel_gammas("standard")))


@pytest.mark.parametrize("scaling", FEW.scalings)
def test_many_labels_need_no_neighbours(scaling):
    assert MANY.neighbor_weights(ColumnView(scaling)) == (0.0,)
    assert 0.0 in FEW.neighbor_weights(ColumnView(scaling))


def test_some_settings_use_unlabelled_rows_and_some_do_not():
    for values in (FEW, MANY):
        pairs = {
            values.labeled_weights(ColumnView(scaling), kernel)
            for scaling in values.scalings
            for kernel in values.kernels
        }
        assert all(1.0 in weights for weights in pairs)
        assert any(min(weights) < 1.0 for weights in pairs)
    assert any(max(FEW.neighbor_weights(ColumnView(scaling))) > 0 for scaling in FEW.scalings)


@pytest.mark.parametrize("scaling", FEW.scalings)
def test_with_neighbours_kernels_are_narrow_and_alphas_small(scaling):
    assert set(FEW.neighbor_gammas(scaling)) <= set(FEW.kernel_gammas(scaling))
    assert min(factors(FEW.neighbor_gammas(scaling))) > min(factors(FEW.kernel_gammas(scaling)))
    assert set(FEW.neighbor_alphas) <= set(FEW.alphas)
    assert max(FEW.neighbor_alphas) < max(FEW.alphas)


def test_components_are_in_one_unit_already():
    assert PROJECTED.scalings[0] == "common"
    assert "rank" not in PROJECTED.scalings
    assert PROJECTED.linear_views == (ColumnView("common"),)
    assert (PROJECTED.alphas, PROJECTED.kernels) == (FEW.alphas, FEW.kernels)


@pytest.mark.parametrize("values", [FEW, MANY, PROJECTED], ids=["few", "many", "projected"])
def test_usual_values_are_allowed_ones(values):
    for scaling in values.scalings:
        lists = {
            "scalings": [scaling],
            "kernels": values.kernels,
            "column_weightings": values.column_weightings,
            "kernel_gammas": [*values.kernel_gammas(scaling), *values.neighbor_gammas(scaling)],
            "alphas": [*values.alphas, *values.neighbor_alphas, *values.linear_alphas, *values.wide_alphas],
            "neighbor_weights": values.neighbor_weights(ColumnView(scaling)),
            "max_iters": values.max_iters,
        }
        check_parameters("S2AUCClassifierCV", lists, {name: SEARCH_RULES[name] for name in lists})
        for kernel in values.kernels:
            weights = values.labeled_weights(ColumnView(scaling), kernel)
            check_parameters(
                "search", {"labeled_weights": weights}, {"labeled_weights": SEARCH_RULES["labeled_weights"]}
            )
    assert set(values.linear_views) <= set(values.views)
    assert {name.removesuffix("s") for name in lists} <= set(SINGLE_RULES)
