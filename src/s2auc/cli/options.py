"""Options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print results as JSON, for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and errors only.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show where an error comes from.")]
Seed = Annotated[int, typer.Option("--seed", metavar="NUMBER", help="The same seed gives the same result.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="NUMBER", help="Threads; all cores by default.", show_default=False),
]
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="Model file, as 's2auc fit' writes it.")]
TableName = Annotated[
    str,
    typer.Argument(
        metavar="TABLE", help="A file (CSV, TSV, Parquet, Arrow, LIBSVM, .npy), a folder, or a pattern in quotes."
    ),
]
