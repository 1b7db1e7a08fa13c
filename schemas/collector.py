"""The search for reference cycles, paused while a document is read or judged, or a loop is timed.

It goes over all that lives whenever enough is new. Of a folder of logs a million events live, which hold no cycle; what
the rules leave is found when the document is done. The collector is the process's: pauses of two threads must not
overlap.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause it inside a `with` or a decorated function; go on as before after that."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
