"""Fits that are stopped and started again, and what they leave in their folder."""

from contextlib import contextmanager

import numpy as np
import pandas as pd

from classifier_rows import fast
from s2auc import S2AUCClassifierCV
from s2auc.common.progress import listening
from s2auc.models.files.file import save_model
from searches import SMALL, moons

QUICK = SMALL | {"alphas": (1e-2,), "n_frequencies": 8, "cv": 2, "judge": False, "random_state": 0}
"""A search that is over in a moment: two scalings, without and with label-weighted columns."""

N_QUICK = 4
"""Its entries."""

ROWS, LABELS, TRUTH = moons(n_labeled=24, n_rows=200)


class StoppedError(Exception):
    """What ends a fit before its time."""


def quick(**changes):
    return S2AUCClassifierCV(**QUICK | changes)


@contextmanager
def stopping_at(stage, n_done):
    """Raise `StoppedError` once so much of a stage is done."""

    def listener(progress):
        if progress.stage == stage and progress.n_done == n_done:
            raise StoppedError

    with listening(listener):
        yield


def stop_fit(ranker, stage, n_done, *args, **kwargs):
    """Let a fit come so far; an error if it comes to its end."""
    try:
        with stopping_at(stage, n_done):
            ranker.fit(*args, **kwargs)
    except StoppedError:
        return
    raise AssertionError(f"the fit never came to {n_done} of {stage}")


def model_bytes(ranker, folder):
    """Return the bytes of the model file of a fitted ranker."""
    path = folder / "compared.model"
    save_model(ranker.model_, path)
    return path.read_bytes()


def subfolders(folder):
    return sorted(path for path in folder.iterdir() if path.is_dir())


def items(folder):
    """Return the bytes of all items below a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.rglob("*.kept")}


def damage(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def positive_only(y):
    return np.where(y == 1, 1, -1)


def single(**changes):
    """Return a classifier of one setting, which is fitted in a moment too."""
    return fast(**changes)


def write_table(path):
    """Write the rows with their labels, blank where there is none."""
    frame = pd.DataFrame(ROWS, columns=["a", "b"]).assign(label=np.where(LABELS == -1, np.nan, LABELS))
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        {".parquet": frame.to_parquet, ".feather": frame.to_feather}[path.suffix](path)
    return path
