"""How many threads array work uses within a block that limits them."""

import pytest
from threadpoolctl import threadpool_limits

from s2auc.common.threads import available_cores, map_in_order, n_threads, thread_limit


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
