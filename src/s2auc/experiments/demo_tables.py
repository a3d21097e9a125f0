"""The data of the demonstration as tables in files, and the way of a table from there to a judged model."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.common.storage.files import write_file
from s2auc.data.tables.table import open_table
from s2auc.estimators.table_fit import FittedTable, TableFit
from s2auc.experiments.demo import SEMI_SUPERVISED, DemoData, MethodResult
from s2auc.ranking.intervals import delong_interval

LABEL, POSITIVE, NEGATIVE, ROW_ID = "five_or_above", "yes", "no", "image"


@dataclass(frozen=True)
class DemoFiles:
    """Where the demonstration keeps its tables, training rows with few labels and test rows with all, and its model."""

    training: Path
    test: Path
    model: Path


def write_tables(data: DemoData, folder: Path) -> DemoFiles:
    """Write the rows of the demonstration as tables, and return where they are.

    Parameters
    ----------
    data
        From `make_data`.
    folder
        Where to; it is made if it is not there.
    """
    files = DemoFiles(folder / "digits.csv", folder / "test.csv", folder / "model.safetensors")
    X = np.concatenate([data.X_labeled, data.X_unlabeled])
    hidden = [None] * len(data.X_unlabeled)
    write_file(files.training, _table(X, [*data.is_positive.tolist(), *hidden], first=0))
    write_file(files.test, _table(data.X_test, data.test_is_positive.tolist(), first=len(X)))
    return files


def prepare_fit(files: DemoFiles) -> TableFit:
    """Return the table of training rows, ready to be fitted as `s2auc fit` does it."""
    return TableFit(files.training, LABEL, files.model, positive=POSITIVE, row_id=ROW_ID)


def judge_fitted(fitted: FittedTable, files: DemoFiles, data: DemoData) -> MethodResult:
    """Return how the fitted model ranks the test rows."""
    test = open_table(files.test, label=LABEL, drop=[ROW_ID])
    scores = fitted.ranker.decision_function(test.X)
    interval = delong_interval(data.test_is_positive, scores)
    return MethodResult(SEMI_SUPERVISED, fitted.understood.n_rows, interval, fitted.seconds, scores)


def _table(X: AnyArray, labels: Sequence[bool | None], first: int) -> bytes:
    """Return rows as CSV, numbered from a first number."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([ROW_ID, *(f"pixel_{place}" for place in range(X.shape[1])), LABEL])
    words = {True: POSITIVE, False: NEGATIVE, None: ""}
    for number, (row, is_positive) in enumerate(zip(X, labels, strict=True), start=first):
        writer.writerow([number, *(f"{value:g}" for value in row), words[is_positive]])
    return text.getvalue().encode()
