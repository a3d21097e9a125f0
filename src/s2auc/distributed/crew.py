"""Tasks for the workers of the current client: those of searches, and one per partition of a collection."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

from dask import delayed
from distributed.scheduler import KilledWorker

from s2auc.distributed.clients import current_client
from s2auc.distributed.tasks import Work, hand_over, pack, run_lazily, run_on_part, run_task, unpack

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


class Parts:
    """Partitions, as the tasks that give them.

    Parameters
    ----------
    values
        What a task gets for each partition: a delayed value, or bytes that `pack` made.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def map(
        self,
        stage: str,
        work: Work,
        arguments: Sequence[Any] | None = None,
        places: Sequence[int] | None = None,
    ) -> Iterator[Any]:
        """Yield work(partition, argument) in the order of partitions.

        Parameters
        ----------
        stage
            What is done, in a word.
        work
            A function that pickles, as must what it returns.
        arguments
            What the work needs besides, one a place; the number of the partition if None.
        places
            Which partitions, in their order; all if None.
        """
        chosen = range(len(self)) if places is None else places
        given = chosen if arguments is None else arguments
        packed, run = shared_node(work), delayed(run_on_part, pure=False)
        return results_in_order(
            [
                run(packed, self.values[place], pack(argument), dask_key_name=task_name(stage, place))
                for place, argument in zip(chosen, given, strict=True)
            ]
        )

    def lazily(self, stage: str, work: Work, arguments: Sequence[Any]) -> list[Any]:
        """Return delayed values of work(partition, argument), one a partition, which stay on the workers."""
        packed, run = shared_node(work), delayed(run_lazily, pure=False)
        return [
            run(packed, value, pack(argument), dask_key_name=task_name(stage, place))
            for place, (value, argument) in enumerate(zip(self.values, arguments, strict=True))
        ]


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
