"""Growth of time, memory and AUC with the unlabelled rows: S2AUCClassifier, its closed form, and its baselines.

200 labelled rows, 1,000 to 1,000,000 unlabelled ones (as many as a table has), one Gaussian kernel for all methods that
have one. For every table the settings are tuned once, on the labelled rows and 1,000 unlabelled ones:

- kernel width, labelled weight and alpha by SAMULTClassifierCV; SAMULT and the closed form on random features, whose
  objective is the same, take all three, the others the width;
- alpha and the number of steps of the stochastic solver by the AUC of held-out labelled rows: the fewest steps, then
  the largest alpha, within 0.002 of the best;
- η and alpha of PNU-AUC as its authors do, by PNUAUCClassifierCV;
- DSG, FOAM and NOAM take the width; all else of them, SSRankBoost, OptAG, SOLAM and FSAUC run with their defaults. To
  DSG and to SOLAM, FSAUC, FOAM and NOAM unlabelled rows only tell how to scale columns and how wide a kernel is.

Every fit runs in a process of its own with the threads and within the limits given. A method that would need more
memory is skipped and the row says why.

    python benchmarks/baselines.py --json results.json --data DIRECTORY
    python benchmarks/baselines.py --json results.json --quick
"""

import argparse
import json
import logging
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from s2auc import LabeledKFold, PNUAUCClassifierCV, S2AUCClassifier, SAMULTClassifierCV
from s2auc.common.storage.files import check_folder, write_file
from s2auc.experiments.datasets.load import available_datasets
from s2auc.experiments.datasets.table import DATASETS
from s2auc.experiments.harness.cells import Status
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import Spec, make_spec
from s2auc.experiments.harness.trial_rows import TrialRows, load_trial_rows
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.methods.table import METHODS
from s2auc.kernels.versions import package_versions

TABLES = "codrna", "covtype", "unclonable"
WITHOUT_FILES = ("moons",)
SIZES = 1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000
QUICK_SIZES = 1_000, 3_000
N_LABELED, N_TUNING, N_TEST = 200, 1_000, 10_000
COMPARED = (
    *("qsg", "exact", "samult", "samult_centers", "pnu_auc", "pnu_auc_all"),
    *("dsg", "ssrankboost", "optag", "solam", "fsauc", "foam", "noam"),
)
ALPHAS = 1e-4, 1e-3, 1e-2, 1e-1, 1.0
STEPS = 25, 50, 100, 200
CLOSE = 0.005
"""AUCs are as good as the best if they are within this of it."""


def main() -> None:
    """Tune, run, write the rows and print the table."""
    arguments = parse_arguments()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    available = available_datasets(arguments.data)
    names = arguments.datasets or [name for name in TABLES if name in available]
    if arguments.quick and not arguments.datasets:
        names = list(WITHOUT_FILES)
    rows: list[dict[str, Any]] = []
    try:
        check_folder(arguments.json.parent)
        for name in names:
            rows += measure(name, arguments)
            write_file(arguments.json, json.dumps(rows, indent=1).encode())
    except KeyboardInterrupt:
        sys.exit("Stopped; start the same command again to go on.")
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    for name in names:
        print_table([row for row in rows if row["dataset"] == name])
    print(f"Seed {arguments.seed}, {arguments.threads} thread(s), {package_versions()}, {describe_machine()}")


