"""Trials that ran at the same time on one device that is not shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ....schemas.evidence import Trial
from ....schemas.pattern import Pattern
from ...case import Side
from ...language.reading import read
from ..document.none_said import is_none
from .instants import RunSpan, run_span

_UNIQUE = Pattern(r"[0-9A-Fa-f]{8}")
_BUS = Pattern(r"\A[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:")
_ONE_HOST = Pattern(r"[\w.-]+")


class SharedDevice(Struct, frozen=True):
    """Two trials on one device at one time.

    Attributes:
        device: what identifies the device.
        left, right: the trials' spans, the earlier one first.
        arms: the arms of the two.
        seconds: how long both ran.
    """

    device: str
    left: RunSpan
    right: RunSpan
    arms: frozenset[str]
    seconds: float


def shared_devices(sides: Iterable[Side], skew_s: float) -> Iterator[SharedDevice]:
    """Yield trials that begin on a device before an earlier one has left it, the first pair of each device."""
    by_device: dict[str, list[tuple[RunSpan, str]]] = {}
    for side in sides:
        for name, trial in side.arm.trials.items():
            run = run_span(f"{name} of {side.id}", trial)
            for device in _devices(side, trial) if run is not None and run.end_s >= run.start_s else ():
                by_device.setdefault(device, []).append((run, side.id))  # type: ignore[arg-type]
    for device, spans in by_device.items():
        spans.sort(key=lambda item: (item[0].start_s, item[0].end_s, item[0].at))
        last, arm = spans[0]
        for run, other in spans[1:]:
            seconds = min(run.end_s, last.end_s) - run.start_s
            if seconds > skew_s:
                yield SharedDevice(device, last, run, frozenset({arm, other}), seconds)
                break
            last, arm = (run, other) if run.end_s > last.end_s else (last, arm)


def _devices(side: Side, trial: Trial) -> tuple[str, ...]:
    """Return what identifies a run's devices: unique ids, or indices of one boot; nothing where they are shared."""
    if partitioned(side) or any(read(device).has("device_slice") for device in trial.device_ids):
        return ()
    unique = tuple(device for device in trial.device_ids if _UNIQUE.search(device) and not _BUS.search(device))
    machine = trial.boot_id[:8] if trial.boot_id is not None else _host(side, trial)
    if unique or machine is None or any(device.casefold() in {"cpu", "host"} for device in trial.device_ids):
        return unique
    return tuple(f"{device} ({machine})" for device in trial.device_ids)


def _host(side: Side, trial: Trial) -> str | None:
    """Return the one host of a run that takes all of its several devices; None where it is not told, or shared.

    An index is no identity: a process counts the devices that it sees. But who has all of a machine's has each.
    """
    each = side.system.devices_per_node if side.system is not None else None
    if each is None or each < 2 or len(set(trial.device_ids)) != each:
        return None
    for environment in (trial.environment, side.arm.environment):
        if environment is not None and environment.host is not None:
            alone = is_none(str(environment.co_tenants))
            one = isinstance(environment.host, str) and _ONE_HOST.fullmatch(environment.host) is not None
            return str(environment.host) if alone and one else None
    return None


def partitioned(side: Side) -> bool:
    """Whether an arm's environment says that its devices were partitioned."""
    environment = side.arm.environment
    stated = environment.partitioning if environment is not None else None
    return isinstance(stated, str) and not is_none(stated)
