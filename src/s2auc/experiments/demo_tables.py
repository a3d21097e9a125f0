"""The data of the demonstration as tables in files, and the way of a table from there to a judged model."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2auc.common.arrays import AnyArray
from s2auc.common.files import write_file
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

    @classmethod
    def below(cls, folder: Path) -> "DemoFiles":
        """Return the files of a folder."""
        return cls(folder / "digits.csv", folder / "test.csv", folder / "model.safetensors")


def write_tables(data: DemoData, folder: Path) -> DemoFiles:
    """Write the rows of the demonstration as tables, and return where they are.

    Parameters
    ----------
    data
        From `make_data`.
    folder
        Where to; it is made if it is not there.
    """
    files = DemoFiles.below(folder)
    known, hidden = data.is_positive.tolist(), [None] * len(data.X_unlabeled)
    training = _table([*zip(data.X_labeled, known, strict=True), *zip(data.X_unlabeled, hidden, strict=True)], first=0)
    n_before = len(data.X_labeled) + len(data.X_unlabeled)
    test = _table(zip(data.X_test, data.test_is_positive.tolist(), strict=True), first=n_before)
    write_file(files.training, training)
    write_file(files.test, test)
    return files


def prepare_fit(files: DemoFiles) -> TableFit:
    """Return the table of training rows, ready to be fitted as `s2auc fit` does it."""
    return TableFit(files.training, LABEL, files.model, positive=POSITIVE, row_id=ROW_ID)


def judge_fitted(fitted: FittedTable, files: DemoFiles, data: DemoData) -> MethodResult:
    """Return how the fitted model ranks the test rows."""
    test = open_table(files.test, label=LABEL, drop=[ROW_ID])
    scores = fitted.ranker.decision_function(test.X)
    interval = delong_interval(data.test_is_positive, scores)
    understood = fitted.understood
    return MethodResult(SEMI_SUPERVISED, understood.n_rows, interval, fitted.seconds, scores)


def _table(rows: Iterable[tuple[AnyArray, bool | None]], first: int) -> bytes:
    """Return rows as CSV, numbered from a first number."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    words = {True: POSITIVE, False: NEGATIVE, None: ""}
    for number, (row, is_positive) in enumerate(rows, start=first):
        if number == first:
            writer.writerow([ROW_ID, *(f"pixel_{place}" for place in range(len(row))), LABEL])
        writer.writerow([number, *_short(row), words[is_positive]])
    return text.getvalue().encode()


def _short(row: AnyArray) -> Sequence[str]:
    return [f"{value:g}" for value in row]
