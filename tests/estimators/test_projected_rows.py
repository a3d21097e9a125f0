"""Sparse rows of many columns, as both classifiers are given them: whatever their form, gaps and labels."""

import pickle

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix, hstack
from sklearn.base import clone

from s2auc import S2AUCClassifier, S2AUCClassifierCV, load_model
from s2auc.data.features.projection import MANY_COLUMNS, USUAL_COMPONENTS
from s2auc.data.sources.matrix_rows import SparseRows
from text_rows import EVERYONE, N_COLUMNS, N_LABELED, N_ROWS, SMALL, make_texts

STEPS = {"max_iter": 20, "n_frequencies": 16, "batch_size": 32, "random_state": 0}
CLASSIFIERS = {
    "steps": lambda **changes: S2AUCClassifier(**STEPS | changes),
    "exact": lambda **changes: S2AUCClassifier(solver="exact", n_frequencies=64, random_state=0, **changes),
    "search": lambda **changes: S2AUCClassifierCV(**SMALL | changes),
    "search, with forests": lambda **changes: S2AUCClassifierCV(**EVERYONE | changes),
}


@pytest.fixture(params=CLASSIFIERS)
def make(request, few_trees):
    """Each classifier, with a solver that has one, or with every member."""
    return CLASSIFIERS[request.param]


@pytest.fixture(params=["steps", "search"])
def make_fast(request):
    """Each classifier once."""
    return CLASSIFIERS[request.param]


def kinds_of(ranker):
    return [type(part).__name__ for part in ranker.model_.parts]


def n_components_of(ranker):
    """How many components the model sees, None if it sees the columns."""
    return ranker.model_.parts[0].projection.n_components if "ProjectedPart" in kinds_of(ranker) else None


FORMS = {"csr matrix": csr_matrix, "csc": csc_array, "coo": coo_array, "ints": lambda X: X.astype(np.int32)}


def test_every_form_of_the_rows_gives_the_same_bits(make):
    X, truth, y = make_texts()
    ranker = make().fit(X, y)
    scores = ranker.decision_function(X)
    assert ranker.score(X[N_LABELED:], truth[N_LABELED:]) > 0.85
    assert n_components_of(ranker) == USUAL_COMPONENTS
    for form in FORMS.values():
        np.testing.assert_array_equal(ranker.decision_function(form(X)), scores)
        np.testing.assert_array_equal(ranker.model_.decision_function(form(X)), scores)
    np.testing.assert_array_equal(np.concatenate([ranker.decision_function(part) for part in (X[:7], X[7:])]), scores)
    for held in (X.toarray(), np.asfortranarray(X.toarray())):
        dense = ranker.decision_function(held)
        np.testing.assert_allclose(dense, scores, rtol=0, atol=1e-12 * np.abs(scores).max())
        # Weighted sums of all columns are rounded otherwise, components are not.
        assert np.array_equal(dense, scores) or "LinearPart" in kinds_of(ranker)


def test_the_form_of_the_rows_to_learn_from_changes_no_bit(make_fast):
    X, _, y = make_texts()
    scores = make_fast().fit(X, y).decision_function(X)
    for rows in (csc_array(X), coo_array(X), SparseRows(X)):
        np.testing.assert_array_equal(make_fast().fit(rows, y).decision_function(X), scores)
    separate = make_fast().fit(X[:N_LABELED], y[:N_LABELED], X[N_LABELED:])
    np.testing.assert_array_equal(separate.decision_function(X), scores)


def test_rows_may_store_values_in_any_order_and_in_pieces(make_fast):
    X, _, y = make_texts()
    rng, tame = np.random.default_rng(1), X.tocoo()
    rows, columns, halves = (np.tile(held, 2) for held in (tame.row, tame.col, tame.data / 2))
    order = rng.permutation(len(rows))
    by_rows = order[np.argsort(rows[order], kind="stable")]
    wild = csr_array((halves[by_rows], columns[by_rows], 2 * X.indptr), shape=X.shape)
    assert not wild.has_canonical_format
    expected = make_fast().fit(X, y)
    found = make_fast().fit(wild, y)
    for held in (X, wild):
        np.testing.assert_array_equal(found.decision_function(held), expected.decision_function(X))
        np.testing.assert_array_equal(found.model_.decision_function(held), expected.decision_function(X))


