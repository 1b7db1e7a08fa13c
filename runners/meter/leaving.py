"""The end of a program of several ranks, without the destructors of its process group.

With a DistributedDataParallel model alive, a normal exit of such a program aborts now and then (SIGABRT), even after
`destroy_process_group`. Once the meter has told everything it has the interpreter end right after its exit functions,
with the exit code that the program asked for.

A model that goes earlier, with the function that made it, may be the last that holds a group which the program has
destroyed. The destructor then waits for the group's thread, which may wait for the interpreter: such a program never
ends. So the groups are held until the end.
"""

from __future__ import annotations

import atexit
import os
import sys
from typing import Any, NoReturn

LAST = ("multiprocessing.util", "_exit_function"), ("logging", "shutdown")
"""Exit functions of Python's own that are registered before this one, and so would run after it; they may run twice."""
_groups: set[Any] = set()
_asked: list[int] = []
"""Exit code that `sys.exit` was called with last."""
_installed: list[bool] = []


def leave_without_destructors() -> None:
    """Have this process end so, once."""
    hold_process_groups()
    if _installed:
        return
    _installed.append(True)
    usual = sys.exit

    def leave(status: Any = None, /) -> NoReturn:
        _asked.append(0 if status is None else status if isinstance(status, int) else 1)
        usual(status)

    sys.exit = leave
    atexit.register(_end)


def hold_process_groups() -> None:
    """Keep the process groups that there are from being destructed."""
    module = sys.modules.get("torch.distributed.distributed_c10d")
    if module is not None:
        _groups.update(module._world.pg_map)


def _end() -> None:
    failed = getattr(sys, "last_value", None) is not None
    for module, function in LAST:
        if module in sys.modules:
            getattr(sys.modules[module], function)()
    code = 1 if failed else (_asked or [0])[-1]
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code & 0xFF)
