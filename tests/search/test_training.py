"""What entries have in common: scaled rows and neighbours, each once."""

import pickle

import numpy as np

import reference
from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries.linear import LinearEntry
from trainings import N_NEIGHBORS, NEAR, NEAR_POINTS, PLAIN, WEIGHTED, make_training, space_entry

ENTRIES = (space_entry(PLAIN), space_entry(NEAR, NEAR_POINTS), LinearEntry(ColumnView("standard"), (0.1,)))


def test_rows_are_scaled_and_neighbours_found_where_entries_need_them():
    training = make_training(*ENTRIES)
    assert training.prepared.keys() == {ColumnView("rank"), ColumnView("standard")}
    assert training.graphs.keys() == {ColumnView("standard")}
    X = training.rows.X
    sample = np.concatenate([X[: training.rows.order.n_rows], X[training.rows.spread]])
    np.testing.assert_allclose(
        training.scaled(ColumnView("standard")), (X - sample.mean(axis=0)) / sample.std(axis=0), rtol=1e-9
    )
    must, may = reference.neighbor_edges(training.scaled(ColumnView("standard"))[training.rows.nodes], N_NEIGHBORS)
    assert must == may == set(map(tuple, training.graphs[ColumnView("standard")].edges.tolist()))


def test_rows_that_take_much_memory_are_scaled_anew_every_time():
    before = make_training(*ENTRIES)
    after = make_training(*ENTRIES, max_values=10)
    assert before.kept
    assert not after.kept
    for entry in ENTRIES:
        np.testing.assert_array_equal(entry.train(after).scores, entry.train(before).scores)


def test_scaled_rows_do_not_travel():
    training = make_training(space_entry(PLAIN), space_entry(WEIGHTED))
    packed = pickle.dumps(training)
    there = pickle.loads(packed)
    assert there.kept.keys() == training.kept.keys() == {ColumnView("rank"), ColumnView("standard")}
    for scaling, rows in training.kept.items():
        np.testing.assert_array_equal(there.kept[scaling], rows)
    assert len(packed) < len(pickle.dumps(vars(training))) - sum(rows.nbytes for rows in training.kept.values()) / 2
