"""Runs of a document that ran at the same time, and whether they could."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct

from ...caching import fact
from ...case import Case, Side
from ...trace import Logged
from ..suite import loadgen_times
from .files import digests
from .times import init_start_ms, is_unix, span_ms, started_ms, stopped_ms

LONGEST_SETUP_MS = 6 * 3_600_000
"""What lies further before the start of the clock is a stamp of something else than the run's own initialisation."""


class Room(Enum):
    """Whether two runs had room beside each other."""

    NONE = "none"
    SEPARATE = "separate"
    UNKNOWN = "unknown"


class Timed(Struct, frozen=True):
    """A run with its window on the clock, in milliseconds since 1970."""

    side: Side
    run: Logged
    start_ms: float
    stop_ms: float


class Overlap(Struct, frozen=True):
    """Two runs that ran at the same time for longer than two clocks may differ.

    Attributes:
        left, right: the runs, the earlier one first.
        seconds: how long.
        room: whether both could.
        shared: what they share where they could not.
        setup: whether the later one only initialised while the earlier one was measured.
    """

    left: Timed
    right: Timed
    seconds: float
    room: Room
    shared: str
    setup: bool = False


def overlaps(case: Case, side: Side, slack_s: float) -> tuple[Overlap, ...]:
    """Return the overlaps of an arm's runs: with others of one host or system anywhere, else in the arm."""
    return _overlaps(case, _together(case)[side.id], slack_s).get(side.id, ()) if side.id in _together(case) else ()


@fact
def _together(case: Case) -> dict[str, tuple[str, ...]]:
    """Return for each arm those whose runs may meet its own, by their systems and hosts: no log is read for that."""
    groups: list[tuple[set[tuple[str, str]], list[str]]] = []
    of_name: dict[tuple[str, str], int] = {}
    for name, arm in case.submission.arms.items():
        names = {("arm", name), *(("host", run.host) for run in arm.runs.values() if run.host is not None)}
        names |= {("system", arm.system)} if arm.system is not None else set()
        met = sorted({of_name[each] for each in names if each in of_name})
        number = met[0] if met else len(groups)
        if not met:
            groups.append((set(), []))
        for other in met[1:]:
            groups[number][0].update(groups[other][0])
            groups[number][1].extend(groups[other][1])
            groups[other] = (set(), [])
        groups[number][0].update(names)
        groups[number][1].append(name)
        of_name |= dict.fromkeys(groups[number][0] if met[1:] else names, number)
    return {name: arms for _, found in groups for arms in [tuple(found)] for name in arms}


@fact
def _overlaps(case: Case, arms: tuple[str, ...], slack_s: float) -> dict[str, tuple[Overlap, ...]]:
    """Return the overlaps of the runs of some arms by arm."""
    places: dict[tuple[str, str], list[Timed]] = {}
    for name in arms:
        side = case.own(name)
        if side is None:
            continue
        for run in case.runs_of(side):
            timed = window(side, run)
            if timed is not None:
                key = ("host", run.run.host) if run.run.host is not None else _beside(side, run)
                places.setdefault(key, []).append(timed)
    found: dict[str, list[Overlap]] = {}
    for each in places.values():
        for overlap in (*_sweep(each, slack_s * 1000), *_setups(each, slack_s * 1000)):
            for arm in {overlap.left.side.id, overlap.right.side.id}:
                found.setdefault(arm, []).append(overlap)
    return {arm: tuple(items) for arm, items in found.items()}


def _beside(side: Side, run: Logged) -> tuple[str, str]:
    """Return what the runs share whose times are compared: the arm; of a load generator the system, if it is stated.

    The results of one system are run one after the other, and each is an arm of its own.
    """
    system = side.arm.system
    return ("system", system) if system is not None and not is_unix(run) else ("arm", side.id)


