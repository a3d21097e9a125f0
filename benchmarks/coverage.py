"""The stated AUC against the true one, however labels were chosen: errors, and how often the interval covers.

A trial draws 40 % of the rows of a table as test rows, 20,000 at most, and 40,000 others, of which some are labelled:

- `random`: a random sample.
- `top`: a random sample is fitted, the rows that score highest are labelled, too, and the fit is repeated; twice.
- `uncertain`: the same with the rows whose scores are closest to the threshold.
- `grouped`: random groups of similar rows are labelled whole, and passed as `groups`; for arrays of numbers only.

Fits have all defaults but the threshold, ("precision", 0.5) on held-out rows; with --quick only one scaling and no
neighbours. Every fit is kept in a JSON-lines file as soon as it is done: an interrupted run goes on there, and --no-run
tells what there is. --labels 150 --step 50 --schemes top is the work of someone who checks the top of the list.

    python benchmarks/coverage.py --rows coverage.jsonl --data DIRECTORY --tables bank adult --schemes top
    python benchmarks/coverage.py --rows coverage.jsonl --no-run --results coverage.csv
"""

import argparse
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from coverage_report import print_report, results_text
from coverage_tables import TABLE_FILES, Rows, load_rows

from s2auc import S2AUCClassifierCV
from s2auc.common.storage.files import write_file
from s2auc.common.threads import thread_limit
from s2auc.experiments.harness.store import Row, RowStore, read_rows
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions
from s2auc.ranking.metrics import auc

SCHEMES = "random", "top", "uncertain", "grouped"
ROUNDS = {"random": 1, "top": 3, "uncertain": 3, "grouped": 1}
"""Fits of a trial."""

TEST_SHARE, MAX_TEST, MAX_POOL = 0.4, 20_000, 40_000
MIN_OF_CLASS = 5
"""Labels are drawn until each class has so many."""

N_GROUPS, MAX_OF_GROUP = 500, 5
ASKED_PRECISION = 0.5
QUICK = {"scalings": ["standard"], "kernels": ["gaussian"], "column_weightings": ["none"], "neighbor_weights": [0.0]}


class Trial:
    """One draw of test rows and of labels of a table, and fits on them.

    Parameters
    ----------
    rows
        The table.
    scheme, n_labeled, step
        How labels are chosen, how many at first, and how many more in each round.
    seed
        Seed of all draws.
    options
        Parameters of the classifier.
    """

    def __init__(self, rows: Rows, scheme: str, n_labeled: int, step: int, seed: int, options: dict[str, Any]) -> None:
        random = np.random.default_rng(seed)
        order, n_test = random.permutation(len(rows.is_positive)), int(TEST_SHARE * len(rows.is_positive))
        test, pool = order[:n_test][:MAX_TEST], order[n_test:][:MAX_POOL]
        self._test_X, self._test_y = rows.take(test), rows.is_positive[test]
        self._X, self._truth = rows.take(pool), rows.is_positive[pool].astype(int)
        self._scheme, self._step, self._seed, self._options = scheme, step, seed, options
        self._groups = similar_rows(self._X, random) if scheme == "grouped" else None
        first = np.arange(n_labeled) if self._groups is None else whole_groups(self._groups, n_labeled, random)
        self._y = np.full(len(pool), -1)
        self._y[first] = self._truth[first]
        for row in range(n_labeled, len(pool)):
            if min(np.sum(self._y == 0), np.sum(self._y == 1)) >= MIN_OF_CLASS:
                break
            self._y[row] = self._truth[row]

    def rounds(self) -> Iterator[Row]:
        """Yield what each fit states and what is true, labelling more rows between fits."""
        for number in range(ROUNDS[self._scheme]):
            ranker, found = self._fit()
            yield found | {"round": number}
            closeness = ranker.decision_function(self._X) * (1.0 if self._scheme == "top" else -1.0)
            if self._scheme == "uncertain":
                closeness = -np.abs(closeness)
            chosen = np.argsort(np.where(self._y < 0, -closeness, np.inf), kind="stable")[: self._step]
            self._y[chosen] = self._truth[chosen]

    def _fit(self) -> tuple[S2AUCClassifierCV, Row]:
        started = process_time()
        ranker = S2AUCClassifierCV(
            threshold=("precision", ASKED_PRECISION), n_jobs=1, random_state=self._seed, **self._options
        )
        ranker.fit(self._X, self._y, groups=self._groups)
        seconds = process_time() - started
        scores = ranker.decision_function(self._test_X)
        stated, sampling = ranker.held_out_auc_, ranker.label_sampling_
        unweighted, is_above = sampling.unweighted_auc or stated, scores > 0
        return ranker, {
            "n_labeled": int(np.sum(self._y >= 0)),
            "n_positive": int(np.sum(self._y == 1)),
            "sampling": str(sampling.answer),
            "stated": None if stated is None else stated.value,
            "low": None if stated is None else stated.low,
            "high": None if stated is None else stated.high,
            "unweighted": None if unweighted is None else unweighted.value,
            "true": auc(self._test_y, scores),
            "precision": float(self._test_y[is_above].mean()) if is_above.any() else None,
            "prevalence": float(self._test_y.mean()),
            "seconds": seconds,
        }


