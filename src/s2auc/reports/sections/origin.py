"""The section about the report itself: versions, seeds, and the command that makes it again."""

import os
import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from s2auc.data.tables.table import Table
from s2auc.kernels.versions import package_versions
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, joined, note, shown, table, text
from s2auc.reports.reported_rows import ReportedRows

MAX_PACKAGES = 12


@dataclass(frozen=True)
class Origin:
    """What a report was made from: names of files without their folders, and what was asked for.

    Attributes
    ----------
    model, table, out
        Names of the files; None for what was in memory.
    top, seed
        What was asked for.
    """

    model: str | None
    table: str | None
    out: str
    top: int
    seed: int

    def command(self, rows: ReportedRows) -> str:
        """Return the command that makes the report again."""
        words = ["s2auc", "report", self.model or "MODEL", self.table or "TABLE", "-o", self.out]
        words += ["--label", rows.label] if rows.label is not None else []
        for name in rows.kept:
            words += ["--keep", f'"{name.replace(chr(34), chr(34) * 2)}"' if set(name) & set(',"') else name]
        return shlex.join([*words, "--top", str(self.top), "--seed", str(self.seed)])


def file_name(given: Any) -> str | None:
    """Return the name of a file, or of several, without folders; None for what is no file.

    Examples
    --------
    >>> file_name("/home/me/claims.csv"), file_name("claims/*.parquet"), file_name([[1.0]])
    ('claims.csv', '*.parquet', None)
    """
    several = given.paths if isinstance(given, Table) else given if isinstance(given, list | tuple) else [given]
    if not several or not all(isinstance(one, str | os.PathLike) for one in several):
        return None
    return PurePath(os.fspath(several[0])).name or None


def origin_section(found: Findings, origin: Origin) -> Html:
    """Return the section."""
    seed = found.record.get("seed")
    then = dict(list(found.record.get("versions", {}).items())[:MAX_PACKAGES])
    now = package_versions()
    names = [*now, *(name for name in then if name not in now)]
    rows = [[shown(name, 40), shown(then.get(name), 40), shown(now.get(name), 40)] for name in names]
    fitted = "The seed of the fit is not known" if seed is None else f"The model was fitted with seed {shown(seed)}"
    versions = table(["Package", "In the fit", "In this report"], rows, caption="Versions")
    return joined(
        [
            text("origin.again", command=origin.command(found.rows)),
            note(text("origin.seeds", fitted=fitted, seed=origin.seed)),
            versions,
        ]
    )
