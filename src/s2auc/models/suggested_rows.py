"""Rows that are worth a label, and their form in a file."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.whole_files import check_target
from s2auc.data.arrow_pieces import load_pyarrow
from s2auc.models.score_file import check_ending, check_other_file, check_writable, score_file

MADE_COLUMNS = ["row", "score"]
"""What is written of a suggested row besides kept columns."""


@dataclass(frozen=True, eq=False, repr=False)
class SuggestedRows:
    """What `suggest_rows` found, in the order in which rows are best labelled.

    Attributes
    ----------
    rows
        The numbers of the rows in the table, from 0.
    scores
        What the model says of them: near zero, the threshold, for most.
    kept
        The kept columns of these rows, a table of pyarrow; None if none was asked for.
    n_rows, n_labeled
        How many rows the table has, and how many of them have a label already.
    n_looked_at
        How many unlabelled rows they were chosen from.
    paths
        The files of the table; none if it is in memory.
    """

    rows: IndexArray
    scores: FloatArray
    kept: Any = field(repr=False)
    n_rows: int
    n_labeled: int
    n_looked_at: int
    paths: tuple[Path, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        labeled = f", {self.n_labeled:,} of which have labels" if self.n_labeled else ""
        return f"<{len(self):,} rows to label of {self.n_rows:,}{labeled}>"

    def write(self, out: str | os.PathLike[str]) -> None:
        """Write the kept columns, then "row" and "score", to a file, which appears whole or not at all.

        Parameters
        ----------
        out
            The file, by the ending of its name, as for `score_table`; not one of those of the table.
        """
        target = check_output(out)
        check_other_file(target, self.paths)
        pa = load_pyarrow()
        made = pa.table({"row": pa.array(self.rows, pa.int64()), "score": pa.array(self.scores)})
        kept = [] if self.kept is None else list(zip(self.kept.schema, self.kept.columns, strict=True))
        schema = pa.schema([*(column for column, _ in kept), *made.schema])
        check_writable(schema, check_ending(target))
        table = pa.Table.from_arrays([*(values for _, values in kept), *made.columns], schema=schema)
        with score_file(target, schema) as file:
            for batch in table.combine_chunks().to_batches():
                file.write(batch)


def check_output(out: Any) -> Path:
    """Return the file to write, symbolic links resolved; an error if it cannot be written."""
    if not isinstance(out, str | os.PathLike):
        raise TypeError(f"The file of suggested rows must be a path. Got {out!r}; name a file.")
    target = Path(os.path.realpath(out))
    check_ending(target)
    check_target(target, "write the suggested rows")
    return target
