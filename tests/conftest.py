"""Settings for all tests."""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

from s2auc.common.threads import available_cores
from s2auc.kernels.instruction_sets import available_instruction_sets

# Modules that tests share make assertions too, and these should say as much when they fail.
pytest.register_assert_rewrite("harness_events", "model_samples", "forged_files", "reference")

THREAD_VARIABLES = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"

# A busy machine is no defect: examples may take their time, and every run tries the same ones.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def pytest_configure(config):
    """Share the cores among the processes that run tests: where threads outnumber cores, small products crawl."""
    n_processes = getattr(config.option, "numprocesses", None)
    if n_processes:
        # Here and not in those processes: libraries read the variables as they are loaded.
        for name in THREAD_VARIABLES:
            os.environ.setdefault(name, str(max(1, available_cores() // n_processes)))


def pytest_collection_finish():
    """Keep the garbage collector off the thousands of tests and modules, which stay: it would walk over them often."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def no_waiting_for_the_disk():
    """Do not sync files to the disk: those of tests need not outlive a power cut, and thousands are written."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def demo_result(tmp_path_factory):
    """A run of the demonstration, which several files look at."""
    from demo_methods import fast_methods
    from s2auc.experiments.demo import make_data, run_demo
    from s2auc.experiments.demo_tables import judge_fitted, prepare_fit, write_tables

    data = make_data(n_labels=30, seed=3)
    files = write_tables(data, tmp_path_factory.mktemp("demo"))
    with fast_methods():
        own = judge_fitted(prepare_fit(files).fit(random_state=3), files, data)
        return run_demo(data, own, max_iter=20)


@pytest.fixture(params=available_instruction_sets())
def kernel(request, monkeypatch):
    """Each kernel that this installation has, made the active one."""
    monkeypatch.setenv("S2AUC_KERNEL", request.param)
    return request.param


@pytest.fixture
def few_trees(monkeypatch):
    """Forests of few trees, which are soon grown: how good they are does not matter then."""
    monkeypatch.setattr("s2auc.search.entries.forest.N_TREES", 8)
    monkeypatch.setattr("s2auc.search.entries.forest.N_FOLD_TREES", 4)


@pytest.fixture
def fast_search(monkeypatch, few_trees):
    """A search that tries little unless it is asked for more."""
    from s2auc import S2AUCClassifierCV

    for name, values in {"kernels": ["gaussian"], "scalings": ["standard"], "cv": 3}.items():
        monkeypatch.setitem(S2AUCClassifierCV.__init__.__kwdefaults__, name, values)
