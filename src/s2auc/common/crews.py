"""Workers on other machines, as the rest of the library sees them: whoever can be given tasks."""

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class Crew(Protocol):
    """Workers that take tasks, each of which is one thread's work."""

    def map_in_order(
        self, work: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[Result]:
        """Yield work(shared, task) for every task, in order.

        Results do not depend on how many workers there are, nor on whether some of them die meanwhile.

        Parameters
        ----------
        work
            A function that pickles.
        shared
            What all tasks need: it travels once.
        tasks
            What each task needs besides.
        """
