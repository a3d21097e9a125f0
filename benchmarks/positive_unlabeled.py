"""How good probabilities are where only positive rows are labelled, and how far estimates of the class prior are off.

30 or 150 random positive rows of a table, up to 6,000 other rows without their labels, up to 6,000 test rows. From the
same scores of held-out positive and of unlabelled rows, and with the true share of positive rows, come

- *Platt*: what `predict_proba` does, the Platt scaling that explains best which rows are positive and which unlabelled;
- *ratio*: prior times the ratio of the two densities, by isotonic regression, clipped to [0, 1].

Class priors are estimated from these scores, as `class_prior="estimate"` does, and from the columns.

    python benchmarks/positive_unlabeled.py --json results.json --data DIRECTORY
"""

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

from s2auc import S2AUCClassifierCV
from s2auc.common.storage.files import check_folder, write_file
from s2auc.estimators.fitting.decision import HeldOutScores
from s2auc.estimators.priors.class_prior import estimate_from_groups
from s2auc.experiments.datasets.load import available_datasets, load_dataset
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions
from s2auc.search.procedure import SearchResult

TABLES = "codrna", "covtype", "higgs", "susy", "ijcnn1", "satellite"
N_ROWS, SEED = 12_000, 5
LIMIT = 1e-3
"""Probabilities are kept this far from 0 and 1 in log losses: a ratio of densities has zeros."""


def fit_and_keep(ranker: S2AUCClassifierCV, *data: Any) -> HeldOutScores:
    """Fit a classifier, and return the scores that its probabilities come from."""
    kept: list[HeldOutScores] = []
    whole = HeldOutScores.of_search

    def keep(found: SearchResult) -> HeldOutScores:
        kept.append(whole(found))
        return kept[-1]

    with patch.object(HeldOutScores, "of_search", keep):
        ranker.fit(*data)
    return kept[-1]


def main() -> None:
    """Run all tables, write the rows and print the table."""
    arguments = parse_arguments()
    warnings.simplefilter("ignore")
    try:
        check_folder(arguments.json.parent)
        available = available_datasets(arguments.data)
        tables = arguments.tables or [name for name in TABLES if name in available]
        if not tables:
            sys.exit(f"None of the tables {', '.join(TABLES)} is in the data folder; name it with --data.")
        rows = [compare(name, n, arguments.data) for name in tables for n in arguments.positives]
        write_file(arguments.json, json.dumps(rows, indent=1).encode())
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    print(
        f"{'table':12} positives   AUC   log loss: Platt  ratio   Brier: Platt  ratio   prior   by scores  by columns"
    )
    for row in rows:
        print(
            f"{row['table']:12} {row['n_positive']:9} {row['auc']:.3f} {row['platt_log_loss']:17.3f} "
            f"{row['ratio_log_loss']:6.3f} {row['platt_brier']:14.3f} {row['ratio_brier']:6.3f} {row['prior']:7.3f} "
            f"{row['prior_by_scores']:11.3f} {row['prior_by_columns']:11.3f}"
        )
    for by in ("scores", "columns"):
        error = np.mean([abs(row[f"prior_by_{by}"] - row["prior"]) for row in rows])
        print(f"Priors by {by} are off by {error:.3f} on average.")
    print(f"Seed {SEED}, {package_versions()}, {describe_machine()}")


def compare(name: str, n_positive: int, folder: Path | None) -> dict[str, Any]:
    """Return what both ways make of one table."""
    table = load_dataset(name, folder=folder)
    numbers = np.random.default_rng(SEED).permutation(len(table.y))[:N_ROWS]
    X, truth = np.asarray(table.X[numbers], dtype=np.float64), table.y[numbers]
    half = len(truth) // 2
    y = np.full(half, -1)
    y[np.flatnonzero(truth[:half])[:n_positive]] = 1
    prior = float(truth[:half][y == -1].mean())
    ranker = S2AUCClassifierCV(pos_label=1, class_prior=prior, random_state=0, judge=False)
    held_out = fit_and_keep(ranker, X[:half], y)
    scores, tested = ranker.decision_function(X[half:]), truth[half:]
    ways = {
        "platt": ranker.predict_proba(X[half:])[:, 1],
        "ratio": density_ratio(held_out, prior, scores + ranker.offset_),
    }
    unlabeled = X[:half][y == -1]
    result = {"table": name, "n_positive": int((y == 1).sum()), "auc": ranker.score(X[half:], tested), "prior": prior}
    for way, probabilities in ways.items():
        result[f"{way}_log_loss"] = float(log_loss(tested, np.clip(probabilities, LIMIT, 1.0 - LIMIT)))
        result[f"{way}_brier"] = float(brier_score_loss(tested, probabilities))
    result["prior_by_scores"] = held_out.class_prior("estimate", seed=0)
    result["prior_by_columns"] = estimate_from_groups(X[:half][y == 1], X[:0], unlabeled, scaling="standard", seed=0)
    return result


def density_ratio(held_out: HeldOutScores, prior: float, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return prior times the monotone ratio of the densities of positive and of unlabelled scores, clipped."""
    positive, unlabeled = held_out.positive, held_out.unlabeled
    known = np.concatenate([positive, unlabeled])
    is_positive = np.arange(len(known)) < len(positive)
    share = IsotonicRegression(out_of_bounds="clip").fit(known, is_positive).predict(scores)
    with np.errstate(divide="ignore"):
        ratio = share / (1.0 - share) * (len(unlabeled) / len(positive))
    return np.clip(prior * ratio, 0.0, 1.0)


def parse_arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description="Probabilities and priors where only positive rows are labelled.")
    parser.add_argument("--json", type=Path, required=True, help="file to write the results to")
    parser.add_argument("--data", type=Path, help="folder with data files")
    parser.add_argument("--tables", nargs="+", help=f"tables, by default {' '.join(TABLES)}")
    parser.add_argument("--positives", nargs="+", type=int, default=[30, 150], help="numbers of labelled positive rows")
    return parser.parse_args()


if __name__ == "__main__":
    main()
