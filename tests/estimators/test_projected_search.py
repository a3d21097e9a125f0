"""S2AUCClassifierCV on sparse rows of many columns: what is tried, chosen, told and kept."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

from s2auc import QSG, S2AUCClassifier, S2AUCClassifierCV, load_model
from s2auc.search.grids.make_grid import UsualValues
from text_rows import EVERYONE, N_COLUMNS, N_LABELED, SMALL, make_texts

CASES = {
    "usual": {},
    "steps": {"solver": "qsg", "max_iters": (4, 12)},
    "triplets": {"solver": QSG(pairing="triplet"), "max_iters": (12,), "labeled_weights": (0.5,)},
    "five components": {"sparse_components": 5},
    "columns": {"sparse_components": None},
    "weighted columns, ranks": {"column_weightings": ("auc",), "scalings": ("rank",)},
    "neighbours and pairs": {"neighbor_weights": (10.0,), "labeled_weights": (0.3,), "scalings": ("standard",)},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("labels", ["both classes", "positive"])
def test_the_best_setting_is_a_single_fit(case, labels):
    X, _, y = make_texts()
    label = {"pos_label": 1} if labels == "positive" else {}
    y = np.where(y == 1, 1, -1) if label else y
    only = {"members": ["kernels"], "selection": "best"}
    search = S2AUCClassifierCV(**SMALL | CASES[case] | label | only).fit(X, y)
    assert search.best_params_["sparse_components"] == CASES[case].get("sparse_components", "auto")
    single = S2AUCClassifier(**search.best_params_).fit(X, y)
    # The search divides scores by their spread, and each classifier has a threshold of its own.
    ours, expected = (ranker.decision_function(X) + ranker.offset_ for ranker in (search, single))
    ours *= np.vdot(ours, expected) / np.vdot(ours, ours)
    # Moments of float32 features are summed fold by fold in a search, which rounds otherwise.
    np.testing.assert_allclose(ours, expected, rtol=0, atol=3e-5 * np.abs(expected).max())
    for one, other in zip(search.model_.parts, single.model_.parts, strict=True):
        assert one.arrays().keys() == other.arrays().keys()
        if case != "columns":
            np.testing.assert_array_equal(one.projection.matrix, other.projection.matrix)


@pytest.mark.usefixtures("few_trees")
def test_results_tell_of_every_member():
    X, truth, y = make_texts()
    search = S2AUCClassifierCV(**EVERYONE).fit(X, y)
    results, usual = search.cv_results_, UsualValues(N_LABELED, is_projected=True)
    is_wide = ~np.ma.getmaskarray(results["param_columns"])
    assert [words for words, wide in zip(results["params"], is_wide, strict=True) if wide] == [
        {"columns": "all", "alpha": alpha} for alpha in usual.wide_alphas
    ]
    assert set(results["member"][is_wide]) == {"linear"}
    is_linear = (results["member"] == "linear") & ~is_wide
    assert set(results["param_scaling"][is_linear]) == {view.scaling for view in usual.linear_views}
    assert set(results["param_scaling"][results["member"] == "kernels"]) == set(usual.scalings)
    assert np.isfinite(results["mean_test_score"]).all()
    # What is chosen is among what was tried, and the best is a setting that S2AUCClassifier has, too.
    assert [results["params"][place] for place in search.model_.record["settings_chosen"]] == search.chosen_params_
    assert any("columns" in words for words in search.chosen_params_)
    assert search.chosen_shares_.sum() == pytest.approx(1.0)
    assert results["member"][search.best_index_] == "kernels"
    assert results["params"][search.best_index_].items() <= search.best_params_.items()
    assert search.score(X[N_LABELED:], truth[N_LABELED:]) > 0.9


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize(
    ("members", "inside", "beside"),
    [
        (["kernels"], {"CosinePart"}, []),
        (["linear"], {"LinearPart"}, ["LinearPart"]),
        (["trees"], {"TreePart"}, []),
        ("auto", {"CosinePart", "LinearPart", "TreePart"}, ["LinearPart"]),
    ],
)
def test_all_that_sees_components_shares_one_projection(members, inside, beside, tmp_path):
    X, truth, y = make_texts()
    search = S2AUCClassifierCV(**EVERYONE | {"members": members}).fit(X, y)
    first, *others = search.model_.parts
    assert {type(part).__name__ for part in first.parts} == inside
    assert [type(part).__name__ for part in others] == beside
    assert search.score(X, truth) > 0.8
    search.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    np.testing.assert_array_equal(loaded.decision_function(X), search.decision_function(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), search.predict_proba(X))


def test_the_choice_is_judged():
    X, truth, y = make_texts()
    search = S2AUCClassifierCV(**SMALL | {"judge": True}, labeled_weights=(1.0, 0.5)).fit(X, y)
    assert search.held_out_auc_.low < search.score(X[N_LABELED:], truth[N_LABELED:])
    assert search.held_out_auc_.value > 0.7
    assert search.did_unlabeled_help_.difference is not None


def test_random_labels_give_an_auc_of_one_half():
    found = []
    for seed in range(8):
        X, _, y = make_texts(seed=seed)
        y[:N_LABELED] = np.random.default_rng(seed).permutation(N_LABELED) % 2
        found.append(S2AUCClassifierCV(**SMALL).fit(X, y).cv_results_["mean_test_score"])
    for values in np.array(found).T:
        assert abs(np.mean(values) - 0.5) < 4 * np.std(values, ddof=1) / np.sqrt(len(values))


def test_shift_is_told_by_a_column_of_the_rows():
    rng = np.random.default_rng(0)
    X, truth, _ = make_texts(900, seed=3)
    y = np.where(np.arange(900) < 150, truth, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = S2AUCClassifierCV(**SMALL).fit(X, y)
    assert fine.shift_.p_value > 1e-3
    moved = X.toarray()
    moved[:150, 333] += rng.poisson(5.0, 150)
    with pytest.warns(UserWarning, match="rows differ in a component whose heaviest is column 333 more than any mixtu"):
        shifted = S2AUCClassifierCV(**SMALL).fit(csr_array(moved), y)
    assert shifted.shift_.column == 333
    assert shifted.model_.record["shift"]["column"] == 333
    assert 0 <= fine.shift_.column < N_COLUMNS
    # Without components the column is found as well.
    with pytest.warns(UserWarning, match="rows differ in column 333 more"):
        S2AUCClassifierCV(**SMALL, sparse_components=None).fit(csr_array(moved), y)
