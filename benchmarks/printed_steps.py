"""Divergence of the paper's printed step sizes on its grid, by rows and frequencies per step.

200 labelled rows, up to 10,000 unlabelled ones, columns scaled to [0, 1] over the whole table, square loss, Gaussian
kernel, triplets of random rows, 200 steps of θ/t. The grid: alpha and kernel_gamma 2⁻³, 1 and 2³, labelled weights 0
and 1/2, on three tables: 54 points. Another alpha is below the paper's range.

    python benchmarks/printed_steps.py --data DIRECTORY
"""

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from s2auc import QSG, S2AUCClassifier
from s2auc.common.storage.files import write_file
from s2auc.data.features.scaling import SCALINGS
from s2auc.experiments.datasets.load import available_datasets, load_dataset
from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions
from s2auc.solvers.qsg.panels import SCORE_LIMIT

TABLES = "codrna", "susy", "covtype"
EDGES = 0.125, 1.0, 8.0
LABELED_WEIGHTS = 0.0, 0.5
BELOW = (0.01,)
SIZES = 1, 16, 64
SCALES = 1.0, 1.5, 2.0
N_LABELED, N_UNLABELED, N_TEST, SEED = 200, 10_000, 5_000, 0


def load(name: str, folder: str | None) -> tuple[np.ndarray, ...]:
    """Return labelled rows, their labels, unlabelled rows, test rows and their labels."""
    data = load_dataset(name, folder=folder)
    X = np.asarray(data.X, dtype=np.float64)
    split = semi_supervised_split(data.y, n_labeled=N_LABELED, n_test=N_TEST, n_unlabeled=N_UNLABELED, seed=SEED)
    X = SCALINGS["minmax"](X).apply(X)
    return X[split.labeled], data.y[split.labeled], X[split.unlabeled], X[split.test], data.y[split.test]


def run(name: str, folder: str | None, alphas: tuple[float, ...]) -> Iterator[dict[str, Any]]:
    """Yield every fit of one table: its setting, and the largest score or the AUC at its end."""
    X, y, pool, X_test, y_test = load(name, folder)
    for size, scale, alpha, gamma, weight in product(SIZES, SCALES, alphas, EDGES, LABELED_WEIGHTS):
        solver = QSG(schedule="printed", pairing="triplet", average=False, step_scale=scale)
        settings = {"alpha": alpha, "kernel_gamma": gamma, "labeled_weight": weight}
        ranker = S2AUCClassifier(
            solver=solver, n_frequencies=size, batch_size=size, scaling="none", random_state=SEED, **settings
        )
        found = {"table": name, "per_step": size, "step_scale": scale, **settings}
        try:
            ranker.fit(X, y, pool)
        except RuntimeError:
            yield {**found, "diverged": True}
            continue
        scores = ranker.decision_function(X_test) + ranker.offset_
        yield {**found, "diverged": False, "largest": float(np.abs(scores).max()), "auc": ranker.score(X_test, y_test)}


def main() -> None:
    """Run what the command line asks for, and print a line per number of rows and frequencies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = [
        row
        for name in TABLES
        if name in available_datasets(arguments.data)
        for alphas in (EDGES, BELOW)
        for row in run(name, arguments.data, alphas)
    ]
    print(f"diverged: |f| above {SCORE_LIMIT:g} during a run; machine {describe_machine()}; {package_versions()}")
    for size, scale, is_below in product(SIZES, SCALES, (False, True)):
        rows = [
            row
            for row in found
            if (row["per_step"], row["step_scale"], row["alpha"] in BELOW) == (size, scale, is_below)
        ]
        ended = [row for row in rows if row["diverged"]]
        largest = max((row["largest"] for row in rows if not row["diverged"]), default=float("nan"))
        where = "below the grid" if is_below else "in the grid"
        print(
            f"{size} rows and frequencies, step_scale {scale:g}, {where}: {len(ended)} of {len(rows)} diverged "
            f"(alphas {sorted({row['alpha'] for row in ended})}), largest |f| of the others {largest:.3g}"
        )
    if arguments.json:
        write_file(arguments.json, json.dumps(found, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
