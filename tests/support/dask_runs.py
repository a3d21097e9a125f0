"""Rows in partitions of Dask, workers that are killed on purpose, and the fits that must not notice."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from distributed.utils import get_mp_context
from threadpoolctl import threadpool_info

from s2auc import S2AUCClassifierCV
from s2auc.common.threads import n_threads
from s2auc.distributed.clients import local_client

N_ROWS, N_PARTS = 10_000, 5
LABEL = "fraud"
USED = "s2auc.estimators.s2auc_cv", "s2auc.distributed.engine", "s2auc.scoring.score_file"
WAIT_SECONDS = 60

dask.config.set({"distributed.comm.timeouts.connect": "10s", "distributed.admin.tick.limit": "60s"})
if "forkserver" in multiprocessing.get_all_start_methods():
    # Workers are forks of a process that has imported what they need: alone, each would take seconds to import it.
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    get_mp_context().set_forkserver_preload(["distributed", "dask.dataframe", "s2auc.distributed.worker_setup", *USED])


def make_rows(n_rows=N_ROWS, seed=0):
    """Return columns of numbers and of text, and labels that are blank on most rows."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 4)), columns=list("abcd"))
    X["city"] = pd.array(rng.choice(["Rome", "Oslo", "Lima"], n_rows), dtype="str")
    truth = (X["a"] + X["b"] ** 2 + (X["city"] == "Oslo") > 1).astype(float)
    return X, truth.where(np.arange(n_rows) % 70 == 7).rename(LABEL)


def write_parts(folder, rows, n_parts=N_PARTS):
    """Write a table as a folder of Parquet files, and return the folder."""
    folder.mkdir()
    size = -(-len(rows) // n_parts)
    for place in range(n_parts):
        part = rows.iloc[place * size : (place + 1) * size]
        pq.write_table(pa.Table.from_pandas(part, preserve_index=False), folder / f"{place}.parquet")
    return folder


def small_search(**settings):
    """Return a search of a few entries, of all kinds."""
    usual = {
        "kernels": ["gaussian"],
        "kernel_gammas": ["median"],
        "scalings": ["standard"],
        "alphas": [0.01],
        "neighbor_weights": [0.0, 0.1],
        "n_frequencies": 64,
        "cv": 3,
        "judge": False,
        "random_state": 0,
    }
    return S2AUCClassifierCV(**usual | settings)


def saved(ranker, path):
    """Return the bytes of a model file."""
    ranker.save(path)
    return path.read_bytes()


SCHEDULER = """
import asyncio
from distributed import Scheduler

async def run():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False, dashboard_address="127.0.0.1:0") as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(run())
"""


@contextmanager
def scheduler_process():
    """Hold a scheduler without workers in a process of its own, and yield the process and its address."""
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


@contextmanager
def processes(n_workers):
    """Hold a cluster of worker processes under nannies, and its client."""
    with local_client(n_workers) as client:
        client.wait_for_workers(n_workers)
        yield client


def scale(client, n_workers):
    """Let a cluster have so many workers."""
    deadline = time.monotonic() + WAIT_SECONDS
    client.cluster.scale(n_workers)
    while len(client.cluster.scheduler.workers) != n_workers:
        assert time.monotonic() < deadline, "the workers did not come or go"
        time.sleep(0.05)
        # A nanny whose worker dies before it is up does not start another.
        client.cluster.scale(n_workers)


class DeadlyParts:
    """Partitions that count how often they are made, and kill the worker that makes one for the so-manieth time.

    Parameters
    ----------
    folder
        Where calls are counted, by files, which all processes see.
    rows, n_parts
        The rows, and how many partitions they have.
    deadly
        The numbers of a partition and of the call that kills, from 0; None for no kill.
    """

    def __init__(self, folder, rows, n_parts=N_PARTS, deadly=None):
        self.folder, self.deadly = Path(folder), deadly
        self.folder.mkdir()
        self.size = -(-len(rows) // n_parts)
        self.file = self.folder / "rows.parquet"
        rows.to_parquet(self.file)
        self.n_parts, self.empty = n_parts, rows.iloc[:0]

    def make(self, place):
        """Return a partition, or die."""
        call = 0
        while not self._is_first(place, call):
            call += 1
        if (place, call) == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return pd.read_parquet(self.file).iloc[place * self.size : (place + 1) * self.size]

    def frame(self):
        """Return a frame of Dask of all partitions."""
        return dd.from_map(self.make, range(self.n_parts), meta=self.empty)

    def n_calls(self, place):
        """Return how often a partition was made."""
        return len(list(self.folder.glob(f"{place}-*")))

    def _is_first(self, place, call):
        try:
            (self.folder / f"{place}-{call}").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


@contextmanager
def killing(client, stage):
    """Kill the first worker that is seen at a task of a stage while the block runs; yield the list of those killed."""
    # A worker that an earlier test killed may still be listed.
    pids, killed, is_over = client.run(os.getpid, on_error="ignore"), [], Event()

    def watch():
        while not is_over.is_set():
            for worker in list(client.cluster.scheduler.workers.values()):
                busy = any(str(task.key).startswith(f"s2auc-{stage}-") for task in list(worker.processing))
                if busy and worker.address in pids:
                    os.kill(pids[worker.address], signal.SIGKILL)
                    killed.append(worker.address)
                    return
            time.sleep(0.001)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield killed
    finally:
        is_over.set()
        thread.join()


def threads_of_task(shared, task):
    """Return how many threads a task would use, and how many BLAS would."""
    return n_threads(), {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def sleepy(shared, task):
    """Return a task after a while."""
    time.sleep(0.02)
    return task


def die(shared, task):
    """Kill the worker."""
    os.kill(os.getpid(), signal.SIGKILL)
