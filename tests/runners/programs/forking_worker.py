"""Runs trials as the worker does, each in a fork of this process, which has loaded torch once: that costs seconds.

A line of the input names an order, a file for what the trial prints and one for its log, with tabs between; a line of
the output is the exit code.
"""

import gc
import os
import sys

import sklearn.datasets  # noqa: F401
import torch._dynamo  # noqa: F401
from dlaudit.runners.trial import worker


def trial(order: str, printed: str, log: str) -> None:
    for descriptor, path, flags in ((0, os.devnull, os.O_RDONLY), (1, printed, os.O_WRONLY), (2, log, os.O_WRONLY)):
        os.dup2(os.open(path, flags | os.O_CREAT), descriptor)
    worker.leave(worker.main([order]))


gc.freeze()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        trial(*line.rstrip("\n").split("\t"))
    sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
    sys.stdout.flush()
