"""Tables of many columns: AUC, seconds and memory beside tuned logistic regression. Nothing but seeds is needed.

Three parts:

- `text`: the tasks of benchmarks/text_tasks.py. 7,500 rows (fewer where there is not as much text) of 20,000 columns
  and about 100 stored values: 200 random labelled rows, both classes among them, at most 4,800 unlabelled ones and
  2,500 test rows apart from them.
- `dense`: 2,000 dense columns, 200 labelled, 2,800 unlabelled and 2,000 test rows.
- `memory`: the peak of a fit as rows and columns grow and stored values do not: it must not grow with rows x columns.
  One trial is enough.

All methods of a trial get the same rows, with the same threads. Every fit runs in a process of its own; its memory is
the peak while it fits minus what the process held before, with all modules and rows there. An interrupted run goes on
from the rows file beside the JSON file.

    python benchmarks/wide.py --json results.json
    python benchmarks/wide.py --json results.json --parts text --tasks topics rare --trials 1
    python benchmarks/wide.py --json results.json --quick
"""

import argparse
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from text_tasks import TEXT_TASKS, WideTable, rare
from wide_report import print_dense, print_memory, print_text
from wide_tables import DENSE, SHAPES, WideSpec, dense, write_table

from s2auc.common.storage.files import check_folder, write_file
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import make_spec
from s2auc.experiments.harness.store import Row
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.methods.table import METHODS
from s2auc.kernels.versions import package_versions

TEXT_METHODS = "tuned", "tuned_unjudged", "single", "logistic", "svd_logistic", "linear_svm"
DENSE_METHODS = "tuned_unjudged", "logistic"
MEMORY_METHODS = "tuned_unjudged", "logistic"
N_LABELED = 200


@dataclass(frozen=True)
class Sizes:
    """Sizes of all tables: (rows, columns) and test rows of each part, and the stored values of part `memory`."""

    text: tuple[int, int] = (7_500, 20_000)
    text_test: int = 2_500
    dense: tuple[int, int] = (5_000, 2_000)
    dense_test: int = 2_000
    shapes: tuple[tuple[int, int], ...] = ((2_500, 5_000), (5_000, 20_000), (10_000, 80_000), (20_000, 320_000))
    stored: int = 500_000
    shapes_test: int = 500


QUICK = Sizes((900, 600), 300, (800, 60), 300, ((500, 400), (1_000, 800)), 10_000, 100)


@dataclass(frozen=True)
class Part:
    """One part of the benchmark: its tables, by name, what runs on them how often at most, and how it is told."""

    tables: dict[str, Callable[[], WideTable]]
    methods: tuple[str, ...]
    n_test: int
    show: Callable[[list[Row], dict[str, WideTable]], None]
    most_trials: int = 1_000


def main() -> None:
    """Make the tables, run what is missing, write the rows and print what they say."""
    arguments = parse_arguments()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    parts = make_parts(QUICK if arguments.quick else Sizes(), arguments)
    rows: list[dict[str, Any]] = []
    try:
        check_folder(arguments.json.parent)
        for name in arguments.parts or parts:
            rows += run_part(name, parts[name], arguments)
            write_file(arguments.json, json.dumps(rows, indent=1).encode())
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        sys.exit(str(error))
    print(f"\nSeed {arguments.seed}, {arguments.threads} thread(s), {package_versions()}, {describe_machine()}")


def make_parts(sizes: Sizes, arguments: argparse.Namespace) -> dict[str, Part]:
    """Return all parts by their names."""
    seed = arguments.seed
    tasks = arguments.tasks or list(TEXT_TASKS)
    shapes = {
        name: partial(rare, *shape, seed, sizes.stored / shape[0])
        for name, shape in zip(SHAPES, sizes.shapes, strict=False)
    }
    return {
        "text": Part(
            {task: partial(TEXT_TASKS[task], *sizes.text, seed) for task in tasks},
            TEXT_METHODS,
            sizes.text_test,
            print_text,
        ),
        "dense": Part({DENSE: partial(dense, *sizes.dense, seed)}, DENSE_METHODS, sizes.dense_test, print_dense),
        "memory": Part(shapes, MEMORY_METHODS, sizes.shapes_test, print_memory, most_trials=1),
    }


def run_part(name: str, part: Part, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Run one part, print what came of it and return its rows."""
    folder = arguments.json.with_suffix(".tables")
    tables = {}
    for table_name, make in part.tables.items():
        tables[table_name] = make()
        write_table(folder, table_name, tables[table_name])
        logging.info("%s: %s", table_name, tables[table_name].describe())
    chosen = make_spec(
        {
            "name": f"wide_{name}",
            "datasets": list(part.tables),
            "methods": arguments.methods or part.methods,
            "n_labeled": N_LABELED,
            "n_unlabeled": "all",
            "n_test": part.n_test,
            "trials": min(arguments.trials, part.most_trials),
            "seed": arguments.seed,
            "threads": arguments.threads,
            "time_limit_seconds": arguments.time_limit,
            "memory_limit": arguments.memory_limit,
            "plugins": ["wide_tables", "benchmark_methods"],
        }
    )
    rows = run_spec(WideSpec(**asdict(chosen)), arguments.json.with_suffix(".rows.jsonl"), folder=str(folder))
    print(f"\n== {name} ==")
    print(*(f"{method}: {METHODS[method].description}" for method in chosen.methods), sep="\n")
    part.show(rows, tables)
    return [{**row, "stored_per_row": tables[row["dataset"]].stored_per_row} for row in rows]


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="file for the rows, a JSON list")
    parser.add_argument("--parts", nargs="+", choices=("text", "dense", "memory"), help="parts (default: all)")
    parser.add_argument("--tasks", nargs="+", choices=TEXT_TASKS, help="tasks of the part text (default: all)")
    parser.add_argument("--methods", nargs="+", help="methods (default: those of each part)")
    parser.add_argument("--trials", type=int, default=5, help="number of trials (default: 5)")
    parser.add_argument("--threads", type=int, default=2, help="threads of every fit (default: 2)")
    parser.add_argument("--time-limit", type=float, default=600.0, help="seconds for a fit (default: 600)")
    parser.add_argument("--memory-limit", default="5 GB", help="memory of a process, its rows included (default: 5 GB)")
    parser.add_argument("--seed", type=int, default=0, help="seed (default: 0)")
    parser.add_argument("--quick", action="store_true", help="small tables, to see that it runs")
    return parser.parse_args()


if __name__ == "__main__":
    main()
