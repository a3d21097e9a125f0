"""How many threads array work uses within a block that limits them."""

import subprocess
import sys
from threading import Barrier, Event, Thread, current_thread

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from s2auc.common.threads import (
    available_cores,
    map_in_order,
    n_threads,
    single_blas_thread,
    stream_in_order,
    thread_limit,
)


@pytest.fixture(params=["variable", "libraries"], autouse=True)
def four_threads(request, monkeypatch):
    """Four threads are allowed, by the variable or by the machine."""
    monkeypatch.delenv("S2AUC_NUM_THREADS", raising=False)
    if request.param == "variable":
        monkeypatch.setenv("S2AUC_NUM_THREADS", "4")
        yield
    else:
        monkeypatch.setattr("s2auc.common.threads.available_cores", lambda: 4)
        with threadpool_limits(4):
            yield


@pytest.mark.parametrize(("n_jobs", "expected"), [(1, 1), (3, 3), (4, 4), (100, 4), (None, 4), (-1, 4)])
def test_a_block_holds_to_its_limit(n_jobs, expected):
    assert n_threads() == 4
    with thread_limit(n_jobs):
        assert n_threads() == expected
    assert n_threads() == 4


@pytest.mark.parametrize(("outer", "inner", "expected"), [(2, 1, 1), (2, 3, 2), (2, None, 2), (2, -1, 2), (None, 3, 3)])
def test_a_block_within_another_cannot_lift_its_limit(outer, inner, expected):
    with thread_limit(outer):
        before = n_threads()
        with thread_limit(inner):
            assert n_threads() == expected
        assert n_threads() == before


@pytest.mark.parametrize(("n_jobs", "expected"), [(-1, 4), (-2, 3), (-4, 1), (-5, 1), (-(10**30), 1)])
def test_negative_numbers_count_down_from_all_cores(n_jobs, expected, monkeypatch):
    monkeypatch.setattr("s2auc.common.threads.available_cores", lambda: 4)
    with thread_limit(n_jobs):
        assert n_threads() == expected


@pytest.mark.parametrize("nothing", ["", "  "])
def test_an_empty_variable_counts_as_unset(nothing, monkeypatch):
    monkeypatch.setenv("S2AUC_NUM_THREADS", nothing)
    monkeypatch.setattr("s2auc.common.threads.available_cores", lambda: 3)
    with threadpool_limits(8):
        assert n_threads() == 3
    monkeypatch.setenv("S2AUC_NUM_THREADS", " 5 ")
    assert n_threads() == 5


def test_an_error_lifts_the_limit():
    with pytest.raises(RuntimeError, match="oops"), thread_limit(1):
        raise RuntimeError("oops")
    assert n_threads() == 4


def test_other_threads_are_not_limited():
    with thread_limit(2):
        # Work on the pool is not split again, but what it asks for is its own matter.
        assert list(map_in_order(lambda _: n_threads(), range(2))) == [4, 4]
    with thread_limit(1):
        assert list(map_in_order(lambda _: n_threads(), range(2))) == [1, 1]


def test_work_is_done_in_order_whatever_the_limit():
    for n_jobs in (1, 2, None):
        with thread_limit(n_jobs):
            assert list(map_in_order(lambda number: number**2, range(20))) == [number**2 for number in range(20)]
            assert list(map_in_order(abs, [])) == []
    assert available_cores() >= 1


@pytest.mark.parametrize("first_is_caller", [True, False])
def test_whoever_leaves_last_lifts_the_limit_on_libraries(first_is_caller):
    def n_of_libraries():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before, entered, leave = n_of_libraries(), Event(), Event()

    def hold():
        with single_blas_thread:
            entered.set()
            leave.wait()

    other = Thread(target=hold)
    if first_is_caller:
        with single_blas_thread:
            other.start()
            entered.wait()
        assert set(n_of_libraries()) <= {1}
        leave.set()
        other.join()
    else:
        other.start()
        entered.wait()
        with single_blas_thread:
            leave.set()
            other.join()
            assert set(n_of_libraries()) <= {1}
    assert n_of_libraries() == before


def test_a_stream_keeps_the_order_and_takes_few_tasks_ahead():
    taken = []

    def tasks():
        for number in range(50):
            taken.append(number)
            yield number

    for number, result in enumerate(stream_in_order(lambda task: -task, tasks())):
        assert result == -number
        assert len(taken) <= number + 2 * 4
    assert number == 49


def test_a_stream_works_on_several_threads_at_once():
    meeting = Barrier(4)
    assert len(list(stream_in_order(lambda task: meeting.wait(timeout=60), range(8)))) == 8


def test_an_error_in_a_stream_comes_in_its_turn_and_ends_it():
    before = [library["num_threads"] for library in threadpool_info()]
    results = stream_in_order(lambda task: 1 / (task - 3), range(100))
    assert [next(results) for _ in range(3)] == [1 / (task - 3) for task in range(3)]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert list(results) == []
    assert [library["num_threads"] for library in threadpool_info()] == before


def test_a_stream_inside_work_is_not_split_again():
    inside = map_in_order(lambda task: list(stream_in_order(lambda number: current_thread().name, range(9))), range(4))
    assert all(len(set(names)) == 1 for names in inside)


LOADED_LATE = """
from s2auc.common.threads import single_blas_thread
with single_blas_thread:
    import scipy.linalg
    from threadpoolctl import threadpool_info
    print({library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"} <= {1})
"""


def test_a_library_that_is_imported_late_keeps_the_limit(monkeypatch):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "2")
    done = subprocess.run([sys.executable, "-c", LOADED_LATE], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
