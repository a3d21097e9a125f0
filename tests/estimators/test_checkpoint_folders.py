"""Fits that differ in what the model depends on have folders of their own; others share one."""

import os

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

from checkpointed_fits import (
    LABELS,
    N_QUICK,
    ROWS,
    StoppedError,
    model_bytes,
    quick,
    stopping_at,
    subfolders,
)
from classifier_rows import fast, make_rows
from s2auc import Exact, LabeledKFold

WEIGHT = np.linspace(1.0, 2.0, len(ROWS))
GROUPS = np.arange(len(ROWS)) // 2
CHANGES = {
    "alphas": ({"alphas": (1e-1,)}, {}),
    "a word": ({"selection": "best"}, {}),
    "a word in a list": ({"kernels": ["laplacian"]}, {}),
    "the solver": ({"solver": Exact(max_unlabeled=50)}, {}),
    "the threshold": ({"threshold": "f1"}, {}),
    "judging": ({"judge": True}, {}),
    "the seed": ({"random_state": 1}, {}),
    "the number of folds": ({"cv": 3}, {}),
    "the splitter": ({"cv": StratifiedKFold(2)}, {}),
    "the positive class": ({"pos_label": 0}, {}),
    "labels": ({}, {"y": np.where(np.arange(len(ROWS)) == 3, 1 - LABELS, LABELS)}),
    "which rows are labelled": ({}, {"y": np.where(np.arange(len(ROWS)) == 3, -1, LABELS)}),
    "names of classes": ({}, {"y": np.array(["no", "yes", "-1"])[LABELS], "unlabeled": "-1"}),
    "weights": ({}, {"sample_weight": WEIGHT}),
    "groups": ({}, {"groups": GROUPS}),
    "a labelled row": ({}, {"X": np.where(np.arange(len(ROWS))[:, None] == 2, ROWS + 1e-9, ROWS)}),
    "an unlabelled row": ({}, {"X": np.where(np.arange(len(ROWS))[:, None] == 150, ROWS + 1e-9, ROWS)}),
    "more unlabelled rows": ({}, {"X_unlabeled": ROWS[:5]}),
    "names of columns": ({}, {"X": pd.DataFrame(ROWS, columns=["a", "b"])}),
}


def folder_of(folder, parameters, given):
    """Return the subfolders after a fit is begun, and stopped as soon as its folder is known."""
    given = {"X": ROWS, "y": LABELS} | given
    if "unlabeled" in given:
        parameters = parameters | {"unlabeled": given.pop("unlabeled")}
    with pytest.raises(StoppedError), stopping_at("rows", None):
        quick(checkpoint=folder, **parameters).fit(**given)
    return {path.name for path in subfolders(folder)}


@pytest.mark.parametrize("case", CHANGES)
def test_another_fit_has_another_folder(case, folder):
    plain = folder_of(folder, {}, {})
    assert len(plain) == 1
    assert len(folder_of(folder, *CHANGES[case])) == 2


def test_all_fits_have_folders_of_their_own(folder):
    for case in CHANGES.values():
        found = folder_of(folder, *case)
    assert len(found) == len(CHANGES)


SILENT = {
    "n_jobs": ({"n_jobs": 1}, {}),
    "verbose": ({"verbose": 1}, {}),
    "weights of unlabelled rows": ({}, {"sample_weight": np.where(LABELS == -1, 7.0, 1.0)}),
    "the type of labels": ({}, {"y": LABELS.tolist()}),
    "copies": ({}, {"X": ROWS.copy(order="F"), "y": LABELS.copy()}),
}


@pytest.mark.parametrize("case", SILENT)
def test_what_does_not_matter_has_the_same_folder(case, folder):
    parameters, given = SILENT[case]
    plain = folder_of(folder, {}, {"sample_weight": np.ones(len(ROWS))} if "sample_weight" in given else {})
    assert folder_of(folder, parameters, given) == plain


WORDS = {
    "loss": "logistic",
    "kernel": "laplacian",
    "kernel_gamma": "scale",
    "scaling": "rank",
    "column_weighting": "auc",
    "solver": "exact",
    "alpha": 0.5,
    "max_iter": 11,
    "neighbor_weight": 1.0,
}


def test_every_parameter_of_a_single_fit_counts(folder):
    X, _, y = make_rows(n_rows=60)
    for changes in [{}, *({name: value} for name, value in WORDS.items())]:
        fast(checkpoint=folder, **changes).fit(X, y)
    assert len(subfolders(folder)) == len(WORDS) + 1
    fast(checkpoint=folder, n_jobs=1).fit(X, y)
    assert len(subfolders(folder)) == len(WORDS) + 1


def test_cross_validation_has_a_folder_for_each_fold_and_goes_on(folder, trained):
    expected = cross_val_score(quick(), ROWS, LABELS, cv=LabeledKFold(3))
    trained.clear()
    for n_trained in (3 * N_QUICK, 0):
        trained.clear()
        found = cross_val_score(quick(checkpoint=folder), ROWS, LABELS, cv=LabeledKFold(3))
        assert found.tolist() == expected.tolist()
        assert len(trained) == n_trained
        assert len(subfolders(folder)) == 3


def test_copies_have_the_parameter(folder, trained):
    ranker = clone(quick(checkpoint=folder))
    assert ranker.get_params()["checkpoint"] == folder
    ranker.fit(ROWS, LABELS)
    clone(ranker).fit(ROWS, LABELS)
    assert len(trained) == N_QUICK
    assert len(subfolders(folder)) == 1


def test_model_files_say_nothing_of_folders_and_threads(folder, tmp_path):
    kept = quick(checkpoint=folder, n_jobs=1).fit(ROWS, LABELS)
    assert model_bytes(kept, tmp_path) == model_bytes(quick(n_jobs=2).fit(ROWS, LABELS), tmp_path)
    content = model_bytes(kept, tmp_path)
    for word in (b"checkpoint", b"n_jobs", os.fspath(folder).encode()):
        assert word not in content
