"""W0404: more hardware against less, and no value per device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace

from ...schemas.conditions import System
from ...schemas.submission import Claim
from ..case import Case
from ..facts.numbers import short
from ..facts.parties import Party, others, performance, same_device, subject
from ..facts.per_second import seconds
from ..outcome import Branch, Inapplicable, Note, NotShown, Related
from ..pattern import Pattern
from ..registry import rule

ITEM = "device counts per arm"
PROVIDE = """\
arms:
  ours: {devices: 8, system: ours}
  theirs: {devices: 16, system: theirs}
systems:
  ours: {name: "8x A100", power_limit_w: 400}
  theirs: {name: "16x V100", power_limit_w: 300}
"""
_HARDWARE = Pattern(
    r"\b(?:[cgnt]pus?|ipus?|fpgas?|asics?|processors?|cores?|xeon|epyc|accelerators?|nodes?|machines?|clusters?)\b"
    r"|\b[a-z]{1,4}[0-9]{2,4}\b",
    re.IGNORECASE,
)
NOT_DIVISIBLE = frozenset({"accuracy", "mfu", "count", "memory"})


@rule("W0404", "resource-normalisation-missing", applies="comparison", origin="S1.4, S0, MEAS")
def resource_normalisation_missing(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A comparison of systems whose sizes are not known, or differ without a value per device.

    ## What it does
    Reads device counts and power envelopes of both sides. Where they differ, or the power is not known, it computes the
    value per device (for a time: device-seconds) of both, and prints it. Where only the ratio is stated, the ratio per
    device follows from the two counts.

    ## Why it misleads
    Twice the devices give about twice the speed. Without the counts a reader cannot tell a better system from a bigger
    one.

    ## Branches
    - pass with note: the value per device, where both counts are stated.
    - not applicable: a quality, a utilisation or a count is not divided by devices.
    - not shown: a device count is not known (where the document names one system, and nothing says that the other side
      ran elsewhere, the finding asks for the count alone); or counts or power envelopes differ or are unknown, and no
      value per device follows. Required (device counts per arm) of comparisons with other systems from the reviewer
      profile on.
    - Silent where both sides ran on identical hardware.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"theirs": {"devices": null, "options": {"devices": null}}},
     "systems": {"theirs": {"nodes": null}},
     "claims": {"speedup": {"base": {"devices": null}, "comparator": {"devices": null}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, which states eight devices on either side.

    ## How to fix
    State device counts and power limits, and add a column with the value per device.

    ## References
    Hoefler, Twelve ways to fool the masses, way 4.
    """
    if claim.quantity in NOT_DIVISIBLE:
        yield Inapplicable(f"{claim.quantity} is not divided by the number of devices")
        return
    this, opposite = subject(claim, case), others(claim, case)
    if not opposite:
        yield NotShown("nothing says how large the other side is", claim.at, ITEM, PROVIDE)
    for other in opposite:
        yield from _judge(claim, case, this, other)


def _judge(claim: Claim, case: Case, this: Party, other: Party) -> Iterator[Branch]:
    if _identical(claim, this, other):
        return
    unknown = [party for party in (this, other) if party.devices is None]
    if unknown:
        which = "either side" if len(unknown) == 2 else "the subject" if unknown[0] is this else "the other side"
        message = f"the device count of {which} is not stated"
        one = _one_machine(case, other)
        if one is not None:
            message += f"; {one.name or 'one system'} is the only hardware that is named"
        related = (Related(one.at, "the only hardware that is named"),) if one is not None else ()
        yield NotShown(message, unknown[0].at, ITEM, PROVIDE, related, question=one is not None)
        return
    note = _per_device(claim, case, this, other)
    if note is not None:
        yield Note(note)
    elif not _equal_power(this, other) or this.devices != other.devices:
        message = (
            f"{this.devices} devices stand against {other.devices}, with power envelopes {_watts(this)} and "
            f"{_watts(other)}, and no value per device follows"
        )
        yield NotShown(message, other.at, ITEM, PROVIDE, related=(Related(this.at, "the subject"),))


def _one_machine(case: Case, other: Party) -> System | None:
    """Return the document's only system where nothing says that the other side ran elsewhere: then a count is asked."""
    systems = tuple(case.submission.systems.values())
    words = " ".join(name for name in (*other.names, other.base.definition if other.base is not None else None) if name)
    elsewhere = other.device is not None or _HARDWARE.search(words) is not None
    return systems[0] if len(systems) == 1 and not elsewhere else None


def _identical(claim: Claim, this: Party, other: Party) -> bool:
    """One system, or one model of device, in equal numbers; own variants on one system need no count."""
    one_system = this.system is not None and this.system is other.system
    if one_system and claim.compares == "own_variants" and this.devices is None and other.devices is None:
        return True
    if this.devices is None or this.devices != other.devices:
        return False
    return one_system or (same_device(this, other, claim) and _equal_power(this, other))


def _equal_power(this: Party, other: Party) -> bool:
    return this.power_w is not None and this.power_w == other.power_w


def _per_device(claim: Claim, case: Case, this: Party, other: Party) -> str | None:
    """Return the values per device in words, from both values, or the ratio per device from a claimed ratio."""
    assert this.devices is not None
    assert other.devices is not None
    values = performance(this, claim, case), performance(other, claim, case)
    time = _is_time(values[0][1] if values[0] is not None else None, claim)
    if values[0] is not None and values[1] is not None and values[1][1] in {None, values[0][1]}:
        parts = [
            Decimal(value) * count if time else Decimal(value) / count
            for (value, _), count in zip((values[0], values[1]), (this.devices, other.devices), strict=True)
        ]
        unit = f"device-{values[0][1]}" if time else f"{values[0][1]} per device"
        return f"{short(parts[0])} against {short(parts[1])} {unit}"
    if claim.form == "ratio" and claim.value is not None and claim.unit not in {"%", "percent"}:
        ratio = Decimal(claim.value) * other.devices / this.devices
        counts = f"{this.devices} devices against {other.devices}"
        return f"{counts}: a gain of {claim.value} is one of {short(ratio)} per device"
    return None


def _is_time(unit: str | None, claim: Claim) -> bool:
    """Whether a value is a time, by its own unit: a claimed time may stand on rates."""
    return seconds(unit) is not None if unit is not None else claim.quantity in {"time", "latency"}


def _watts(party: Party) -> str:
    return f"{party.power_w:g} W" if party.power_w is not None else "not stated"
