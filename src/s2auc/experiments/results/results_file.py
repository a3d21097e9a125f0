"""Results in a small text file to be kept with the code: one line for each dataset, method and number of labels.

The file is comma-separated, after comment lines that say where results come from. The last column holds the AUC of
every trial in turn, or how it ended without one, so that whatever is said of the results can be computed from the file.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

import numpy as np

from s2auc.experiments.harness.cells import Status
from s2auc.experiments.harness.store import Row
from s2auc.experiments.results.summary import Summary, standard_error

_COLUMNS = (
    *("dataset", "method", "labels", "trials", "mean_auc", "standard_error"),
    *("mean_seconds", "mean_megabytes", "auc_by_trial"),
)
_COMMENT = "# "
_NOT_RUN = "-"


def results_text(rows: Iterable[Row], seed: int) -> str:
    """Return the text of a results file.

    Parameters
    ----------
    rows
        Rows of experiments; of several of one trial the last one counts.
    seed
        Seed of the experiments.
    """
    summary = Summary(rows)
    if not summary.rows:
        raise ValueError("A results file must have results to hold. Got no rows; run the experiment first.")
    text = StringIO()
    text.writelines(f"{_COMMENT}{line}\n" for line in _origin(summary.rows, seed))
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    by_line: dict[tuple[str, str, int], dict[int, Row]] = {}
    for row in summary.rows:
        by_line.setdefault((row["dataset"], row["method"], row["n_labeled"]), {})[row["trial"]] = row
    for key, trials in sorted(by_line.items()):
        done = [row for row in trials.values() if row["status"] == Status.OK]
        aucs = [row["test_auc"] for row in done]
        writer.writerow(
            [
                *key,
                len(done),
                f"{np.mean(aucs):.5f}" if done else _NOT_RUN,
                f"{standard_error(aucs):.5f}" if len(done) > 1 else _NOT_RUN,
                _mean(done, "fit_seconds", 1),
                _mean(done, "fit_memory_bytes", 1e-6),
                " ".join(_ending(trials.get(trial)) for trial in range(max(trials) + 1)),
            ]
        )
    return text.getvalue()


def results_of(text: str) -> list[Row]:
    """Return a row for every trial of a results file, with what `Summary` asks for; seconds and bytes are the means.

    Parameters
    ----------
    text
        The text of the file. Files that were written before memory was kept have no bytes.
    """
    lines = csv.DictReader(line for line in text.splitlines() if not line.startswith(_COMMENT))
    return [row for line in lines for row in _rows_of(line)]


def origin_of(text: str) -> list[str]:
    r"""Return the lines of a results file that say where results come from.

    Parameters
    ----------
    text
        The text of the file.

    Examples
    --------
    >>> origin_of("# seed: 0\n# threads: 1\ndataset,method\n")
    ['seed: 0', 'threads: 1']
    """
    return [line.removeprefix(_COMMENT) for line in text.splitlines() if line.startswith(_COMMENT)]


def _rows_of(line: dict[str, str]) -> Iterator[Row]:
    megabytes = line.get("mean_megabytes", _NOT_RUN)
    for trial, ending in enumerate(line["auc_by_trial"].split()):
        if ending == _NOT_RUN:
            continue
        is_ok = ending[0].isdigit()
        yield {
            "cell": f"{line['dataset']}/{line['method']}/{line['labels']}/{trial}",
            "dataset": line["dataset"],
            "method": line["method"],
            "n_labeled": int(line["labels"]),
            "max_unlabeled": None,
            "scaling": "none",
            "trial": trial,
            "status": Status.OK if is_ok else Status(ending),
            "test_auc": float(ending) if is_ok else None,
            "fit_seconds": float(line["mean_seconds"]) if is_ok else None,
            "fit_memory_bytes": None if megabytes == _NOT_RUN else float(megabytes) * 1e6,
        }


def _mean(rows: Sequence[Row], quantity: str, unit: float) -> str:
    """Return the mean over trials in three digits; what is not known of every trial has none."""
    values = [row[quantity] for row in rows if row.get(quantity) is not None]
    return f"{np.mean(values) * unit:.3g}" if values and len(values) == len(rows) else _NOT_RUN


def _ending(row: Row | None) -> str:
    if row is None:
        return _NOT_RUN
    return f"{row['test_auc']:.5f}" if row["status"] == Status.OK else str(row["status"])


def _origin(rows: Sequence[Row], seed: int) -> list[str]:
    """Return lines with seed, sizes, libraries and machines."""
    unlabeled = _distinct("all" if row["max_unlabeled"] is None else str(row["max_unlabeled"]) for row in rows)
    return [
        f"seed: {seed}; unlabelled rows at most: {unlabeled}; columns scaled: {_distinct(r['scaling'] for r in rows)}",
        f"libraries, with versions of results: {_distinct(row['library'] for row in rows)}",
        f"versions: {_distinct(f'{name} {v}' for row in rows for name, v in row['versions'].items())}",
        f"machine: {_distinct('{processor}, {cores} cores, {platform}'.format(**row['machine']) for row in rows)}",
        f"threads: {_distinct(str(row['threads']) for row in rows)}; "
        f"started: {min(row['started_at'] for row in rows)} to {max(row['started_at'] for row in rows)}",
    ]


def _distinct(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, texts)))
