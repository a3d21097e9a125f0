"""Fits that were killed go on when they are started again, and end in the same bytes as if nothing had happened."""

import errno
import os
import re
from collections import namedtuple

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

from checkpointed_fits import (
    LABELS,
    ROWS,
    TRUTH,
    Stopped,
    damage,
    model_bytes,
    pieces,
    positive_only,
    quick,
    stop_fit,
    stopping_at,
    subfolders,
)
from classifier_rows import fast, make_rows
from s2auc import QSG, Exact, LabeledKFold, S2AUCClassifierCV, load_model, open_table
from s2auc.common import checkpoints
from s2auc.common.progress import listening
from s2auc.estimators import checkpointing, kept_runs, single_fit
from s2auc.search.forest_entry import ForestEntry
from s2auc.search.linear_entry import LinearEntry, WideLinearEntry
from s2auc.search.spaces import SpaceEntry
from s2auc.solvers import panels as blocked_solver
from searches import EVERYONE

N_QUICK = 4
"""Entries of a quick search."""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kept"


@pytest.fixture
def trained(monkeypatch):
    """The kinds of all entries that are trained from here on."""
    names = []
    for kind in (SpaceEntry, LinearEntry, WideLinearEntry, ForestEntry):

        def train(entry, training, whole=kind.train):
            names.append(type(entry).__name__)
            return whole(entry, training)

        monkeypatch.setattr(kind, "train", train)
    return names


@pytest.fixture
def steps(monkeypatch):
    """The lengths of all panels that are made from here on, which are short; every one of them is kept."""
    made, make = [], blocked_solver._PanelTable

    def count(problem, iterates, stream, first, last, scores):
        made.append(last - first)
        return make(problem, iterates, stream, first, last, scores)

    monkeypatch.setattr(blocked_solver, "_PanelTable", count)
    for module in (blocked_solver, single_fit):
        monkeypatch.setattr(module, "panel_length", lambda _: 4)
    monkeypatch.setattr(kept_runs, "QUIET_SECONDS", 0)
    return made


# Searches


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
        n_kept = len(pieces(folder))
        assert n_kept >= n_done
        trained.clear()
        found = model_bytes(S2AUCClassifierCV(**asked, checkpoint=folder, n_jobs=2).fit(ROWS, LABELS), tmp_path)
        assert len(trained) == n_entries - n_kept
        assert found == expected
        (run,) = subfolders(folder)
        assert (run / "model.safetensors").read_bytes() == expected
        assert len(pieces(folder)) == n_entries


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


def test_damaged_pieces_are_made_again_with_the_same_bytes(folder, tmp_path, trained):
    expected = model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path)
    before = pieces(folder)
    (run,) = subfolders(folder)
    damage(run / "entry-0000.piece")
    (run / "entry-0002.piece").write_bytes(b"")
    damage(run / "model.safetensors")
    trained.clear()
    assert model_bytes(quick(checkpoint=folder).fit(ROWS, LABELS), tmp_path) == expected
    assert len(trained) == 2
    assert pieces(folder) == before
    assert (run / "model.safetensors").read_bytes() == expected


# What tells fits apart

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
    with pytest.raises(Stopped), stopping_at("rows", None):
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
    "a generator in place of its seed": ({"random_state": 0}, {}),
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


# Other rows


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
    assert 0 < n_left < len(pieces(folder))


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


# Tables in files


def write_table(path):
    frame = pd.DataFrame(ROWS, columns=["a", "b"]).assign(label=np.where(LABELS == -1, np.nan, LABELS))
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        {".parquet": frame.to_parquet, ".feather": frame.to_feather}[path.suffix](path)
    return path


