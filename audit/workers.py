"""The processes of one command. Each keeps what its tasks leave there, so that a log is judged where it was read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
T = TypeVar("T")

CHUNKS_A_PROCESS = 16


class Workers:
    """Some processes, each of which starts with its first task and does its tasks in order."""

    def __init__(self, size: int) -> None:
        """Set up as many processes as `size`."""
        from concurrent.futures import ProcessPoolExecutor

        self._processes = [ProcessPoolExecutor(1) for _ in range(size)]
        self._begun: deque[Future[Any]] = deque()

    def __len__(self) -> int:
        """Return how many processes there are."""
        return len(self._processes)

    def map(self, task: Callable[[Item], T], items: Sequence[Item]) -> Iterator[T]:
        """Yield what a task gives for each item, in their order; a process that is done takes the next few.

        It raises what the first item raises that fails.
        """
        from concurrent.futures import FIRST_COMPLETED, wait

        size = max(1, len(items) // (CHUNKS_A_PROCESS * len(self)))
        left = deque(items[start : start + size] for start in range(0, len(items), size))
        running: dict[Future[list[T]], ProcessPoolExecutor] = {}
        parts: deque[Future[list[T]]] = deque()

        def feed(process: ProcessPoolExecutor) -> None:
            if left:
                parts.append(process.submit(_each, task, left.popleft()))
                running[parts[-1]] = process

        # one part to do, and one that waits for its turn
        for process in (*self._processes, *self._processes):
            feed(process)
        while parts:
            part = parts.popleft()
            while part in running:
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    feed(running.pop(done))
            yield from part.result()

    def shares(self, sizes: Mapping[str, int], most: int) -> list[list[str]]:
        """Divide what has these sizes evenly: the largest first, each to the process that has least so far.

        Args:
            sizes: by name.
            most: processes that take a share, where there are so many.

        Returns:
            the names by process.
        """
        loads = [0] * min(most, len(self))
        shares: list[list[str]] = [[] for _ in loads]
        for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
            least = loads.index(min(loads))
            loads[least] += sizes[name]
            shares[least].append(name)
        return shares

    def begin(self, task: Callable[..., T], shares: Sequence[object], *rest: object) -> Callable[[], list[T]]:
        """Begin a task in the first processes, each with its share; what is returned waits for what each gives back.

        It raises what the first task raises that fails, of those, too, that were begun before.
        """
        pairs = zip(self._processes, shares, strict=False)
        begun = [process.submit(task, share, *rest) for process, share in pairs]
        self._begun += begun

        def results() -> list[T]:
            while self._begun:
                self._begun.popleft().result()
            return [future.result() for future in begun]

        return results

    def close(self) -> None:
        """Let the processes end; what has not begun is left undone."""
        for process in self._processes:
            process.shutdown(wait=False, cancel_futures=True)


@contextmanager
def processes(jobs: int) -> Iterator[Workers | None]:
    """Give processes to a block, so many as are asked for, and none where that is one: this one does the work."""
    if jobs < 2:
        yield None
        return
    workers = Workers(jobs)
    try:
        yield workers
    finally:
        workers.close()


def _each(task: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
    return [task(item) for item in items]
