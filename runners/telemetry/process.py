"""The process that reads the sensors: `python -P -m dlaudit.runners.telemetry.process ORDER`.

It reads commands from its standard input, one JSON value a line: a path begins a file, `null` ends it and is answered
by a line; the end of the input, and with it of the runner, ends the process. It stays off the processors of the trial
where there are others, and reads more slowly where reading would take more of a core than the budget.

The file, one JSON value a line: a header object, then for each reading an array (monotonic time in seconds, then a
number for each column, null where a sensor refused), then an object with what the reading itself cost.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

import msgspec

from ..environment.knobs.interface import Refused
from .sources.interface import Source

KIND = "telemetry/1"
PERIOD_S = 0.1
LONGEST_PERIOD_S = 1.0
CORE_SHARE = 0.001
"""Budget: share of one core that reading may take."""
AIM = 0.7
"""Share of the budget that is aimed at: what a reading will cost is known only from the ones before."""
BATCH = 20
"""Readings that are understood and written at once: what is cold after a sleep costs ten times as much."""
END = object()

Raw = tuple[float, list[Any]]
"""Time on the monotonic clock, and what each source read."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the process is told at its start."""

    sysroot: str
    on_processor: bool = True
    """Whether the work runs on the processor."""
    gpus: tuple[str, ...] = ()
    """UUIDs of the trials' GPUs, of NVIDIA."""
    amd: tuple[str, ...] = ()
    """Likewise, of AMD."""
    avoid: tuple[int, ...] = ()
    """Processors of the trial; empty for all."""
    period_s: float = PERIOD_S


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """Where the process runs."""

    apart: bool
    words: str


def main(arguments: list[str]) -> int:
    """Read until the input ends."""
    order = msgspec.json.decode(arguments[0], type=Order)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the runner decides when a trial is over
    placement = place(order.avoid)
    sources, refusals = open_sources(order)
    _answer({"ready": [source.about for source in sources]})
    gc.freeze()  # collections between readings need not look at what is loaded
    commands = Commands(sys.stdin.fileno())
    while (path := commands.next()) is not END:
        if path is None:
            _answer({"ended": True})
        else:
            header = header_of(sources, refusals, placement, order.period_s)
            with suppress(OSError), Path(str(path)).open("wb") as file:
                file.write(json.dumps(header).encode() + b"\n")
                watch(file, sources, order.period_s, commands)
    return 0


class Commands:
    """Commands from the runner, one a line, of which one read may bring several."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._lines, self._kept = descriptor, list[bytes](), b""
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def next(self) -> object:
        """Return the next one; `END` at the end of the input."""
        while not self._lines:
            data = os.read(self._descriptor, 1 << 16)
            if not data:
                return END
            *self._lines, self._kept = (self._kept + data).split(b"\n")
        return json.loads(self._lines.pop(0))

    def within(self, wait_s: float) -> bool:
        """Whether one comes, or the input ends, in some seconds."""
        return bool(self._lines) or bool(self._poll.poll(1000 * wait_s))


def place(avoid: Sequence[int]) -> Placement:
    """Move this process off the processors of the trial."""
    if not hasattr(os, "sched_setaffinity"):
        return Placement(apart=False, words="this platform has no sched_setaffinity")
    mine = os.sched_getaffinity(0)
    free = sorted(mine - set(avoid)) if avoid else []
    if not free:
        why = "the trials may run on every processor" if not avoid else "the trials take every processor that there is"
        return Placement(apart=False, words=f"not apart: {why}")
    os.sched_setaffinity(0, free)
    return Placement(apart=True, words=f"on processors {' '.join(map(str, free))}, apart from the trials")


def open_sources(order: Order) -> tuple[list[Source], dict[str, str]]:
    """Return what can be read here, and why the rest cannot, by device."""
    from .sources.host import Host

    sources: list[Source] = []
    refusals: dict[str, str] = {}
    for device, opened in _devices(order).items():
        try:
            sources.append(opened())
        except Refused as refused:
            refusals[device] = str(refused)
    sources.append(Host(Path(order.sysroot), on_processor=order.on_processor))
    return sources, refusals


def _devices(order: Order) -> dict[str, Callable[[], Source]]:
    """Return by device what opens the sensors of that which does the work."""
    from .sources import amd_gpu, nvidia
    from .sources.rapl import Rapl

    found: dict[str, Callable[[], Source]] = {uuid: partial(nvidia.open_gpu, uuid) for uuid in order.gpus}
    found |= {uuid: partial(amd_gpu.open_gpu, uuid) for uuid in order.amd}
    return found or {"device": partial(Rapl, Path(order.sysroot)) if order.on_processor else _unknown}


def _unknown() -> Source:
    raise Refused("unverifiable", "which GPU does the work cannot be told", "name it in /controls/gpus")


def header_of(sources: Sequence[Source], refusals: Mapping[str, str], placement: Placement, period_s: float) -> object:
    """Return the first line of a file; of several devices, the identifier of each ends the names of its columns."""
    devices = [source.device for source in sources if source.device is not None]
    several = len(devices) + sum(device not in ("device", *devices) for device in refusals) > 1

    def named(source: Source, column: str) -> str:
        return f"{column}.{source.device}" if several and source.device is not None else column

    return {
        "dlaudit": KIND,
        "columns": ["monotonic_s", *(named(source, column) for source in sources for column in source.columns)],
        "devices": devices if several else [],
        "wraps_at": {named(source, column): at for source in sources for column, at in source.wraps_at.items()},
        "sources": [source.about for source in sources],
        "refused": refusals,
        "apart": placement.apart,
        "placement": placement.words,
        "period_s": period_s,
    }


def watch(file: IO[bytes], sources: Sequence[Source], period_s: float, commands: Commands) -> None:
    """Write readings until a command comes."""
    begun, began_cpu, count = time.monotonic(), time.thread_time(), 0
    due, kept = begun, list[Raw]()
    reads = [source.read for source in sources]
    while True:
        kept.append((time.monotonic(), [read() for read in reads]))
        count += 1
        if len(kept) >= BATCH:
            _write(file, sources, kept)
        cost_s = (time.thread_time() - began_cpu) / count
        due += min(LONGEST_PERIOD_S, max(period_s, cost_s / (AIM * CORE_SHARE)))
        now = time.monotonic()
        due = max(due, now)
        if commands.within(due - now):
            break
    kept.append((time.monotonic(), [read() for read in reads]))
    _write(file, sources, kept)
    spent = {"cpu_s": round(time.thread_time() - began_cpu, 6), "wall_s": round(time.monotonic() - begun, 6)}
    file.write(json.dumps({"readings": count + 1, **spent}).encode() + b"\n")


def _write(file: IO[bytes], sources: Sequence[Source], kept: list[Raw]) -> None:
    for at, raws in kept:
        row: list[float | None] = [round(at, 6)]
        for source, raw in zip(sources, raws, strict=True):
            row += source.values(raw)
        file.write(msgspec.json.encode(row) + b"\n")
    file.flush()
    kept.clear()


def _answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
