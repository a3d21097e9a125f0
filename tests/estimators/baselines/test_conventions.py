"""What all baselines promise as estimators: labels, pools, copies, scores of single rows, errors."""

import pickle
import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from baselines import many_rows
from s2auc import (
    DSGClassifier,
    FOAMClassifier,
    FSAUCClassifier,
    NOAMClassifier,
    OptAGClassifier,
    PNUAUCClassifier,
    PNUAUCClassifierCV,
    SAMULTClassifier,
    SAMULTClassifierCV,
    SOLAMClassifier,
    SSRankBoostClassifier,
    load_model,
)

SMALL = {"alphas": [1e-2, 1e-1], "kernel_gammas": ["median"], "random_state": 0}
BASELINES = {
    "samult": SAMULTClassifier(random_state=0),
    "samult, centres": SAMULTClassifier(n_centers=50, random_state=0),
    "samult, cv": SAMULTClassifierCV(**SMALL),
    "samult, centres, cv": SAMULTClassifierCV(n_centers=50, **SMALL),
    "pnu": PNUAUCClassifier(random_state=0),
    "pnu, all": PNUAUCClassifier(n_centers="all", alpha=1.0, random_state=0),
    "pnu, cv": PNUAUCClassifierCV(etas=[-0.2, 0.2], **SMALL),
    "dsg": DSGClassifier(random_state=0),
    "ssrankboost": SSRankBoostClassifier(random_state=0),
    "optag": OptAGClassifier(random_state=0),
    "solam": SOLAMClassifier(random_state=0),
    "fsauc": FSAUCClassifier(random_state=0),
    "foam": FOAMClassifier(random_state=0),
    "noam": NOAMClassifier(random_state=0),
}
pytestmark = pytest.mark.filterwarnings("ignore:The equations of PNU-AUC")


@pytest.fixture(params=BASELINES)
def baseline(request):
    return clone(BASELINES[request.param])


def test_it_learns_and_repeats_itself(baseline):
    X, truth, y = many_rows()
    scores = baseline.fit(X, y).decision_function(X)
    assert baseline.score(X[40:], truth[40:]) > 0.85
    np.testing.assert_array_equal(clone(baseline).fit(X, y).decision_function(X), scores)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(baseline)).decision_function(X), scores)
    np.testing.assert_array_equal(baseline.predict(X), np.where(scores > 0, 1, 0))


def test_a_row_scores_the_same_whoever_comes_along(baseline):
    X, _, y = many_rows()
    baseline.fit(X, y)
    together = baseline.decision_function(X)
    alone = np.concatenate([baseline.decision_function(X[row : row + 1]) for row in range(0, 400, 11)])
    np.testing.assert_array_equal(alone, together[::11])
    np.testing.assert_array_equal(baseline.decision_function(np.tile(X, (30, 1))), np.tile(together, 30))


def test_a_pool_of_its_own_is_the_same_as_marked_rows(baseline):
    X, _, y = many_rows()
    scores = clone(baseline).fit(X, y).decision_function(X)
    apart = clone(baseline).fit(X[:40], y[:40], X[40:]).decision_function(X)
    np.testing.assert_array_equal(apart, scores)
    thin = clone(baseline).fit(sparse.csr_array(X), y)
    # Linear functions of sparse rows do not make them dense: another computation, in the fit and in the scores.
    tolerance = 1e-12 if isinstance(baseline, (OptAGClassifier, SOLAMClassifier, FSAUCClassifier)) else 0
    for rows in (X, sparse.csr_array(X)):
        np.testing.assert_allclose(thin.decision_function(rows), scores, rtol=tolerance, atol=tolerance)


def test_text_labels_and_the_other_class_on_top(baseline):
    X, _, y = many_rows()
    names = np.array(["ham", "spam", "?"])[y]
    up = clone(baseline).set_params(unlabeled="?").fit(X, names)
    assert up.classes_.tolist() == ["ham", "spam"]
    assert set(up.predict(X)) == {"ham", "spam"}
    down = clone(baseline).set_params(unlabeled="?", pos_label="ham").fit(X, names)
    assert down.score(X, names) > 0.85


def test_models_are_saved_and_loaded(baseline, tmp_path):
    X, _, y = many_rows()
    baseline.fit(X, y).save(tmp_path / "model.safetensors")
    loaded = load_model(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.decision_function(X), baseline.decision_function(X))
    assert loaded.record["estimator"] == type(baseline).__name__
    assert loaded.record["rows"] == {"positive": int((y == 1).sum()), "negative": int((y == 0).sum()), "unlabeled": 360}


