"""Entries for comparison: trained as if unlabelled rows had taught no words."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from reference import text_terms as reference
from s2auc.common.groups import UNLABELED, PositiveFirst
from s2auc.data.schema.schema import LearntColumn, Schema
from s2auc.data.text.text_encoding import learn_text_encoding
from s2auc.search.entries.labeled_only import LabeledOnlyEntry, compared_entries, represented_by_labeled
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry, WideRows
from s2auc.search.grids.grid import Grid
from s2auc.search.grids.make_grid import GridSpec, make_grid
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.work_rows import WorkRows
from text_tables import make_texts

N_LABELED, N_ROWS = 20, 90
TEXTS = make_texts(np.random.default_rng(0).integers(0, 2, N_ROWS))
ENCODING = learn_text_encoding(TEXTS, n_components=8)
SCHEMA = Schema.of_columns([LearntColumn("a"), LearntColumn("note", text=ENCODING)])
ALONE = Schema.of_columns([LearntColumn("note", text=ENCODING)])
WIDE = WideRows(csr_array(ENCODING.vocabulary.rows(TEXTS)), np.ones(ENCODING.vocabulary.n_terms))
ORDER = PositiveFirst(10, 10)


def grid_of(schema, *, is_compared=True, **wanted):
    alone = WIDE.by_labeled_rows([ENCODING], N_LABELED) if is_compared else None
    return make_grid(GridSpec(**wanted), Exact(), ORDER, 70, WIDE, schema, alone)


def described(entry):
    return type(entry).__name__, str(entry.view), len(entry.settings)


@pytest.mark.parametrize("schema", [SCHEMA, ALONE], ids=["mixed", "alone"])
@pytest.mark.parametrize("members", [["kernels", "linear", "trees"], ["linear"]])
def test_every_entry_that_sees_texts_is_compared_once(schema, members):
    grid, plain = grid_of(schema, members=members), grid_of(schema, members=members, is_compared=False)
    compared = compared_entries(grid.entries)
    assert [described(entry) for entry in grid.entries[: len(plain.entries)]] == list(map(described, plain.entries))
    assert len(grid.entries) == len(plain.entries) + len(compared)
    assert len({id(entry) for entry in compared}) == len(compared)
    without_unlabeled = make_grid(GridSpec(members=members), Exact(), ORDER, 0, WIDE, schema)
    seen = [described(entry) for entry in without_unlabeled.entries if without_unlabeled.sees_texts(entry)]
    assert list(map(described, compared)) == seen
    assert all(entry.wide is not WIDE for entry in compared if isinstance(entry, WideLinearEntry))


def test_settings_for_comparison_are_no_candidates():
    grid = grid_of(SCHEMA)
    n_plain = len(grid_of(SCHEMA, is_compared=False).settings)
    assert grid.candidates.tolist() == list(range(n_plain))
    assert not any(setting.uses_unlabeled for setting in grid.settings[n_plain:])
    for entry in grid.entries:
        used = {setting.uses_unlabeled for setting in grid.settings if setting in entry.settings}
        if not isinstance(entry, LabeledOnlyEntry) and grid.sees_texts(entry):
            own = grid.settings[: len(grid.places)]
            places = [place for place, (number, _) in enumerate(grid.places) if grid.entries[number] is entry]
            assert all(own[place].uses_unlabeled for place in places), used


def test_without_unlabelled_rows_none_is_said_to_use_them():
    grid = make_grid(GridSpec(), Exact(), ORDER, 0, WIDE, SCHEMA)
    assert not any(setting.uses_unlabeled for setting in grid.settings)
    assert any(map(grid.sees_texts, grid.entries))


def test_texts_are_seen_where_a_view_shows_them():
    grid = grid_of(SCHEMA, is_compared=False)
    assert {str(entry.view) for entry in grid.entries if not grid.sees_texts(entry)} == {
        "standard, other columns",
        "rank, other columns",
    }
    assert not any(Grid(grid.entries).sees_texts(entry) for entry in grid.entries)


def test_rows_as_labelled_rows_alone_represent_them():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=N_ROWS), ENCODING.numbers(TEXTS)])
    steps = {"positive": np.arange(3)[None], UNLABELED: np.arange(60, 90)[None]}
    work = WorkRows(X, ORDER, n_reference=30, steps=steps, n_spread=10)
    terms = WIDE.by_labeled_rows([ENCODING], N_LABELED).rows
    found = represented_by_labeled(work, terms[:50], SCHEMA)
    assert found.X.shape == (50, X.shape[1])
    assert (found.n_reference, found.n_spread, found.has_pool) == (30, 0, False)
    assert UNLABELED not in found.steps
    np.testing.assert_array_equal(found.X[:, 0], X[:50, 0])
    names = ENCODING.vocabulary.terms
    counts = reference.count(TEXTS[:50], names.words, names.pairs, names.grams)
    rows = reference.labeled_only(counts, names.n_words, N_LABELED)
    _, lengths, vectors = np.linalg.svd(rows[:N_LABELED], full_matrices=False)
    np.testing.assert_allclose(np.linalg.norm(found.X[:N_LABELED, 1:9], axis=0), lengths[:8], rtol=0.05)
    np.testing.assert_allclose(np.abs(found.X[:, 1]), np.abs(rows @ vectors[0]), atol=1e-3)
    assert not found.X[:, -1].any()
    assert work.X is X  # which others still use
    np.testing.assert_array_equal(X[:, 1:], ENCODING.numbers(TEXTS))


def test_entries_for_comparison_need_their_rows():
    class Rows:
        labeled_only = None

    entry = LabeledOnlyEntry(LinearEntry(grid_of(SCHEMA).entries[0].view, (1.0,)))
    with pytest.raises(ValueError, match="need rows that labelled rows alone have represented"):
        entry.train(Rows())
