"""A table whose rows are read when they are needed: the handle that users hold, and how they get it."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from s2auc.data.arrow_columns import is_dictionary, kind_of_type
from s2auc.data.arrow_files import open_files
from s2auc.data.arrow_frames import as_columns, declared_levels
from s2auc.data.arrow_pieces import ArrowColumns, load_pyarrow
from s2auc.data.arrow_table import ArrowLabels, ArrowLazyRows
from s2auc.data.column_matching import check_distinct, listed
from s2auc.data.date_parts import TEMPORAL_KINDS
from s2auc.data.frames import Level
from s2auc.data.lazy_table import LabelColumn, LazyRows
from s2auc.data.table_files import find_files, is_path

_WORDS = {"number": "numbers", "boolean": "booleans", "text": "text", "nothing": "no values", None: "not read"}
_MOST_SHOWN = 30


class Table:
    """A table whose rows are read when they are needed, as `open_table` gives it.

    Attributes
    ----------
    X
        The columns to learn from or to score: estimators take them wherever they take rows.
    y
        The labels, None without a label column: estimators take them wherever they take labels.
    n_rows
        How many rows there are.
    names
        The names of all columns.
    paths
        The files it is read from; none if it is in memory.
    """

    X: LazyRows
    y: LabelColumn | None

    def __init__(
        self,
        columns: ArrowColumns,
        label: str | None,
        features: Sequence[str] | None,
        drop: Sequence[str] | None,
        declared: dict[str, tuple[Level, ...]] | None = None,
        where: str = "a table",
        paths: Sequence[Path] = (),
    ) -> None:
        self._columns, self._where, self.paths = columns, where, tuple(paths)
        self.names: list[str] = list(columns.schema.names)
        check_distinct(self.names, "the table")
        if label is not None:
            _check_known([label], self.names, "label")
            if kind_of_type(columns.schema.field(label).type) is None:
                raise ValueError(
                    f"label must name a column of numbers, booleans or text. Got {label!r}, which holds "
                    f"{columns.schema.field(label).type}; convert it."
                )
        used = _used(self.names, label, features, drop)
        self.X = ArrowLazyRows(columns, used, features or (), declared)
        self.y = None if label is None else ArrowLabels(columns, label)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._columns.n_rows

    def batches(self, names: Sequence[str], chunk_rows: int) -> Iterator[Any]:
        """Yield columns as they are, in order: record batches of just so many rows, but for the last.

        Of a table without rows there is one batch, which has none either: it tells the types.
        """
        _check_known(names, self.names, "names")
        pyarrow = load_pyarrow()
        waiting: list[Any] = []
        n_waiting = 0
        for batch in self._columns.batches(names, chunk_rows):
            while batch.num_rows:
                part = batch.slice(0, chunk_rows - n_waiting)
                batch = batch.slice(part.num_rows)
                waiting.append(part)
                n_waiting += part.num_rows
                if n_waiting == chunk_rows:
                    yield _one_batch(pyarrow, waiting)
                    waiting, n_waiting = [], 0
        if waiting:
            yield _one_batch(pyarrow, waiting)
        elif not self.n_rows:
            types = pyarrow.schema([self._columns.schema.field(name) for name in names])
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array([], field.type) for field in types], schema=types)

    def __repr__(self) -> str:
        lines = [f"{self._where}: {self.n_rows:,} rows, {len(self.names)} columns"]
        label = self.y.name if isinstance(self.y, ArrowLabels) else None
        learnt = self.X.learnt if isinstance(self.X, ArrowLazyRows) else None
        reasons = {} if learnt is None else learnt.reasons
        used = set(self.X.names) if isinstance(self.X, ArrowLazyRows) else set()
        for name in self.names[:_MOST_SHOWN]:
            words = _described(self._columns.schema.field(name).type)
            if name == label:
                words += ", the label"
            elif name not in used:
                words += ", dropped"
            elif name in reasons:
                words += f", left out: {reasons[name]}"
            lines.append(f"  {name}: {words}")
        if len(self.names) > _MOST_SHOWN:
            lines.append(f"  and {len(self.names) - _MOST_SHOWN} more")
        return "\n".join(lines)


def open_table(
    where: Any,
    *,
    label: str | None = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> Table:
    """Return a table whose rows are read when they are needed, however many there are.

    Parameters
    ----------
    where
        Parquet, Arrow (Feather), CSV, TSV, NumPy or LIBSVM files: a path, a folder, a pattern such as
        ``"claims/*.parquet"``, or a list of paths. Or a table in memory: of pyarrow, pandas, polars (also a LazyFrame),
        or of any library that hands out Arrow's streams, such as DuckDB.
    label
        The column of labels, empty where a row is unlabelled.
    features
        The columns to learn from, in this order, none of which is left out; all but the label if it is None, without
        those that name rows, never change, or hold something that is not read.
    drop
        Columns not to learn from.

    Raises
    ------
    ImportError
        Without the extra `tables`.
    FileNotFoundError
        If there is no such file.
    ValueError
        If a column does not exist, or a file cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> table = open_table(pd.DataFrame({"age": [31, 45, 20], "fraud": [1, None, 0]}), label="fraud")
    >>> table
    DataFrame: 3 rows, 2 columns
      age: numbers (int64)
      fraud: numbers (double), the label
    """
    asks = label is not None or features is not None or drop is not None
    if isinstance(where, Table):
        if asks:
            raise ValueError(
                "label, features and drop must be left alone where a table is open already. Got some; pass them to the "
                "first call."
            )
        return where
    load_pyarrow()
    if not is_path(where):
        return Table(as_columns(where), label, features, drop, declared_levels(where), type(where).__name__)
    files = find_files(where)
    shown = str(where) if isinstance(where, str) else f"{len(files.paths)} {files.format} files"
    return Table(open_files(files), label, features, drop, where=shown, paths=files.paths)


def _used(
    names: Sequence[str], label: str | None, features: Sequence[str] | None, drop: Sequence[str] | None
) -> list[str]:
    """Return the columns to learn from."""
    for given, listed_names in (("features", features), ("drop", drop)):
        if listed_names is not None:
            if isinstance(listed_names, str):
                raise ValueError(
                    f"{given} must be a list of column names. Got {listed_names!r}; pass [{listed_names!r}] for one."
                )
            _check_known(listed_names, names, given)
            check_distinct(list(listed_names), given)
    if features is not None and label in features:
        raise ValueError(f"features must not hold the label. Got {label!r}; take it out of features.")
    used = [name for name in (names if features is None else features) if name != label and name not in (drop or ())]
    if not used:
        raise ValueError(
            f"A table must have columns to learn from. Got {listed(list(names))}, none of which is left; drop fewer."
        )
    return used


def _check_known(wanted: Sequence[Any], names: Sequence[str], parameter: str) -> None:
    """Raise a ValueError that names the first column that does not exist, and those it may stand for."""
    for name in wanted:
        if name not in names:
            close = get_close_matches(str(name), names, n=3) or list(names)
            raise ValueError(
                f"{parameter} must name columns of the table. Got {name!r}, which is not there; "
                f"{'did you mean' if close != list(names) else 'there are'} {listed(close)}"
                f"{'?' if close != list(names) else '.'}"
            )


def _described(arrow_type: Any) -> str:
    kind = kind_of_type(arrow_type)
    words = "categories" if is_dictionary(arrow_type) else TEMPORAL_KINDS.get(kind or "") or _WORDS[kind]
    return f"{words} ({arrow_type})"


def _one_batch(pyarrow: Any, parts: Sequence[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    table = pyarrow.Table.from_batches(parts).unify_dictionaries().combine_chunks()
    return table.to_batches()[0]
