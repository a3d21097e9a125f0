"""Tasks for the workers of the current client."""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

from dask import delayed
from distributed.scheduler import KilledWorker

from s2auc.distributed.clients import current_client
from s2auc.distributed.tasks import hand_over, pack, run_task, unpack

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class DaskCrew:
    """The workers of the current client, as searches give tasks to them."""

    def map_in_order(
        self, work: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[Result]:
        """Yield work(shared, task) for every task, in order."""
        packed = shared_node(partial(work, shared))
        run = delayed(run_task, pure=False)
        return results_in_order(
            [run(packed, pack(task), dask_key_name=task_name("train", place)) for place, task in enumerate(tasks)]
        )


def shared_node(value: Any) -> Any:
    """Return a node of a graph that hands something over to the tasks that need it.

    It is a task, not data that was scattered: if the worker that holds its result dies, another makes it again.
    """
    return delayed(hand_over, pure=False)(pack(value), dask_key_name=task_name("hand-over", 0))


def task_name(stage: str, place: int) -> str:
    """Return the key of a task, which says what it does to those who watch, and comes once only."""
    return f"s2auc-{stage}-{place}-{uuid4().hex}"


def results_in_order(tasks: Sequence[Any]) -> Generator[Any]:
    """Yield what delayed tasks return, in their order; those that nobody waits for any more are given up."""
    client = current_client()
    futures = client.compute(list(tasks))
    try:
        for place, future in enumerate(futures):
            packed = future.result()
            # Results that have come are not kept on workers.
            futures[place] = None
            del future
            yield unpack(packed)
    except KilledWorker as error:
        raise RuntimeError(
            f"A task must leave its worker alive. Got one after which several died ({error.task}); give workers more "
            "memory, or make partitions smaller."
        ) from error
    finally:
        left = [future for future in futures if future is not None]
        if left:
            client.cancel(left, asynchronous=False)
