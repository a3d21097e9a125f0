"""Scores of a table whose rows are on other machines: workers score their part, and write it or send its top."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple, cast

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pc
from s2auc.common.messages import Message
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.storage.files import TEMPORARY_FILES, check_target
from s2auc.data.tables.arrow_table import ArrowLazyRows
from s2auc.data.tables.table import Table
from s2auc.models.model import Model
from s2auc.scoring.column_drift import Tally, warn_of_drift
from s2auc.scoring.dictionary_columns import with_wide_codes
from s2auc.scoring.score_file import score_file
from s2auc.scoring.table_scores import BLOCK_ROWS, TableScores, written_schema
from s2auc.scoring.top_scores import count_top

FOLDER_ENDING = ".parquet"
"""Of a folder of scores, which has a file a part."""


class SpreadScores:
    """The scores of a table on other machines, and columns that are kept beside them; to be made once.

    Parameters
    ----------
    model, table, names, probability
        As for `TableScores`.
    """

    def __init__(self, model: Model, table: Table, names: list[str], *, probability: bool) -> None:
        self._model, self._table, self._kept, self._probability = model, table, names, probability
        # These find out what is missing or holds something else, and warn of what is ignored.
        self._names = cast(ArrowLazyRows, table.X).find(model.schema)
        table.X.known_to(model.schema).open(model.schema, "X")
        self.tally: Tally | None = None
        self.kept_schema = with_wide_codes(table.no_rows(names)).schema
        self.n_scored = 0

    def write_folder(self, folder: Path) -> int:
        """Let workers write a file a part into a new folder, which appears whole or not at all; return its rows."""
        with whole_folder(folder) as growing:
            for part in self._map(_write_part, growing):
                self._add(part)
            warn_of_drift(self._model, self.tally)
        return self.n_scored

    def top_rows(self, top: int | float) -> Iterator[Any]:
        """Yield batches of the rows with the highest scores, from the highest down, which alone have travelled."""
        most = count_top(top, self._table.n_rows)
        best: list[Any] = []
        for part in self._map(_top_of_part, most):
            if part.batches:
                found = pa.Table.from_batches(part.batches)
                place = found.schema.get_field_index("row")
                found = found.set_column(place, found.schema.field(place), pc.add(found["row"], self.n_scored))
                # Of equal scores, those that come first in the table.
                order = [("score", "descending"), ("row", "ascending")]
                best = [pa.concat_tables([*best, found]).sort_by(order).slice(0, most)]
            self._add(part)
        for table in best:
            yield from table.unify_dictionaries().combine_chunks().to_batches(max_chunksize=BLOCK_ROWS)

    def _map(self, work: Any, *asked: Any) -> Iterator["_ScoredPart"]:
        work = partial(work, self._model, self._kept, self._probability, *asked)
        return self._table.map_parts(self._names, self._kept, work, "score")

    def _add(self, part: "_ScoredPart") -> None:
        self.n_scored += part.n_scored
        if part.tally is not None:
            self.tally = part.tally if self.tally is None else self.tally + part.tally
        tell_progress(Progress("scoring", f"{self.n_scored:,} rows"))


class _ScoredPart(NamedTuple):
    """What a worker tells of its part: how many rows, what columns look like, and the rows that travel."""

    n_scored: int
    tally: Tally | None
    batches: list[Any]


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """Make a folder beside the target to write to; where the block ends well, it takes the target's name.

    Raises
    ------
    FileExistsError
        If there is something of that name.
    """
    growing = target.with_name(TEMPORARY_FILES.replace("*", token_hex(8)))
    growing.mkdir()
    try:
        yield growing
        # What workers left that were killed while they wrote.
        for path in growing.glob(TEMPORARY_FILES):
            path.unlink()
        check_folder(target)
        growing.rename(target)
    except BaseException:
        shutil.rmtree(growing, ignore_errors=True)
        raise


def check_folder(target: Path) -> None:
    """Raise an error unless a folder of scores of that name can be made.

    Examples
    --------
    >>> check_folder(Path("scores.csv"))
    Traceback (most recent call last):
    ...
    s2auc.common.errors.InputError: path must be a folder whose name ends in .parquet where workers write ...
    """
    if target.suffix.lower() != FOLDER_ENDING:
        raise InputError(
            "be a folder whose name ends in {ending} where workers write scores",
            parameter="path",
            found=repr(target.name),
            fix="rename it, or pass {top}, which writes one file of any format",
            ending=FOLDER_ENDING,
        )
    if target.exists():
        raise FileExistsError(
            f"A folder of scores must be a new one. Got {os.fspath(target)!r}, which is there; remove it, or choose "
            "another name."
        )
    check_target(target, "write the scores")


def _write_part(model: Model, kept: list[str], probability: bool, folder: Path, part: Table, place: int) -> _ScoredPart:
    run = TableScores(model, part, kept, probability=probability)
    # A part that two workers write, since one was taken for dead, is the same whoever comes last.
    schema = written_schema(run.kept_schema, numbered=False, probability=probability)
    with _naming(place), score_file(folder / f"part-{place:05d}.parquet", schema) as file:
        for batch in run.all_rows():
            file.write(batch)
    return _ScoredPart(run.n_scored, run.tally, [])


def _top_of_part(model: Model, kept: list[str], probability: bool, most: int, part: Table, place: int) -> _ScoredPart:
    run = TableScores(model, part, kept, probability=probability)
    with _naming(place):
        batches = list(run.top_rows(most))
    return _ScoredPart(run.n_scored, run.tally, batches)


@contextmanager
def _naming(place: int) -> Iterator[None]:
    """Let errors about rows say which partition counts them."""
    try:
        yield
    except ValueError as error:
        told = Message("In partition {place}, whose rows are counted from 0: {error}", place=place, error=error)
        raise InputError(told) from error
