"""The partitions of a collection, and work mapped over them: one task a partition, results in their order."""

from collections.abc import Iterator, Sequence
from typing import Any

from dask import delayed

from s2auc.distributed.crew import results_in_order, shared_node, task_name
from s2auc.distributed.tasks import Work, pack, run_lazily, run_on_part


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
