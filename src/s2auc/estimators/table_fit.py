"""A table with a label column that is blank on most rows, from opening it to a model file."""

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from s2auc.common.arrays import is_missing
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputError
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.storage.files import check_other_file, check_target
from s2auc.data.labels.labels import Labels
from s2auc.data.schema.column_names import listed
from s2auc.data.schema.column_selection import check_known
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning
from s2auc.data.tables.formats.copies import is_elsewhere
from s2auc.data.tables.lazy_table import LabelColumn, values_at
from s2auc.data.tables.paths import find_files, is_path
from s2auc.data.tables.table import Table, open_table
from s2auc.estimators.fitting.understood_table import UnderstoodTable
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.estimators.s2auc_cv import S2AUCClassifierCV
from s2auc.estimators.table_labels import TableLabels, read_table_labels
from s2auc.estimators.verdicts import has_enough_random, join_labels, random_verdicts
from s2auc.models.files.bytes import load_safetensors
from s2auc.models.model import Model


@dataclass(frozen=True, eq=False)
class FittedTable:
    """What `fit_table` leaves behind.

    Attributes
    ----------
    ranker
        The fitted classifier.
    understood
        What was understood of the table.
    seconds
        How long it took.
    path
        The model file, if one was asked for.
    """

    ranker: S2AUCClassifier | S2AUCClassifierCV
    understood: UnderstoodTable
    seconds: float
    path: Path | None

    @property
    def model(self) -> Model:
        """The fitted model."""
        return self.ranker.model_

    def __repr__(self) -> str:
        where = "" if self.path is None else f", saved as {os.fspath(self.path)!r}"
        return f"<{self.model!r} fitted in {self.seconds:.3g} s{where}>"