def single(**changes):
    return fast(**changes)


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".feather"])
@pytest.mark.parametrize("make", [quick, single])
def test_rows_of_files_are_gathered_once(make, ending, folder, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    from s2auc.data.arrow_rows import ArrowRows

    path = write_table(tmp_path / f"rows{ending}")
    table = open_table(path, label="label")
    expected = model_bytes(make().fit(table.X, table.y), tmp_path)
    table = open_table(path, label="label")
    assert model_bytes(make(checkpoint=folder).fit(table.X, table.y), tmp_path) == expected
    assert "rows.piece" in pieces(folder)

    def refuse(*_):
        raise AssertionError("rows were gathered once more")

    gather = ArrowRows.gather
    monkeypatch.setattr(ArrowRows, "gather", refuse)
    table = open_table(path, label="label")
    assert model_bytes(make(checkpoint=folder).fit(table.X, table.y), tmp_path) == expected
    assert len(subfolders(folder)) == 1
    # Rows that are damaged are gathered once more; a file of another date is another table.
    monkeypatch.setattr(ArrowRows, "gather", gather)
    before = pieces(folder)
    damage(subfolders(folder)[0] / "rows.piece")
    make(checkpoint=folder).fit(table.X, table.y)
    assert pieces(folder)["rows.piece"] == before["rows.piece"]
    os.utime(path, (1e9, 1e9))
    table = open_table(path, label="label")
    assert model_bytes(make(checkpoint=folder).fit(table.X, table.y), tmp_path) == expected
    assert len(subfolders(folder)) == 2


def test_tables_of_which_one_is_in_memory(folder, tmp_path):
    pytest.importorskip("pyarrow")
    table = open_table(write_table(tmp_path / "rows.parquet"), drop=["label"])
    frame = pd.DataFrame(ROWS, columns=["a", "b"])
    for first, labels, pool in (
        (frame[:24], LABELS[:24], table.X),
        (frame, LABELS, table.X),
        (table.X, LABELS, frame),
        (table.X, TRUTH, frame),
    ):
        expected = model_bytes(fast().fit(first, labels, pool), tmp_path)
        for _ in range(2):
            assert model_bytes(fast(checkpoint=folder).fit(first, labels, pool), tmp_path) == expected
    assert len(subfolders(folder)) == 4


# Single fits


@pytest.mark.parametrize("n_done", [4, 8, 20, 22])
@pytest.mark.parametrize("average", [True, False])
def test_steps_go_on_where_they_were_kept(n_done, average, folder, tmp_path, steps):
    X, _, y = make_rows(n_rows=100)
    asked = {"solver": QSG(average=average), "max_iter": 22}
    whole = fast(**asked).fit(X, y)
    expected = model_bytes(whole, tmp_path)
    stop_fit(fast(**asked, checkpoint=folder), "steps", n_done, X, y)
    steps.clear()
    ranker = fast(**asked, checkpoint=folder).fit(X, y)
    # What was told last is not kept yet.
    assert sum(steps) == 22 - (n_done - 1) // 4 * 4
    assert model_bytes(ranker, tmp_path) == expected
    assert (ranker.n_iter_, ranker.curvature_, ranker.stop_reason_) == (22, whole.curvature_, "max_iter")
    for name in ("iteration", "step", "risk", "labeled_auc"):
        np.testing.assert_array_equal(ranker.history_[name], whole.history_[name])
    assert np.all(np.diff(ranker.history_["seconds"]) >= 0)
    # What goes on from it does so as from the whole one.
    for model in (whole, ranker):
        model.partial_fit(X, y)
    assert model_bytes(whole, tmp_path) == model_bytes(ranker, tmp_path)


def test_steps_may_be_stopped_again_and_again(folder, tmp_path, steps):
    X, _, y = make_rows(n_rows=100)
    expected = model_bytes(fast(max_iter=22).fit(X, y), tmp_path)
    for n_done in (8, 12, 20):
        stop_fit(fast(max_iter=22, checkpoint=folder), "steps", n_done, X, y)
    steps.clear()
    for _ in range(2):
        assert model_bytes(fast(max_iter=22, checkpoint=folder).fit(X, y), tmp_path) == expected
    assert sum(steps) == 22 - 16
    (run,) = subfolders(folder)
    damage(run / "run.piece")
    assert model_bytes(fast(max_iter=22, checkpoint=folder).fit(X, y), tmp_path) == expected


def test_runs_are_kept_every_few_seconds(folder, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(kept_runs, "monotonic", lambda: now[0])
    for module in (blocked_solver, single_fit):
        monkeypatch.setattr(module, "panel_length", lambda _: 1)
    X, _, y = make_rows(n_rows=60)
    seen = []

    def listener(progress):
        now[0] += 2.0
        seen.append(len(pieces(folder)))

    with listening(listener):
        fast(checkpoint=folder).fit(X, y)
    assert seen == [0] * 3 + [1] * 7


@pytest.mark.parametrize("solver", ["exact", "qsg"])
def test_single_fits_with_neighbours_and_sparse_rows(solver, folder, tmp_path):
    X, _, y = make_rows(n_rows=100)
    for rows in (X, sparse.csr_array(np.where(X > 0, X, 0.0))):
        asked = {"solver": solver, "neighbor_weight": 1.0}
        expected = model_bytes(fast(**asked).fit(rows, y), tmp_path)
        for _ in range(2):
            assert model_bytes(fast(**asked, checkpoint=folder).fit(rows, y), tmp_path) == expected
    for run in subfolders(folder):
        assert (run / "model.safetensors").is_file()
    assert len(subfolders(folder)) == 2


def test_partial_fits_and_warm_starts_keep_nothing(folder, steps):
    X, _, y = make_rows(n_rows=60)
    fast(checkpoint=folder).partial_fit(X, y).partial_fit(X, y)
    assert not folder.exists()
    ranker = fast(checkpoint=folder, warm_start=True).fit(X, y)
    kept = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert len(kept) == 2
    steps.clear()
    ranker.fit(X, y)
    assert sum(steps) == ranker.max_iter
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == kept


# What goes wrong


@pytest.mark.parametrize("make", [quick, single])
def test_a_run_without_a_seed_cannot_go_on(make, folder, trained):
    sentence = "^The 'random_state' parameter of .+ must be a seed where 'checkpoint' is given: .+; pass random_state=0"
    with pytest.raises(ValueError, match=sentence):
        make(checkpoint=folder, random_state=None).fit(ROWS, LABELS)
    assert not folder.exists()
    assert not trained


@pytest.mark.parametrize("make", [quick, single])
def test_too_little_room_is_told_before_any_work(make, folder, trained, steps, monkeypatch):
    usage = namedtuple("usage", "total used free")(10**9, 10**9, 0)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    with pytest.raises(OSError, match="may need .+ Got 0 B of free space; make room there"):
        make(checkpoint=folder).fit(ROWS, LABELS)
    assert not trained
    assert not steps
    assert pieces(folder) == {}


@pytest.mark.parametrize("make", [quick, single])
def test_a_folder_that_is_a_file(make, tmp_path, trained):
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(OSError, match="must name a folder that can be written to. Got '.+kept.+; name another"):
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
    with pytest.warns(UserWarning, match="takes nothing more") as caught:
        ranker = quick(checkpoint=folder, n_jobs=1).fit(ROWS, LABELS)
    assert len(caught) == 1
    monkeypatch.undo()
    assert model_bytes(ranker, tmp_path) == expected
    assert pieces(folder) == {}


@pytest.mark.parametrize("make", [quick, single])
def test_a_model_that_no_file_can_hold_is_told_of(make, folder):
    frame = pd.DataFrame(ROWS, columns=pd.Index(["a", "\ud800"], dtype=object))
    sentence = "The checkpoint has everything but the model itself: "
    for _ in range(2):
        with pytest.warns(UserWarning, match=re.escape(sentence)):
            ranker = make(checkpoint=folder).fit(frame, LABELS)
        assert ranker.decision_function(frame).shape == (200,)
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