def window(side: Side, run: Logged) -> Timed | None:
    """Return a run with its measured window, with the span of its log where neither start nor stop is known."""
    if not is_unix(run):
        dated = loadgen_times.span_ms(run)
        return Timed(side, run, *dated) if dated is not None else None
    start, stop = started_ms(run), stopped_ms(run)
    if start is None and stop is None:
        start, stop = span_ms(run) or (None, None)
    return Timed(side, run, start, stop) if start is not None and stop is not None and stop > start else None


def _sweep(runs: Iterable[Timed], slack_ms: float) -> Iterator[Overlap]:
    running: list[Timed] = []
    for run in sorted(runs, key=lambda item: item.start_ms):
        running = [other for other in running if other.stop_ms - run.start_ms > slack_ms]
        for other in running:
            length = min(other.stop_ms, run.stop_ms) - run.start_ms
            if length > slack_ms and not _one_run(other, run):
                yield Overlap(other, run, length / 1000, *_room(other, run))
        running.append(run)


def _setups(runs: Iterable[Timed], slack_ms: float) -> Iterator[Overlap]:
    """Yield runs that initialise on a machine without room for them while another one is measured on it."""
    begun = [Timed(run.side, run.run, _begins(run), run.stop_ms) for run in runs]
    start_of = {id(run.run): run.start_ms for run in runs}
    for found in _sweep(begun, slack_ms):
        left, right = found.left, found.right
        measured = min(left.stop_ms, right.stop_ms) - max(start_of[id(left.run)], start_of[id(right.run)])
        # The one that initialises meets the other's measured time, not merely its initialisation.
        disturbed = min(left.stop_ms, right.stop_ms) - max(start_of[id(left.run)], right.start_ms)
        if found.room is Room.NONE and measured <= slack_ms < disturbed:
            yield Overlap(left, right, disturbed / 1000, found.room, found.shared, setup=True)


def _begins(run: Timed) -> float:
    init = init_start_ms(run.run)
    return init if init is not None and 0 < run.start_ms - init <= LONGEST_SETUP_MS else run.start_ms


def _one_run(left: Timed, right: Timed) -> bool:
    """Whether two entries are one run that stands in two results, as a variant of a benchmark may share its logs."""
    if set(digests(left.run)) & set(digests(right.run)):
        return True
    return left.side.id != right.side.id and (left.start_ms, left.stop_ms) == (right.start_ms, right.stop_ms)


def _room(left: Timed, right: Timed) -> tuple[Room, str]:
    first, second = left.run.run, right.run.run
    host = first.host if first.host is not None and first.host == second.host else None
    devices = set(first.device_ids) & set(second.device_ids)
    if devices and (host is not None or all(len(device) > 8 for device in devices)):
        return Room.NONE, f"device {min(devices)}" + (f" of {host}" if host is not None else "")
    if host is None:
        return (Room.SEPARATE if first.host is not None and second.host is not None else Room.UNKNOWN), ""
    if first.exclusive or second.exclusive:
        return Room.NONE, f"{host}, which one of them had for itself"
    if first.device_ids and second.device_ids:
        return Room.SEPARATE, ""
    each = [_devices_of_one_node(timed.side) for timed in (left, right)]
    if None not in each and sum(need for need, _ in each if need) > min(has for _, has in each if has):  # type: ignore[misc]
        return Room.NONE, f"{host}, which has too few devices for both"
    return Room.UNKNOWN, ""


def _devices_of_one_node(side: Side) -> tuple[int, int] | None:
    """Return the devices that a run of an arm needs on its node, and those that the node has."""
    system, devices = side.system, side.devices
    if system is None or system.devices_per_node is None or system.nodes != 1 or devices is None:
        return None
    return devices, system.devices_per_node


def most_at_once(runs: Iterable[Timed], slack_ms: float) -> int:
    """Return how many windows overlap at once, each shortened at its end by what two clocks may differ."""
    marks = [(run.start_ms, 1) for run in runs] + [(max(run.stop_ms - slack_ms, run.start_ms), -1) for run in runs]
    most = now = 0
    for _, change in sorted(marks):
        now += change
        most = max(most, now)
    return most
