"""Walks down trees by every kernel of this installation: the leaves of a slow walk, and of scikit-learn."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from model_samples import random_tree
from reference import trees as reference
from s2auc.common.threads import map_in_order
from s2auc.data.features.scaling import ColumnScaling
from s2auc.models.parts.trees import scoring
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.parts.trees.scoring import SMALL_WORK, sum_leaves
from s2auc.models.parts.trees.tables import TreeTables, are_whole_trees, first_nodes, float32_below

native_only = pytest.mark.skipif(not scoring.HAS_EXTENSION, reason="no compiled extension in this installation")
HUGE = float(np.finfo(np.float32).max)


def make_forest(n_trees=5, n_splits=20, n_columns=3, seed=0):
    """Return column and number of the nodes of trees of any shape; thresholds are among a few values, as rows are."""
    rng = np.random.default_rng([n_trees, n_splits, n_columns, seed])
    column = np.concatenate([random_tree(rng, n_columns, n_splits) for _ in range(n_trees)])
    number = np.where(column < 0, rng.normal(size=len(column)), rng.integers(-4, 5, len(column)) / 4)
    return column, number


def make_rows(n_rows, n_columns=3):
    rng = np.random.default_rng([n_rows, n_columns])
    return (rng.integers(-5, 6, (n_rows, n_columns)) / 4).astype(np.float32)


@pytest.mark.parametrize("n_splits", [0, 1, 2, 7, 40])
@pytest.mark.parametrize("n_trees", [1, 2, 9])
@pytest.mark.parametrize("n_rows", [0, 1, 11, 12, 13, 100])
def test_sums_are_those_of_a_slow_walk(kernel, n_splits, n_trees, n_rows):
    column, number = make_forest(n_trees, n_splits)
    rows = make_rows(n_rows)
    sums = sum_leaves(TreeTables.of_preorder(column, number), rows)
    assert sums.dtype == np.float64
    assert np.array_equal(sums, reference.sums(column, number, rows))


@pytest.mark.parametrize("n_columns", [1, 2, 100, 20_000])
def test_any_number_of_columns(kernel, n_columns):
    column, number = make_forest(n_columns=n_columns)
    rows = make_rows(70, n_columns)
    sums = sum_leaves(TreeTables.of_preorder(column, number), rows)
    assert np.array_equal(sums, reference.sums(column, number, rows))


@pytest.mark.parametrize("column", [[0] * 3000 + [-1] * 3001, [0, -1] * 3000 + [-1]])
def test_trees_that_are_chains(kernel, column):
    column = np.array(column)
    number = np.random.default_rng(0).normal(size=len(column))
    rows = np.linspace(-4, 4, 41, dtype=np.float32)[:, None]
    sums = sum_leaves(TreeTables.of_preorder(column, number), rows)
    assert np.array_equal(sums, reference.sums(column, number, rows))
    assert len(np.unique(sums)) > 5


def test_bits_depend_neither_on_kernels_nor_threads_nor_company(monkeypatch):
    column, number = make_forest(n_trees=30)
    tables, rows = TreeTables.of_preorder(column, number), make_rows(40_000)
    assert rows.shape[0] * 30 > SMALL_WORK
    monkeypatch.setenv("S2AUC_KERNEL", "numpy")
    expected = sum_leaves(tables, rows)
    monkeypatch.delenv("S2AUC_KERNEL")
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("S2AUC_NUM_THREADS", threads)
        assert np.array_equal(sum_leaves(tables, rows), expected)
    assert np.array_equal(sum_leaves(tables, rows[7:8]), expected[7:8])
    assert np.array_equal(sum_leaves(tables, np.asfortranarray(rows)), expected)
    assert np.array_equal(sum_leaves(tables, rows[::-3]), expected[::-3])
    nested = list(map_in_order(lambda _: sum_leaves(tables, rows), range(3)))
    assert all(np.array_equal(sums, expected) for sums in nested)


def test_what_is_not_finite_stays_in_its_row(kernel):
    column, number = make_forest()
    tables, rows = TreeTables.of_preorder(column, number), make_rows(50)
    before = sum_leaves(tables, rows)
    spoilt = rows.copy()
    spoilt[[0, 17, 49], [0, 1, 2]] = np.nan
    spoilt[3, 1], spoilt[4, 1] = np.inf, -np.inf
    after = sum_leaves(tables, spoilt)
    assert np.flatnonzero(np.isnan(after)).tolist() == [0, 17, 49]
    others = ~np.isin(np.arange(50), [0, 3, 4, 17, 49])
    assert np.array_equal(after[others], before[others])
    # What is infinite is above all thresholds, or below.
    rows[3, 1], rows[4, 1] = 1e30, -1e30
    assert np.array_equal(after[3:5], sum_leaves(tables, rows)[3:5])


def test_the_order_of_nodes_tells_the_trees():
    for seed in range(20):
        column, number = make_forest(n_trees=1 + seed % 5, n_splits=seed, seed=seed)
        tables = TreeTables.of_preorder(column, number)
        assert tables.first.tolist() == first_nodes(column < 0).tolist() == reference.roots_of(column)
        inner = np.flatnonzero(column >= 0)
        assert tables.right[inner].tolist() == [reference.skip(column, node + 1) for node in inner]
        assert np.array_equal(tables.right[column < 0], np.flatnonzero(column < 0))


@pytest.mark.parametrize("n_nodes", range(9))
def test_whole_trees_are_told_from_others(n_nodes):
    for number in range(2**n_nodes):
        is_leaf = np.array([bool(number >> place & 1) for place in range(n_nodes)], dtype=bool)
        n_missing = 0
        for leaf in is_leaf:
            n_missing = (n_missing or 1) + (-1 if leaf else 1)
        assert are_whole_trees(is_leaf) == (n_nodes > 0 and n_missing == 0)


def test_float32_thresholds_decide_like_the_float64_ones():
    rng = np.random.default_rng(0)
    edges = [0.0, -0.0, 0.1, -0.1, 1e-46, -1e-46, 1e-320, -1e-320, HUGE, -HUGE, 1.0000001 * HUGE, 1e300, -1e300]
    thresholds = np.concatenate([edges, rng.normal(size=1000), rng.normal(size=1000).astype(np.float32)])
    below = float32_below(thresholds)
    assert below.dtype == np.float32
    with np.errstate(over="ignore", under="ignore"):
        nearest = thresholds.astype(np.float32)
        up, down = np.nextafter(nearest, np.float32(np.inf)), np.nextafter(nearest, np.float32(-np.inf))
    for values in (nearest, up, down, np.full_like(nearest, np.inf), np.full_like(nearest, -np.inf)):
        assert np.array_equal(values <= below, values.astype(np.float64) <= thresholds)


FORESTS = {
    "extra": ExtraTreesClassifier(20, random_state=0),
    "random": RandomForestClassifier(20, random_state=0),
    "weighted": RandomForestClassifier(20, class_weight="balanced_subsample", random_state=1),
    "shallow": ExtraTreesClassifier(20, max_depth=2, random_state=0),
    "best first": RandomForestClassifier(20, max_leaf_nodes=13, random_state=0),
    "leaves only": ExtraTreesClassifier(3, min_samples_split=1000, random_state=0),
    "bootstrap": ExtraTreesClassifier(7, bootstrap=True, min_samples_leaf=3, random_state=3),
}


@pytest.fixture(params=FORESTS)
def forest(request):
    """A forest of scikit-learn on float64 rows that are not all float32 numbers, with many ties."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=400), rng.integers(0, 4, 400) / 3, rng.integers(0, 2, 400), rng.random(400)])
    truth = X[:, 0] + 2 * X[:, 1] * X[:, 3] + rng.normal(size=400) > 1
    return FORESTS[request.param].fit(X, truth)


