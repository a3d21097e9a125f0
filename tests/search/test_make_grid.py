"""From what users ask for to entries, by how many rows are labelled, negative and unlabelled."""

from itertools import chain, combinations, product

import numpy as np
import pytest

from s2auc.common.groups import PositiveFirst
from s2auc.common.parameters import check_parameters
from s2auc.estimators.fitting.rules import SINGLE_RULES
from s2auc.search.grids.grid import MEMBERS
from s2auc.search.grids.make_grid import MANY_LABELS, GridSpec, UsualValues, distinct, make_grid
from s2auc.search.grids.spaces import SpaceEntry
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.qsg.qsg import QSG
from trainings import make_wide

ORDER = PositiveFirst(20, 30)
N_UNLABELED = 1000
GIVEN = {
    "kernels": ["laplacian", "gaussian", "laplacian"],
    "kernel_gammas": [0.5, "median", "1 median", 0.5],
    "alphas": [0.1, 1, 0.1],
    "labeled_weights": [0.5, 1, 0.5],
    "neighbor_weights": [0, 3, 0, 7.0],
    "scalings": ["rank", "none", "rank"],
    "column_weightings": ["none", "auc", "none"],
    "max_iters": [16, 8, 16],
}


def kernels_of(grid):
    return [entry for entry in grid.entries if isinstance(entry, SpaceEntry)]


def values_of(entries, name):
    return {setting.parameters[name] for entry in entries for setting in entry.settings}


def grid_of(order=ORDER, n_unlabeled=N_UNLABELED, solver=None, wide=None, **wanted):
    return make_grid(GridSpec(**wanted), solver or Exact(), order, n_unlabeled, wide)


def is_weighted(entry):
    return entry.choice.column_weighting != "none"


def is_near(entry):
    return entry.points.uses_neighbors


SIZES = {
    "few": (ORDER, N_UNLABELED),
    "many": (PositiveFirst(MANY_LABELS, 1), N_UNLABELED),
    "no unlabelled rows": (ORDER, 0),
    "no negative rows": (PositiveFirst(20, 0), N_UNLABELED),
}


@pytest.mark.parametrize("solver", [Exact(), QSG()], ids=repr)
@pytest.mark.parametrize("sizes", SIZES)
def test_usual_settings_are_single_fits_that_could_be_asked_for(sizes, solver):
    grid = grid_of(*SIZES[sizes], solver)
    entries = kernels_of(grid)
    assert entries
    for setting in chain.from_iterable(entry.settings for entry in entries):
        check_parameters(
            "S2AUCClassifier", setting.parameters, {name: SINGLE_RULES[name] for name in setting.parameters}
        )
    words = [tuple(setting.parameters.items()) for setting in grid.settings]
    assert len(set(words)) == len(words)
    assert any(setting.is_usual for setting in grid.settings)


def test_everybody_takes_part():
    grid = grid_of()
    usual = UsualValues(ORDER.n_rows)
    assert {setting.member for setting in grid.settings} == set(MEMBERS)
    assert {setting.family for setting in grid.settings} == {*usual.scalings, "linear", "trees"}
    entries = kernels_of(grid)
    assert {entry.n_frequencies for entry in entries if is_near(entry)} == {Exact.neighbor_frequencies}
    assert {entry.n_frequencies for entry in entries if not is_near(entry)} == {Exact.search_frequencies}
    assert values_of(entries, "max_iter") == {1}
    assert values_of(kernels_of(grid_of(solver=QSG())), "max_iter") == set(usual.max_iters)


@pytest.mark.parametrize("wanted", [{}, GIVEN], ids=["usual", "given"])
def test_weighted_columns_and_neighbours_do_not_meet_and_have_the_largest_labelled_weight(wanted):
    entries = kernels_of(grid_of(**wanted))
    assert {(is_weighted(entry), is_near(entry)) for entry in entries} == set(product([0, 1], [0, 1])) - {(1, 1)}
    for entry in entries:
        if is_weighted(entry) or is_near(entry):
            assert entry.points.labeled_weights == (1.0,)
        if is_near(entry):
            assert 0.0 not in entry.points.neighbor_weights
    plain = [entry for entry in entries if not is_weighted(entry) and not is_near(entry)]
    assert values_of(plain, "labeled_weight") == {0.5, 1.0}


def test_lists_are_taken_once_each_in_their_order():
    grid = grid_of(**GIVEN, n_frequencies=7, solver=QSG(), members=["kernels"])
    entries = kernels_of(grid)
    plain = [entry for entry in entries if not is_weighted(entry) and not is_near(entry)]
    near = [entry for entry in entries if is_near(entry)]
    weighted = [entry for entry in entries if is_weighted(entry)]
    # Scalings, kernels and widths, each of three kinds.
    assert len(plain) == len(near) == len(weighted) == 2 * 2 * 2
    assert len(entries) == len(grid.entries) == 24
    for some in (plain, near, weighted):
        assert [(entry.view.scaling, entry.choice.kernel, entry.choice.bandwidth.value) for entry in some] == list(
            product(["rank", "none"], ["laplacian", "gaussian"], [0.5, "median"])
        )
        assert {entry.points.alphas for entry in some} == {(0.1, 1.0)}
        assert {entry.points.max_iters for entry in some} == {(8, 16)}
    assert {entry.points.labeled_weights for entry in plain} == {(0.5, 1.0)}
    assert {entry.points.neighbor_weights for entry in near} == {(3.0, 7.0)}
    assert {entry.n_frequencies for entry in entries} == {7}