def measure(name: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rows of one table."""
    entry = DATASETS[name]
    most = SIZES[-1] if entry.kind == "generated" else entry.n_rows - N_LABELED - N_TEST
    sizes = [size for size in (QUICK_SIZES if arguments.quick else SIZES) if size <= most]
    if not arguments.quick and most < SIZES[-1]:
        sizes.append(most)
    tuning = make_spec(values(name, [N_TUNING], arguments))
    settings = tune(load_trial_rows(tuning.cells(arguments.data)[0], arguments.data), arguments.seed)
    for method, chosen in settings.items():
        logging.info("%s, %s: %s", name, method, chosen)
        METHODS[method] = replace(METHODS[method], parameters={**METHODS[method].parameters, **chosen})
    spec: Spec = make_spec(values(name, sizes, arguments))
    results = run_spec(spec, arguments.json.with_suffix(".rows.jsonl"), folder=arguments.data)
    return [as_row(result) for result in results]


def values(name: str, sizes: list[int], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the specification of one table's runs."""
    return {
        "name": "baselines",
        "datasets": [name],
        "methods": list(COMPARED),
        "n_labeled": [N_LABELED],
        "n_unlabeled": sizes,
        "n_test": N_TEST,
        "trials": arguments.trials,
        "seed": arguments.seed,
        "threads": arguments.threads,
        "time_limit_seconds": arguments.time_limit,
        "memory_limit": arguments.memory_limit,
    }


def tune(problem: TrialRows, seed: int) -> dict[str, dict[str, Any]]:
    """Return the settings of every method."""
    rows = problem.X_labeled, problem.y_labeled, problem.X_unlabeled
    samult = SAMULTClassifierCV(alphas=ALPHAS, random_state=seed).fit(*rows).best_params_
    width = {"kernel_gamma": samult["kernel_gamma"]}
    pnu = PNUAUCClassifierCV(kernel_gammas=[samult["kernel_gamma"]], random_state=seed).fit(*rows).best_params_
    qsg = tune_steps(problem, {**width, "labeled_weight": samult["labeled_weight"]}, seed)
    return {
        "qsg": qsg,
        "exact": samult,
        "samult": samult,
        "samult_centers": samult,
        "pnu_auc": pnu,
        "pnu_auc_all": pnu,
        **dict.fromkeys(("dsg", "foam", "noam"), width),
    }


def tune_steps(problem: TrialRows, fixed: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return alpha and number of steps of the stochastic solver with good held-out AUC."""
    X, y = problem.X_labeled, problem.y_labeled
    folds = list(LabeledKFold(5, shuffle=True, unlabeled=None, random_state=seed).split(X, y))
    found = []
    for steps in STEPS:
        for alpha in ALPHAS:
            setting = {**fixed, "alpha": alpha, "max_iter": steps}
            model = S2AUCClassifier(**setting, unlabeled=None, random_state=seed)
            areas = [model.fit(X[a], y[a], problem.X_unlabeled).score(X[b], y[b]) for a, b in folds]
            found.append((mean(areas), -steps, alpha, setting))
    best = max(found, key=lambda entry: entry[0])[0]
    return max((entry for entry in found if entry[0] >= best - 0.002), key=lambda entry: entry[1:3])[3]


def as_row(result: dict[str, Any]) -> dict[str, Any]:
    """Return one row of the benchmark."""
    is_ok = result["status"] == Status.OK
    return {
        "dataset": result["dataset"],
        "method": result["method"],
        "n_labeled": result["n_labeled"],
        "n_unlabeled": result["n_unlabeled"] or result["max_unlabeled"],
        "fit_seconds": result["fit_seconds"] if is_ok else None,
        "score_seconds": result["score_seconds"] if is_ok else None,
        "peak_megabytes": result["peak_memory_bytes"] / 1e6 if is_ok else None,
        "fit_megabytes": result["fit_memory_bytes"] / 1e6 if is_ok else None,
        "test_auc": result["test_auc"],
        "skipped_reason": "" if is_ok else f"{result['status']}: {result['reason']}",
        "note": result["note"],
        **{name: result[name] for name in ("parameters", "trial", "seed", "threads", "versions", "machine", "source")},
    }


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print one table: a line for every size and method, means over trials, and what follows from them."""
    print(f"\n{rows[0]['source']}")
    print(f"{'unlabelled':>12}{'method':>16}{'seconds':>10}{'MB':>8}{'of fit':>8}{'AUC':>9}")
    for size in sorted({row["n_unlabeled"] for row in rows}):
        of_size = {method: averaged(rows, size, method) for method in COMPARED}
        for method, row in of_size.items():
            numbers = row["skipped_reason"]
            if not numbers:
                numbers = f"{row['fit_seconds']:10.3f}{row['peak_megabytes']:8.0f}{row['fit_megabytes']:8.0f}"
                numbers += f"{row['test_auc']:9.4f}"
            print(f"{size:12,}{method:>16}{numbers}" if numbers[0] == " " else f"{size:12,}{method:>16}  {numbers}")
        print(f"{'':12}{verdict(of_size)}")


def averaged(rows: Iterable[dict[str, Any]], size: int, method: str) -> dict[str, Any]:
    """Return the means over the trials of one method at one size, or the first reason why there are none."""
    found = [row for row in rows if row["n_unlabeled"] == size and row["method"] == method]
    names = "fit_seconds", "peak_megabytes", "fit_megabytes", "test_auc"
    done = [row for row in found if not row["skipped_reason"]]
    if not done:
        return {"skipped_reason": found[0]["skipped_reason"]}
    return {"skipped_reason": "", **{name: mean(row[name] for row in done) for name in names}}


def verdict(of_size: dict[str, dict[str, Any]]) -> str:
    """Return which method was fastest among the good ones, and how the stochastic solver compares with SAMULT."""
    done = {method: row for method, row in of_size.items() if not row["skipped_reason"]}
    if not done:
        return "no method ran"
    best = max(row["test_auc"] for row in done.values())
    good = [method for method, row in done.items() if row["test_auc"] >= best - CLOSE]
    words = f"fastest within {CLOSE} of the best AUC: {min(good, key=lambda method: done[method]['fit_seconds'])}"
    if "qsg" in done and "samult" in done:
        ratio = done["samult"]["fit_seconds"] / done["qsg"]["fit_seconds"]
        gain = done["qsg"]["test_auc"] - done["samult"]["test_auc"]
        words += f"; qsg is {ratio:.1f} times as fast as samult, its AUC {gain:+.4f}"
    return words


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True, help="file for the rows, a JSON list")
    parser.add_argument("--data", help="folder with data files (default: S2AUC_DATA)")
    parser.add_argument("--datasets", nargs="+", help="datasets (default: cod-rna, covtype and the PUF, where there)")
    parser.add_argument("--quick", action="store_true", help="one generated table, at most 3,000 unlabelled rows")
    parser.add_argument("--trials", type=int, default=1, help="number of trials (default: 1)")
    parser.add_argument("--threads", type=int, default=1, help="threads of every fit (default: 1)")
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds for a fit (default: 300)")
    parser.add_argument("--memory-limit", default="7 GB", help="memory of a process, its rows included (default: 7 GB)")
    parser.add_argument("--seed", type=int, default=0, help="seed (default: 0)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
