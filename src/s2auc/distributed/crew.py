"""Tasks for the workers of the current client: those of searches, and one per partition of a collection."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

from dask import delayed
from distributed.scheduler import KilledWorker

from s2auc.distributed.clients import current_client
from s2auc.distributed.tasks import Work, hand_over, pack, run, run_packed, unpack

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class DaskCrew:
    """The workers of the current client, as searches give tasks to them."""

    def map_in_order(
        self, work: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[Result]:
        """Yield work(shared, task) for every task, in order."""
        return Parts([pack(task) for task in tasks]).map("train", lambda task, _: work(shared, task))


@dataclass(frozen=True)
class Parts:
    """Partitions, as the tasks that give them.

    Parameters
    ----------
    values
        What a task gets for each partition: a delayed value, or bytes that `pack` made.
    """

    values: Sequence[Any]

    def map(
        self, stage: str, work: Work, arguments: Sequence[Any] | None = None, places: Sequence[int] | None = None
    ) -> Generator[Any]:
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
        chosen = range(len(self.values)) if places is None else places
        return results_in_order(
            self._tasks(run_packed, stage, work, chosen if arguments is None else arguments, chosen)
        )

    def lazily(self, stage: str, work: Work, arguments: Sequence[Any]) -> list[Any]:
        """Return delayed values of work(partition, argument), one a partition, which stay on the workers."""
        return self._tasks(run, stage, work, arguments, range(len(self.values)))

    def _tasks(
        self, runner: Callable[..., Any], stage: str, work: Work, arguments: Sequence[Any], places: Sequence[int]
    ) -> list[Any]:
        # The work is a task, not data that was scattered: if the worker that holds its result dies, another makes it
        # again.
        shared = delayed(hand_over, pure=False)(pack(work), dask_key_name=task_name("hand-over", 0))
        task = delayed(runner, pure=False)
        return [
            task(shared, self.values[place], pack(argument), dask_key_name=task_name(stage, place))
            for place, argument in zip(places, arguments, strict=True)
        ]


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
