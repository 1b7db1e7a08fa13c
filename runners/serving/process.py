"""A server of our own as a process beside the trial, which ends with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from select import select

from ...schemas.errors import UserError
from ..trial.attempt import die_with

START_S = 300.0


@contextmanager
def started(module: str, argument: object) -> Iterator[str]:
    """Start a server module, and yield its URL; the server is ended afterwards.

    Raises:
        UserError: it did not start.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", f"dlaudit.runners.serving.{module}", json.dumps(argument)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=die_with(os.getpid()),
    )
    assert process.stdout is not None
    try:
        readable, _, _ = select([process.stdout], [], [], START_S)
        line = process.stdout.readline().strip() if readable else b""
        if not line.isdigit():
            raise UserError("the server did not start", "see the trial's log", "/workload")
        yield f"http://127.0.0.1:{int(line)}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def fetched(url: str, path: str, within_s: float = 10.0) -> object:
    """Return a JSON value of a server.

    Raises:
        UserError: it does not answer in time.
    """
    given_up = time.monotonic() + within_s
    while True:
        try:
            with urllib.request.urlopen(url.rstrip("/") + path, timeout=within_s) as answer:  # noqa: S310
                return json.loads(answer.read(1 << 26))
        except (OSError, ValueError) as error:
            if time.monotonic() > given_up:
                raise UserError(f"{url} does not answer: {error}", "start the server, or correct the URL") from None
            time.sleep(0.2)
