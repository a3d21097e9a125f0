import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.ranking import pairs
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import Objective, Term, semi_supervised
from s2auc.ranking.pairs import AllPairs, RowPairs

SIZES = {"positive": 5, "negative": 5, "unlabeled": 5}


def rules(higher="positive", lower="unlabeled"):
    """Each pair rule beside the same pairs written out for the reference."""
    return {
        "all": (AllPairs(higher, lower), reference.all_pairs(higher, lower, SIZES[higher], SIZES[lower])),
        "row": (RowPairs(higher, lower), reference.row_pairs(higher, lower, SIZES[higher])),
    }


@pytest.fixture(params=LOSSES)
def loss(request):
    return LOSSES[request.param]


@pytest.fixture(params=["all", "row"])
def rule(request):
    return request.param


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    return {group: rng.normal(0, 1.5, size) for group, size in SIZES.items()}


@pytest.fixture
def weights():
    rng = np.random.default_rng(6)
    weights = {group: rng.integers(0, 4, size).astype(float) for group, size in SIZES.items()}
    weights["positive"][3] = 2.0
    return weights


def terms_of(loss, rule):
    """A risk of two terms whose groups overlap, once for the library and once for the reference."""
    first, first_pairs = rules()[rule]
    second, second_pairs = rules("unlabeled", "negative")[rule]
    ours = Objective((Term(0.3, loss, first), Term(1.7, loss, second)))
    return ours, [(0.3, loss.name, first_pairs), (1.7, loss.name, second_pairs)]


