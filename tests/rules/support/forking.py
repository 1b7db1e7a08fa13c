"""Runs programs, each in a fork of this process, which has loaded their libraries: to load them takes seconds.

    python -P forking.py DESCRIPTOR LIBRARY ...

The descriptor is that of a listening socket. Whoever connects sends the descriptors of a program's input, output and
log, then its arguments, folder and environment as JSON, and is told the number of its process and its exit code.
"""

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import traceback


def ordered(connection: socket.socket) -> tuple[list[str], dict[str, str]]:
    """Take the place of the program that is asked for; return its arguments and environment."""
    _, descriptors, *_ = socket.recv_fds(connection, 1, 3)
    with connection.makefile("rb") as told:
        order = json.load(told)
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    return order["arguments"], order["environment"]


def run(connection: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    arguments, environment = ordered(connection)
    connection.sendall(b"%d\n" % os.getpid())
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv, code = arguments, 1
    try:
        runpy.run_path(arguments[0], run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.sendall(b"%d\n" % code)
        os._exit(code)


def buried(*_) -> None:
    """Wait for the programs that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


for library in sys.argv[2:]:
    importlib.import_module(library)
gc.freeze()
signal.signal(signal.SIGCHLD, buried)
with socket.socket(fileno=int(sys.argv[1])) as listening:
    while listening in select.select([listening, sys.stdin], [], [])[0]:  # the input ends with whoever started us
        asked, _ = listening.accept()
        if os.fork() == 0:
            run(asked)
        asked.close()
