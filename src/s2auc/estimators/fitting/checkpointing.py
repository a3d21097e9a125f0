"""Fits that can be killed: what a fit depends on names a folder, in which its work is kept and found again."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from s2auc.common.arrays import IndexArray, is_sparse
from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.storage.checkpoints import Checkpoint, digest_of
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.common.user_warnings import warn_user
from s2auc.data.sources.combined import GatheredRows
from s2auc.data.sources.rows import dense_rows
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.planning import PROJECTION_ROWS
from s2auc.estimators.fitting.record import SILENT_PARAMETERS
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.versions import package_versions
from s2auc.models.files.file import save_model
from s2auc.models.model import Model
from s2auc.search.entries.stored_entries import COLUMN_BYTES, most_bytes
from s2auc.search.grids.grid import Grid
from s2auc.search.plan import FoldPlan
from s2auc.solvers.work_rows import MANY_REFERENCE_ROWS

MODEL_FILE = "model.safetensors"


def open_checkpoint(
    ranker: Any, data: FitData, needed_rows: IndexArray, *, beside: Sequence[Any] = (), needed: int
) -> Checkpoint | None:
    """Return where the work of a fit is kept, None if nowhere.

    Parameters
    ----------
    ranker
        The estimator.
    data, needed_rows
        The rows of the fit, and the numbers of all unlabelled ones that it may look at.
    beside
        What else the model depends on.
    needed
        Bytes that will be kept, at most, next to rows and what the model keeps of columns.

    Raises
    ------
    OSError
        If the folder cannot be written to, or the disk has less room.
    """
    if ranker.checkpoint is None:
        return None
    if ranker.random_state is None:
        raise InputError(
            "be a seed where {checkpoint} is given, as a fit only resumes with the same seed",
            parameter="random_state",
            owner=type(ranker).__name__,
            found="None",
            fix="pass {random_state=0}",
        )
    # Folds are what a splitter stands for.
    silent = SILENT_PARAMETERS | {"cv"}
    labels = data.labels
    name = digest_of(
        package_versions() | {"kernel": choose_instruction_set().name},
        type(ranker).__name__,
        {name: value for name, value in ranker.get_params(deep=False).items() if name not in silent},
        data.seed,
        (labels.n_rows, labels.positive, labels.negative, labels.weightless, labels.weight, labels.classes.tolist()),
        data.schema,
        _content(data.source.origin) or data.rows.labeled,
        _origin(data.rows, needed_rows, data.seed),
        *beside,
    )
    checkpoint = Checkpoint(Path(os.path.abspath(ranker.checkpoint)) / name)
    n_columns, projection = data.schema.n_columns, data.projection
    needed += COLUMN_BYTES * (n_columns if projection is None else projection.n_components)
    needed += 0 if projection is None else 8 * (projection.n_components + 2) * n_columns
    if _are_in_files(data):
        needed += 8 * n_columns * (data.rows.order.n_rows + len(needed_rows))
    checkpoint.check_space(needed)
    return checkpoint


def kept_rows(data: FitData, needed_rows: IndexArray, checkpoint: Checkpoint | None) -> FitData:
    """Return data of which the rows that a fit looks at are at hand: kept before, or gathered and kept now.

    Rows in memory need not be kept.
    """
    if checkpoint is None or not _are_in_files(data):
        return data
    rows, pool = data.rows, data.rows.unlabeled
    found = checkpoint.load("rows")
    if found is None:
        tell_progress(Progress("rows", "gathering rows"))
        # Rows of files are dense.
        blocks = {"labeled": dense_rows(rows.labeled)}
        blocks |= {} if pool is None else {"unlabeled": dense_rows(pool.gather(needed_rows))}
        checkpoint.save("rows", {}, blocks)
    else:
        blocks = found[1]
    gathered = None if pool is None else GatheredRows(pool, needed_rows, blocks["unlabeled"])
    return replace(data, rows=replace(rows, labeled_rows=blocks["labeled"], unlabeled=gathered))


def keep_model(model: Model, checkpoint: Checkpoint | None) -> None:
    """Keep the model that a fit ended with, as a model file; a model that no file can hold is told of."""
    if checkpoint is None:
        return
    try:
        save_model(model, checkpoint.folder / MODEL_FILE)
    except (ValueError, OSError) as error:
        warn_user(Message("The checkpoint holds everything except the model: {error}", error=error))


@contextmanager
def resumable(checkpoint: Checkpoint | None) -> Iterator[None]:
    """Let an interruption say how to go on, if that is possible."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is None:
            raise
        folder = os.fspath(checkpoint.folder.parent)
        raise KeyboardInterrupt(
            f"what is done is kept in {folder!r}: fit with the same rows and parameters to go on"
        ) from None


def search_bytes(grid: Grid, data: FitData, plan: FoldPlan) -> int:
    """Return the size of all entries of a search in a checkpoint, and of its model, at most."""
    n_labeled = data.rows.order.n_rows
    sizes = [
        most_bytes(
            entry,
            n_masks=plan.is_trained.shape[1],
            n_followed=n_labeled + MANY_REFERENCE_ROWS,
            n_labeled=n_labeled,
            n_columns=0 if entry.is_wide else data.model_schema.n_columns,
        )
        for entry in grid.entries
    ]
    # Linear functions of all columns, four of them in an entry and one in the model.
    return 2 * sum(sizes) + 200 * data.schema.n_columns


def _are_in_files(data: FitData) -> bool:
    pool = data.rows.unlabeled
    return data.source.origin is not None or (pool is not None and pool.origin is not None)


def _content(files: Sequence[OpenedFile] | None) -> list[str]:
    """Return what tells the rows of files from others: all that is in them, which takes reading them whole."""
    if files:
        tell_progress(Progress("files", "reading files"))
    return [file.content() for file in files or ()]


def _origin(rows: TrainingRows, needed_rows: IndexArray, seed: int) -> Any:
    """Return what tells unlabelled rows from others: the content of their files or, failing that, what is read."""
    if rows.unlabeled is None:
        return None
    if rows.unlabeled.origin is not None:
        return _content(rows.unlabeled.origin)
    seen = [rows.unlabeled.gather(needed_rows)]
    if is_sparse(seen[0]):  # others settle their components
        seen.append(rows.unlabeled.gather(rows.unlabeled_numbers(PROJECTION_ROWS, seed)))
    return rows.n_unlabeled, seen