@pytest.mark.parametrize("with_weights", [False, True])
def test_value_and_gradient_match_double_loops(loss, rule, scores, weights, with_weights):
    ours, literal = terms_of(loss, rule)
    chosen = weights if with_weights else None
    result = ours.evaluate(scores, chosen)
    value, gradient = reference.risk(literal, scores, chosen)
    assert result.value == pytest.approx(value, rel=1e-12)
    for group in SIZES:
        np.testing.assert_allclose(result.gradient[group], gradient[group], rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("weighted", SIZES)
def test_groups_without_weights_weigh_the_same_each(loss, rule, scores, weights, weighted):
    ours, literal = terms_of(loss, rule)
    every = {group: weights[group] if group == weighted else np.ones(size) for group, size in SIZES.items()}
    result = ours.evaluate(scores, {weighted: weights[weighted]})
    value, gradient = reference.risk(literal, scores, every)
    assert result.value == pytest.approx(value, rel=1e-12)
    for group in SIZES:
        np.testing.assert_allclose(result.gradient[group], gradient[group], rtol=1e-11, atol=1e-14)


def test_gradient_matches_finite_differences(loss, rule, scores, weights):
    ours, _ = terms_of(loss, rule)
    gradient = ours.evaluate(scores, weights).gradient
    h = 1e-6
    for group, size in SIZES.items():
        for row in range(size):
            moved = [{**scores, group: scores[group] + sign * h * (np.arange(size) == row)} for sign in (1, -1)]
            up, down = (float(ours.evaluate(shifted, weights).value) for shifted in moved)
            assert gradient[group][row] == pytest.approx((up - down) / (2 * h), abs=1e-8)


def test_curvature_is_never_exceeded_and_exact_for_quadratic_losses(loss, rule, scores, weights):
    ours, _ = terms_of(loss, rule)
    rng = np.random.default_rng(7)
    h = 1e-5
    for _ in range(30):
        base = {group: score + rng.normal(0, 2, len(score)) for group, score in scores.items()}
        direction = {group: rng.normal(size=size) for group, size in SIZES.items()}
        moved = [{g: base[g] + sign * h * direction[g] for g in SIZES} for sign in (1, -1)]
        up, down = (ours.evaluate(shifted, weights).gradient for shifted in moved)
        met = sum(float(direction[g] @ (up[g] - down[g])) / (2 * h) for g in SIZES)
        bound = ours.curvature_product(direction, weights)
        allowed = sum(float(direction[g] @ bound[g]) for g in SIZES)
        assert abs(met) <= allowed * (1 + 1e-6) + 1e-9
        if loss.quadratic:
            assert met == pytest.approx(allowed, rel=1e-6)


def test_curvature_products_are_linear_in_many_columns(loss, rule):
    ours, _ = terms_of(loss, rule)
    rng = np.random.default_rng(8)
    columns = {group: rng.normal(size=(size, 3)) for group, size in SIZES.items()}
    together = ours.curvature_product(columns)
    for k in range(3):
        alone = ours.curvature_product({group: array[:, k] for group, array in columns.items()})
        for group in SIZES:
            np.testing.assert_allclose(together[group][:, k], alone[group], rtol=1e-12, atol=1e-15)


def test_models_side_by_side_equal_models_one_by_one(loss, rule):
    rng = np.random.default_rng(9)
    n_models = 4
    scores = {group: rng.normal(size=(size, n_models)) for group, size in SIZES.items()}
    masks = {group: (rng.random((size, n_models)) < 0.7).astype(float) for group, size in SIZES.items()}
    masks["negative"][:, 2] = 0.0
    weight = np.array([0.0, 0.2, 0.5, 1.0])
    first, second = rules()[rule][0], rules("unlabeled", "negative")[rule][0]
    result = Objective((Term(weight, loss, first), Term(1 - weight, loss, second))).evaluate(scores, masks)
    for k in range(n_models):
        alone = Objective((Term(float(weight[k]), loss, first), Term(float(1 - weight[k]), loss, second))).evaluate(
            {group: array[:, k] for group, array in scores.items()},
            {group: array[:, k] for group, array in masks.items()},
        )
        assert result.value[k] == pytest.approx(alone.value, rel=1e-12)
        for group in SIZES:
            np.testing.assert_allclose(result.gradient[group][:, k], alone.gradient[group], rtol=1e-12, atol=1e-15)


def test_a_row_without_weight_is_as_if_it_were_not_there(loss, scores):
    objective = semi_supervised(loss, 0.4)
    weights = {group: np.array([1.0, 1.0, 0.0, 1.0, 1.0]) for group in SIZES}
    left_out = objective.evaluate(scores, weights)
    shorter = objective.evaluate({group: np.delete(score, 2) for group, score in scores.items()})
    assert left_out.value == pytest.approx(shorter.value, rel=1e-12)
    for group in SIZES:
        assert left_out.gradient[group][2] == 0
        np.testing.assert_allclose(np.delete(left_out.gradient[group], 2), shorter.gradient[group], rtol=1e-12)


def test_an_integer_weight_is_that_many_copies(loss, scores):
    objective = semi_supervised(loss, 0.4)
    weights = {group: np.array([1.0, 2.0, 0.0, 3.0, 1.0]) for group in SIZES}
    copies = {group: np.repeat(score, weights[group].astype(int)) for group, score in scores.items()}
    assert objective.evaluate(scores, weights).value == pytest.approx(objective.evaluate(copies).value, rel=1e-12)


@pytest.mark.parametrize("missing", ["positive", "negative", "unlabeled"])
@pytest.mark.parametrize("how", ["absent", "empty", "weightless"])
@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_a_term_whose_group_is_missing_drops_out(loss, scores, missing, how, pairing):
    objective = semi_supervised(loss, 0.4, pairing)
    weights = None
    rest = {group: score for group, score in scores.items() if group != missing}
    given_scores = {
        "absent": rest,
        "empty": {**rest, missing: np.empty(0)},
        "weightless": scores,
    }[how]
    if how == "weightless":
        weights = {group: np.full(5, float(group != missing)) for group in SIZES}
    result = objective.evaluate(given_scores, weights)
    kept = [term for term in objective.terms if missing not in (term.pairs.higher, term.pairs.lower)]
    expected = Objective(tuple(kept)).evaluate(rest)
    assert result.value == pytest.approx(expected.value, rel=1e-12)
    assert result.value != 0
    for group in rest:
        np.testing.assert_allclose(result.gradient[group], expected.gradient[group], rtol=1e-12, atol=1e-15)
    assert np.all(result.gradient.get(missing, 0) == 0)


def test_no_terms_left_is_a_risk_of_zero(loss, scores):
    result = semi_supervised(loss, 1.0).evaluate({"positive": scores["positive"]})
    assert result.value == 0
    assert np.all(result.gradient["positive"] == 0)


def test_row_pairs_of_different_lengths_are_an_error():
    with pytest.raises(ValueError, match="broadcast"):
        Objective((Term(1.0, LOSSES["square"], RowPairs("positive", "negative")),)).evaluate(
            {"positive": np.zeros(2), "negative": np.zeros(3)}
        )


def test_slices_of_pairs_do_not_change_the_result(scores, monkeypatch):
    objective = semi_supervised(LOSSES["logistic"], 0.5)
    whole = objective.evaluate(scores)
    monkeypatch.setattr(pairs, "SLICE_BYTES", 1)
    sliced = objective.evaluate(scores)
    assert sliced.value == pytest.approx(whole.value, rel=1e-14)
    for group in SIZES:
        np.testing.assert_allclose(sliced.gradient[group], whole.gradient[group], rtol=1e-13)


def test_square_loss_over_all_pairs_visits_rows_not_pairs():
    """Ten billion pairs would take minutes and 80 GB; their sum takes neither."""
    rng = np.random.default_rng(0)
    n = 100_000
    scores = {"positive": rng.normal(1, 1, n), "negative": rng.normal(0, 1, n)}
    result = semi_supervised(LOSSES["square"], 1.0).evaluate(scores)
    assert result.value == pytest.approx(2.0, abs=0.03)  # E(1-z)² for z ~ N(1, 2)


def test_unlabelled_rows_of_the_square_loss_add_a_variance_penalty():
    """R_PU + R_NU = R_PN + 1 + 2(π·var₊ + (1-π)·var₋) when the unlabelled rows are the labelled ones."""
    rng = np.random.default_rng(1)
    p, n = rng.normal(1, 1, 30), rng.normal(0, 2, 70)
    u = np.concatenate([p, n])
    square = LOSSES["square"]
    groups = {"positive": p, "negative": n, "unlabeled": u}
    semi = semi_supervised(square, 0.0).evaluate(groups).value
    supervised = semi_supervised(square, 1.0).evaluate(groups).value
    assert semi == pytest.approx(supervised + 1 + 2 * (0.3 * p.var() + 0.7 * n.var()), rel=1e-12)


def test_unlabelled_rows_of_a_symmetric_loss_give_the_supervised_risk():
    """R_PU + R_NU - 1/2 = R_PN, exactly, when the unlabelled rows are the labelled ones."""
    rng = np.random.default_rng(1)
    p, n = rng.normal(1, 1, 30), rng.normal(0, 2, 70)
    groups = {"positive": p, "negative": n, "unlabeled": np.concatenate([p, n])}
    semi = semi_supervised(LOSSES["sigmoid"], 0.0).evaluate(groups).value
    supervised = semi_supervised(LOSSES["sigmoid"], 1.0).evaluate(groups).value
    assert semi - 0.5 == pytest.approx(supervised, rel=1e-12)


@given(data=st.data(), name=st.sampled_from(sorted(LOSSES)), pairing=st.sampled_from(["all", "triplet"]))
def test_any_scores_match_double_loops(data, name, pairing):
    n = data.draw(st.integers(1, 4))
    numbers = st.lists(st.floats(-20, 20, allow_subnormal=False), min_size=n, max_size=n)
    scores = {group: np.array(data.draw(numbers)) for group in SIZES}
    labeled_weight = data.draw(st.floats(0, 1))
    literal = reference.semi_supervised_terms(name, labeled_weight, dict.fromkeys(SIZES, n), pairing)
    value, gradient = reference.risk(literal, scores)
    result = semi_supervised(LOSSES[name], labeled_weight, pairing).evaluate(scores)
    assert result.value == pytest.approx(value, rel=1e-9, abs=1e-12)
    for group in SIZES:
        np.testing.assert_allclose(result.gradient[group], gradient[group], rtol=1e-9, atol=1e-11)


def test_an_objective_names_the_groups_that_it_looks_at(loss):
    assert semi_supervised(loss, 0.5).groups == ("positive", "negative", "unlabeled")
    assert semi_supervised(loss, 1.0).groups == ("positive", "negative")
    assert semi_supervised(loss, np.array([1.0, 0.5])).groups == ("positive", "negative", "unlabeled")
    assert semi_supervised(loss, 0.0).groups == ("positive", "unlabeled", "negative")


@pytest.mark.parametrize(
    ("sizes", "weight", "has_pairs"),
    [
        ((3, 3, 0), 1.0, True),
        ((3, 3, 0), 0.0, False),
        ((3, 0, 3), 1.0, False),
        ((3, 0, 3), 0.5, True),
        ((0, 3, 3), 0.5, True),
        ((3, 0, 0), 0.5, False),
        ((0, 0, 3), 0.5, False),
    ],
)
def test_an_objective_knows_whether_rows_form_pairs(loss, sizes, weight, has_pairs):
    assert semi_supervised(loss, weight).has_pairs(dict(zip(SIZES, sizes, strict=True))) == has_pairs


def test_a_fourth_group_is_one_more_term(loss, scores):
    """Nothing knows how many groups there are: neighbours are pairs of listed rows of a group of their own."""
    base = semi_supervised(loss, 0.4)
    neighbours = Term(2.0, LOSSES["squared_difference"], RowPairs("node", "neighbor"))
    both = Objective((*base.terms, neighbours))
    more = scores | {"node": np.array([1.0, 2.0]), "neighbor": np.array([0.0, 5.0])}
    result = both.evaluate(more)
    assert result.value == pytest.approx(base.evaluate(scores).value + 2.0 * (1.0 + 9.0) / 2)
    np.testing.assert_allclose(result.gradient["node"], [2.0, -6.0])
    np.testing.assert_allclose(result.gradient["positive"], base.evaluate(scores).gradient["positive"])
    assert both.groups == ("positive", "negative", "unlabeled", "node", "neighbor")
