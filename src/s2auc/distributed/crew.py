"""Tasks for the workers of the current client: those of searches, and one per partition of a collection."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

from dask import delayed
from distributed.scheduler import KilledWorker

from s2auc.distributed.clients import connection_to, current_client
from s2auc.distributed.tasks import Reader, Work, hand_over, pack, run, run_packed, unpack

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
    reader
        What makes of a partition and its number, on its worker, what work takes; None to take it as it is.
    """

    values: Sequence[Any]
    reader: Reader | None = None

    def read_by(self, reader: Reader) -> "Parts":
        """Return the partitions with one more step of reading."""
        before = self.reader
        return Parts(self.values, reader if before is None else lambda part, place: reader(before(part, place), place))

    def map(
        self, stage: str, work: Work, arguments: Sequence[Any] | None = None, places: Sequence[int] | None = None
    ) -> Generator[Any]:
        """Yield work(partition, its number) or work(partition, its number, argument), in the order of partitions.

        Parameters
        ----------
        stage
            What is done, in a word.
        work
            A function that cloudpickle can pickle, as must what it returns.
        arguments
            What the work needs besides, one a place.
        places
            Which partitions, in their order; all if None.
        """
        return results_in_order(self.tasks(stage, work, arguments, places, runner=run_packed))

    def tasks(
        self, stage: str, work: Work, arguments: Any = None, places: Any = None, *, runner: Callable[..., Any] = run
    ) -> list[Any]:
        """Return delayed values of work, which stay on the workers; parameters are those of `map`."""
        chosen = range(len(self.values)) if places is None else places
        given = [(place,) for place in chosen] if arguments is None else zip(chosen, arguments, strict=True)
        # The work is a task, not scattered data: if the worker that holds its result dies, another makes it again.
        shared = delayed(hand_over, pure=False)(pack((self.reader, work)), dask_key_name=task_name("hand-over", 0))
        task = delayed(runner, pure=False)
        return [
            task(shared, self.values[place], pack((place, *more)), dask_key_name=task_name(stage, place))
            for place, *more in given
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
            with connection_to(client):
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
        if left and client.status == "running":  # else they went with the connection
            client.cancel(left, asynchronous=False)