class TableFit:
    """A table that is opened and understood, ready to be fitted.

    Parameters
    ----------
    table, label, path, positive, negative, ignore, labels, latest_wins, unlabeled_table, unlabeled, features, drop, \
    row_id, group, random_labels, time, tune, engine
        As for `fit_table`.
    **opening
        More parameters of `open_table`.
    """

    def __init__(
        self,
        table: Any,
        label: str | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        positive: Any = None,
        negative: Sequence[Any] = (),
        ignore: Sequence[Any] = (),
        labels: Any = None,
        latest_wins: bool = False,
        unlabeled_table: Any = None,
        unlabeled: Any = None,
        features: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        row_id: str | None = None,
        group: str | None = None,
        random_labels: str | None = None,
        time: str | None = None,
        tune: bool = True,
        engine: str | None = None,
        **opening: Any,
    ) -> None:
        for parameter, name in (("group", group), ("random_labels", random_labels), ("time", time)):
            if name is not None and not tune:
                raise InputError(
                    "be left out with {tune=False}, as only cross-validation uses it",
                    parameter=parameter,
                    found=repr(name),
                    fix="leave out one of the two",
                )
        if path is not None:
            load_safetensors()
            check_target(Path(os.path.realpath(path)), "save the model")
        self._path, self._tune = None if path is None else Path(path), tune
        tell_progress(Progress("reading", _name(table)))
        opened = open_table(table, label=label, features=features, drop=drop, engine=engine, **opening)
        if labels is not None and row_id is None:
            fix = "name the column of row IDs, which the verdicts are joined by"
            raise InputError("be given with {labels}", parameter="row_id", found="none", fix=fix)
        if opened.y is None and labels is None:
            names = listed(opened.names)
            raise InputError(
                "name the label column", parameter="label", found="none", fix="choose among {names}", names=names
            )
        check_known([] if row_id is None else [row_id], opened.names, "row_id")
        check_known([] if group is None else [group], opened.names, "group")
        check_known([] if random_labels is None else [random_labels], opened.names, "random_labels")
        check_known([] if time is None else [time], opened.names, "time")
        is_feature = time is not None and features is not None and time in features
        named = ("id", row_id), ("group", group), ("random", random_labels), ("time", None if is_feature else time)
        roles = {role: name for role, name in named if name is not None}
        _check_one_role([*({**opened.X.roles, **roles}).values()])
        self._table = opened.dropping([], roles)
        facts = {"random_labels": random_labels, "time": time}
        self._facts: dict[str, Any] = {
            role: opened.column(name, as_it_stands=role == "random_labels")
            for role, name in facts.items()
            if name is not None
        }
        self._groups = None if group is None else opened.column(group, as_it_stands=True)
        encoding = opening.get("encoding")
        self._pool = _open_pool(unlabeled_table, list(self._table.X.roles.values()), engine, encoding)
        verdicts = None if labels is None else open_table(labels)
        if self._path is not None:
            tables = [read for read in (opened, self._pool, verdicts) if read is not None]
            check_other_file(self._path, [path for read in tables for path in read.paths])
        tell_progress(Progress("labels", f"in {label or labels!r}"))
        column: Any = opened.y
        strategies: Any = None
        if verdicts is not None and row_id is not None:
            column = join_labels(opened, verdicts, row_id, label=label, latest_wins=latest_wins)
            if random_labels is None and tune:
                strategies = random_verdicts(opened, verdicts, row_id)
        self._labels: TableLabels = read_table_labels(column, label, positive, unlabeled, negative, ignore)
        if has_enough_random(strategies, self._labels.labels):
            self._facts["random_labels"] = strategies
        if self._groups is None and row_id is not None and tune:
            self._groups = _repeated_ids(opened.column(row_id, as_it_stands=True), self._labels.labels)
        self.understood = self._understand(_name(table), label)

    def _understand(self, name: str, label: str | None) -> UnderstoodTable:
        tell_progress(Progress("columns"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IgnoredColumnsWarning)
            self._table.X.learn_schema("from_dtype", None if self._pool is None else self._pool.X)
        labels = self._labels.labels
        negative, positive = labels.classes.tolist()
        return UnderstoodTable(
            name=name,
            n_rows=self._table.n_rows,
            n_positive=labels.n_positive,
            n_negative=labels.n_negative,
            n_unlabeled=labels.n_unlabeled,
            n_more_unlabeled=0 if self._pool is None else self._pool.n_rows,
            label=label,
            negative=negative,
            positive=positive,
            marker=self._labels.marker,
            negative_values=tuple(self._labels.negative.items()),
            passed_over=tuple(self._labels.passed_over.items()),
            columns=tuple(self._table.column_roles),
        )

    def fit(
        self,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> FittedTable:
        """Fit a classifier and save its model; the parameters are those of `fit_table`."""
        started = perf_counter()
        ranker = (S2AUCClassifierCV if self._tune else S2AUCClassifier)(
            unlabeled=self._labels.marker,
            pos_label=self._labels.positive,
            checkpoint=checkpoint,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        more = self._facts | ({} if self._groups is None else {"groups": self._groups})
        with warnings.catch_warnings():
            # It has been understood, and told, which columns are ignored.
            warnings.simplefilter("ignore", IgnoredColumnsWarning)
            ranker.fit(self._table.X, self._labels.column, None if self._pool is None else self._pool.X, **more)
        if self._path is not None:
            ranker.save(self._path)
        return FittedTable(ranker, self.understood, perf_counter() - started, self._path)


@describes_parameters_like(open_table, S2AUCClassifierCV)
def fit_table(
    table: Any,
    label: str | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    positive: Any = None,
    negative: Sequence[Any] = (),
    ignore: Sequence[Any] = (),
    labels: Any = None,
    latest_wins: bool = False,
    unlabeled_table: Any = None,
    unlabeled: Any = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    row_id: str | None = None,
    group: str | None = None,
    random_labels: str | None = None,
    time: str | None = None,
    tune: bool = True,
    engine: str | None = None,
    categorical: Sequence[str] | None = None,
    numeric: Sequence[str] | None = None,
    date: Sequence[str] | None = None,
    text: Sequence[str] | None = None,
    min_text_rows: int = 5,
    checkpoint: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    verbose: int = 0,
) -> FittedTable:
    """Fit a classifier on a table whose label column is blank on most rows, and save its model.

    What the command `s2auc fit` does.

    Parameters
    ----------
    table
        Where the table is, or a table in memory: what `open_table` takes.
    label
        The column of labels: two classes, blank where a row is unlabelled. -1 also marks unlabelled rows where it
        stands beside two other numbers.
    path
        The model file; None for none.
    positive
        The class to rank at the top, or its spelling; the larger of the two if None. It may be the only one. Of several
        values, all others are negative. For numbers a comparison such as ``">=7"`` will do.
    negative
        The values that are negative, if not all others: those that are in neither list count as unlabelled.
    ignore
        Values of the label column that say nothing, such as ``["invalid"]``: these rows count as unlabelled.
    labels
        A table of verdicts, one for a row ID, in place of a label column or in addition to it: see `join_labels`.
    latest_wins
        Whether of contradictory verdicts the latest counts; else such rows count as unlabelled.
    unlabeled_table
        More unlabelled rows: a table, or a list of files.
    unlabeled
        A value of the label column that marks unlabelled rows, beside blanks.
    row_id
        Row ID column, which is not a feature. Where labelled rows share an ID, they are held out together, as with
        `group`.
    group
        Group column, such as a patient: rows of one group are tested together.
    random_labels
        Column that says which labelled rows were drawn at random ("random", true, yes or 1): only these are held out.
        With a file of verdicts that has a column "strategy", rows of the strategy "random" are, if both classes have
        ten of them or more.
    time
        Time column, with numbers or dates: the AUC is also estimated by training on earlier and testing on later rows.
        It is not a feature unless `features` lists it.
    tune
        Whether to choose settings by cross-validation (`S2AUCClassifierCV`); else one setting is fitted
        (`S2AUCClassifier`), which is faster and cannot say how good it is.
    engine
        "dask" lets the workers of the current client of Dask read the files and search.

    Returns
    -------
    FittedTable
        The classifier, what was understood of the table, and how long it took.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> x = np.linspace(-1.0, 1.0, 200)
    >>> table = pd.DataFrame({"size": x, "color": ["red", "blue"] * 100, "fraud": ["yes", None, "no", None] * 50})
    >>> fitted = fit_table(table, "fraud", tune=False)
    >>> fitted.understood.n_positive, fitted.understood.n_negative, fitted.understood.n_unlabeled
    (50, 50, 100)
    """
    prepared = TableFit(
        table,
        label,
        path,
        positive=positive,
        negative=negative,
        ignore=ignore,
        labels=labels,
        latest_wins=latest_wins,
        unlabeled_table=unlabeled_table,
        unlabeled=unlabeled,
        features=features,
        drop=drop,
        row_id=row_id,
        group=group,
        random_labels=random_labels,
        time=time,
        tune=tune,
        engine=engine,
        categorical=categorical,
        numeric=numeric,
        date=date,
        text=text,
        min_text_rows=min_text_rows,
    )
    return prepared.fit(checkpoint=checkpoint, n_jobs=n_jobs, random_state=random_state, verbose=verbose)


def _open_pool(unlabeled: Any, roles: list[str], engine: str | None, encoding: str | None) -> Table | None:
    """Return the table of more unlabelled rows, without columns that are something else than columns to learn from."""
    if unlabeled is None or (isinstance(unlabeled, list | tuple) and not unlabeled):
        return None
    tell_progress(Progress("reading", _name(unlabeled)))
    if isinstance(unlabeled, list | tuple) and is_path(unlabeled):
        # Folders and patterns stand for the files that they mean.
        found = [[where] if is_elsewhere(where) else find_files(where).paths for where in unlabeled]
        unlabeled = unlabeled[0] if len(unlabeled) == 1 else [path for paths in found for path in paths]
    return open_table(unlabeled, engine=engine, encoding=encoding).dropping(roles)


def _repeated_ids(column: LabelColumn, labels: Labels) -> LabelColumn | None:
    """Return the row IDs as groups if labelled rows share some of them: rows of one ID are held out together."""
    found = values_at(column, labels.positive_first())
    values = [value for value in found.tolist() if not is_missing(value)]
    is_repeated = len(set(values)) < len(values)
    # Groups have to be known for all labelled rows.
    return column if is_repeated and len(values) == len(found) and len(set(values)) > 1 else None


def _check_one_role(names: Sequence[str]) -> None:
    """Raise an InputError if a column is two of these: label, row ID, group, random labels, time."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                "name different columns",
                subject="{label}, {row_id}, {group}, {random_labels} and {time}",
                found=f"{name!r} more than once",
                fix="choose another column",
            )


def _name(table: Any) -> str:
    if isinstance(table, list | tuple):
        return ", ".join(map(_name, table))
    return os.fspath(table) if isinstance(table, str | os.PathLike) else type(table).__name__
