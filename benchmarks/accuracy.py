"""How well and how fast s2auc ranks, against what users would try instead and against the systems of the literature.

Runs the specifications `accuracy` (the tuned classifier, by the number of labels), `alternatives` (what users would try
instead) and `systems` (the systems of the literature on AUC maximisation) on those of their datasets that are there:
bundled ones, and files of the data folder. It may be interrupted: started again, it goes on from the rows file. What
README and docs say of the rows, benchmarks/publish.py writes.

    pip install 's2auc[bench,libauc]'
    python benchmarks/accuracy.py --json results.json --data DIRECTORY
    python benchmarks/accuracy.py --json results.json --data DIRECTORY --specs accuracy alternatives    # without LibAUC
"""

import argparse
import json
import logging
import sys
from pathlib import Path

from s2auc.common.storage.files import check_folder, write_file
from s2auc.experiments.datasets.load import available_datasets
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import Spec, read_spec
from s2auc.experiments.harness.store import latest_rows
from s2auc.experiments.results.comparison import comparison_tables
from s2auc.experiments.results.report import text_report
from s2auc.experiments.results.summary import Summary

SPECS = ("accuracy", "alternatives", "systems")


def main() -> None:
    """Run the benchmark, write its rows and print the tables."""
    arguments = parse_arguments()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    rows_file = arguments.rows or arguments.json.with_suffix(".rows.jsonl")
    rows = []
    try:
        specs = choose_specs(arguments)
        check_folder(arguments.json.parent)
        for spec in specs:
            # What is missing, a file or a package, should be told before the first of them runs.
            spec.cells(arguments.data)
        for spec in specs:
            found = run_spec(spec, rows_file, folder=arguments.data, n_jobs=arguments.jobs)
            print(text_report(found, spec.reference, spec.protocol))
            print(*(table.as_text() + "\n\n" for table in comparison_tables(Summary(found), spec.reference)), sep="\n")
            rows += found
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        sys.exit(str(error))
    listed = [{**row, "n_labels": row["n_labeled"]} for row in latest_rows(rows)]
    write_file(arguments.json, json.dumps(listed, indent=1).encode())
    print(f"Seed {specs[0].seed}; rows in {rows_file}, also as a list in {arguments.json}")


def choose_specs(arguments: argparse.Namespace) -> list[Spec]:
    """Return the specifications with what the command line asks for, on datasets that are there."""
    specs = [read_spec(name) for name in arguments.specs or SPECS]
    known = {method for spec in specs for method in spec.methods}
    for method in arguments.methods or ():
        if method not in known:
            raise ValueError(
                f"The option --methods must name methods of the specifications ({', '.join(sorted(known))}). Got "
                f"{method!r} instead; python -m s2auc.experiments runs a specification of your own."
            )
    chosen = []
    for spec in specs:
        methods = [method for method in spec.methods if method in (arguments.methods or spec.methods)]
        datasets = arguments.datasets or datasets_there(spec, arguments.data)
        if not methods or not datasets:
            continue
        changes = {
            "datasets": datasets,
            "methods": methods,
            "n_labeled": arguments.labels,
            "trials": arguments.trials,
            "seed": arguments.seed,
            "reference": spec.reference if spec.reference in methods else methods[0],
        }
        chosen.append(read_spec(spec.name, changes))
    if not chosen:
        raise ValueError(
            "A dataset of the specifications must be there, but none is; name the folder of its files with --data."
        )
    return chosen


def datasets_there(spec: Spec, folder: str | None) -> list[str]:
    """Return the datasets of a specification that are there, in its order."""
    available = available_datasets(folder)
    return [name for name in spec.datasets if name in available]


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True, help="file for the rows, a JSON list")
    parser.add_argument("--specs", nargs="+", choices=SPECS, help="specifications (default: all)")
    parser.add_argument("--trials", type=int, help="number of trials (default: those of the specifications)")
    parser.add_argument("--labels", type=int, nargs="+", help="numbers of labelled rows (default: as specified)")
    parser.add_argument("--methods", nargs="+", help="methods of the specifications (default: all)")
    parser.add_argument("--datasets", nargs="+", help="datasets (default: those of the specifications that are there)")
    parser.add_argument("--data", help="folder with data files (default: S2AUC_DATA)")
    parser.add_argument("--seed", type=int, help="seed (default: 0)")
    parser.add_argument("--rows", type=Path, help="JSON-lines file to go on from (default: beside the JSON file)")
    parser.add_argument("--jobs", type=int, default=1, help="trials that run at the same time (default: 1)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