@pytest.mark.parametrize("name", GIVEN)
def test_every_axis_can_be_given_alone(name):
    singular = name.removesuffix("s")
    value = GIVEN[name][1]
    # Weights of columns and neighbours exclude each other: without a third choice one of them is left.
    found = values_of(kernels_of(grid_of(**{name: [value]}, solver=QSG())), singular)
    assert found == {value}


def test_labelled_weights_of_ones_own_go_with_every_kernel_and_scaling():
    entries = kernels_of(grid_of(labeled_weights=[0.0, 0.25]))
    assert all(entry.points.labeled_weights in ((0.0, 0.25), (0.25,)) for entry in entries)


def test_without_unlabelled_rows_nothing_looks_at_them():
    for wanted in ({}, GIVEN, {"neighbor_weights": [5.0], "labeled_weights": [0.5], "column_weightings": ["auc"]}):
        grid = grid_of(n_unlabeled=0, **wanted)
        assert values_of(kernels_of(grid), "labeled_weight") == {1.0}
        assert values_of(kernels_of(grid), "neighbor_weight") == {0.0}
        assert not any(setting.uses_unlabeled for setting in grid.settings)
        assert {setting.member for setting in grid.settings} == set(MEMBERS)


def test_without_negative_rows_there_are_pairs_with_unlabelled_ones_only():
    for wanted in ({}, GIVEN, {"column_weightings": ["auc"], "labeled_weights": [1.0]}):
        grid = grid_of(PositiveFirst(20, 0), **wanted)
        assert {setting.member for setting in grid.settings} == {"kernels"}
        assert values_of(grid.entries, "labeled_weight") == {0.0}
        assert values_of(grid.entries, "column_weighting") == {"none"}


def test_many_labels_have_other_values():
    few, many = (kernels_of(grid_of(order)) for order in (ORDER, PositiveFirst(MANY_LABELS - 1, 1)))
    assert min(values_of(many, "alpha")) < min(values_of(few, "alpha"))
    assert values_of(many, "neighbor_weight") == {0.0}
    assert max(values_of(few, "neighbor_weight")) > 0


@pytest.mark.parametrize("members", [some for n in (1, 2, 3) for some in combinations(MEMBERS, n)], ids=", ".join)
def test_members_are_those_that_were_asked_for(members):
    assert {setting.member for setting in grid_of(members=members).settings} == set(members)


@pytest.mark.parametrize(
    ("wanted", "order", "message"),
    [
        (
            {"column_weightings": ["auc"], "neighbor_weights": [5.0]},
            ORDER,
            r"and neighbor_weights leave nothing to try: .* Got \['auc'\] and \[5\.0\]; add 'none' or 0",
        ),
        (
            {"members": ["linear", "trees"]},
            PositiveFirst(20, 0),
            r"Without negative rows only 'kernels' can be tried: .* Got the members \['linear', 'trees'\]; add",
        ),
    ],
)
def test_a_grid_with_nothing_in_it_says_why(wanted, order, message):
    with pytest.raises(ValueError, match=message):
        grid_of(order, **wanted)


def test_with_wide_rows_linear_functions_see_all_columns_too():
    wide = make_wide()
    grid = grid_of(wide=wide)
    usual = UsualValues(ORDER.n_rows, is_projected=True)
    assert {setting.member for setting in grid.settings} == set(MEMBERS)
    assert {setting.family for setting in grid.settings} == {*usual.scalings, "linear", "all columns", "trees"}
    assert set(grid.views) == set(usual.views)
    (entry,) = [entry for entry in grid.entries if entry.is_wide]
    assert (entry.wide, entry.alphas) == (wide, usual.wide_alphas)
    words = [tuple(setting.parameters.items()) for setting in grid.settings]
    assert len(set(words)) == len(words)


def test_wide_rows_are_for_linear_functions_of_labelled_pairs_only():
    for wanted in ({"members": ["kernels", "trees"]}, {"order": PositiveFirst(20, 0)}):
        assert not any(entry.is_wide for entry in grid_of(wide=make_wide(), **wanted).entries)
    alone = grid_of(wide=make_wide(), members=["linear"])
    assert [entry.is_wide for entry in alone.entries] == [False, True]
    assert not any(entry.is_wide for entry in grid_of().entries)


def test_distinct_values_are_floats_in_their_order():
    assert distinct(np.array([2, 1, 2])) == (2.0, 1.0)
    assert all(type(value) is float for value in distinct([np.float32(1), 2]))