ODDITIES = {
    "a constant column": lambda X: X * [1.0, 0.0, 1.0],
    "duplicates": lambda X: np.repeat(X[::8], 8, axis=0),
    "huge and tiny columns": lambda X: X * [1e30, 1e-30, 1.0],
    "an outlier": lambda X: np.where(np.arange(X.size).reshape(X.shape) == 900, 1e12, X),
    "booleans": lambda X: X > 0,
    "one column": lambda X: X[:, :1],
}


@pytest.mark.parametrize("case", ODDITIES)
@pytest.mark.parametrize("name", [name for name in BASELINES if not name.endswith(", cv")])
def test_oddities_work(case, name):
    X, _, y = many_rows()
    X, baseline = ODDITIES[case](X), clone(BASELINES[name])
    baseline.fit(X, y)
    assert np.isfinite(baseline.decision_function(X)).all()
    assert 0 <= baseline.score(X, y) <= 1


@pytest.mark.filterwarnings("ignore:Column 0 of X varies by .* only")
@pytest.mark.parametrize("factors", [[1e-310, 1.0, 1.0], [1e-310, 1e-310, 1e-310]])
def test_columns_of_the_smallest_numbers_work(baseline, factors):
    X, _, y = many_rows()
    X = X * factors
    assert np.isfinite(baseline.fit(X, y).decision_function(X)).all()


def test_rows_that_are_all_alike_are_refused(baseline):
    X, _, y = many_rows()
    with pytest.raises(ValueError, match="X must have a column that differs between rows"):
        baseline.fit(np.ones_like(X), y)


WRONG = [
    (SAMULTClassifier, "kernel", "linear", "a str among"),
    (SAMULTClassifier, "kernel_gamma", 0, "a float in the range (0, 1e+100]"),
    (SAMULTClassifier, "labeled_weight", 1.5, "a float in the range [0, 1]"),
    (SAMULTClassifier, "alpha", 0.0, "a float > 0"),
    (SAMULTClassifier, "n_centers", 0, "a str among {'all'} or an int >= 1"),
    (SAMULTClassifier, "n_centers", "some", "a str among {'all'} or an int >= 1"),
    (SAMULTClassifier, "scaling", "robust", "a str among"),
    (SAMULTClassifier, "random_state", -1, "an int in [0, 2**64)"),
    (PNUAUCClassifier, "eta", 1.1, "a float in the range [-1, 1]"),
    (PNUAUCClassifier, "eta", None, "a float in the range [-1, 1]"),
    (PNUAUCClassifier, "class_prior", 0.0, "a str among {'estimate'} or a float in the range (0, 1)"),
    (PNUAUCClassifier, "class_prior", 1.0, "a float in the range (0, 1)"),
    (PNUAUCClassifier, "class_prior", "guess", "a str among {'estimate'}"),
    (SAMULTClassifierCV, "alphas", [], "a list of which every entry is a float > 0"),
    (SAMULTClassifierCV, "alphas", 0.1, "a list of which every entry is"),
    (SAMULTClassifierCV, "labeled_weights", [0.5, 2], "every entry is a float in the range [0, 1]"),
    (SAMULTClassifierCV, "kernel_gammas", ["auto"], "or None"),
    (SAMULTClassifierCV, "cv", 1, "an int >= 2"),
    (PNUAUCClassifierCV, "etas", [-2.0], "every entry is a float in the range [-1, 1]"),
    (PNUAUCClassifierCV, "cv", "five", "an int >= 2"),
    (DSGClassifier, "kernel", "linear", "a str among"),
    (DSGClassifier, "kernel_gamma", "wide", "'median' or 'scale'"),
    (DSGClassifier, "alpha", 0, "a float > 0"),
    (DSGClassifier, "max_iter", 0, "an int >= 1"),
    (DSGClassifier, "n_frequencies", None, "an int >= 1"),
    (DSGClassifier, "batch_size", 1.5, "an int >= 1"),
    (DSGClassifier, "step_scale", -1, "a float > 0"),
    (DSGClassifier, "schedule", "constant", "a str among {'shifted', 'printed'}"),
    (DSGClassifier, "average", "yes", "a bool"),
    (DSGClassifier, "scaling", "auto", "a str among"),
    (DSGClassifier, "random_state", "today", "an int in [0, 2**64)"),
    (SSRankBoostClassifier, "max_iter", 0, "an int >= 1"),
    (SSRankBoostClassifier, "unlabeled_weight", -0.1, "a float >= 0"),
    (SSRankBoostClassifier, "unlabeled_weight", float("nan"), "a float >= 0"),
    (SSRankBoostClassifier, "n_neighbors", 0, "an int >= 1"),
    (SSRankBoostClassifier, "scaling", None, "a str among"),
    (SSRankBoostClassifier, "random_state", -1, "an int in [0, 2**64)"),
    (OptAGClassifier, "alpha", 0.0, "a float > 0"),
    (OptAGClassifier, "unlabeled_weight", "half", "a float >= 0"),
    (OptAGClassifier, "generative_weight", -1, "a float >= 0"),
    (OptAGClassifier, "max_unlabeled", 0, "an int >= 1"),
    (OptAGClassifier, "max_iter", 2.0, "an int >= 1"),
    (OptAGClassifier, "tol", -1e-3, "a float >= 0"),
    (OptAGClassifier, "scaling", "robust", "a str among"),
    (OptAGClassifier, "random_state", 1.5, "an int in [0, 2**64)"),
    (SOLAMClassifier, "step_size", 0.0, "a float > 0"),
    (SOLAMClassifier, "radius", 0, "a float in the range (0, 1e+10]"),
    (SOLAMClassifier, "max_epochs", 0, "an int >= 1"),
    (SOLAMClassifier, "scaling", "robust", "a str among"),
    (FSAUCClassifier, "step_size", "fast", "a float > 0"),
    (FSAUCClassifier, "radius", float("inf"), "a float in the range (0, 1e+10]"),
    (FSAUCClassifier, "max_epochs", 1.5, "an int >= 1"),
    (FOAMClassifier, "kernel", "linear", "a str among"),
    (FOAMClassifier, "kernel_gamma", "wide", "a float in the range (0, 1e+100]"),
    (FOAMClassifier, "alpha", 0.0, "a float > 0"),
    (FOAMClassifier, "n_frequencies", 0, "an int >= 1"),
    (NOAMClassifier, "n_landmarks", "all", "an int >= 1"),
    (NOAMClassifier, "alpha", None, "a float > 0"),
    (NOAMClassifier, "random_state", -1, "an int in [0, 2**64)"),
]


