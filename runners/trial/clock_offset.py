"""How far the wall clocks of several nodes lie apart, by asking rank 0 for the time (Cristian, 1989).

Rank 0 listens and publishes where, beside its events file; every other rank asks some times. The offset is taken from
the answer that came back soonest, and half of its round trip is the uncertainty. Nothing that fails here fails a trial.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from ...schemas.files import write_atomic

ROUNDS = 8
WAIT_S = 20.0
ANSWER_S = 2.0
STAMP_BYTES = 8
SAME = "the same process's clock"


class Offset(msgspec.Struct, frozen=True):
    """Rank 0's wall clock minus this rank's."""

    offset_s: float | None
    uncertainty_s: float | None
    evidence: str


@contextmanager
def answering(published: Path, ranks: int) -> Iterator[None]:
    """Answer with the time while the block runs; `published` says where."""
    if ranks == 1:
        yield
        return
    with socket.create_server(("", 0), backlog=ranks) as listener:
        threading.Thread(target=_answer, args=(listener,), daemon=True).start()
        hosts = [os.environ.get("MASTER_ADDR", ""), socket.gethostname()]
        with suppress(OSError):
            write_atomic(published, json.dumps({"hosts": hosts, "port": listener.getsockname()[1]}).encode())
        try:
            yield
        finally:
            with suppress(OSError):
                published.unlink()


def ask(published: Path) -> Offset:
    """Ask rank 0 for the time."""
    given_up = time.monotonic() + WAIT_S
    while not published.exists():
        if time.monotonic() > given_up:
            return Offset(None, None, "rank 0 did not say where to ask")
        time.sleep(0.02)
    try:
        told = json.loads(published.read_bytes())
        hosts, port = [str(host) for host in told["hosts"] if host], int(told["port"])
    except (OSError, ValueError, KeyError, TypeError):
        return Offset(None, None, "rank 0 was not there any more")
    for host in hosts:
        with suppress(OSError), socket.create_connection((host, port), timeout=ANSWER_S) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return _best([_round(connection) for _ in range(ROUNDS)])
    return Offset(None, None, "rank 0 could not be reached")


def _round(connection: socket.socket) -> tuple[int, int]:
    """Return the duration of one question and the offset that its answer gives, in nanoseconds."""
    asked = time.time_ns()
    connection.sendall(b"?")
    data = b""
    while len(data) < STAMP_BYTES:
        part = connection.recv(STAMP_BYTES - len(data))
        if not part:
            raise OSError("closed")
        data += part
    came = time.time_ns()
    return came - asked, int.from_bytes(data, "big") - (asked + came) // 2


def _best(rounds: list[tuple[int, int]]) -> Offset:
    duration_ns, offset_ns = min(rounds)
    return Offset(offset_ns / 1e9, duration_ns / 2e9, f"the shortest of {len(rounds)} round trips to rank 0")


def _answer(listener: socket.socket) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_serve, args=(connection,), daemon=True).start()


def _serve(connection: socket.socket) -> None:
    with suppress(OSError), connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(ANSWER_S)
        while connection.recv(1):
            connection.sendall(time.time_ns().to_bytes(STAMP_BYTES, "big"))
