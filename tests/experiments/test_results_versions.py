"""Stored results are keyed by versions that are raised by hand: golden scores tell when one must be.

To renew the golden scores after a version was raised::

    python tests/experiments/test_results_versions.py
"""

import json
from pathlib import Path

import numpy as np
import pytest

from s2auc.experiments.harness.cells import Cell, trial_seed
from s2auc.experiments.harness.trial_rows import load_trial_rows
from s2auc.experiments.methods.table import METHODS, load_plugins
from s2auc.experiments.reproduction.theorem import VERSION, Setting, follow_steps

GOLDEN = Path(__file__).parent / "golden_scores.json"
LIBRARIES = ("s2auc", "scikit-learn")
THEOREM = "theorem"

load_plugins(["s2auc.experiments.reproduction.paper_methods"])
NAMES = [name for name, method in METHODS.items() if method.library in LIBRARIES]


def make_rows():
    """Return 60 labelled, 120 unlabelled and 6 test rows of the moons."""
    return load_trial_rows(Cell("moons", "", 60, 120, 6, "minmax", 0, trial_seed(0, "moons", 0), {}), None)


def make_scores(name):
    """Return the scores of a method on the test rows, or the distances of the theorem's run."""
    rows = make_rows()
    if name == THEOREM:
        parts = rows.X_labeled.astype(np.float64), rows.y_labeled, rows.X_unlabeled.astype(np.float64)
        return follow_steps(*parts, Setting(), 60, 0).total
    method = METHODS[name]
    # Two values of a grid are enough: what a search does with them is what counts.
    parameters = {key: value[:2] if isinstance(value, list) else value for key, value in method.parameters.items()}
    learner = method.build(0, **parameters)
    learner.fit(rows.X_labeled, rows.y_labeled, rows.X_unlabeled)
    return learner.scores(rows.X_test).tolist()


def identity(name):
    return f"results {VERSION}" if name == THEOREM else METHODS[name].identity


@pytest.mark.parametrize("name", [*NAMES, THEOREM])
def test_results_change_with_their_version_only(name):
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    if golden["identity"] != identity(name):
        assert METHODS[name].library != "s2auc", f"Renew the golden scores of {name}: its version was raised."
        pytest.skip(f"golden scores are those of {golden['identity']}")
    np.testing.assert_allclose(
        make_scores(name), golden["scores"], rtol=2e-3, atol=1e-4, err_msg=f"Raise the version of {name}."
    )


if __name__ == "__main__":
    found = {name: {"identity": identity(name), "scores": make_scores(name)} for name in [*NAMES, THEOREM]}
    for entry in found.values():
        entry["scores"] = [float(f"{score:.6g}") for score in entry["scores"]]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in found.items())
    GOLDEN.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
