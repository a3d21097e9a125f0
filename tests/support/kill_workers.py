"""Workers of Dask that are killed again and again: whatever the moments, models and scores are the same bytes.

As a tool, ``python tests/support/kill_workers.py 30 --seed 0`` makes that many kills (SIGKILL) at random moments of a
search and of scoring on two workers, which their nannies start again, and compares every run with an undisturbed one.
"""

import argparse
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from dask_runs import LABEL, make_rows, processes, saved, scale, small_search, write_parts
from s2auc import open_table, score_table
from s2auc.distributed import columns

N_WORKERS = 2
N_PARTS = 5


def run_once(folder, scratch):
    """Return the bytes of a model, and of the scores that it gives, all made by workers."""
    table = open_table(folder, label=LABEL, engine="dask")
    ranker = small_search().fit(table.X, table.y)
    out = Path(scratch, f"scores-{time.monotonic_ns()}.parquet")
    score_table(ranker, table, out, keep=["city"])
    return saved(ranker, Path(scratch, "model")), *(path.read_bytes() for path in sorted(out.iterdir()))


class Killer:
    """Kills a worker at a random moment, once a run, and counts what it was doing."""

    def __init__(self, client, seed):
        self.client, self.random, self.seen = client, random.Random(seed), Counter()

    def kill_in(self, seconds, is_over):
        """Kill one of the workers after so many seconds, unless the run is over by then."""
        if is_over.wait(seconds):
            return
        worker = self.random.choice(sorted(self.pids))
        doing = [str(task.key).split("-")[1] for task in self._tasks(worker)]
        os.kill(self.pids[worker], signal.SIGKILL)
        self.seen[doing[0] if doing else "nothing"] += 1

    def disturb(self, run, longest):
        """Return what a run returns while a worker is killed at some moment of it."""
        scale(self.client, N_WORKERS)
        self.pids, is_over = self.client.run(os.getpid), Event()
        thread = Thread(target=self.kill_in, args=(self.random.uniform(0, longest), is_over))
        thread.start()
        try:
            return run()
        finally:
            is_over.set()
            thread.join()

    def _tasks(self, worker):
        found = self.client.cluster.scheduler.workers.get(worker)
        return [] if found is None else [task for task in list(found.processing) if str(task.key).startswith("s2auc-")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, help="how many kills to make")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    arguments = parser.parse_args()
    X, y = make_rows()
    columns.PART_ROWS = len(X) // N_PARTS
    with TemporaryDirectory() as scratch, processes(N_WORKERS) as client:
        folder = write_parts(Path(scratch, "parts"), X.assign(fraud=y))
        run_once(folder, scratch)
        started = time.monotonic()
        expected = run_once(folder, scratch)
        longest = time.monotonic() - started
        killer, n_runs = Killer(client, arguments.seed), 0
        while sum(killer.seen.values()) < arguments.kills:
            n_runs += 1
            if killer.disturb(lambda: run_once(folder, scratch), longest) != expected:
                raise SystemExit(f"run {n_runs} gave other bytes; killed so far while doing {dict(killer.seen)}")
    print(  # noqa: T201 what a tool is for
        f"{n_runs} runs, {sum(killer.seen.values())} kills while doing {dict(killer.seen)}: the same bytes"
    )


if __name__ == "__main__":
    main()
