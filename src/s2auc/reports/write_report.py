"""A report on a model and a table, in one HTML file that needs nothing else."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputTypeError
from s2auc.common.parameters import Number, Rule, Seed, check_parameters
from s2auc.common.randomness import SEED_LIMIT
from s2auc.common.storage.files import check_other_file, check_target, write_whole
from s2auc.models.fitted_model import fitted_model
from s2auc.ranking.intervals import Estimate
from s2auc.reports.findings import find_out
from s2auc.reports.page import write_page
from s2auc.reports.reported_rows import open_reported
from s2auc.reports.sections.origin import Origin, file_name
from s2auc.scoring.kept_columns import checked_keep

MAX_TOP = 500
"""Rows of the list, at most: longer ones are what `score_table` is for."""

_SEED = Seed(SEED_LIMIT)
_RULES: dict[str, tuple[Rule, ...]] = {"top": (Number(1, MAX_TOP, integer=True),), "random_state": (_SEED,)}


@dataclass(frozen=True, repr=False)
class WrittenReport:
    """What `write_report` did; stands for the path of the file wherever a path is asked for.

    Attributes
    ----------
    path, n_bytes
        The file, and its size.
    n_rows, n_positive, n_negative, n_unlabeled
        Rows of the table, by label.
    auc
        The AUC on its labelled rows; None if there are too few. Without negative rows, that of positive against
        unlabelled ones.
    drift
        A sentence about columns that lie far from where they lay in the fit; None if none do.
    seconds
        How long it took.
    """

    path: Path
    n_bytes: int
    n_rows: int
    n_positive: int
    n_negative: int
    n_unlabeled: int
    auc: Estimate | None
    drift: str | None
    seconds: float

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __repr__(self) -> str:
        return f"<Report on {self.n_rows:,} rows in {self.seconds:.3g} s: {os.fspath(self.path)!r}>"


@describes_parameters_like()
def write_report(
    model: Any,
    table: Any,
    path: str | os.PathLike[str],
    *,
    y: Any = None,
    label: str | None = None,
    top: int = 20,
    keep: Sequence[str] | None = None,
    random_state: Any = 0,
    unreadable: str = "error",
) -> WrittenReport:
    """Write a report on a model and a table: one HTML file for people, without scripts, that needs no network.

    It says what the model ranks and how well, what it was made from, what was tried, how well this table is ranked,
    which columns matter and how, what more labels would bring, and which rows are at the top. Rows are read in one
    pass, in memory that does not grow with those that are unlabelled. The file appears whole or not at all, has less
    than 1 MB, and equal input gives equal bytes.

    Parameters
    ----------
    model
        A fitted classifier of this library, a `Model`, or the path of a model file.
    table
        The rows: a table as `s2auc.open_table` gives or takes it, or whatever estimators take. Columns of a table that
        the model does not know are passed over.
    path
        The file. One that is there is replaced.
    y
        One label a row, if no column holds them; missing where a row is unlabelled.
    label
        The column of labels. That of the table that the model was fitted on is taken by default, if it is there.
        Without labels the report says less.
    top
        How many of the highest rows to list, 500 at most.
    keep
        Names of columns of the table to list beside scores; by default the one that names rows, if the model knows it.
    random_state
        Where rows and shuffles are drawn from.
    unreadable : {"error", "missing"}, default="error"
        What to do with a cell that the model cannot read, such as a word in a column that held numbers: raise an error
        that names it, or treat it as missing.

    Returns
    -------
    WrittenReport
        The path, the size, and what was found of labels and AUC.

    Raises
    ------
    ValueError, TypeError
        If something is not as said above, or the columns or classes are not those of the model.
    OSError
        If the file cannot be written, before rows are read if that can be foreseen.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from s2auc import S2AUCClassifier, write_report
    >>> rows = pd.DataFrame({"age": [31.0, 45.0, 20.0, 52.0] * 5, "claims": [0, 3, 1, 4] * 5})
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=20).fit(rows[:4], [0, 1, 0, 1], rows)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = write_report(ranker, rows.assign(fraud=[0, 1, 0, 1] * 5), f"{folder}/report.html", label="fraud")
    ...     print(done.n_rows, done.auc.value, done.n_bytes < 1_000_000, done.path.read_text()[:15])
    20 1.0 True <!DOCTYPE html>
    """
    started = perf_counter()
    check_parameters("write_report", {"top": top, "random_state": random_state}, _RULES)
    names = None if keep is None else checked_keep(keep, "write_report")
    if not isinstance(path, str | os.PathLike):
        raise InputTypeError("be a path", parameter="path", owner="write_report", found=repr(path), fix="name a file")
    target, seed = Path(os.path.realpath(path)), _SEED.read(random_state)
    check_target(target, "write the report")
    check_other_file(target, [model])
    fitted = fitted_model(model, "write_report")
    rows = open_reported(fitted, table, y, label, names, unreadable)
    if rows.table is not None:
        check_other_file(target, rows.table.paths)
    found = find_out(fitted, rows, top=int(top), seed=seed)
    origin = Origin(file_name(model), file_name(table), file_name(path) or "report.html", top=int(top), seed=seed)
    content = write_page(found, origin).encode()
    write_whole(target, content)
    labels, seconds = rows.labels, perf_counter() - started
    counts = labels.n_rows, labels.n_positive, labels.n_negative, labels.n_unlabeled
    return WrittenReport(Path(path), len(content), *counts, found.auc, found.passed.drift, seconds)
