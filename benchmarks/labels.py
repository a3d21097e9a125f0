"""AUC and seconds against the number of labels, beside gradient boosting and forests.

20 to 20,000 random labelled rows of a table, at most 50,000 of the others without their labels, at most 20,000 test
rows. Methods other than s2auc use the labelled rows alone. All methods of a trial get the same rows and the same
threads, and the time of a search counts. Every fit is kept in a JSON-lines file as soon as it is done: an interrupted
run goes on there, parts can be run one by one, and --no-run tells what there is.

    python benchmarks/labels.py --json results.json --data DIRECTORY --figure labels.svg
    python benchmarks/labels.py --json results.json --data DIRECTORY --labels 5000 20000 --trials 1 --methods tuned
"""

import argparse
import json
import logging
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmark_methods import METHODS
from label_report import draw_figure, print_table

from s2auc.common.storage.files import check_folder, write_file
from s2auc.experiments.datasets.load import available_datasets
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import Spec, make_spec
from s2auc.experiments.harness.store import Row, read_rows
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.results.summary import Summary
from s2auc.kernels.versions import package_versions

TABLES = "covtype", "codrna"
LABELS = 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000
METHOD_NAMES = "tuned", "boosting_tuned", "boosting", "catboost", "extra_trees", "random_forest"
N_UNLABELED, N_TEST = 50_000, 20_000


def main() -> None:
    """Run what is missing, write the rows, print the tables and draw the figure."""
    arguments = parse_arguments()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    rows_file = arguments.rows or arguments.json.with_suffix(".rows.jsonl")
    try:
        spec = choose_spec(arguments)
        for output in filter(None, (arguments.json, arguments.figure)):
            check_folder(output.parent)
        rows = finished(rows_file, spec) if arguments.no_run else run_spec(spec, rows_file, folder=arguments.data)
        write_file(arguments.json, json.dumps(rows, indent=1).encode())
        summary = Summary(rows)
        if arguments.figure:
            write_file(arguments.figure, draw_figure(summary, arguments.figure.suffix.removeprefix(".")))
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        sys.exit(str(error))
    for table in spec.datasets:
        print_table(summary, table)
    print()
    print(*(f"{method}: {METHODS[method].description}" for method in spec.methods), sep="\n")
    print(f"Seed {spec.seed}, {spec.threads} thread(s), {package_versions()}, {describe_machine()}")


def choose_spec(arguments: argparse.Namespace) -> Spec:
    """Return what the command line asks for, on tables and with methods that are there."""
    methods = list(arguments.methods or METHOD_NAMES)
    if not arguments.methods and find_spec("catboost") is None:
        logging.info("catboost is left out: it is not installed, pip install 's2auc[bench]' adds it.")
        methods.remove("catboost")
    available = available_datasets(arguments.data)
    tables = arguments.tables or [name for name in TABLES if name in available]
    if not tables:
        raise FileNotFoundError(
            f"The tables {' and '.join(TABLES)} must be in the data folder, but neither is; name the folder with "
            "--data, or other tables with --tables."
        )
    return make_spec(
        {
            "name": "labels",
            "datasets": tables,
            "methods": methods,
            "n_labeled": arguments.labels,
            "n_unlabeled": arguments.unlabeled,
            "n_test": N_TEST,
            "trials": arguments.trials,
            "seed": arguments.seed,
            "threads": arguments.threads,
            "time_limit_seconds": arguments.time_limit,
            "memory_limit": arguments.memory_limit,
            "plugins": ["benchmark_methods"],
        }
    )


def finished(rows_file: Path, spec: Spec) -> list[Row]:
    """Return the rows of the file that the specification asks for, whatever version of s2auc they came from."""
    asked = {
        "dataset": spec.datasets,
        "method": spec.methods,
        "n_labeled": spec.n_labeled,
        "max_unlabeled": spec.n_unlabeled,
        "trial": range(spec.trials),
    }
    rows = [row for row in read_rows(rows_file) if all(row[name] in values for name, values in asked.items())]
    if not rows:
        raise ValueError(
            f"The rows file {rows_file} must hold rows of what is asked for, but has none; leave out --no-run."
        )
    return rows


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="file for the rows, a JSON list")
    parser.add_argument("--data", metavar="DIR", help="folder with data files (default: S2AUC_DATA)")
    parser.add_argument("--tables", nargs="+", help="names of datasets (default: covtype and codrna, where there)")
    parser.add_argument("--labels", type=int, nargs="+", default=LABELS, help="numbers of labelled rows")
    parser.add_argument("--unlabeled", type=int, default=N_UNLABELED, help="most unlabelled rows (default: 50,000)")
    parser.add_argument("--methods", nargs="+", help=f"methods (default: {', '.join(METHOD_NAMES)})")
    parser.add_argument("--trials", type=int, default=3, help="number of trials (default: 3)")
    parser.add_argument("--threads", type=int, default=2, help="threads of every fit (default: 2)")
    parser.add_argument("--time-limit", type=float, default=7_200.0, help="seconds for a fit (default: 7,200)")
    parser.add_argument("--memory-limit", default="6 GB", help="memory of a process, its rows included (default: 6 GB)")
    parser.add_argument("--seed", type=int, default=0, help="seed (default: 0)")
    parser.add_argument("--rows", type=Path, help="JSON-lines file to go on from (default: beside the JSON file)")
    parser.add_argument("--figure", metavar="FILE", type=Path, help="AUC against labels, as .svg, .png or .pdf")
    parser.add_argument("--no-run", action="store_true", help="run nothing: tell what the rows file holds")
    return parser.parse_args()


if __name__ == "__main__":
    main()
