"""Turn the rows of the accuracy benchmark into what README and docs say about them.

Writes docs/results/accuracy.csv, draws docs/images/accuracy.png from it, and rewrites the blocks of README.md and
docs/tuning.md that stand between `<!-- accuracy: name -->` and `<!-- end -->`. Of several results of one trial that of
the last file counts.

    python benchmarks/publish.py --rows results.rows.jsonl
"""

import argparse
import sys
from pathlib import Path

from accuracy_text import ALL_TABLES, NAMES, REFERENCE, SIZES, fill, make_blocks

from s2auc.common.output import figure_bytes, write_file
from s2auc.experiments.cells import trial_seed
from s2auc.experiments.comparison import compare
from s2auc.experiments.report_figures import difference_figure
from s2auc.experiments.results_file import results_of, results_text
from s2auc.experiments.spec import read_spec
from s2auc.experiments.store import Row, read_rows
from s2auc.experiments.summary import Summary

RESULTS = Path("docs", "results", "accuracy.csv")
PICTURE = Path("docs", "images", "accuracy.png")
PAGES = (Path("README.md"), Path("docs", "tuning.md"))


def main() -> None:
    """Write the results file, the picture and the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--rows", type=Path, nargs="+", required=True, help="JSON-lines files of benchmarks/accuracy.py"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the benchmark (default: 0)")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="where README.md is")
    arguments = parser.parse_args()
    try:
        rows = [row for path in arguments.rows for row in read_rows(path)]
        publish(rows, arguments.seed, arguments.root)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        sys.exit(str(error))


def publish(rows: list[Row], seed: int, root: Path) -> None:
    """Write the results of rows and whatever is said about them; that comes from the results file's text alone."""
    kept = rows_of_benchmark(rows, seed)
    results = results_text(kept, seed)
    summary = Summary(results_of(results))
    blocks = make_blocks(summary)
    comparisons = [compare(summary, ALL_TABLES, n_labeled, REFERENCE) for n_labeled in SIZES]
    picture = difference_figure([c for c in comparisons if c is not None], REFERENCE, NAMES)
    pages = {page: fill((root / page).read_text(encoding="utf-8"), blocks).encode() for page in PAGES}
    # Nothing is written, nor told, before everything has worked.
    written = {RESULTS: results.encode(), PICTURE: figure_bytes(picture), **pages}
    for path, content in written.items():
        write_file(root / path, content)
    print(f"{len(kept)} of {len(rows)} rows belong to the benchmark. Written: {', '.join(map(str, written))}")


def rows_of_benchmark(rows: list[Row], seed: int) -> list[Row]:
    """Return the rows that the benchmark's specifications ask for; an error if any is of another seed."""
    wanted = {
        (dataset, method, n_labeled, n_unlabeled, spec.scaling, trial)
        for spec in map(read_spec, ("accuracy", "alternatives"))
        for dataset in spec.datasets
        for method in spec.methods
        for n_labeled in spec.n_labeled
        for n_unlabeled in spec.n_unlabeled
        for trial in range(spec.trials)
    }
    keys = ("dataset", "method", "n_labeled", "max_unlabeled", "scaling", "trial")
    kept = [row for row in rows if tuple(row[key] for key in keys) in wanted]
    for row in kept:
        if row["seed"] != trial_seed(seed, row["dataset"], row["trial"]):
            raise ValueError(
                f"Rows must come from seed {seed}. Got another one in trial {row['trial']} of {row['dataset']}; name "
                "other files, or the seed with --seed."
            )
    return kept


if __name__ == "__main__":
    main()