def test_same_seed_same_bits_whatever_the_threads(make_fast):
    X, _, y = make_texts()
    first, again, other = (
        make_fast(n_jobs=n_jobs, random_state=seed).fit(X, y).decision_function(X)
        for n_jobs, seed in ((1, 3), (2, 3), (2, 4))
    )
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_missing_values_count_as_zero(make_fast):
    X, _, y = make_texts()
    gaps, zeros = X.copy(), X.copy()
    gaps.data[::7], zeros.data[::7] = np.nan, 0.0
    expected = make_fast().fit(zeros, y)
    scores = expected.decision_function(zeros)
    with_gaps = make_fast().fit(gaps, y)
    for rows in (gaps, zeros, csc_array(gaps)):
        np.testing.assert_array_equal(with_gaps.decision_function(rows), scores)
        np.testing.assert_array_equal(with_gaps.model_.decision_function(rows), scores)
    np.testing.assert_allclose(with_gaps.decision_function(gaps.toarray()), scores, atol=1e-12 * np.abs(scores).max())


def test_a_saved_model_scores_the_same_bits(make, tmp_path):
    X, _, y = make_texts()
    ranker = make().fit(X, y)
    ranker.save(tmp_path / "model")
    for other in (load_model(tmp_path / "model"), pickle.loads(pickle.dumps(ranker))):
        for rows in (X, X.toarray()):
            np.testing.assert_array_equal(other.decision_function(rows), ranker.decision_function(rows))
    ranker.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_the_record_tells_of_components_and_not_of_each(make_fast):
    X, _, y = make_texts()
    record = make_fast(sparse_components=7).fit(X, y).model_.record
    assert (record["n_components"], record["columns"]) == (7, [])
    assert record["settings"]["sparse_components"] == 7
    assert record["rows"] == {"positive": sum(y == 1), "negative": sum(y == 0), "unlabeled": N_ROWS - N_LABELED}
    plain = make_fast(sparse_components=None).fit(X, y).model_.record
    assert plain["n_components"] is None
    assert len(plain["columns"]) == N_COLUMNS


@pytest.mark.parametrize(
    ("asked", "n_columns", "expected"),
    [
        ("auto", MANY_COLUMNS, None),
        ("auto", MANY_COLUMNS + 1, USUAL_COMPONENTS),
        (None, N_COLUMNS, None),
        (5, N_COLUMNS, 5),
        (5, 20, 5),
        (1, N_COLUMNS, 1),
        (10_000, N_COLUMNS, N_ROWS),
    ],
)
def test_as_many_components_as_were_asked_for(make_fast, asked, n_columns, expected):
    X, _, y = make_texts()
    ranker = make_fast(sparse_components=asked).fit(X[:, :n_columns], y)
    assert n_components_of(ranker) == expected
    assert np.isfinite(ranker.decision_function(X[:, :n_columns])).all()


def test_components_are_in_common_units_unless_asked_otherwise():
    X, _, y = make_texts()
    for n_components, usual in (("auto", "common"), (None, "standard")):
        auto, named = (
            CLASSIFIERS["exact"](sparse_components=n_components, scaling=scaling).fit(X, y)
            for scaling in ("auto", usual)
        )
        np.testing.assert_array_equal(auto.decision_function(X), named.decision_function(X))
    other = CLASSIFIERS["exact"](scaling="standard").fit(X, y)
    assert not np.allclose(other.decision_function(X), CLASSIFIERS["exact"]().fit(X, y).decision_function(X))


def test_categories_have_no_components(make_fast):
    X, _, y = make_texts()
    ranker = make_fast(sparse_components=5, categorical_features=[0])
    before = dict(vars(ranker))
    sentence = (
        r"^The 'sparse_components' parameter must be 'auto' or None where .* Got 5 and 1 such columns; leave .*\.$"
    )
    with pytest.raises(ValueError, match=sentence) as caught:
        ranker.fit(X, y)
    assert "\n" not in str(caught.value)
    assert vars(ranker) == before
    assert n_components_of(ranker.set_params(sparse_components="auto").fit(X, y)) is None


def test_dense_rows_are_seen_as_they_are(make_fast):
    X, _, y = make_texts()
    rankers = [make_fast(sparse_components=asked).fit(X.toarray(), y) for asked in (5, "auto", None)]
    assert [n_components_of(ranker) for ranker in rankers] == [None] * 3
    scores = [ranker.decision_function(X) for ranker in rankers]
    assert np.array_equal(scores[0], scores[1])
    assert np.array_equal(scores[0], scores[2])


