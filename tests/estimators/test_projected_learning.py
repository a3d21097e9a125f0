"""The classifier goes on learning from sparse rows of many columns, on the components that it began with."""

import copy
import pickle

import numpy as np
import pytest

from classifier_rows import fast, fingerprint
from s2auc import QSG
from s2auc.solvers.qsg.panels import DivergenceError
from text_rows import make_texts

STABLE = {"alpha": 1.0, "solver": QSG(schedule="printed", step_scale=0.2)}


def matrix_of(model):
    (part,) = model.model_.parts
    return part.projection.matrix


@pytest.mark.filterwarnings("ignore:With schedule='printed' the paper proves")
def test_two_parts_make_a_whole():
    X, _, y = make_texts()
    whole = fast(max_iter=20, **STABLE).fit(X, y)
    parts = fast(max_iter=10, **STABLE).partial_fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(matrix_of(parts), matrix_of(whole))
    scores = whole.decision_function(X)
    np.testing.assert_allclose(parts.decision_function(X), scores, rtol=0, atol=1e-5 * np.abs(scores).max())
    assert parts.n_iter_ == 20


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_later_rows_are_seen_through_the_first_components(method):
    (X, _, y), (others, truth, labels) = make_texts(), make_texts(seed=1)
    model = fast(warm_start=True, max_iter=40).fit(X, y)
    before = matrix_of(model)
    getattr(model, method)(others, labels)
    np.testing.assert_array_equal(matrix_of(model), before)
    assert not np.allclose(matrix_of(fast().fit(others, labels)), before)
    assert model.score(others, truth) > 0.6


def test_rows_may_come_in_another_form_later():
    X, _, y = make_texts()
    sparse, dense = (fast().partial_fit(X, y).partial_fit(rows, y) for rows in (X, X.toarray()))
    np.testing.assert_array_equal(sparse.decision_function(X), dense.decision_function(X))
    # Those that came dense first have no components, and get none.
    first = fast().partial_fit(X.toarray(), y).partial_fit(X, y)
    assert type(first.model_.parts[0]).__name__ == "CosinePart"


def test_learning_from_batches():
    X, truth, _ = make_texts(600)
    model = fast(max_iter=30, n_frequencies=16)
    for batch in np.split(np.arange(600), 3):
        model.partial_fit(X[batch], np.where(batch % 4 == 0, truth[batch], -1))
    assert matrix_of(model).shape == (400, 100)
    assert model.score(X, truth) > 0.8


def test_a_small_first_batch_has_few_components():
    X, _, y = make_texts()
    model = fast().partial_fit(X[:8], y[:8])
    assert matrix_of(model).shape == (400, 8)
    assert matrix_of(model.partial_fit(X, y)).shape == (400, 8)


@pytest.mark.parametrize(("before", "after"), [("auto", 5), (5, "auto"), (5, 6), ("auto", None), (None, "auto")])
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_another_number_of_components_is_refused(method, before, after):
    X, _, y = make_texts()
    model = fast(warm_start=True, sparse_components=before).fit(X, y).set_params(sparse_components=after)
    seen = fingerprint(model, X)
    sentence = (
        rf"^The 'sparse_components' parameter must stay .* where it is {before!r}\. Got {after!r}; fit with .*\.$"
    )
    with pytest.raises(ValueError, match=sentence) as caught:
        getattr(model, method)(X, y)
    assert "\n" not in str(caught.value)
    assert fingerprint(model, X) == seen
    model.set_params(warm_start=False).fit(X, y)
    fresh = fast(sparse_components=after).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), fresh.decision_function(X))
    # What was asked for last is what goes on.
    assert model.partial_fit(X, y).n_iter_ == 2 * model.max_iter


@pytest.mark.parametrize("scaling", ["common", "standard"])
def test_scaling_may_be_named_while_it_stays_what_it_is(scaling):
    X, _, y = make_texts()
    model = fast().partial_fit(X, y).set_params(scaling=scaling)
    if scaling == "common":
        assert model.partial_fit(X, y).n_iter_ == 20
    else:
        with pytest.raises(ValueError, match=r"^The 'scaling' parameter must stay .* where it is 'common'\. Got 'stan"):
            model.partial_fit(X, y)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_learn_alike(copied):
    X, _, y = make_texts()
    model = fast().fit(X, y)
    twin = copied(model)
    np.testing.assert_array_equal(
        twin.partial_fit(X, y).decision_function(X), model.partial_fit(X, y).decision_function(X)
    )


def test_a_failing_fit_leaves_the_components_as_they_were():
    X, _, y = make_texts()
    model = fast().fit(X, y)
    before, components = fingerprint(model, X), matrix_of(model)
    with pytest.raises(ValueError, match="Input X contains infinity"):
        model.fit(X * np.inf, y)
    with pytest.raises(DivergenceError):
        model.set_params(solver=QSG(schedule="printed"), alpha=1e-9).fit(X[:, :300], y)
    model.set_params(solver="qsg", alpha=fast().alpha)
    assert fingerprint(model, X) == before
    assert matrix_of(model) is components


def test_steps_after_a_closed_form_start_anew():
    X, _, y = make_texts()
    model = fast(solver="exact").fit(X, y).set_params(solver="qsg", sparse_components=7, warm_start=True).fit(X, y)
    expected = fast(sparse_components=7).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))


def test_what_a_model_goes_on_from_holds_no_rows():
    X, _, y = make_texts(2000, n_words=60)
    assert len(pickle.dumps(fast(sparse_components=3).fit(X, y))) < 0.1 * X.data.nbytes
