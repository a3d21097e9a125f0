"""The whole reproduction: from a folder of data to a folder with rows, figures and a page."""

from dataclasses import dataclass
from pathlib import Path

from s2auc.common.figure_style import IMAGE_FORMATS, figure_bytes, new_figure
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.storage.files import check_folder, write_files
from s2auc.experiments.datasets.load import available_datasets
from s2auc.experiments.harness.store import Row, RowStore, read_rows
from s2auc.experiments.reproduction.claims import Claim, all_claims
from s2auc.experiments.reproduction.protocol import FULL, QUICK_DATASETS, WITHOUT_FILES, Extent, quick_extent
from s2auc.experiments.reproduction.stages import run_stages
from s2auc.experiments.reproduction.theorem import run_theorem

ROWS = "rows.jsonl"
PAGE = "report.html"
MARKDOWN = "report.md"


@dataclass(frozen=True)
class Reproduction:
    """What came out.

    Attributes
    ----------
    claims
        The paper's claims with verdicts.
    files
        What was written.
    n_trials, n_failed
        How many trials there are, and how many of them have no result.
    """

    claims: list[Claim]
    files: list[Path]
    n_trials: int
    n_failed: int


def choose_extent(quick: bool, folder: str | None) -> Extent:
    """Return how much to run: all of the paper's tables, or every figure in small on those that are there.

    Parameters
    ----------
    quick
        Whether a few minutes must do.
    folder
        Data folder as in `s2auc.experiments.datasets.load_dataset`.
    """
    available = set(available_datasets(folder))
    if not quick:
        missing = [name for name in FULL.datasets if name not in available]
        if missing:
            raise FileNotFoundError(
                f"A full reproduction needs the paper's tables, and {', '.join(missing)} cannot be found; name the "
                "folder that holds them with --data, or run --quick, which does with what is there."
            )
        return FULL
    there = tuple(name for name in QUICK_DATASETS if name in available)
    return quick_extent(there, (*there, "moons")[:2]) if there else WITHOUT_FILES


def reproduce(
    output: Path, *, quick: bool = False, folder: str | None = None, n_jobs: int = 1, seed: int = 0
) -> Reproduction:
    """Run what is missing of the paper's experiments, then draw, judge and write.

    Parameters
    ----------
    output
        Folder for the rows, the figures and the page. A run that was stopped goes on from the rows in it.
    quick
        Every figure in small, in a few minutes.
    folder
        Data folder as in `s2auc.experiments.datasets.load_dataset`.
    n_jobs
        Trials that run at the same time.
    seed
        Seed of everything.
    """
    check_folder(output)
    extent = choose_extent(quick, folder)
    # Without matplotlib the work of hours would end in an error.
    new_figure()
    rows_file = output / ROWS
    rows = run_stages(extent, rows_file, seed=seed, folder=folder, n_jobs=n_jobs)
    tell_progress(Progress("method", "the theorem"))
    with RowStore(rows_file) as store:
        rows += run_theorem(extent, store, seed=seed, folder=folder)
    return tell(rows, output, seed)


def retell(output: Path, *, seed: int = 0) -> Reproduction:
    """Judge the rows in a folder again, and write the figures and the page anew; nothing is run.

    Parameters
    ----------
    output
        Folder of a reproduction, with its rows.
    seed
        Seed of the run, told on the page.
    """
    rows_file = output / ROWS
    if not rows_file.is_file():
        raise FileNotFoundError(f"There are no rows to judge: {rows_file} does not exist; run the reproduction first.")
    return tell(read_rows(rows_file), output, seed)


def tell(rows: list[Row], output: Path, seed: int) -> Reproduction:
    """Draw the figures of rows, judge the claims, and write both and the page.

    Parameters
    ----------
    rows
        Rows of a reproduction.
    output
        Folder for figures and page.
    seed
        Seed of the run.
    """
    from s2auc.experiments.reproduction.figures import FIGURES
    from s2auc.experiments.reproduction.measured import Measured
    from s2auc.experiments.reproduction.page import write_markdown, write_page

    measured = Measured(rows)
    files: dict[Path, bytes] = {}
    for name, draw in FIGURES.items():
        drawn = draw(measured)
        files |= {output / f"{name}.{form}": figure_bytes(drawn, form) for form in IMAGE_FORMATS}
    drawings = {name: files[output / f"{name}.svg"] for name in FIGURES}
    files[output / PAGE] = write_page(measured, drawings, seed).encode()
    files[output / MARKDOWN] = write_markdown(measured, seed).encode()
    write_files(files)
    return Reproduction(all_claims(measured), list(files), len(measured.rows), len(measured.rows) - len(measured.done))
