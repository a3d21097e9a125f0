"""How well and how fast s2auc ranks, against what users would try instead.

Runs the specification `accuracy` on the datasets of the data folder or, where there is none of them, on bundled and
generated ones. It may be interrupted: started again, it goes on from the rows file.

    python benchmarks/accuracy.py --json results.json --trials 3 --data DIRECTORY
"""

import argparse
import json
import logging
import sys
from pathlib import Path

from s2auc.experiments.datasets import available_datasets
from s2auc.experiments.output import check_folder, write_file
from s2auc.experiments.report import text_report
from s2auc.experiments.runner import run_spec
from s2auc.experiments.spec import SPECS, Spec, read_spec

SPEC = SPECS / "accuracy.toml"
WITHOUT_FILES = ("digits", "breast_cancer", "moons", "rings", "blobs")


def main() -> None:
    """Run the benchmark, write its rows and print the tables."""
    arguments = parse_arguments()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        spec = choose_spec(arguments)
        check_folder(arguments.json.parent)
        rows_file = arguments.rows or arguments.json.with_suffix(".rows.jsonl")
        rows = run_spec(spec, rows_file, folder=arguments.data, n_jobs=arguments.jobs)
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        sys.exit(str(error))
    listed = [{**row, "n_labels": row["n_labeled"]} for row in rows]
    write_file(arguments.json, json.dumps(listed, indent=1).encode())
    print(text_report(rows, spec.reference, spec.protocol))
    print(f"Seed {spec.seed}; rows in {rows_file}, also as a list in {arguments.json}")


def choose_spec(arguments: argparse.Namespace) -> Spec:
    """Return the specification with what the command line asks for, on datasets that are there."""
    changes = {
        "datasets": arguments.datasets,
        "methods": arguments.methods,
        "n_labeled": arguments.labels,
        "trials": arguments.trials,
        "seed": arguments.seed,
    }
    if arguments.methods and "s2auc_cv" not in arguments.methods:
        changes["reference"] = arguments.methods[0]
    spec = read_spec(SPEC, changes)
    if arguments.datasets:
        return spec
    available = available_datasets(arguments.data)
    there = [name for name in spec.datasets if name in available]
    return read_spec(SPEC, {**changes, "datasets": there or WITHOUT_FILES})


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True, help="file for the rows, a JSON list")
    parser.add_argument("--trials", type=int, help="number of trials (default: 3)")
    parser.add_argument("--labels", type=int, nargs="+", help="numbers of labelled rows (default: 200 40)")
    parser.add_argument("--methods", nargs="+", help="methods (default: all of the specification)")
    parser.add_argument("--datasets", nargs="+", help="datasets (default: those of the specification that are there)")
    parser.add_argument("--data", help="folder with data files (default: S2AUC_DATA)")
    parser.add_argument("--seed", type=int, help="seed (default: 0)")
    parser.add_argument("--rows", type=Path, help="JSON-lines file to go on from (default: beside the JSON file)")
    parser.add_argument("--jobs", type=int, default=1, help="trials that run at the same time (default: 1)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