def rows_around_thresholds(forest):
    """Return float64 rows, some with values at thresholds, beside them, or that round to them in float32."""
    rng = np.random.default_rng(2)
    trees = [estimator.tree_ for estimator in forest.estimators_]
    column, threshold = (np.concatenate([getattr(tree, name) for tree in trees]) for name in ("feature", "threshold"))
    column, threshold = column[column >= 0], threshold[column >= 0]
    rows = np.column_stack([rng.normal(size=2000), rng.integers(0, 4, 2000) / 3, rng.integers(0, 2, 2000)])
    rows = np.column_stack([rows, rng.random(2000)])
    if len(column):
        nearest = threshold.astype(np.float32)
        candidates = np.stack([
            threshold, nearest, np.nextafter(nearest, np.float32(9)), np.nextafter(nearest, np.float32(-9)),
            np.nextafter(threshold, 9), np.nextafter(threshold, -9), nearest * (1 + 1e-9), nearest * (1 - 1e-9),
        ])  # fmt: skip
        chosen = rng.integers(len(column), size=(2000, 3))
        kinds = rng.integers(len(candidates), size=(2000, 3))
        rows[np.arange(2000)[:, None], column[chosen]] = candidates[kinds, chosen]
    return rows


def leaf_numbers(part, rows):
    """Return the leaf of every row and tree, counted within its tree: its number stands in place of its value."""
    numbers, first = [], first_nodes(part.column < 0)
    for start, end in itertools.pairwise([*first, len(part.column)]):
        column = part.column[start:end]
        number = np.where(column < 0, np.arange(end - start), part.number[start:end])
        numbers.append(sum_leaves(TreeTables.of_preorder(column, number), rows))
    return np.stack(numbers, axis=1).astype(int)


