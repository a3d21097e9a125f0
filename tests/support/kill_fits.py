"""Fits that are killed again and again: whatever the moments, in the end there is the model of a fit that was not.

As a tool, ``python tests/support/kill_fits.py 100 --seed 0`` makes that many kills at random moments of `s2auc fit`
with a small search; with ``--steps`` a single long fit is killed instead.
"""

import argparse
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from command_runs import small_command_of, surroundings, write_table
from harness_events import SAFETY_SECONDS

STEPS = """
import sys
import numpy as np
from s2auc import S2AUCClassifier
from s2auc.estimators import single_fit

single_fit.QUIET_SECONDS = 0.05
X = np.random.default_rng(0).normal(size=(2000, 5))
y = np.where(X[:, 0] + X[:, 1] ** 2 > 1, 1.0, 0.0)
y[40:] = np.nan
S2AUCClassifier(max_iter=3000, checkpoint=sys.argv[1], random_state=0).fit(X, y).save(sys.argv[2])
"""
"""A long fit by steps that keeps where it stands many times a second."""


@dataclass
class Fit:
    """A fit with a checkpoint, in a process of its own.

    Attributes
    ----------
    folder
        Where its files are.
    by_steps
        Whether it is a single fit by many steps, and not the search of `s2auc fit`.
    """

    folder: Path
    by_steps: bool = False

    def __post_init__(self):
        self.checkpoint, self.model, self.table = (self.folder / name for name in ("work", "model", "claims.csv"))
        if not self.by_steps:
            write_table(self.table)

    def start(self):
        """Return the process of the fit, or of the one that goes on from what is kept."""
        command = [sys.executable, "-c", STEPS, str(self.checkpoint), str(self.model)]
        if not self.by_steps:
            options = "--label", "fraud", "--id", "id", "--checkpoint", self.checkpoint, "-o", self.model, "--quiet"
            command = small_command_of("fit", self.table, *options)
        return subprocess.Popen(command, env=surroundings(TMPDIR=str(self.folder)))

    def items(self):
        """Return the names of what is kept so far."""
        return sorted(path.stem for path in self.checkpoint.glob("*/*.kept"))


@dataclass
class Tally:
    """How often a fit was started and killed, and how many items were kept at the moments of the kills."""

    n_runs: int = 0
    n_kills: int = 0
    n_items: Counter = field(default_factory=Counter)

    def run(self, fit, moment):
        """Start a fit and kill it when `moment(process)` returns; return whether it had ended by itself before."""
        self.n_runs += 1
        process = fit.start()
        try:
            moment(process)
        finally:
            has_ended = process.poll() is not None
            process.kill()
            process.wait()
        if not has_ended:
            self.n_kills += 1
            self.n_items[len(fit.items())] += 1
        elif process.returncode != 0:
            raise AssertionError(f"a fit that goes on ended with exit code {process.returncode}")
        return has_ended


def to_the_end(process):
    process.wait(SAFETY_SECONDS)


def after(seconds):
    """Return the moment so many seconds after the start, or that of the end if this is earlier."""

    def wait(process):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    return wait


def when(happened):
    """Return the moment when something has happened, or that of the end if this is earlier."""

    def wait(process):
        while process.poll() is None and not happened():
            time.sleep(0.02)

    return wait


def whole_run(folder, *, by_steps=False):
    """Return the bytes of the model of a fit that nobody kills, and how long it took."""
    folder.mkdir()
    fit, started = Fit(folder, by_steps), time.monotonic()
    assert Tally().run(fit, to_the_end)
    return fit.model.read_bytes(), time.monotonic() - started


def kill_at_random(folder, n_kills, seed, *, by_steps=False):
    """Return the tally of so many kills at random moments, and how many models differed from that of a whole run."""
    expected, seconds = whole_run(folder / "whole", by_steps=by_steps)
    rng, tally, n_models, n_different = np.random.default_rng(seed), Tally(), 0, 0
    while tally.n_kills < n_kills:
        (folder / str(n_models)).mkdir()
        fit = Fit(folder / str(n_models), by_steps)
        has_ended = False
        while not has_ended:
            is_last = tally.n_kills >= n_kills
            has_ended = tally.run(fit, to_the_end if is_last else after(rng.uniform(0.0, seconds)))
        n_models += 1
        n_different += fit.model.read_bytes() != expected
    return tally, n_models, n_different


def main():
    parser = argparse.ArgumentParser(description="Kill fits at random moments and compare the models they end with.")
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", action="store_true", help="kill a long single fit instead of a search")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        tally, n_models, n_different = kill_at_random(Path(folder), given.kills, given.seed, by_steps=given.steps)
    kept = ", ".join(f"{count} with {items}" for items, count in sorted(tally.n_items.items()))
    sys.stdout.write(
        f"{tally.n_kills} kills in {tally.n_runs} runs, by the items that were kept then: {kept}.\n"
        f"{n_models} models, {n_different} of them other than that of a run without kills.\n"
    )
    sys.exit(n_different > 0)


if __name__ == "__main__":
    main()