def test_very_many_columns_are_never_made_dense(make_fast):
    X, _, y = make_texts()
    wide = hstack([X, csr_array((N_ROWS, 2000))], format="csr")
    ranker = make_fast(sparse_components=None)
    with pytest.raises(ValueError, match=r"^The 'sparse_components' parameter must be .* Got None and 2400 columns; "):
        ranker.fit(wide, y)
    assert n_components_of(ranker.set_params(sparse_components="auto").fit(wide, y)) == USUAL_COMPONENTS


def test_the_pool_may_have_another_form(make_fast):
    X, _, y = make_texts()
    labels, dense = y[:N_LABELED], X.toarray()

    def scores(labeled, pool):
        return make_fast().fit(labeled[:N_LABELED], labels, pool[N_LABELED:]).decision_function(X)

    expected = scores(X, X)
    np.testing.assert_array_equal(scores(X, dense), expected)
    marked_and_separate = make_fast().fit(X[:200], y[:200], dense[200:])
    np.testing.assert_array_equal(marked_and_separate.decision_function(X), expected)
    # The labelled rows decide whether there are components.
    without = scores(dense, X)
    np.testing.assert_array_equal(without, scores(dense, dense))
    assert not np.allclose(without, expected)


def test_positive_and_unlabelled_rows(make_fast, tmp_path):
    X, truth, y = make_texts()
    ranker = make_fast(pos_label=1).fit(X, np.where(y == 1, 1, -1))
    # No labelled pairs, no linear functions.
    assert kinds_of(ranker) == ["ProjectedPart"]
    assert {type(part).__name__ for part in ranker.model_.parts[0].parts} == {"CosinePart"}
    assert ranker.score(X, truth) > 0.7
    ranker.save(tmp_path / "model")
    np.testing.assert_array_equal(load_model(tmp_path / "model").decision_function(X), ranker.decision_function(X))


@pytest.mark.filterwarnings("ignore:A class has a single labelled row", "ignore:There are no unlabelled rows")
def test_a_single_labelled_row_of_a_class(make_fast):
    X, truth, y = make_texts()
    y[np.flatnonzero(y == 1)[1:]] = -1
    ranker = make_fast().fit(X, y)
    assert n_components_of(ranker) == USUAL_COMPONENTS
    assert ranker.score(X, truth) > 0.5
    two = make_fast().fit(X[y != -1][[0, -1]], [1, 0])
    assert n_components_of(two) == 2
    assert np.isfinite(two.decision_function(X)).all()


def test_rows_without_any_value(make_fast):
    X, truth, y = make_texts()
    some = X.toarray()
    some[::5] = 0.0
    ranker = make_fast().fit(csr_array(some), y)
    scores = ranker.decision_function(csr_array(some))
    assert len(set(scores[::5].tolist())) == 1
    assert ranker.score(csr_array(some), truth) > 0.8


def test_rows_that_are_all_alike(make_fast):
    X, _, y = make_texts()
    alike = csr_array(np.repeat(X[[0]].toarray(), N_ROWS, axis=0))
    for rows in (alike, csr_array(X.shape)):
        with pytest.raises(ValueError, match="X must have a column that differs between rows"):
            make_fast().fit(rows, y)


@pytest.mark.parametrize("factor", [1e-310, 1e-300, 1e300])
def test_units_of_all_columns_do_not_matter(make_fast, factor):
    X, _, y = make_texts()
    expected = make_fast().fit(X, y).decision_function(X)
    found = make_fast().fit(X * factor, y).decision_function(X * factor)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-4 * np.abs(expected).max())


def test_parameters_stay_as_they_were_given(make_fast):
    X, _, y = make_texts()
    given = np.int64(6)
    ranker = make_fast(sparse_components=given).fit(X, y)
    assert ranker.sparse_components is given
    again = clone(ranker)
    assert again.get_params() == ranker.get_params()
    assert not hasattr(again, "_projection")
    np.testing.assert_array_equal(again.fit(X, y).decision_function(X), ranker.decision_function(X))
    assert make_fast().get_params()["sparse_components"] == "auto"
