"""What labels, and the sentences of claims about one arm, give to what an arm leaves out: device, devices, format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from ...schemas.conditions import System
from ...schemas.evidence import Arm
from ...schemas.options import Options, Precision
from ...schemas.submission import Claim, Submission
from ..facts.device.formats import known
from ..language.reading import Reading, read
from .absent_fields import Text
from .reads import Read

DEVICES, FORMAT, DEVICE = "devices", "precision", "device"
OF_ARMS = frozenset({DEVICES, FORMAT, DEVICE})


def arm_reads(submission: Submission) -> Mapping[str, tuple[Read, ...]]:
    """Return by an arm's name what words give to it, where they give anything."""
    claims: dict[str, list[Claim]] = {}
    for claim in submission.claims.values():
        if claim.measured is not None and claim.measured.manifest is None and claim.measured.arm:
            claims.setdefault(claim.measured.arm, []).append(claim)
    found = {name: tuple(_reads(arm, claims.get(name, ()))) for name, arm in submission.arms.items()}
    return {name: reads for name, reads in found.items() if reads}


def with_reads(arm: Arm, name: str, reads: Iterable[Read], systems: dict[str, System]) -> Arm:
    """Return an arm with what words give to it; a device becomes a system of its own, which is added to `systems`."""
    own = f"read:{name}"
    for item in reads:
        if item.field == DEVICES:
            arm = replace(arm, devices=int(item.value))
        elif item.field == FORMAT:
            options = arm.options if arm.options is not None else Options(at=arm.place("options"))
            precision = Precision(at=options.place("precision"), compute=item.value)
            arm = replace(arm, options=replace(options, precision=precision))
        else:
            systems[own] = System(at=arm.at, name=item.value, device=item.value)
            arm = replace(arm, system=own)
    return arm


def without_read(arm: Arm, field: str) -> Arm:
    """Return a completed arm without what words gave to one of its fields."""
    if field == DEVICES:
        return replace(arm, devices=None)
    if field == DEVICE:
        return replace(arm, system=None)
    return replace(arm, options=replace(arm.options, precision=None)) if arm.options is not None else arm


def _of_one(claim: Claim) -> bool:
    """Whether a claim's sentence is about its own arm alone: an absolute number beside which nothing is compared."""
    return claim.form == "absolute" and not read(claim.statement).comparisons()


def _reads(arm: Arm, claims: Iterable[Claim]) -> Iterator[Read]:
    """Yield what the label gives, else what all sentences of its own claims that give it agree in."""
    label = Text(arm.place("label"), read(arm.label)) if arm.label else None
    for field in _absent(arm):
        own = _given(field, label) if label is not None else None
        told = list(_told(field, claims)) if own is None else [own]
        if told and len({item.value for item in told}) == 1:
            yield told[0]


def _told(field: str, claims: Iterable[Claim]) -> Iterator[Read]:
    """Yield what the sentences give that are about the arm alone; few give anything, and those alone are parsed."""
    for claim in claims:
        item = _given(field, Text(claim.place("statement"), read(claim.statement)))
        if item is not None and _of_one(claim):
            yield item


def _absent(arm: Arm) -> Iterator[str]:
    options = arm.options
    if arm.devices is None and (options is None or options.devices is None) and arm.system is None:
        yield DEVICES
    if options is None or (options.precision is None and options.quantisation is None):
        yield FORMAT
    if arm.system is None and arm.description is None:
        yield DEVICE


def _given(field: str, text: Text) -> Read | None:
    reading: Reading = text.reading
    if field == DEVICES:
        fleet = reading.devices()
        if fleet is None or any(count.qualifier for count in reading.counts("devices")):
            return None
        return text.gives(field, str(fleet.devices), "count: devices", fleet.start, fleet.end)
    names = [name for name in reading.all_names if name.kind == ("format" if field == FORMAT else "device")]
    values = reading.formats() if field == FORMAT else tuple({name.text for name in names})
    if len(values) != 1 or (field == FORMAT and not known(values[0])):
        return None
    return text.gives(field, values[0], f"name: {'format' if field == FORMAT else 'device'}", *names[0].span)
