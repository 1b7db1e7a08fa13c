"""How fast this machine is beside a fast one: limits on the time of a processor hold on a slow one, too."""

import time

FAST_S = 0.07
"""Processor time of `_work` on a fast server."""


def seconds(fast):
    """Return how many seconds of this processor are so many of a fast one, as it is now; never fewer."""
    return fast * max(1.0, min(_work() for _ in range(3)) / FAST_S)


def _work():
    began, total = time.process_time(), 0
    for number in range(2_000_000):
        total += number
    return time.process_time() - began
