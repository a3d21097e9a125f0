"""What cannot work is refused in one clear sentence before work starts; what is only odd works."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bad_inputs import N_COLUMNS, N_ROWS, changed, make_rows
from s2auc import QSG, Exact, KernelSGD, S2AUCClassifier, S2AUCClassifierCV
from s2auc.common.errors import InputError
from s2auc.data.features.scaling import SCALINGS
from s2auc.solvers.qsg.panels import DivergenceError


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 4, "n_frequencies": 4, "batch_size": 8, "random_state": 0} | changes)


PARAMETERS = [
    ("loss", "hinge", "a str among {'square', 'squared_hinge', 'logistic', 'sigmoid'}"),
    ("kernel", "linear", "a str among {'gaussian', 'laplacian', 'matern32', 'matern52'}"),
    ("kernel_gamma", 0, "a float in the range (0, 1e+100], 'median' or 'scale', or one of these after a factor"),
    ("kernel_gamma", "two median", "('0.1 median')"),
    ("kernel_gamma", "0.1", "'median' or 'scale'"),
    ("kernel_gamma", "-1 median", "'median' or 'scale'"),
    ("kernel_gamma", "", "'median' or 'scale'"),
    ("labeled_weight", 1.2, "a float in the range [0, 1]"),
    ("neighbor_weight", -1, "a float >= 0"),
    ("n_neighbors", 0, "an int >= 1"),
    ("alpha", 0.0, "a float > 0"),
    ("sparse_components", 0, "a str among {'auto'} or an int >= 1 or None"),
    ("max_iter", 0, "an int >= 1"),
    ("n_frequencies", 0, "an int >= 1 or None"),
    ("batch_size", None, "an int >= 1"),
    ("column_weighting", None, "a str among {'none', 'auc'}"),
    ("checkpoint", 7, "the path of a folder or None"),
    ("checkpoint", "", "the path of a folder or None"),
    ("checkpoint", b"folder", "the path of a folder or None"),
    ("n_jobs", 0, "an int other than 0 or None"),
    ("scaling", "robust", "a str among {'auto', 'standard', 'minmax', 'rank', 'common', 'none'}"),
    ("solver", "lbfgs", "a str among {'qsg', 'exact', 'kernel_sgd'} or an object QSG(...) or Exact(...) or KernelSGD("),
    ("solver", QSG, "a str among {'qsg', 'exact', 'kernel_sgd'}"),
    ("warm_start", None, "a bool"),
    ("random_state", 2**64, "an int in [0, 2**64), a numpy.random.RandomState or None"),
    ("verbose", -1, "an int >= 0 or a bool"),
]
"""A case per parameter; `tests/common/test_parameters.py` tests what numbers, choices and lists have in common."""


@pytest.mark.parametrize(("name", "value", "rule"), PARAMETERS, ids=[f"{n}={v!r}" for n, v, _ in PARAMETERS])
def test_wrong_parameters(name, value, rule):
    sentence = rf"^The '{name}' parameter of S2AUCClassifier must be .*{re.escape(rule)}.*\. Got .+ instead\.$"
    X, y = make_rows()
    with pytest.raises(ValueError, match=sentence):
        fast(**{name: value}).fit(X, y)
    with pytest.raises(ValueError, match=sentence):
        fast().set_params(**{name: value}).fit(X, y)


OPTIONS = [
    (QSG, "step_scale", -1, "a float > 0"),
    (QSG, "schedule", "constant", "a str among {'shifted', 'printed'}"),
    (QSG, "average", 1, "a bool"),
    (QSG, "pairing", "some", "a str among {'all', 'triplet'}"),
    (Exact, "max_unlabeled", 0, "an int >= 1"),
    (KernelSGD, "max_centers", 0, "an int >= 1"),
]


@pytest.mark.parametrize(("solver", "name", "value", "rule"), OPTIONS, ids=[f"{n}={v!r}" for _, n, v, _ in OPTIONS])
def test_wrong_options_of_solvers(solver, name, value, rule):
    sentence = rf"^The '{name}' parameter of {solver.__name__} must be {re.escape(rule)}. Got .+ instead\.$"
    X, y = make_rows()
    with pytest.raises(ValueError, match=sentence):
        fast(solver=solver(**{name: value})).fit(X, y)
    with pytest.raises(ValueError, match=sentence):
        fast(solver=solver()).set_params(**{f"solver__{name}": value}).fit(X, y)


@pytest.mark.parametrize("pool", [np.empty((0, N_COLUMNS)), sparse.csr_array((0, N_COLUMNS))], ids=["dense", "sparse"])
def test_an_empty_pool_is_no_pool(pool):
    X, y = make_rows()
    X, y = X[:12], y[:12]
    with pytest.warns(UserWarning, match="There are no unlabelled rows"):
        model = fast().fit(X, y, X_unlabeled=pool)
    assert model.labeled_weight_ == 1.0
    np.testing.assert_array_equal(model.decision_function(X), fast(labeled_weight=1).fit(X, y).decision_function(X))


def test_printed_steps_that_are_too_long_diverge_with_advice():
    X, y = make_rows()
    model = fast(solver=QSG(schedule="printed"), alpha=1e-6, max_iter=50)
    with pytest.raises(DivergenceError, match="schedule='shifted', a smaller step_scale or a larger alpha"):
        model.fit(X, y)
    assert not hasattr(model, "model_")


def one_column(X):
    return X[:, :1]


ODDITIES = {
    "a constant column": {"X": lambda X: changed(X, 7.0, row=slice(None))},
    "duplicate rows": {"X": lambda X: np.concatenate([X[:6], X[:6], np.repeat(X[12:13], 48, axis=0)])},
    "huge and tiny columns": {"X": lambda X: X * [1e30, 1e-30, 1.0]},
    "huge offset": {"X": lambda X: X + 1e9},
    "an outlier": {"X": lambda X: changed(X, 1e12)},
    "largest float32": {"X": lambda X: ((X > 0) * np.finfo(np.float32).max).astype(np.float32)},
    "plus and minus largest float32": {"X": lambda X: np.sign(X) * float(np.finfo(np.float32).max)},
    "one column": {"X": one_column},
    "500 columns": {"X": lambda X: np.random.default_rng(1).normal(size=(N_ROWS, 500))},
    "booleans": {"X": lambda X: X > 0},
    "int8": {"X": lambda X: (40 * X).clip(-128, 127).astype(np.int8)},
    "uint64": {"X": lambda X: np.abs(1e18 * X).astype(np.uint64)},
    "not scaled": {"scaling": "none", "X": lambda X: X * [1e3, 1e-3, 1.0]},
    "not scaled, huge": {"scaling": "none", "X": lambda X: X * 1e30},
    "minmax": {"scaling": "minmax"},
    "one positive": {"y": lambda y: np.where((y == 1) & (np.cumsum(y == 1) > 1), -1, y)},
    "one negative": {"y": lambda y: np.where((y == 0) & (np.cumsum(y == 0) > 1), -1, y)},
    "one unlabelled row": {"X": lambda X: X[:13], "y": lambda y: y[:13]},
    "one row of each": {"X": lambda X: X[[0, 1, 20]], "y": lambda y: np.array([0, 1, -1])},
    "large batches": {"batch_size": 10**6},
    "batches of one": {"batch_size": 1},
    "triplets of one": {"batch_size": 1, "solver": QSG(pairing="triplet")},
    "one frequency": {"n_frequencies": 1},
    "one iteration": {"max_iter": 1},
    "one of everything": {
        "max_iter": 1,
        "n_frequencies": 1,
        "batch_size": 1,
        "solver": QSG(pairing="triplet"),
    },
    "labels have no weight": {"labeled_weight": 0},
    "labels have all the weight": {"labeled_weight": 1},
    "strong regularisation": {"alpha": 1e8},
    "weak regularisation": {"alpha": 1e-12},
    "short steps": {"solver": QSG(step_scale=1e-9)},
    "long steps": {"solver": QSG(step_scale=1e9)},
    "missing values": {"X": lambda X: changed(X, np.nan)},
    "missing values in a sparse matrix": {"X": lambda X: sparse.csr_array(changed(X, np.nan))},
    "missing values in a frame": {"X": lambda X: pd.DataFrame(X).mask(X > 1)},
    "a column without values": {"X": lambda X: changed(X, np.nan, row=slice(None))},
    "columns weighted": {"column_weighting": "auc"},
    "few unlabelled rows in the risk": {"solver": Exact(max_unlabeled=3)},
    "wide kernel": {"kernel_gamma": 1e-12},
    "narrow kernel": {"kernel_gamma": 1e12},
    "largest seed": {"random_state": 2**64 - 1},
}


@pytest.mark.parametrize("solver", ["qsg", "exact"])
@pytest.mark.parametrize("case", ODDITIES)
def test_oddities_work(case, solver):
    changes = dict(ODDITIES[case])
    X, y = make_rows()
    X, y = changes.pop("X", lambda X: X)(X), changes.pop("y", lambda y: y)(y)
    if solver == "exact" and changes.get("alpha") == 1e-12:
        changes["alpha"] = 1e-9
    model = fast(**{"solver": solver} | changes).fit(X, y)
    scores = model.decision_function(X)
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(model.predict(X), np.where(scores > 0, 1, 0))
    assert 0 <= model.score(X, y) <= 1


SUBNORMAL = {"one column": [1e-310, 1.0, 1.0], "all columns": [1e-310, 1e-315, 1e-308]}


@pytest.mark.filterwarnings("ignore:Column [01] of X varies by .* only")
@pytest.mark.parametrize("factors", SUBNORMAL)
@pytest.mark.parametrize("solver", ["qsg", "exact"])
@pytest.mark.parametrize("scaling", SCALINGS)
def test_columns_of_the_smallest_numbers_work(scaling, solver, factors):
    X, y = make_rows()
    X = X * SUBNORMAL[factors]
    model = fast(scaling=scaling, solver=solver, column_weighting="auc").fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("factors", SUBNORMAL)
def test_a_search_takes_columns_of_the_smallest_numbers(factors):
    X, y = make_rows()
    X = X * SUBNORMAL[factors]
    search = S2AUCClassifierCV(scalings=list(SCALINGS), alphas=[0.1], max_iters=[4], n_frequencies=4, random_state=0)
    with pytest.warns(UserWarning, match=r"Column 0 of X varies by \d\.\d+e-31\d only, .*; multiply it by 1e300\.$"):
        search.set_params(cv=2, judge=False).fit(X, y)
    assert np.isfinite(search.decision_function(X)).all()


ALIKE = {
    "all rows identical": lambda X: np.ones_like(X),
    "no values": lambda X: np.full_like(X, np.nan),
    "constant or without values": lambda X: np.ones_like(X) * [1.0, np.nan, 2.0],
    "empty sparse matrix": lambda X: sparse.csr_array(X.shape),
    "empty sparse matrix of many columns": lambda X: sparse.csr_array((N_ROWS, 900)),
}


@pytest.mark.parametrize("estimator", [fast(), S2AUCClassifierCV(random_state=0)])
@pytest.mark.parametrize("case", ALIKE)
def test_rows_that_are_all_alike_are_refused(case, estimator):
    X, y = make_rows()
    sentence = rf"X must have a column that differs between rows, .* Got one value or none in every column of {N_ROWS}"
    with pytest.raises(InputError, match=sentence):
        estimator.fit(ALIKE[case](X), y)
    assert not hasattr(estimator, "model_")


def test_a_column_that_is_there_or_missing_differs_between_rows():
    X, y = make_rows()
    model = fast().fit(np.where(X[:, :1] > 0, 1.0, np.nan), y)
    assert np.unique(model.decision_function([[1.0], [np.nan]])).size == 2


@pytest.mark.parametrize("kernel", ["laplacian", "matern32", "matern52"])
def test_heavy_tailed_frequencies_on_huge_columns(kernel):
    X, y = make_rows()
    X *= [1e30, 1e-30, 1.0]
    model = fast(kernel=kernel, max_iter=40).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(model.decision_function(1e6 * X)).all()


@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_more_labels_than_a_step_takes(pairing):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(5400, 2))
    truth = (X[:, 0] + 0.5 * rng.normal(size=len(X)) > 0).astype(int)
    y = np.where(np.arange(len(X)) < 5000, truth, -1)
    model = fast(max_iter=8, n_frequencies=16, batch_size=64, solver=QSG(pairing=pairing)).fit(X, y)
    assert len(model.history_["labeled_auc"]) == 8
    assert model.history_["labeled_auc"][-1] > 0.85
    assert model.score(X[5000:], truth[5000:]) > 0.85
