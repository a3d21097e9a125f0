"""Memory does not grow with the pool of unlabelled rows."""

import os
import subprocess
import sys

import pytest

resource = pytest.importorskip("resource", reason="peak memory is read from the operating system")

N_POOL, N_LABELED, N_COLUMNS = 1_000_000, 200, 18
LIMIT_MEGABYTES = 300

PROGRAM = f"""
import resource, sys
import numpy as np
from s2auc import S2AUCClassifier

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6

rng = np.random.default_rng(0)
X = np.empty(({N_LABELED + N_POOL}, {N_COLUMNS}))
for first in range(0, len(X), 100_000):
    X[first : first + 100_000] = rng.random((len(X[first : first + 100_000]), {N_COLUMNS}))
truth = (X[:{N_LABELED}, 0] > 0.5).astype(int)
y = np.full(len(X), -1)
y[:{N_LABELED}] = truth
marked, separate = (X, y), (X[:{N_LABELED}], truth, X[{N_LABELED}:])
before = peak()
for rows, neighbor_weight in ((marked, 0), (separate, 0), (separate, 10)):
    model = S2AUCClassifier(random_state=0, neighbor_weight=neighbor_weight).fit(*rows)
    print(peak() - before, model.score(X[:{N_LABELED}], truth))
"""


def test_a_million_unlabelled_rows():
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        # Every thread holds tiles of its own: their number must not be what the other tests leave.
        env={**os.environ, "S2AUC_NUM_THREADS": "2", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    fits = [tuple(map(float, line.split())) for line in ended.stdout.splitlines()]
    assert len(fits) == 3
    for megabytes, area in fits:
        assert megabytes < LIMIT_MEGABYTES, f"fits took up to {megabytes:.0f} MB more"
        assert area > 0.95