def test_rows_arrive_at_the_leaves_of_scikit_learn(kernel, forest):
    part = TreePart.of_forest(ColumnScaling(np.zeros(4), np.ones(4)), forest)
    rows = rows_around_thresholds(forest)
    found, expected = leaf_numbers(part, rows.astype(np.float32)), forest.apply(rows)
    if forest.get_params().get("max_leaf_nodes"):
        # Another order of nodes: the same rows are together.
        for ours, theirs in zip(found.T, expected.T, strict=True):
            pairs = set(zip(ours.tolist(), theirs.tolist(), strict=True))
            assert len(pairs) == len(np.unique(ours)) == len(np.unique(theirs))
    else:
        assert np.array_equal(found, expected)


def test_scores_are_the_probabilities_of_scikit_learn(kernel, forest):
    part = TreePart.of_forest(ColumnScaling(np.zeros(4), np.ones(4)), forest)
    part.check(0, 4)
    rows = rows_around_thresholds(forest)
    # Both add in the order of the trees.
    assert np.array_equal(part.score(rows), forest.predict_proba(rows)[:, 1])
    halved = TreePart.of_forest(part.columns, forest, share=0.5)
    assert np.array_equal(halved.score(rows), 0.5 * part.score(rows))
    assert len(part.tables.first) == len(forest.estimators_)


def test_numpy_serves_where_there_is_no_extension():
    code = """
import sys
sys.modules["s2auc.models.parts.trees._trees"] = None
import numpy as np
from s2auc.models.parts.trees.scoring import HAS_EXTENSION, sum_leaves
from s2auc.models.parts.trees.tables import TreeTables
assert not HAS_EXTENSION
stump = TreeTables.of_preorder(np.array([0, -1, -1]), np.array([0.5, 1.0, 2.0]))
print(sum_leaves(stump, np.array([[0.0], [1.0]], dtype=np.float32)).tolist())
"""
    environment = {name: value for name, value in os.environ.items() if name != "S2AUC_KERNEL"}
    finished = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert finished.stdout == "[1.0, 2.0]\n"


TABLES = {
    "column": np.array([0, 1, 0, 0, 0], dtype=np.int32),
    "threshold": np.array([0.5, 0.25, np.nan, np.nan, np.nan], dtype=np.float32),
    "right": np.array([4, 3, 2, 3, 4], dtype=np.int32),
    "value": np.arange(5.0),
    "first": np.zeros(1, dtype=np.int32),
}


def changed(name, place, value):
    table = TABLES[name].copy()
    table[place] = value
    return {name: table}


def misaligned(table):
    memory = np.zeros(table.nbytes + 1, dtype=np.uint8)
    memory[1:] = np.frombuffer(table.tobytes(), dtype=np.uint8)
    return memory[1:].view(table.dtype)


UNSOUND = {
    "column_negative": changed("column", 1, -1),
    "column_beyond": changed("column", 1, 2),
    "column_of_leaf": changed("column", 4, 2),
    "column_huge": changed("column", 0, 2**31 - 1),
    "right_negative": changed("right", 0, -1),
    "right_lowest": changed("right", 0, -(2**31)),
    "right_beyond": changed("right", 0, 5),
    "right_huge": changed("right", 0, 2**31 - 1),
    "right_before": changed("right", 1, 0),
    "first_negative": changed("first", 0, -1),
    "first_beyond": changed("first", 0, 5),
    "no_trees": {"first": np.zeros(0, dtype=np.int32)},
    "no_nodes": {name: table[:0] for name, table in TABLES.items()},
    "short": {"value": np.zeros(4)},
    "long": {"right": np.arange(6, dtype=np.int32)},
    "wide": {"right": TABLES["right"].astype(np.int64)},
    "unsigned": {"right": TABLES["right"].astype(np.uint32)},
    "double": {"threshold": TABLES["threshold"].astype(np.float64)},
    "gaps": {"value": np.zeros(10)[::2]},
    "matrix": {"value": np.zeros((5, 1))},
    "misaligned": {"value": misaligned(TABLES["value"])},
}


