"""What goes wrong with a checkpoint is told before the work, or does not end it."""

import errno
import os
import re
from collections import namedtuple

import numpy as np
import pytest
from scipy import sparse

from checkpointed_fits import (
    LABELS,
    N_QUICK,
    ROWS,
    TRUTH,
    items,
    model_bytes,
    quick,
    single,
    subfolders,
    write_table,
)
from s2auc import open_table
from s2auc.common.progress import listening
from s2auc.common.storage import checkpoints
from s2auc.estimators.fitting import checkpointing
from s2auc.search.grids.spaces import SpaceEntry


@pytest.mark.parametrize("make", [quick, single])
def test_a_run_without_a_seed_cannot_go_on(make, folder, trained):
    sentence = "^The 'random_state' parameter of .+ must be a seed where checkpoint is given, .+; pass random_state=0"
    with pytest.raises(ValueError, match=sentence):
        make(checkpoint=folder, random_state=None).fit(ROWS, LABELS)
    assert not folder.exists()
    assert not trained


@pytest.mark.parametrize("make", [quick, single])
def test_too_little_room_is_told_before_any_work(make, folder, trained, steps, monkeypatch):
    usage = namedtuple("usage", "total used free")(10**9, 10**9, 0)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    with pytest.raises(OSError, match=r"may need .+ Got 0 B of free space; make room there"):
        make(checkpoint=folder).fit(ROWS, LABELS)
    assert not trained
    assert not steps
    assert items(folder) == {}


@pytest.mark.parametrize("make", [quick, single])
def test_a_folder_that_is_a_file(make, tmp_path, trained):
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(OSError, match=r"^checkpoint must be a folder that can be written to. Got '.+kept.+; choose"):
        make(checkpoint=tmp_path / "kept").fit(ROWS, LABELS)
    assert not trained


SPARSE = sparse.csr_array(np.random.default_rng(0).poisson(0.05, (200, 3000)).astype(float))
ROOMY = {
    "a search": (quick, {}, ROWS),
    "a search of everything": (quick, {"members": "auto", "scalings": "auto", "judge": True}, ROWS),
    "a search of wide rows": (quick, {"members": ("linear",)}, SPARSE),
    "steps": (single, {"max_iter": 300}, ROWS),
    "steps on wide rows": (single, {"max_iter": 2}, SPARSE),
    "an exact fit": (single, {"solver": "exact"}, ROWS),
    "a table in a file": (single, {}, "file"),
    "a table in a file with all labels": (single, {}, "labels"),
}


@pytest.mark.usefixtures("few_trees", "steps")
@pytest.mark.parametrize("case", ROOMY)
@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
def test_what_is_kept_is_no_larger_than_was_said(case, folder, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(checkpoints.Checkpoint, "check_space", lambda _, needed: said.append(needed))
    make, asked, X = ROOMY[case]
    y = LABELS
    if isinstance(X, str):
        table = open_table(write_table(tmp_path / "rows.parquet"), drop=["label"])
        X, y = table.X, TRUTH if X == "labels" else LABELS
    make(checkpoint=folder, **asked).fit(X, y)
    kept = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    # Names and a record take a few thousand bytes besides.
    assert kept <= said[0] + 20_000


@pytest.mark.parametrize(("make", "stage"), [(quick, "search"), (single, "steps")])
def test_an_interruption_says_how_to_go_on(make, stage, folder):
    def interrupt(progress):
        if progress.stage == stage:
            raise KeyboardInterrupt

    for checkpoint in (folder, None):
        with pytest.raises(KeyboardInterrupt) as caught, listening(interrupt):
            make(checkpoint=checkpoint).fit(ROWS, LABELS)
        if checkpoint is None:
            assert str(caught.value) == ""
        else:
            assert str(caught.value) == (
                f"what is done is kept in {os.fspath(folder)!r}: fit with the same rows and parameters to go on"
            )


def test_a_disk_that_fills_up_does_not_end_the_run(folder, tmp_path, monkeypatch):
    expected = model_bytes(quick().fit(ROWS, LABELS), tmp_path)

    def full(target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(checkpoints, "whole_file", full)
    with pytest.warns(UserWarning, match=r"takes nothing more") as caught:
        ranker = quick(checkpoint=folder, n_jobs=1).fit(ROWS, LABELS)
    assert len(caught) == 1
    monkeypatch.undo()
    assert model_bytes(ranker, tmp_path) == expected
    assert items(folder) == {}


@pytest.mark.parametrize("make", [quick, single])
def test_a_model_that_no_file_can_hold_is_told_of(make, folder):
    labels = np.where(LABELS == 1, "\ud800", np.where(LABELS == 0, "no", "?")).astype(object)
    sentence = "The checkpoint holds everything except the model: "
    for _ in range(2):
        with pytest.warns(UserWarning, match=re.escape(sentence)):
            ranker = make(checkpoint=folder, unlabeled="?").fit(ROWS, labels)
        assert ranker.decision_function(ROWS).shape == (200,)
    assert len(subfolders(folder)) == 1
    assert not list(folder.rglob(checkpointing.MODEL_FILE))


def test_an_error_of_a_fit_leaves_it_to_go_on(folder, monkeypatch, trained, tmp_path):
    expected = model_bytes(quick().fit(ROWS, LABELS), tmp_path)
    n_trained = []
    whole = SpaceEntry.train

    def fail(entry, training):
        n_trained.append(entry)
        if len(n_trained) == 3:
            raise MemoryError
        return whole(entry, training)

    with monkeypatch.context() as patch:
        patch.setattr(SpaceEntry, "train", fail)
        with pytest.raises(MemoryError):
            quick(checkpoint=folder, n_jobs=1).fit(ROWS, LABELS)
    trained.clear()
    assert model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path) == expected
    assert len(trained) == N_QUICK - 2
