"""Settings that a search tries: their order, their words, and which ones suit few and many labels."""

import pickle

import pytest

from s2auc.common.parameters import check_parameters
from s2auc.estimators.rules import SINGLE_RULES
from s2auc.kernels import Bandwidth
from s2auc.search.grid import MANY_LABELS, PARAMETERS, Grid, Setting, UsualValues, make_spaces
from s2auc.solvers.job import Point, Points
from s2auc.solvers.space import SpaceChoice

GRID = Grid(
    make_spaces(["standard"], ["none", "auc"], ["gaussian"], ["0.5 median", "0.1 median"]),
    Points(alphas=(0.01, 0.1), labeled_weights=(1.0, 0.5), max_iters=(8, 16)),
)
FEW, MANY = UsualValues(MANY_LABELS - 1), UsualValues(MANY_LABELS)


@pytest.mark.parametrize("name", ["alphas", "kernel_gammas", "max_iters"])
def test_many_labels_begin_at_their_limit(name):
    assert getattr(UsualValues(2), name) == getattr(FEW, name)
    assert getattr(FEW, name) != getattr(MANY, name)
    assert getattr(MANY, name) == getattr(UsualValues(100 * MANY_LABELS), name)


def test_many_labels_allow_rougher_functions():
    assert max(MANY.alphas) < max(FEW.alphas)
    assert min(MANY.alphas) < min(FEW.alphas)
    widths = [[Bandwidth.read(gamma).factor for gamma in values.kernel_gammas] for values in (FEW, MANY)]
    assert max(widths[1]) > max(widths[0])
    assert max(MANY.max_iters) > max(FEW.max_iters)


@pytest.mark.parametrize("values", [FEW, MANY], ids=["few", "many"])
def test_usual_values_are_allowed_ones(values):
    grid = Grid(
        make_spaces(values.scalings, values.column_weightings, values.kernels, values.kernel_gammas),
        Points(values.alphas, values.labeled_weights, values.max_iters),
    )
    assert {setting.point.labeled_weight for setting in grid.settings} >= {1.0}
    for setting in grid.settings:
        parameters = grid.parameters_of(setting)
        check_parameters("S2AUCClassifier", parameters, {name: SINGLE_RULES[name] for name in PARAMETERS})


@pytest.mark.parametrize("space", range(4))
def test_settings_of_a_space_stand_together_and_points_run_over_stops_then_alphas_then_weights(space):
    settings = GRID.settings[8 * space : 8 * (space + 1)]
    assert {setting.space for setting in settings} == {space}
    points = [(setting.point.max_iter, setting.point.alpha, -setting.point.labeled_weight) for setting in settings]
    assert points == sorted(points)
    assert [setting.point for setting in settings] == list(GRID.points.listed)


def test_settings_in_the_words_of_users():
    space = SpaceChoice("rank", "auc", "laplacian", Bandwidth.read("0.5 median"))
    grid = Grid((space,), Points((0.1,), (0.5,), (8,)))
    assert grid.settings == (Setting(0, Point(0.1, 0.5, 8)),)
    assert grid.parameters_of(grid.settings[0]) == {
        "scaling": "rank",
        "column_weighting": "auc",
        "kernel": "laplacian",
        "kernel_gamma": "0.5 median",
        "alpha": 0.1,
        "labeled_weight": 0.5,
        "max_iter": 8,
    }
    assert tuple(grid.parameters_of(grid.settings[0])) == PARAMETERS
    number = Grid(make_spaces(["none"], ["none"], ["gaussian"], [2]), grid.points)
    assert number.parameters_of(number.settings[0])["kernel_gamma"] == 2.0


def test_spaces_are_all_combinations_once():
    spaces = make_spaces(["standard", "rank"], ["none"], ["gaussian", "laplacian"], [0.5, "median", "1 median", 0.5])
    assert len(spaces) == len(set(spaces)) == 2 * 2 * 2
    assert [(space.scaling, space.kernel, space.bandwidth.value) for space in spaces[:5]] == [
        ("standard", "gaussian", 0.5),
        ("standard", "gaussian", "median"),
        ("standard", "laplacian", 0.5),
        ("standard", "laplacian", "median"),
        ("rank", "gaussian", 0.5),
    ]


def test_spaces_have_frequencies_of_their_own():
    spaces = make_spaces(["standard", "rank"], ["none", "auc"], ["gaussian", "laplacian"], [0.5, "0.5 median"])
    seeds = {space.frequency_seed(seed) for space in spaces for seed in (0, 1)}
    assert len(seeds) == 2 * len(spaces)


def test_a_grid_pickles():
    assert pickle.loads(pickle.dumps(GRID)) == GRID
    assert pickle.loads(pickle.dumps(GRID)).settings == GRID.settings
