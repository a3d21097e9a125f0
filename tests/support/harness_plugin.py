"""Methods that misbehave, and a dataset that costs nothing: a plugin for the tests of the harness.

It imports nothing heavy, so that a process that runs one of these starts fast.
"""

import ctypes
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from s2auc.experiments.harness.trial_rows import LOADERS, TrialRows
from s2auc.experiments.memory import resident_bytes
from s2auc.experiments.methods.table import METHODS, Method


class Linear:
    """Difference of the class means, with a little noise from the seed: fast and right."""

    def __init__(self, seed, *, seconds=0.0):
        self.rng = np.random.default_rng(seed)
        self.seconds = seconds

    def fit(self, X_labeled, y_labeled, X_unlabeled):
        time.sleep(self.seconds)
        self.weights = X_labeled[y_labeled].mean(axis=0) - X_labeled[~y_labeled].mean(axis=0)
        self.weights = self.weights + 0.1 * self.rng.standard_normal(len(self.weights))

    def scores(self, X):
        return X @ self.weights


class Fake(Linear):
    """Does something of its own in `fit`."""

    def __init__(self, seed, *, deed):
        super().__init__(seed)
        self.deed = deed

    def fit(self, X_labeled, y_labeled, X_unlabeled):
        super().fit(X_labeled, y_labeled, X_unlabeled)
        DEEDS[self.deed](X_labeled, y_labeled, X_unlabeled)


class NotNumbers(Linear):
    def scores(self, X):
        return np.full(len(X), np.nan)


class WrongShape(Linear):
    def scores(self, X):
        return np.zeros((len(X), 2))


def allocate(*rows):
    kept = []
    while resident_bytes(os.getpid()) < 350e6:
        kept.append(np.ones(1_000_000))
    # More than its test allows, but no more than that: it does not matter when the harness comes to look.
    time.sleep(1_000)


def allocate_at_once(*rows):
    np.ones(10**15)


def reserve(*rows):
    # Address space, not memory: no limit may mind it.
    np.empty(10**9)


def stay_light(*rows):
    # A process takes longer to import these than to do all else.
    assert not {"pandas", "sklearn", "scipy.stats"} & set(sys.modules)


def hang(*rows):
    _tell_that_it_hangs()
    time.sleep(1_000)


def _tell_that_it_hangs():
    if "S2AUC_TEST_HANGS" in os.environ:
        Path(os.environ["S2AUC_TEST_HANGS"]).touch()


def hang_with_lock(*rows):
    _tell_that_it_hangs()
    # PyDLL keeps the interpreter's lock, so no other thread of the process runs meanwhile.
    ctypes.PyDLL(None).sleep(1_000)


def wait_for_gate(*rows):
    while not Path(os.environ["S2AUC_TEST_GATE"]).exists():
        time.sleep(0.01)


def segfault(*rows):
    os.kill(os.getpid(), signal.SIGSEGV)


def kill(*rows):
    os.kill(os.getpid(), signal.SIGKILL)


def fail(*rows):
    raise RuntimeError("no\nluck")


def leave(*rows):
    os._exit(3)


def leave_politely(*rows):
    sys.exit("bye")


def talk(*rows):
    for stream in (sys.stdout, sys.stderr):
        stream.write('{"event": "result", "status": "ok"}\n' * 20_000)
        stream.flush()
    subprocess.run(["echo", "{}"], check=True)
    assert sys.stdin.read() == ""


def leave_child(*rows):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    Path(os.environ["S2AUC_TEST_CHILD"]).write_text(str(child.pid))


def record(X_labeled, y_labeled, X_unlabeled):
    digests = [hashlib.sha256(row.tobytes()).hexdigest() for row in (*X_labeled, *X_unlabeled)]
    Path(os.environ["S2AUC_TEST_SEEN"]).write_text(json.dumps(digests))


DEEDS = {
    deed.__name__: deed
    for deed in (
        allocate,
        allocate_at_once,
        reserve,
        stay_light,
        hang,
        hang_with_lock,
        wait_for_gate,
        segfault,
        kill,
        fail,
        leave,
        leave_politely,
        talk,
        leave_child,
        record,
    )
}


def _four_columns(cell, folder):
    """Return a small problem without the library's datasets, whose import takes a second or two."""
    rng = np.random.default_rng(cell.seed)
    n_unlabeled = 50 if cell.max_unlabeled is None else cell.max_unlabeled
    sizes = cell.n_labeled, n_unlabeled, cell.max_test
    parts = [rng.standard_normal((size, 4)) for size in sizes]
    labels = [np.arange(size) % 2 == 0 for size in sizes]
    for part, label in zip(parts, labels, strict=True):
        part[label, 0] += 1.5
    return TrialRows(parts[0], labels[0], parts[1], parts[2], labels[2], "four columns, made up")


def _endless_rows(cell, folder):
    time.sleep(1_000)


LOADERS["four_columns"] = _four_columns
LOADERS["endless_rows"] = _endless_rows

for _name, _build, _parameters in (
    ("linear", Linear, {}),
    ("slow_linear", Linear, {"seconds": 0.2}),
    ("not_numbers", NotNumbers, {}),
    ("wrong_shape", WrongShape, {}),
    *((deed, Fake, {"deed": deed}) for deed in DEEDS),
):
    METHODS[_name] = Method(name=_name, description="of the tests", build=_build, parameters=_parameters)

METHODS["quadratic"] = Method(
    name="quadratic",
    description="of the tests",
    build=Linear,
    memory=lambda sizes: 37_000_000 * sizes.n_unlabeled**2,
)
