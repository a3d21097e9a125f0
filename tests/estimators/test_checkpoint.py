"""Searches that were killed go on when they are started again, and end in the same bytes, whatever rows they have."""

import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import checkpointed_fits
from checkpointed_fits import (
    LABELS,
    N_QUICK,
    ROWS,
    damage,
    items,
    model_bytes,
    positive_only,
    quick,
    stop_fit,
    subfolders,
)
from s2auc import S2AUCClassifierCV, load_model
from searches import EVERYONE


@pytest.mark.usefixtures("few_trees")
def test_searches_end_in_the_same_bytes_wherever_they_stopped(tmp_path, trained):
    asked = EVERYONE | {"alphas": (1e-2,), "n_frequencies": 8, "cv": 2, "random_state": 0}
    expected = model_bytes(S2AUCClassifierCV(**asked).fit(ROWS, LABELS), tmp_path)
    n_entries = len(trained)
    assert len(set(trained)) == 3
    for n_done in (1, 3, n_entries - 1):
        folder = tmp_path / str(n_done)
        ranker = S2AUCClassifierCV(**asked, checkpoint=folder, n_jobs=1)
        stop_fit(ranker, "search", n_done, ROWS, LABELS)
        assert not hasattr(ranker, "model_")
        n_kept = len(items(folder))
        assert n_kept >= n_done
        trained.clear()
        found = model_bytes(S2AUCClassifierCV(**asked, checkpoint=folder, n_jobs=2).fit(ROWS, LABELS), tmp_path)
        assert len(trained) == n_entries - n_kept
        assert found == expected
        (run,) = subfolders(folder)
        assert (run / "model.safetensors").read_bytes() == expected
        assert len(items(folder)) == n_entries


def test_a_search_may_be_stopped_again_and_again(folder, tmp_path, trained):
    expected = model_bytes(quick().fit(ROWS, LABELS), tmp_path)
    trained.clear()
    for n_done in (1, 2, 3):
        stop_fit(quick(checkpoint=folder, n_jobs=1), "search", n_done, ROWS, LABELS)
    assert model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path) == expected
    assert len(subfolders(folder)) == 1


def test_a_search_that_ended_trains_nothing_more(folder, tmp_path, trained):
    first = quick(checkpoint=folder).fit(ROWS, LABELS)
    assert len(trained) == N_QUICK
    second = quick(checkpoint=os.fspath(folder)).fit(ROWS, LABELS)
    assert len(trained) == N_QUICK
    assert model_bytes(first, tmp_path) == model_bytes(second, tmp_path)
    assert first.cv_results_["mean_test_score"].tolist() == second.cv_results_["mean_test_score"].tolist()
    assert first.chosen_shares_.tolist() == second.chosen_shares_.tolist()
    loaded = load_model(subfolders(folder)[0] / "model.safetensors")
    np.testing.assert_array_equal(loaded.decision_function(ROWS), first.decision_function(ROWS))


def test_entries_of_steps_are_kept_too(folder, tmp_path, trained):
    asked = {"solver": "qsg", "max_iters": (4, 8), "scalings": ["standard"]}
    expected = model_bytes(quick(**asked).fit(ROWS, LABELS), tmp_path)
    stop_fit(quick(**asked, checkpoint=folder, n_jobs=1), "search", 1, ROWS, LABELS)
    trained.clear()
    assert model_bytes(quick(**asked, checkpoint=folder).fit(ROWS, LABELS), tmp_path) == expected
    assert len(trained) == 2 - 1


def test_damaged_items_are_made_again_with_the_same_bytes(folder, tmp_path, trained):
    expected = model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path)
    before = items(folder)
    (run,) = subfolders(folder)
    damage(run / "entry-0000.kept")
    (run / "entry-0002.kept").write_bytes(b"")
    damage(run / "model.safetensors")
    trained.clear()
    assert model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path) == expected
    assert len(trained) == 2
    assert items(folder) == before
    assert (run / "model.safetensors").read_bytes() == expected


KILLED = """
import os, signal
from checkpointed_fits import LABELS, ROWS, quick
from s2auc.common.progress import listening

def kill(progress):
    if progress.stage == "search" and progress.n_done == 2:
        os.kill(os.getpid(), signal.SIGKILL)

with listening(kill):
    quick(checkpoint={folder!r}, n_jobs=1).fit(ROWS, LABELS)
"""


def test_a_process_that_was_killed(folder, tmp_path, trained):
    code = KILLED.format(folder=os.fspath(folder))
    paths = [os.path.dirname(checkpointed_fits.__file__), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    n_kept = len(items(folder))
    assert n_kept >= 2
    found = model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path)
    assert len(trained) == N_QUICK - n_kept
    assert len(subfolders(folder)) == 1
    assert found == model_bytes(quick().fit(ROWS, LABELS), tmp_path)


@pytest.mark.parametrize("form", ["dense", "projected", "few columns"])
def test_sparse_rows(form, folder, tmp_path, trained):
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.poisson(0.1, (120, 20 if form == "few columns" else 300)).astype(float))
    X = X.toarray() if form == "dense" else X
    y = np.where(np.arange(120) < 24, np.arange(120) % 2, -1)
    asked = {"members": ("kernels", "linear"), "scalings": ["common"], "sparse_components": 5}
    expected = model_bytes(quick(**asked).fit(X, y), tmp_path)
    stop_fit(quick(**asked, checkpoint=folder, n_jobs=1), "search", 2, X, y)
    trained.clear()
    assert model_bytes(quick(**asked, checkpoint=folder).fit(X, y), tmp_path) == expected
    quick(**asked, checkpoint=folder).fit(X, y)
    assert len(subfolders(folder)) == 1
    n_left = len(trained)
    assert 0 < n_left < len(items(folder))


def test_positive_and_unlabelled_rows(folder, tmp_path, trained):
    y = positive_only(LABELS)
    expected = model_bytes(quick(pos_label=1).fit(ROWS, y), tmp_path)
    stop_fit(quick(pos_label=1, checkpoint=folder, n_jobs=1), "search", 1, ROWS, y)
    trained.clear()
    assert model_bytes(quick(pos_label=1, checkpoint=folder).fit(ROWS, y), tmp_path) == expected
    assert len(trained) == 1


@pytest.mark.parametrize("threshold", [None, ("alerts", 0.1)], ids=str)
def test_data_frames_with_categories_and_more_rows(folder, tmp_path, trained, threshold):
    frame = pd.DataFrame(ROWS, columns=["a", "b"]).assign(city=np.array(["Rome", "Oslo"])[(ROWS[:, 0] > 0).astype(int)])
    given = frame[:100], LABELS[:100], frame[100:]
    expected = model_bytes(quick(threshold=threshold).fit(*given), tmp_path)
    trained.clear()
    for _ in range(2):
        assert model_bytes(quick(threshold=threshold, checkpoint=folder).fit(*given), tmp_path) == expected
    assert len(trained) == N_QUICK


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("members", [["kernels"], ["linear"], ["trees"], ["kernels", "linear", "trees"]])
def test_every_member_comes_back_with_the_same_bytes(members, folder, tmp_path):
    """Sums of scores round otherwise where these lie otherwise in memory."""
    settings = {"members": members, "n_frequencies": 64, "cv": 5, "judge": True, "alphas": (1e-3, 1e-2)}
    first = model_bytes(quick(checkpoint=folder, **settings).fit(ROWS, LABELS), tmp_path)
    for path in subfolders(folder)[0].glob("model*"):
        path.unlink()
    assert model_bytes(quick(checkpoint=folder, **settings).fit(ROWS, LABELS), tmp_path) == first
