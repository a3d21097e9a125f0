"""Bad inputs, each with the sentence that must come before any work, leaving nothing behind.

A case of `FITTING` says what to change of a good call of `fit`, as a function of good X and y: arguments of `fit`, or
parameters of the estimator; one of `SPECIAL` also names the estimator to ask. All estimators read rows, labels and
parameters by the same functions, so there is one case per check, and one estimator meets it. A case of `SCORING` says
which method of a fitted estimator to call with what, and one of `FILES` what a model file holds instead of its bytes.
"""

import pickle

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse
from sklearn.model_selection import GroupKFold, KFold

from s2auc import (
    DSGClassifier,
    FOAMClassifier,
    FSAUCClassifier,
    NOAMClassifier,
    OptAGClassifier,
    PNUAUCClassifier,
    PNUAUCClassifierCV,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    SAMULTClassifierCV,
    SOLAMClassifier,
    SSRankBoostClassifier,
)

N_ROWS, N_COLUMNS = 60, 3
FIT_ARGUMENTS = {"X", "y", "X_unlabeled", "sample_weight", "groups"}

_few = {"kernel_gammas": ["median"], "alphas": [1e-2], "cv": 2}
ESTIMATORS = {
    S2AUCClassifier: {"max_iter": 4, "n_frequencies": 4, "batch_size": 8},
    S2AUCClassifierCV: {**_few, "kernels": ["gaussian"], "scalings": ["standard"], "n_frequencies": 4, "judge": False},
    SAMULTClassifier: {},
    SAMULTClassifierCV: {**_few, "labeled_weights": [1.0]},
    PNUAUCClassifier: {"class_prior": 0.5},
    PNUAUCClassifierCV: {**_few, "etas": [0.0], "class_prior": 0.5},
    DSGClassifier: {"max_iter": 4, "n_frequencies": 4},
    SSRankBoostClassifier: {"max_iter": 4},
    OptAGClassifier: {"max_iter": 4},
    SOLAMClassifier: {},
    FSAUCClassifier: {},
    FOAMClassifier: {"n_frequencies": 4},
    NOAMClassifier: {"n_landmarks": 4},
}
NAMES = [estimator.__name__ for estimator in ESTIMATORS]