def similar_rows(X: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return the number of the nearest of some rows, for every row of an array."""
    scaled = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)
    centers = scaled[random.choice(len(X), min(N_GROUPS, len(X) // 5), replace=False)]
    distances = np.sum(centers**2, axis=1) - 2.0 * scaled @ centers.T
    nearest: np.ndarray = np.argmin(distances, axis=1)
    return nearest


def whole_groups(groups: np.ndarray, n_labeled: int, random: np.random.Generator) -> np.ndarray:
    """Return rows of random groups, a few of each, until there are enough."""
    chosen: list[int] = []
    for group in random.permutation(np.unique(groups)):
        if len(chosen) >= n_labeled:
            break
        chosen += np.flatnonzero(groups == group)[:MAX_OF_GROUP].tolist()
    return np.array(chosen)


def missing(arguments: argparse.Namespace, store: RowStore) -> Iterator[Row]:
    """Yield a row for every fit that is asked for and not there, as it is done."""
    for trial in range(arguments.first, arguments.first + arguments.trials):
        for table in arguments.tables:
            rows = None
            for scheme in arguments.schemes:
                for n_labeled in arguments.labels:
                    known = {"table": table, "scheme": scheme, "labels": n_labeled, "quick": arguments.quick}
                    cell = "/".join(map(str, (*known.values(), trial)))
                    last = ROUNDS[scheme] - 1
                    if f"{cell}/{last}" in store.rows or (scheme == "grouped" and table in TABLE_FILES):
                        continue
                    rows = rows or load_rows(table, arguments.data)
                    options = QUICK if arguments.quick else {}
                    for found in Trial(rows, scheme, n_labeled, arguments.step, trial, options).rounds():
                        yield {"cell": f"{cell}/{found['round']}", **known, "trial": trial, **found}


def main() -> None:
    """Run what is missing, and print tables."""
    arguments = parse_arguments()
    warnings.simplefilter("ignore", UserWarning)
    circumstances = {"threads": 1, "versions": package_versions(), "machine": describe_machine()}
    try:
        if not arguments.no_run:
            with RowStore(arguments.rows) as store, thread_limit(1):
                for row in missing(arguments, store):
                    store.add(row | circumstances)
        rows = read_rows(arguments.rows)
        if arguments.results:
            write_file(arguments.results, results_text(rows).encode())
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    print_report(rows)
    print(", ".join(f"{name} {value}" for name, value in circumstances.items()))


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", metavar="FILE", type=Path, required=True, help="JSON-lines file to go on from")
    parser.add_argument("--data", metavar="DIR", type=Path, default=Path("."), help="folder with the tables")
    parser.add_argument("--tables", nargs="+", default=["bank", "loans", "adult", "telco", "hotel"], help="names")
    parser.add_argument("--schemes", nargs="+", default=["top"], choices=SCHEMES, help="schemes (default: top)")
    parser.add_argument("--labels", nargs="+", type=int, default=[150], help="labels at first (default: 150)")
    parser.add_argument("--step", type=int, default=50, help="labels to add in each round (default: 50)")
    parser.add_argument("--trials", type=int, default=10, help="number of trials (default: 10)")
    parser.add_argument("--first", type=int, default=0, help="number of the first trial, which is its seed")
    parser.add_argument("--quick", action="store_true", help="try fewer settings")
    parser.add_argument("--results", metavar="FILE", type=Path, help="also write a table of results (.csv)")
    parser.add_argument("--no-run", action="store_true", help="run nothing: tell what the rows file holds")
    return parser.parse_args()


if __name__ == "__main__":
    main()
