"""A reproduction so small that it takes seconds: trials run in this process, one after the other."""

from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from unittest.mock import patch

from demo_methods import fast_methods
from s2auc.experiments.harness.store import RowStore
from s2auc.experiments.harness.trial import run_trial
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.methods.table import METHODS
from s2auc.experiments.reproduction import paper_methods, stages
from s2auc.experiments.reproduction.protocol import LIMITS, Extent
from s2auc.kernels.versions import package_versions

TINY = Extent(
    datasets=("moons",),
    trials=2,
    few_trials=1,
    sizes=(60, 120),
    single_sizes=(200,),
    large_sizes=(400,),
    n_labeled=30,
    n_test=200,
    label_counts=(20, 40),
    step_datasets=("moons",),
    step_counts=(5, 20),
    frequency_counts=(4, 16),
    growth_datasets=("moons",),
    theorem_datasets=("moons",),
    theorem_rows=60,
    theorem_seeds=2,
    theorem_steps=200,
    # The exact methods fit with 200 rows, and not with 400.
    limits={**LIMITS, "memory_limit": "135 MB"},
)


def run_here(spec, rows_file, *, cells, folder=None, n_jobs=1, on_row=lambda _: None, calls=None):
    """Stand in for `run_spec`: the same rows, without a process for each."""
    with RowStore(rows_file) as store:
        for cell in cells:
            if cell.key in store.rows:
                continue
            told = {}
            result = run_trial(cell, folder=folder, memory_limit=spec.memory_limit_bytes, announce=told.update)
            row = {
                **asdict(cell),
                "cell": cell.key,
                "experiment": spec.name,
                "threads": spec.threads,
                "memory_limit_bytes": spec.memory_limit_bytes,
                "versions": package_versions(),
                "machine": describe_machine(),
                "note": "",
                **told,
                **result,
            }
            store.add(row)
            on_row(row)
            if calls is not None:
                calls.append(cell)
        return [store.rows[cell.key] for cell in cells]


@contextmanager
def small_grids():
    """Give searches a few settings to try, and run trials in this process."""
    grids = {"kernel_gammas": [0.5, 2.0], "alphas": [0.125, 1.0], "labeled_weights": [0.5, 1.0], "etas": [0.0, 0.5]}
    smaller = {}
    for method in paper_methods.PAPER_METHODS.values():
        changed = {name: grids.get(name, value) for name, value in method.parameters.items()}
        smaller[method.name] = replace(method, parameters=changed)
    with (
        fast_methods(),
        patch.dict(METHODS, smaller),
        patch.object(stages, "run_spec", run_here),
        # Before every trial, for what its process takes: here it would walk over all that the tests hold.
        patch("s2auc.experiments.harness.trial.gc.collect"),
    ):
        yield


def run_tiny(rows_file, extent=TINY, calls=None):
    """Return the rows of a tiny reproduction; those that the file has are not made again."""
    with small_grids(), patch.object(stages, "run_spec", partial(run_here, calls=calls)):
        return stages.run_stages(extent, rows_file)
