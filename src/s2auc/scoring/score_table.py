"""A table scored from end to end, however many rows it has: read, scored and written some at a time."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, BinaryIO, cast

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputError, InputTypeError
from s2auc.common.lazy_modules import pa
from s2auc.common.parameters import CUT, Boolean, Rule, check_parameters
from s2auc.common.storage.files import check_other_file, check_target
from s2auc.data.labels.labeled_rows import find_labeled_rows
from s2auc.data.schema.column_selection import check_known
from s2auc.data.tables.engines import is_dask_collection
from s2auc.data.tables.table import Table
from s2auc.models.fitted_model import fitted_model
from s2auc.models.model import Model
from s2auc.models.open_for_model import open_for_model
from s2auc.scoring.column_drift import warn_of_drift
from s2auc.scoring.kept_columns import checked_keep
from s2auc.scoring.score_file import STREAM_ENDING, check_ending, check_writable, score_file, score_stream
from s2auc.scoring.spread_scores import SpreadScores, check_folder
from s2auc.scoring.table_scores import TableScores, written_schema

_RULES: dict[str, tuple[Rule, ...]] = {"top": (CUT,), "probability": (Boolean(),)}


@dataclass(frozen=True, repr=False)
class ScoredTable:
    """What `score_table` did; stands for the path of the file wherever a path is asked for.

    Attributes
    ----------
    path
        The file of scores; None if they went to a stream.
    n_scored, n_written
        Rows that were scored, and rows that the file has.
    seconds
        How long it took.
    """

    path: Path | None
    n_scored: int
    n_written: int
    seconds: float

    def __fspath__(self) -> str:
        if self.path is None:
            raise TypeError("Scores that went to a stream have no path. Got None; name a file to have one.")
        return os.fspath(self.path)

    def __repr__(self) -> str:
        some = "" if self.n_written == self.n_scored else f", {self.n_written:,} of them written"
        where = "to a stream" if self.path is None else repr(os.fspath(self.path))
        return f"<{self.n_scored:,} rows scored in {self.seconds:.3g} s{some}: {where}>"


@describes_parameters_like()
def score_table(
    model: Any,
    table: Any,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    keep: Sequence[str] | None = None,
    top: int | float | None = None,
    y: Any = None,
    probability: bool = False,
    engine: str | None = None,
    unreadable: str = "error",
) -> ScoredTable:
    """Score every row of a table and write the scores to a file, in memory that does not grow with the table.

    The file has the columns of `keep`, then "score", the decision function, and "probability" if asked for; with `top`
    also "row", the number of the row in the table, from 0. It appears whole or not at all: an error, a full disk or an
    interruption leaves what was there before. Of two that write the same file, the last one to end wins.

    A warning names columns that lie far from where they lay when the model was fitted: means more than two deviations
    away, most values outside the range they had, or missing, or categories that are not known; one value in every row
    where there were others, or nearly all values on one side of the median. Less than 30 rows are not judged. The
    warning comes before the file takes its place; where warnings are errors, there is no file.

    Parameters
    ----------
    model
        A fitted classifier of this library, a `Model`, or the path of a model file.
    table
        The table: what `s2auc.open_table` gives, or takes. Its columns are found by name.
    path
        The file, by the ending of its name: .parquet, .feather or .arrow, .csv or .tsv, and .csv.gz or .tsv.gz. A file
        that is there is replaced. Or an open binary stream such as ``sys.stdout.buffer``, to which CSV is written as
        rows are scored.
    keep
        Names of columns of the table that go into the file as they are, such as an identifier. By default the one that
        named rows in the fit, if the model knows of one and it is there; [] for none.
    top
        Only the rows with the highest scores: so many if it is a whole number, such a share of all rows if it lies
        between 0 and 1. They are written from the highest score down, rows of equal score in the order of the table.
    y
        The labels that are known, such as `join_labels` gives: rows with a label are not among those of `top`.
    probability
        Whether to write the probability of the positive class too.
    engine
        "dask" lets the workers of the current client of Dask read the files and write the scores: `path` is then the
        name of a new folder, which ends in .parquet and gets one file per partition; with `top` it is a single file.
    unreadable : {"error", "missing"}, default="error"
        What to do with a cell that the model cannot read, such as a word in a column that held numbers: raise an error
        that names it, or treat it as missing.

    Returns
    -------
    ScoredTable
        The path, how many rows were scored and written, and how long it took.

    Raises
    ------
    ValueError, TypeError
        If something is not as said above, or the columns are not those of the model; before rows are read.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from s2auc import S2AUCClassifier, score_table
    >>> X = pd.DataFrame({"age": [31.0, 45.0, 20.0, 52.0], "claims": [0, 3, 1, 4]})
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=20).fit(X, [0, 1, 0, 1], X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = score_table(ranker, X.assign(id=list("abcd")), f"{folder}/scores.csv", keep=["id"], top=2)
    ...     print(done.n_scored, done.n_written, sorted(pd.read_csv(done)["id"]))
    4 2 ['b', 'd']
    """
    started = perf_counter()
    given = {"probability": probability} | ({} if top is None else {"top": top})
    check_parameters("score_table", given, {name: _RULES[name] for name in given})
    asked = {"numbered": top is not None, "probability": probability}
    names_made = written_schema(pa.schema([]), **asked).names
    names = checked_keep(keep, "score_table", made=names_made)
    target = None if hasattr(path, "write") else _target(path)
    ending = STREAM_ENDING if target is None else check_ending(target)
    is_spread = engine is not None or is_dask_collection(table) or (isinstance(table, Table) and table.is_spread)
    if is_spread and top is None:
        check_folder(Path(STREAM_ENDING) if target is None else target)
    elif target is not None:
        check_target(target, "write the scores")
    fitted = fitted_model(model, "score_table")
    if probability:
        fitted.probabilities_of(np.zeros(0))  # an error where there are none
    opened = open_for_model(fitted, table, kept=names, engine=engine, unreadable=unreadable)
    if keep is None:
        names = _naming_column(fitted, opened, names_made)
    check_known(names, opened.names, "keep")
    if target is not None:
        check_other_file(target, [model, *opened.paths])
    written = None if target is None else Path(cast("str | os.PathLike[str]", path))
    made_by = SpreadScores if opened.is_spread else TableScores
    run = made_by(fitted, opened, names, probability=probability)
    check_writable(run.kept_schema, ending)
    skipped = None if y is None else _labeled_numbers(y, opened)
    if y is not None and (top is None or opened.is_spread):
        rule, fix = "be left out without {top}, and where workers score", "leave it out"
        raise InputError(rule, parameter="y", found="labels", fix=fix)
    n_written = 0
    if isinstance(run, SpreadScores) and top is None:
        n_written = run.write_folder(cast(Path, target))
    else:
        if top is None:
            batches = cast(TableScores, run).all_rows()
        else:
            batches = run.top_rows(top) if skipped is None else cast(TableScores, run).top_rows(top, skipped)
        schema = written_schema(run.kept_schema, **asked)
        with score_stream(cast(BinaryIO, path), schema) if target is None else score_file(target, schema) as file:
            for batch in batches:
                file.write(batch)
                n_written += batch.num_rows
            warn_of_drift(fitted, run.tally)
    return ScoredTable(written, run.n_scored, n_written, perf_counter() - started)


def _target(path: Any) -> Path:
    """Return the file to write, symbolic links resolved."""
    if not isinstance(path, str | os.PathLike):
        raise InputTypeError(
            "be a path or a binary stream", parameter="path", owner="score_table", found=repr(path), fix="name a file"
        )
    return Path(os.path.realpath(path))


def _labeled_numbers(y: Any, table: Table) -> IndexArray:
    """Return the numbers of the rows that have a label."""
    found = find_labeled_rows(y, None)
    if found.n_rows != table.n_rows:
        rule, given = "have one label per row", f"{found.n_rows:,} labels and {table.n_rows:,} rows"
        raise InputError(rule, parameter="y", found=given, fix="pass the labels of this table")
    return found.numbers


def _naming_column(model: Model, table: Table, made: Sequence[str]) -> list[str]:
    """Return the column that named rows when a model was fitted, where a table has it and no other is called so."""
    name = model.record.get("table", {}).get("id")
    return [name] if name in table.names and name not in made else []
