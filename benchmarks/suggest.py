"""How much faster the test AUC grows if a rule says which rows to label next, against random rows.

A start of 40 random labels is fitted with all defaults but judging and, for speed, 128 frequencies; each rule chooses
20 of the unlabelled rows, up to 5,000 of them, these get their labels, and the model is fitted again (also 100 labels
with 50 more). Half of the rows of a table, 10,000 at most, are test rows. All rules of a trial have the same start and
test rows; random rows are drawn twice, and rules are compared with the mean of both. Every fit is kept in a JSON-lines
file as soon as it is done: an interrupted run goes on there, and --no-run tells what there is.

    python benchmarks/suggest.py --json results.json --data DIRECTORY
    python benchmarks/suggest.py --json results.json --data DIRECTORY --tables held-back --rules top disputed
"""

import argparse
import json
import sys
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from suggest_report import draw_figure, print_report, results_text
from suggest_rules import RULES, Pool

from s2auc import S2AUCClassifierCV
from s2auc.common.storage.files import check_folder, write_file
from s2auc.common.threads import thread_limit
from s2auc.experiments.datasets.groups import HELD_BACK
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.harness.store import Row, RowStore, read_rows
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions
from s2auc.ranking.metrics import auc

GROUPS = {
    "chosen-on": (
        *("digits", "digits_eight", "breast_cancer"),
        *("codrna", "ijcnn1", "susy", "covtype", "higgs", "skin", "dota2"),
    ),
    "held-back": HELD_BACK,
}
SIZES = "40+20", "100+50"
MAX_POOL, MAX_TEST, N_FREQUENCIES, SEED = 5_000, 10_000, 128, 0


class Trial:
    """One draw of labelled, unlabelled and test rows of a table, and fits on them."""

    def __init__(self, table: str, folder: str | None, n_labeled: int, trial: int) -> None:
        data = load_dataset(table, folder=folder)
        self._seed, n_test = SEED + trial, min(MAX_TEST, len(data.y) // 2)
        split = semi_supervised_split(data.y, n_labeled=n_labeled, n_test=n_test, n_unlabeled=MAX_POOL, seed=self._seed)
        self._X, self._y = data.X.astype(np.float64), data.y
        self._labeled, self._pool, self._test = split.labeled, split.unlabeled, split.test
        self._model, self.start = self._fit(np.zeros(0, dtype=np.intp))

    def _fit(self, added: np.ndarray) -> tuple[S2AUCClassifierCV, dict[str, float]]:
        """Return what is fitted with the labels of some more rows, and what it is worth."""
        labeled = np.concatenate([self._labeled, self._pool[added]])
        unlabeled = np.delete(self._pool, added)
        started = perf_counter()
        ranker = S2AUCClassifierCV(judge=False, n_frequencies=N_FREQUENCIES, n_jobs=1, random_state=self._seed)
        ranker.fit(self._X[labeled], self._y[labeled], self._X[unlabeled])
        found = {
            "test_auc": auc(self._y[self._test], ranker.decision_function(self._X[self._test])),
            "n_positive": int(self._y[self._pool[added]].sum()),
            "seconds": perf_counter() - started,
        }
        return ranker, found

    def grown(self, rule: str, n_added: int) -> dict[str, float]:
        """Return what the model is worth with the labels of rows that a rule has chosen."""
        random = np.random.default_rng([self._seed, zlib.crc32(rule.encode())])
        pool = Pool(self._model.model_, self._X[self._pool], self._X[self._labeled], random)
        chosen = np.unique(RULES[rule](pool, n_added))
        return self._fit(chosen)[1] | {"n_chosen": len(chosen)}


def missing(arguments: argparse.Namespace, store: RowStore) -> Iterator[Row]:
    """Yield a row for every fit that is asked for and not there, as it is done."""
    tables = [name for asked in arguments.tables for name in GROUPS.get(asked, (asked,))]
    for trial in range(arguments.first, arguments.first + arguments.trials):
        for size in arguments.sizes:
            n_labeled, n_added = map(int, size.split("+"))
            for table in tables:
                known = {"dataset": table, "size": size, "trial": trial}
                cells = {rule: f"{table}/{size}/{trial}/{rule}" for rule in ("start", *arguments.rules)}
                if all(cell in store.rows for cell in cells.values()):
                    continue
                drawn = Trial(table, arguments.data, n_labeled, trial)
                for rule, cell in cells.items():
                    if cell not in store.rows:
                        found = drawn.start if rule == "start" else drawn.grown(rule, n_added)
                        yield {"cell": cell, **known, "rule": rule, **found}


def main() -> None:
    """Run what is missing, write the rows and print tables."""
    arguments = parse_arguments()
    rows_file = arguments.rows or arguments.json.with_suffix(".rows.jsonl")
    warnings.simplefilter("ignore", UserWarning)
    circumstances = {"seed": SEED, "threads": 1, "versions": package_versions(), "machine": describe_machine()}
    try:
        check_folder(arguments.json.parent)
        if not arguments.no_run:
            with RowStore(rows_file) as store, thread_limit(1):
                for row in missing(arguments, store):
                    store.add(row | circumstances)
        rows = read_rows(rows_file)
        write_file(arguments.json, json.dumps(rows, indent=1).encode())
        if arguments.results:
            write_file(arguments.results, results_text(rows).encode())
        if arguments.figure:
            write_file(arguments.figure, draw_figure(rows, GROUPS))
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    for name, tables in GROUPS.items():
        for size in SIZES:
            print_report(rows, name, tables, size)
    print(", ".join(f"{name} {value}" for name, value in circumstances.items()))


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="file for the rows, a JSON list")
    parser.add_argument("--data", metavar="DIR", help="folder with data files (default: S2AUC_DATA)")
    parser.add_argument("--tables", nargs="+", default=["chosen-on"], help="groups or names (default: chosen-on)")
    parser.add_argument("--rules", nargs="+", default=list(RULES), choices=RULES, help="rules (default: all)")
    parser.add_argument("--sizes", nargs="+", default=["40+20"], choices=SIZES, help="labels and labels to add")
    parser.add_argument("--trials", type=int, default=3, help="number of trials (default: 3)")
    parser.add_argument("--first", type=int, default=0, help="number of the first trial (default: 0)")
    parser.add_argument("--rows", type=Path, help="JSON-lines file to go on from (default: beside the JSON file)")
    parser.add_argument("--results", metavar="FILE", type=Path, help="also write a small table of results (.csv)")
    parser.add_argument("--figure", metavar="FILE", type=Path, help="also draw what the chosen rule gains (.png)")
    parser.add_argument("--no-run", action="store_true", help="run nothing: tell what the rows file holds")
    return parser.parse_args()


if __name__ == "__main__":
    main()