@native_only
@pytest.mark.parametrize("case", UNSOUND)
def test_the_extension_refuses_tables_that_walks_could_leave(case):
    from s2auc.models.parts.trees import _trees

    forest = _trees.pack(*TABLES.values(), 2)
    sums = np.zeros(3)
    _trees.sums(forest, np.array([[0, 0], [0, 1], [1, 0]], dtype=np.float32), sums)
    assert sums.tolist() == [2.0, 3.0, 4.0]
    with pytest.raises((ValueError, BufferError)):
        _trees.pack(*(TABLES | UNSOUND[case]).values(), 2)


@native_only
def test_any_tables_that_the_extension_takes_are_walked_to_an_end():
    from s2auc.models.parts.trees import _trees

    rng, n_taken = np.random.default_rng(0), 0
    rows = rng.normal(size=(30, 2)).astype(np.float32)
    for _ in range(3000):
        n = int(rng.integers(1, 6))
        tables = [
            rng.choice([-1, 0, 1, 2], n, p=[0.02, 0.48, 0.48, 0.02]).astype(np.int32),
            rng.choice(np.array([np.nan, -np.inf, np.inf, 0.0], dtype=np.float32), n),
            (np.arange(n) + rng.choice([-1, 0, 1, 2], n, p=[0.02, 0.6, 0.2, 0.18])).astype(np.int32),
            rng.normal(size=n),
            rng.integers(0, n, int(rng.integers(0, 4))).astype(np.int32),
        ]
        try:
            forest = _trees.pack(*tables, 2)
        except ValueError:
            continue
        n_taken += 1
        sums = np.zeros(30)
        _trees.sums(forest, rows, sums)
        assert np.isfinite(sums).all()
    assert n_taken > 100


@native_only
def test_packed_trees_are_kept_as_long_as_their_tables():
    column, number = make_forest()
    tables, n_before = TreeTables.of_preorder(column, number), len(scoring._packed)
    expected = reference.sums(column, number, make_rows(20))
    for n_columns in (3, 3, 5, 3):
        rows = np.pad(make_rows(20), ((0, 0), (0, n_columns - 3)))
        assert np.array_equal(sum_leaves(tables, rows), expected)
    assert len(scoring._packed) == n_before + 1
    del tables
    assert len(scoring._packed) == n_before


@native_only
def test_the_extension_checks_the_rows_it_is_given():
    from s2auc.models.parts.trees import _trees

    forest, rows, sums = _trees.pack(*TABLES.values(), 2), np.zeros((4, 2), dtype=np.float32), np.zeros(4)
    _trees.sums(forest, rows[:0], sums[:0])
    frozen = sums.copy()
    frozen.flags.writeable = False
    mistakes = [
        lambda: _trees.pack(*TABLES.values(), 0),
        lambda: _trees.pack(*TABLES.values(), -1),
        lambda: _trees.sums(object(), rows, sums),
        lambda: _trees.sums(forest, rows[:, :1], sums),
        lambda: _trees.sums(forest, np.zeros((4, 3), dtype=np.float32), sums),
        lambda: _trees.sums(forest, rows[:3], sums),
        lambda: _trees.sums(forest, rows.astype(np.float64), sums),
        lambda: _trees.sums(forest, np.asfortranarray(rows), sums),
        lambda: _trees.sums(forest, misaligned(rows.ravel()).reshape(4, 2), sums),
        lambda: _trees.sums(forest, rows[0], sums),
        lambda: _trees.sums(forest, rows, sums.astype(np.float32)),
        lambda: _trees.sums(forest, rows, np.zeros(8)[::2]),
        lambda: _trees.sums(forest, rows, frozen),
    ]
    for mistake in mistakes:
        with pytest.raises((ValueError, BufferError)):
            mistake()
