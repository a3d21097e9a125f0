"""Fits that can be killed: what a fit depends on names a folder, in which its work is kept and found again."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from s2auc.common.arrays import IndexArray, is_sparse
from s2auc.common.checkpoints import Checkpoint
from s2auc.common.digests import digest_of
from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.user_warnings import warn_user
from s2auc.data.gathered_rows import GatheredRows
from s2auc.data.labels import Labels
from s2auc.data.projection import MOST_DENSE_COLUMNS, components_wanted
from s2auc.data.rows import dense_rows
from s2auc.data.source import RowSource
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.projecting import PROJECTION_ROWS
from s2auc.estimators.record import SILENT_PARAMETERS
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.versions import package_versions
from s2auc.models import Model, save_model
from s2auc.search.grid import Grid
from s2auc.search.plan import FoldPlan
from s2auc.search.stored_entries import COLUMN_BYTES, most_bytes
from s2auc.solvers.work_rows import MANY_REFERENCE_ROWS

MODEL_FILE = "model.safetensors"


def open_checkpoint(
    ranker: Any,
    source: RowSource,
    labels: Labels,
    rows: TrainingRows,
    touched: IndexArray,
    *,
    beside: Sequence[Any] = (),
    needed: int,
) -> Checkpoint | None:
    """Return where the work of a fit is kept, None if nowhere.

    Parameters
    ----------
    ranker
        The estimator, whose seed is known.
    source, labels
        The rows of X, and what y means.
    rows, touched
        The rows of the fit, and the numbers of all unlabelled ones that it may look at.
    beside
        What else the model depends on.
    needed
        Bytes that will be kept, at most, beside what the model keeps of columns.

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
    name = digest_of(
        package_versions() | {"kernel": choose_instruction_set().name},
        type(ranker).__name__,
        {name: value for name, value in ranker.get_params(deep=False).items() if name not in silent},
        ranker.seed_,
        (labels.n_rows, labels.positive, labels.negative, labels.weightless, labels.weight, labels.classes.tolist()),
        ranker._schema,
        source.origin or rows.labeled,
        _origin(rows, touched, ranker.seed_),
        *beside,
    )
    checkpoint = Checkpoint(Path(os.path.abspath(ranker.checkpoint)) / name)
    checkpoint.check_space(needed + _column_bytes(ranker, source, rows))
    return checkpoint


def kept_rows(
    rows: TrainingRows, source: RowSource, touched: IndexArray, checkpoint: Checkpoint | None
) -> TrainingRows:
    """Return rows of which those that a fit looks at are at hand: kept before, or gathered and kept now.

    Rows in memory need not be kept.
    """
    if checkpoint is None or not _are_in_files(rows, source):
        return rows
    pool = rows.unlabeled
    found = checkpoint.load("rows")
    if found is None:
        tell_progress(Progress("rows", "gathering rows"))
        # Rows of files are dense.
        blocks = {"labeled": dense_rows(rows.labeled)}
        blocks |= {} if pool is None else {"unlabeled": dense_rows(pool.gather(touched))}
        checkpoint.save("rows", {}, blocks)
    else:
        blocks = found[1]
    gathered = None if pool is None else GatheredRows(pool, touched, blocks["unlabeled"])
    return replace(rows, labeled_rows=blocks["labeled"], unlabeled=gathered)


def row_bytes(rows: TrainingRows, source: RowSource, touched: IndexArray) -> int:
    """Return the size of these rows in a checkpoint, at most."""
    return 8 * source.n_columns * (rows.order.n_rows + len(touched)) if _are_in_files(rows, source) else 0


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


def search_bytes(grid: Grid, rows: TrainingRows, source: RowSource, plan: FoldPlan) -> int:
    """Return the size of all entries of a search in a checkpoint, and of its model, at most."""
    n_columns = source.n_columns
    # Those of files are dense, and not read for this.
    if source.origin is None and is_sparse(rows.labeled):
        # Sparse rows of more columns are seen by their components, but for linear functions.
        n_columns = min(n_columns, MOST_DENSE_COLUMNS)
    sizes = [
        most_bytes(
            entry,
            n_masks=plan.is_trained.shape[1],
            n_followed=rows.order.n_rows + MANY_REFERENCE_ROWS,
            n_labeled=rows.order.n_rows,
            n_columns=n_columns,
        )
        for entry in grid.entries
    ]
    # Linear functions of all columns, four of them in an entry and one in the model.
    return 2 * sum(sizes) + 200 * source.n_columns


def _column_bytes(ranker: Any, source: RowSource, rows: TrainingRows) -> int:
    """Return the size of what a model keeps of its columns, or of their components, at most."""
    n_components = None
    # Rows of files are dense, and not read for this.
    if source.origin is None and is_sparse(rows.labeled):
        n_components = components_wanted(ranker.sparse_components, rows.labeled, ranker._schema)
    if n_components is None:
        return COLUMN_BYTES * source.n_columns
    return COLUMN_BYTES * n_components + 8 * (n_components + 2) * source.n_columns


def _are_in_files(rows: TrainingRows, source: RowSource) -> bool:
    pool = rows.unlabeled
    return source.origin is not None or (pool is not None and pool.origin is not None)


def _origin(rows: TrainingRows, touched: IndexArray, seed: int) -> Any:
    """Return what tells unlabelled rows from others: where they come from or, failing that, what is looked at."""
    if rows.unlabeled is None:
        return None
    if rows.unlabeled.origin is not None:
        return rows.unlabeled.origin
    seen = [rows.unlabeled.gather(touched)]
    if is_sparse(seen[0]):  # others settle their components
        seen.append(rows.unlabeled.gather(rows.unlabeled_numbers(PROJECTION_ROWS, seed)))
    return rows.n_unlabeled, seen