@pytest.mark.parametrize(("kind", "name", "value", "rule"), WRONG, ids=[f"{n}={v!r}" for _, n, v, _ in WRONG])
def test_wrong_parameters(kind, name, value, rule):
    X, _, y = many_rows()
    model = kind(**{name: value})
    sentence = rf"^The '{name}' parameter of {kind.__name__} must be .*{re.escape(rule)}.*\. Got .+ instead"
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)
    assert set(vars(model)) == set(model.get_params()), "a failed fit leaves nothing behind"


@pytest.mark.parametrize("kind", dict.fromkeys(map(type, BASELINES.values())))
def test_positives_alone_cannot_be_ranked(kind):
    X, truth, _ = many_rows()
    with pytest.raises(ValueError, match=r"Positive rows alone cannot be ranked: .* Got (0 unlabelled rows|none)"):
        kind(pos_label=1).fit(X[truth == 1], truth[truth == 1])


NEED_BOTH_CLASSES = [
    DSGClassifier,
    SSRankBoostClassifier,
    OptAGClassifier,
    SOLAMClassifier,
    FSAUCClassifier,
    FOAMClassifier,
    NOAMClassifier,
]


@pytest.mark.parametrize("kind", NEED_BOTH_CLASSES)
def test_methods_of_labelled_rows_need_negatives_whatever_the_pool(kind):
    X, _, y = many_rows()
    sentence = (
        rf"^Positive rows alone cannot be ranked: {kind.__name__} learns from .* Got \d+ unlabelled rows and no neg"
    )
    with pytest.raises(ValueError, match=sentence):
        kind(pos_label=1).fit(X, np.where(y == 1, 1, -1))


@pytest.mark.parametrize("kind", [DSGClassifier, SSRankBoostClassifier, OptAGClassifier])
def test_every_parameter_with_a_rule_is_in_the_table(kind):
    assert set(kind().get_params()) - {name for of, name, *_ in WRONG if of is kind} == {"unlabeled", "pos_label"}
