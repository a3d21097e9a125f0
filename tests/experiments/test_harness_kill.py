"""The harness killed at random moments: no row is lost or doubled, and no process is left."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from harness_events import SAFETY_SECONDS, wait_until
from harness_rows import lasting
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import make_spec
from s2auc.experiments.harness.store import read_rows

SPEC = """
datasets = "four_columns"
methods = ["linear", "fail", "leave_child", "wait_for_gate"]
n_labeled = 20
n_unlabeled = 30
n_test = 100
plugins = "harness_plugin"
time_limit_seconds = 3_600
"""
MARK = "S2AUC_TEST_MARK"

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at /proc")


def start(folder, name, spec=SPEC, *more):
    """Start a run whose processes carry a mark in their environment."""
    (folder / "spec.toml").write_text(spec)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "s2auc.experiments", "spec.toml", "--rows", name, *more]
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE)


def marked(folder):
    """Return the processes of a run that are alive."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            is_ours = f"{MARK}={folder}\0".encode() in (process / "environ").read_bytes()
            if is_ours and (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append(process.name)
        except OSError:
            continue
    return found


@pytest.fixture(autouse=True)
def _surroundings(tmp_path, monkeypatch):
    """What methods write to, the mark of all processes; and a test that fails must not leave any behind."""
    for word in ("child", "hangs", "gate"):
        monkeypatch.setenv(f"S2AUC_TEST_{word.upper()}", str(tmp_path / word))
    monkeypatch.setenv(MARK, str(tmp_path))
    yield
    for number in marked(tmp_path):
        os.kill(int(number), signal.SIGKILL)


def run_to_the_end(rows):
    """Run all that is left, from the process of the tests: its start takes longer than all cells do."""
    run_spec(make_spec({"name": "spec", **tomllib.loads(SPEC)}), rows, n_jobs=2)


def test_killed_at_random_moments_and_started_again(tmp_path):
    gate = tmp_path / "gate"
    gate.touch()
    run_to_the_end(tmp_path / "whole.jsonl")
    # With the gate closed no run comes to an end by itself, however late it is killed.
    gate.unlink()
    rng = random.Random(0)
    rows = tmp_path / "rows.jsonl"
    sizes = [0]
    for _ in range(2):
        with start(tmp_path, rows.name, SPEC, "--jobs", str(rng.choice([1, 2]))) as run:
            # The first line of the log comes when the file is open and trials are about to start.
            run.stderr.readline()
            # However busy the machine, every other run is killed only after it has written something.
            if len(sizes) % 2 == 0:
                wait_until(lambda: rows.stat().st_size > sizes[-1])
            # Anywhere in what comes next: nothing below depends on how far the run gets meanwhile.
            time.sleep(rng.uniform(0.0, 0.5))
            run.send_signal(signal.SIGKILL)
        assert run.returncode == -signal.SIGKILL
        wait_until(lambda: not marked(tmp_path))
        sizes.append(rows.stat().st_size)
    assert sizes == sorted(sizes)
    gate.touch()
    run_to_the_end(rows)
    whole, final = (sorted(read_rows(tmp_path / name), key=lambda row: row["cell"]) for name in ("whole.jsonl", rows))
    assert lasting(final) == lasting(whole)
    # Cells that failed are tried again by design, all others have one row in the file.
    written = [json.loads(line) for line in rows.read_text().splitlines()]
    succeeded = [row["cell"] for row in written if row["status"] == "ok"]
    assert len(succeeded) == len(set(succeeded)) == 3
    assert not marked(tmp_path)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_harness(tmp_path, end):
    spec = SPEC.replace('"linear", "fail", "leave_child", "wait_for_gate"', '"linear", "hang_with_lock"')
    run = start(tmp_path, "rows.jsonl", spec)
    wait_until((tmp_path / "hangs").exists)
    # The harness, the worker that hangs and its watcher.
    assert len(marked(tmp_path)) == 3
    run.send_signal(end)
    run.communicate(timeout=SAFETY_SECONDS)
    assert run.returncode == (130 if end == signal.SIGINT else -end)
    wait_until(lambda: not marked(tmp_path))
    assert [row["method"] for row in read_rows(tmp_path / "rows.jsonl")] == ["linear"]