def make_rows(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    y = np.full(N_ROWS, -1)
    y[:12] = X[:12, 0] > np.median(X[:12, 0])
    return X, y


def make_estimator(name, **changes):
    estimator = next(estimator for estimator in ESTIMATORS if estimator.__name__ == name)
    return estimator(**ESTIMATORS[estimator] | {"random_state": 0} | changes)


def changed(X, value, row=20, column=1, dtype=None):
    X = X.astype(dtype or X.dtype)
    X[row, column] = value
    return X


def frame(X, **columns):
    return pd.DataFrame(X, columns=["a", "b", "c"]).assign(**columns)


def positives_only(y):
    return np.where(y == 1, 1, -1)


FITTING = {
    # Rows
    "infinity": (
        lambda X, y: {"X": changed(X, np.inf)},
        "Input X contains infinity: column 1 must .* Got inf in row 20; replace",
    ),
    "text in an object array": (
        lambda X, y: {"X": changed(X, "Paris", dtype=object)},
        r"Column 1 of X must hold numbers. Got text such as 'Paris'",
    ),
    "complex numbers": (lambda X, y: {"X": X + 1j}, "Complex data not supported"),
    "dates": (lambda X, y: {"X": X.astype("datetime64[s]")}, "X must hold numbers only"),
    "one column as a vector": (lambda X, y: {"X": X[:, 0]}, "Expected 2D array, got 1D array"),
    "three dimensions": (lambda X, y: {"X": X[:, :, None]}, "Found array with dim 3|Expected 2D array, got 3D"),
    "no rows": (lambda X, y: {"X": X[:0], "y": y[:0]}, r"0 sample\(s\)"),
    "no columns": (lambda X, y: {"X": X[:, :0]}, r"0 feature\(s\)"),
    "a path": (
        lambda X, y: {"X": "rows.parquet"},
        "A table must be a file, .* Got 'rows.parquet', where there is none; correct",
    ),
    "a dict": (
        lambda X, y: {"X": {"a": [1, 2], "b": [1]}},
        "Columns of X must be of one length. Got 2 in 'a' and 1 in 'b' values; make",
    ),
    "a dict without columns": (lambda X, y: {"X": {}}, "The table must have columns. Got none; add some"),
    "nothing": (lambda X, y: {"X": None}, "X must be .* None"),
    "ragged lists": (lambda X, y: {"X": [[1.0], [2.0, 3.0]] * 30}, "X must .*rows of one length|X must "),
    "a pandas Series": (
        lambda X, y: {"X": pd.Series(X[:, 0])},
        "X must be an array, .* Got Series of pandas; pass X.to_frame",
    ),
    "sums that overflow": (lambda X, y: {"X": X * [1.0, 1.0, 5e307]}, r"Column 2 of X must .*; divide the column by"),
    "a broken sparse matrix": (
        lambda X, y: {"X": broken_matrix(X)},
        "indices of X, .* must lie from 0 to 2. Got 99 at place 0; correct it",
    ),
    "duplicate names": (
        lambda X, y: {"X": pd.DataFrame(X, columns=["a", "b", "a"])},
        r"Columns of X must have different names. Got 'a' more than once; rename",
    ),
    "names that are no text": (
        lambda X, y: {"X": pd.DataFrame(X, columns=["a", 1.5, "c"])},
        r"Columns of X must have names that are text or whole numbers. Got 1.5 \(float\); rename them",
    ),
    "nothing but lists in a frame": (
        lambda X, y: {"X": pd.DataFrame({"b": [[1], [2]] * 30})},
        r"X must have columns that describe its rows. Got only ones that do not: 'b' \(lists, a type that is not read",
    ),
    "infinity in a frame": (
        lambda X, y: {"X": frame(changed(X, np.inf))},
        "Input X contains infinity: column 'b' must .* Got inf in row 20; replace",
    ),
    # Labels
    "X and y differ": (lambda X, y: {"y": y[:-1]}, "X has 60 rows and y has 59; pass one label per row"),
    "no y": (lambda X, y: {"y": None}, "requires y to be passed, but the target y is None"),
    "y is a name": (
        lambda X, y: {"y": "label"},
        "X must be a table where y is the name of one of its columns. Got ndarray and y='label'; pass one label",
    ),
    "y is the name of no column": (
        lambda X, y: {"X": frame(X), "y": "label"},
        "label must name a column of the table. Got 'label', which does not exist; choose among 'a', 'b', 'c'",
    ),
    "two columns of y": (lambda X, y: {"y": np.stack([y, y], axis=1)}, r"y should be a 1d array .*\(60, 2\): pass"),
    "a sparse y": (lambda X, y: {"y": sparse.csr_array(y[:, None])}, "y should be a 1d array .*: pass a dense vector"),
    "all unlabelled": (lambda X, y: {"y": np.full(N_ROWS, -1)}, "all 60 rows are unlabelled .*: label some rows"),
    "one class": (lambda X, y: {"y": np.ones(N_ROWS)}, "only one class, 1.0: label some .* pass pos_label=1.0"),
    "one class and the marker": (
        lambda X, y: {"y": positives_only(y)},
        "only one class, 1, besides the marker .* pass",
    ),
    "three classes": (lambda X, y: {"y": np.arange(N_ROWS) % 3}, "Only binary .* 3 classes .*; merge classes"),
    "continuous y": (lambda X, y: {"y": X[:, 0]}, "Unknown label type: continuous.* cut the target"),
    "infinite y": (lambda X, y: {"y": np.where(y == 1, np.inf, 0)}, "y contains infinity, .*: pass NaN"),
    "labels of two types": (lambda X, y: {"y": ["yes", 1] * 30}, "classes of one type, got .*: convert"),
    "lists as labels": (lambda X, y: {"y": [[1], [0, 1]] * 30}, "not hashable .*: pass one such label"),
    "text that looks like the marker": (
        lambda X, y: {"y": y.astype(str)},
        "'-1' looks like the marker -1 turned to text, so pass unlabeled='-1'",
    ),
    "unknown pos_label": (lambda X, y: {"pos_label": "spam"}, "pos_label 'spam' is not a class of y, .*: pass one"),
    "pos_label is the marker": (lambda X, y: {"pos_label": -1}, "pos_label -1 is also the marker .*: pass another"),
    "several markers": (lambda X, y: {"unlabeled": [-1, -2]}, "unlabeled must be a single value or None, got .*: rep"),
    "positives alone": (
        lambda X, y: {"X": X[y == 1], "y": y[y == 1], "pos_label": 1},
        "Positive rows alone cannot be ranked: .* Got (0|none)",
    ),
    # More unlabelled rows
    "infinity in X_unlabeled": (
        lambda X, y: {"X_unlabeled": changed(X, -np.inf)},
        "X_unlabeled contains infinity: column 1 must .* Got -inf in row 20; replace",
    ),
    "text in X_unlabeled": (
        lambda X, y: {"X_unlabeled": changed(X, "Paris", dtype=object)},
        "Column 1 of X_unlabeled must hold numbers, as it did .* Got 'Paris' in row 20; correct",
    ),
    "more columns in X_unlabeled": (
        lambda X, y: {"X_unlabeled": np.ones((5, 4))},
        "X_unlabeled cannot be used: X has 4 features, but .* is expecting 3 features",
    ),
    "X_unlabeled is a vector": (
        lambda X, y: {"X_unlabeled": X[0]},
        "Expected 2D array, got 1D array instead: X_unlabeled must have rows",
    ),
    "columns of X_unlabeled are missing": (
        lambda X, y: {"X": frame(X), "X_unlabeled": frame(X)[["a", "c"]]},
        "X_unlabeled must have the columns .* Missing: 'b'; add them",
    ),
    "X_unlabeled is a LazyFrame of fewer columns": (
        lambda X, y: {"X_unlabeled": pl.DataFrame(X[:, :2]).lazy()},
        "X_unlabeled must have the 3 columns that the model was fitted on. Got 2; pass",
    ),
}

SCORING = {
    "infinity": (
        "decision_function",
        lambda X: (changed(X, np.inf),),
        "Input X contains infinity: column 1 must .* Got inf in row 20; replace",
    ),
    "text": (
        "predict",
        lambda X: (changed(X, "Paris", dtype=object),),
        "Column 1 of X must hold numbers, as it did .* Got 'Paris' in row 20; correct the cell, or treat",
    ),
    "too few columns": ("decision_function", lambda X: (X[:, :2],), "X has 2 features, but .* is expecting 3"),
    "no rows": ("predict", lambda X: (X[:0],), r"0 sample\(s\)"),
    "labels that were never there": (
        "score",
        lambda X: (X, np.full(N_ROWS, 7)),
        "classes .* got 7: leave such rows out",
    ),
    "labels of one class": ("score", lambda X: (X, np.ones(N_ROWS)), "AUC needs labelled rows of both classes. Got 60"),
    "too few labels": ("score", lambda X: (X, [0, 1]), "X has 60 rows and y has 2; pass one label per row"),
    "weights of the wrong length": (
        "score",
        lambda X: (X, np.arange(N_ROWS) % 2, np.ones(3)),
        r"sample_weight must hold one number for each of the 60 rows of X. Got shape \(3,\); pass",
    ),
    "a folder to save in": ("save", lambda X: (".",), "Cannot save the model: .* is a folder, name a file in it"),
    "no such folder": (
        "save",
        lambda X: ("nowhere/model",),
        "Cannot save the model: there is no folder .*nowhere', create it first",
    ),
}


SPECIAL = {
    # Weights of rows
    "too few weights": (
        "S2AUCClassifier",
        lambda X, y: {"sample_weight": np.ones(5)},
        r"for each of the 60 rows of X. Got shape \(5,\)",
    ),
    "text as weights": (
        "S2AUCClassifier",
        lambda X, y: {"sample_weight": ["heavy"] * 60},
        "sample_weight must hold one number for each of the 60 rows of X",
    ),
    "a negative weight": (
        "S2AUCClassifier",
        lambda X, y: {"sample_weight": np.where(np.arange(60) == 3, -2.0, 1.0)},
        "sample_weight must hold finite numbers >= 0. Got -2 in row 3; use 0 to leave the row out",
    ),
    "no weight for a class": (
        "S2AUCClassifier",
        lambda X, y: {"sample_weight": (y == 0) * 1.0},
        "above 0 for some row of each class. Got zeros for all 6 positive rows; give",
    ),
    # What only some estimators have
    "positives and unlabelled rows": (
        "FOAMClassifier",
        lambda X, y: {"y": positives_only(y), "pos_label": 1},
        "Positive rows alone cannot be ranked: .* both classes. Got 54 unlabelled rows and no negative ones; label",
    ),
    "a negative unlabeled_weight": (
        "OptAGClassifier",
        lambda X, y: {"unlabeled_weight": -1},
        "'unlabeled_weight' parameter of .* a float >= 0. Got -1 instead",
    ),
    "steps without end": (
        "DSGClassifier",
        lambda X, y: {"max_iter": 10**12},
        "DSGClassifier with max_iter=1000000000000 .* needs .*; use fewer steps",
    ),
    "missing values": (
        "SAMULTClassifier",
        lambda X, y: {"X": changed(X, np.nan)},
        "Input X contains NaN: column 1 .* row 20; ",
    ),
    "masked values": (
        "SAMULTClassifier",
        lambda X, y: {"X": np.ma.array(X, mask=X > 2)},
        "Input X contains NaN: column . must .*; fill",
    ),
    "text in a frame": (
        "SAMULTClassifier",
        lambda X, y: {"X": frame(X, b=["Rome", "Oslo"] * 30)},
        "Column 'b' of X must hold numbers. Got text such as 'Rome'; convert",
    ),
    "only columns that name rows": (
        "S2AUCClassifier",
        lambda X, y: {"X": pd.DataFrame({"id": np.arange(60), "note": [f"n{row}" for row in range(60)]})},
        r"X must have columns that describe its rows. Got only ones that do not: 'id' \(row ID: .*\), 'note' .*; add",
    ),
    "categorical_features='city'": (
        "S2AUCClassifier",
        lambda X, y: {"categorical_features": "city"},
        r"categorical_features must be 'from_dtype', None, or a list .* Got 'city'; pass \['city'\]",
    ),
    "categorical_features=[7]": (
        "S2AUCClassifier",
        lambda X, y: {"categorical_features": [7]},
        "categorical_features must list .* from 0 to 2. Got 7; correct",
    ),
    "max_iter=10**9": (
        "S2AUCClassifier",
        lambda X, y: {"max_iter": 10**9},
        "The 'max_iter' parameter of S2AUCClassifier, 1000000000, .*; ",
    ),
    "n_frequencies=10**12": (
        "S2AUCClassifier",
        lambda X, y: {"n_frequencies": 10**12},
        "The 'n_frequencies' parameter of .*, 1000000000000, .*; ",
    ),
    "closed form of another loss": (
        "S2AUCClassifier",
        lambda X, y: {"solver": "exact", "loss": "logistic"},
        "'loss' parameter of .* must be 'square' with solver='exact'. Got 'logistic' instead; use solver='qsg'",
    ),
    "closed form with a tiny alpha": (
        "S2AUCClassifier",
        lambda X, y: {"solver": "exact", "alpha": 1e-18},
        "alpha is too small for the closed form, .* Got 1e-18; use at least",
    ),
    "labelled weight 1 without negatives": (
        "SAMULTClassifier",
        lambda X, y: {"y": positives_only(y), "pos_label": 1, "labeled_weight": 1},
        "Positive rows alone cannot be ranked: .* labeled_weight < 1. Got 54 unlabelled rows and labeled_weight=1",
    ),
    "eta=2": ("PNUAUCClassifier", lambda X, y: {"eta": 2}, r"'eta' parameter of .* \[-1, 1\]. Got 2 instead"),
    "eta=-1 without negatives": (
        "PNUAUCClassifier",
        lambda X, y: {"y": positives_only(y), "pos_label": 1, "eta": -1},
        "Positive rows alone cannot be ranked: .* eta >= 0. Got 54 unlabelled rows and eta=-1",
    ),
    "class_prior=1": (
        "PNUAUCClassifierCV",
        lambda X, y: {"class_prior": 1},
        r"'class_prior' parameter of .* a float in the range \(0, 1\).* Got 1 instead",
    ),
    "n_centers=0": (
        "PNUAUCClassifier",
        lambda X, y: {"n_centers": 0},
        "'n_centers' parameter of .* an int >= 1. Got 0 instead",
    ),
    "step_size=0": (
        "SOLAMClassifier",
        lambda X, y: {"step_size": 0},
        "'step_size' parameter of .* a float > 0. Got 0 instead",
    ),
    "max_epochs=0": (
        "SOLAMClassifier",
        lambda X, y: {"max_epochs": 0},
        "'max_epochs' parameter of .* an int >= 1. Got 0 instead",
    ),
    "radius=-1": (
        "FSAUCClassifier",
        lambda X, y: {"radius": -1},
        r"'radius' parameter of .* \(0, 1e\+10\]. Got -1 instead",
    ),
    "cv=1": ("PNUAUCClassifierCV", lambda X, y: {"cv": 1}, "'cv' parameter of .* must be an int >= 2.* Got 1 instead"),
    "folds of groups, without groups": (
        "SAMULTClassifierCV",
        lambda X, y: {"cv": GroupKFold(3)},
        "The 'cv' parameter, GroupKFold.*, needs groups. Got None; pass groups=... to fit",
    ),
    "more folds than rows": (
        "SAMULTClassifierCV",
        lambda X, y: {"cv": KFold(50)},
        "The 'cv' parameter, KFold.*, must split the 12 labelled rows. It raised .*; use fewer folds",
    ),
    "folds without a class": (
        "SAMULTClassifierCV",
        lambda X, y: {"X": X[np.argsort(y)], "y": np.sort(y), "cv": KFold(4)},
        "'cv'.*",
    ),
    "too few groups": (
        "SAMULTClassifierCV",
        lambda X, y: {"groups": np.arange(5)},
        r"groups must hold one group for each of 60 rows of X .* Got shape \(5,\); pass one per row",
    ),
    "missing groups": (
        "SAMULTClassifierCV",
        lambda X, y: {"groups": [None] * 60},
        "groups must name the group of every labelled row. Got None in row 0; give",
    ),
    "threshold='precision'": (
        "S2AUCClassifierCV",
        lambda X, y: {"threshold": "precision"},
        r"'threshold' parameter of .*\('precision', share\).* Got 'precision' instead",
    ),
    "threshold=1.5": (
        "S2AUCClassifierCV",
        lambda X, y: {"threshold": 1.5},
        "'threshold' parameter of .* Got 1.5 instead",
    ),
    "a precision of 2": (
        "S2AUCClassifierCV",
        lambda X, y: {"threshold": ("precision", 2)},
        r"'threshold' parameter of .* with a share in \(0, 1\] or None. Got \('precision', 2\) instead",
    ),
    "a probability without a prior": (
        "S2AUCClassifierCV",
        lambda X, y: {"threshold": 0.3, "y": positives_only(y), "pos_label": 1},
        "'threshold' parameter of .* must not ask for probability 0.3 where .* Got class_prior=None; pass the share",
    ),
    "a precision without a prior": (
        "S2AUCClassifierCV",
        lambda X, y: {"threshold": ("precision", 0.8), "y": positives_only(y), "pos_label": 1},
        "'threshold' parameter of .* must not ask for precision 0.8 where .* Got class_prior=None; pass the share",
    ),
    "a prior of no unlabelled rows": (
        "S2AUCClassifierCV",
        lambda X, y: {"X": X[:12], "y": y[:12], "class_prior": "estimate"},
        "'class_prior' parameter of .* must be a number or None where no rows are unlabelled.* Got 'estimate'; pass",
    ),
    "members=['boosting']": (
        "S2AUCClassifierCV",
        lambda X, y: {"members": ["boosting"]},
        "'members' parameter of .* Got .*boost",
    ),
    "selection='median'": (
        "S2AUCClassifierCV",
        lambda X, y: {"selection": "median"},
        "'selection' parameter of .* Got 'median'",
    ),
    "no alphas": ("PNUAUCClassifierCV", lambda X, y: {"alphas": []}, r"'alphas' parameter of .* Got \[\] instead"),
}

FILES = {
    "no such file": (None, "There is no model file .*: check the path, or save a model there first"),
    "a folder": ("folder", "A model file must be a file, but .* is a folder: name the file in it"),
    "an empty file": (lambda data: b"", "it is not a model file, or only the beginning of one; name a saved model"),
    "a pickle": (lambda data: pickle.dumps({"model": list(range(99))}), "Cannot load model file .*: "),
    "the first half": (lambda data: data[: len(data) // 2], "it is damaged or cut short .*; copy it or save it again"),
    "one bit": (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "SHA-256 digest does not match.*; copy it"),
}


def broken_matrix(X):
    matrix = sparse.csr_array(X)
    matrix.indices[0] = 99
    return matrix
