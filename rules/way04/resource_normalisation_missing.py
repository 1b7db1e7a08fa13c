"""W0404: more hardware against less, and no value per device."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.conditions import System
from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.parties import Party, others, performance, same_device, subject
from ..facts.document.words import words_in, words_of
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.per_second import seconds
from ..facts.quantities.performance import more_is_better
from ..facts.quantities.unit_parts import unit_parts
from ..fields import field_of
from ..language.printed import short
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Note, NotShown, Related, Violation
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
SPEED = frozenset({"rate", "time", "latency", "flops"})
SIZES = frozenset({"devices", "devices_per_node", "nodes", "cores", "threads", "other"})
NOT_DIVISIBLE = frozenset({"accuracy", "mfu", "count", "memory", "energy", "cost"})
ON_ONE_DEVICE = frozenset({"kernel", "layer"})


class PerDevice(Struct, frozen=True):
    """Values per device of both sides.

    Attributes:
        words: both of them, as words.
        gain: by which factor the claim's side is better per device; None where that does not follow.
    """

    words: str
    gain: Decimal | None


@rule(
    "W0404",
    "resource-normalisation-missing",
    effect=CAVEAT,
    confidence=C3,
    applies="comparison",
    origin="S1.4, S0, MEAS",
)
def resource_normalisation_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison of systems whose sizes are not known, or differ without a value per device.

    ## What it does
    Reads device counts and power envelopes of both sides. Where they differ, or the power is not known, it computes the
    value per device (for a time: device-seconds) of both, and prints it. Where only the ratio is stated, the ratio per
    device follows from the two counts.

    ## Why it misleads
    Twice the devices give about twice the speed. Without the counts a reader cannot tell a better system from a bigger
    one.

    ## Branches
    - (a) caveat, C3: with more devices the claim's side is worse per device than the other, and neither the sentence
      nor a quote beside the number tells the counts or a value per device. An efficiency is one.
    - pass with note: the value per device, where both counts are stated.
    - not applicable: a quality, a utilisation or a count is not divided by devices, and neither is what counts the
      resources itself: device-hours, energy, money. A kernel, or an answer to one request other than a language
      model's, is taken to run on one device where neither side states a count.
    - not shown: a device count is not known (where the document names one system, and nothing says that the other side
      ran elsewhere, the finding asks for the count alone); or the counts differ, and no value per device follows.
      Required (device counts per arm) of comparisons with other systems from the reviewer profile on. Not required:
      power envelopes of equal counts of devices whose models differ or are not known.
    - Silent where both sides ran on one system, or on equal counts of one model.

    ## Flagged
    On `comparison` for claim `speedup`, where sixteen devices are compared with eight:
    ```json
    {"claims": {"speedup": {"statement": "FastLM 0.9 trains the 350M decoder 1.34x faster than OtherLM 2.1."}},
     "systems": {"ours": {"nodes": 2}}, "arms": {"ours": {"devices": 16, "options": {"devices": 16}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, which states eight devices on either side.

    ## How to fix
    State device counts and power limits, and add a column with the value per device.

    ## References
    Hoefler, Twelve ways to fool the masses, way 4.
    """
    this, opposite = subject(claim, case), others(claim, case)
    if claim.quantity in NOT_DIVISIBLE or _in_device_time(claim, case, this):
        what = claim.quantity if claim.quantity in NOT_DIVISIBLE else "a time that counts devices"
        yield Inapplicable(f"{what} is not divided by the number of devices")
        return
    if _on_one_device(claim, case) and all(party.devices is None for party in (this, *opposite)):
        yield Inapplicable(f"a single {claim.scope} is taken to run on one device, and no count is stated")
        return
    if not opposite:
        yield NotShown("the size of the other system is not stated", claim.at, ITEM, PROVIDE)
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
    found = _per_device(claim, case, this, other)
    worse = found is not None and found.gain is not None and found.gain < 1
    by_size = claim.quantity in SPEED and (this.devices or 0) > (other.devices or 0)
    if found is not None and worse and by_size and not _counts_told(claim, this, other):
        message = f"{found.words}: per device the claim's side is worse, and the sentence tells neither count"
        at_best = short(found.gain) if found.gain is not None else None
        sizes = (Related(this.at, f"{this.devices} devices"), Related(other.at, f"{other.devices} devices"))
        yield Violation("a", CAVEAT, C3, message, claim.place("statement"), claim.value, at_best, sizes)
    elif found is not None:
        yield Note(found.words)
    elif not _equal_power(this, other) or this.devices != other.devices:
        message = (
            f"{this.devices} devices are compared with {other.devices}, with power envelopes {_watts(this)} and "
            f"{_watts(other)}, and no value per device follows"
        )
        item = ITEM if this.devices != other.devices else ""
        yield NotShown(message, other.at, item, PROVIDE, related=(Related(this.at, "the subject"),))


def _in_device_time(claim: Claim, case: Case, this: Party) -> bool:
    """Whether a time is one of all devices together: "A100 GPU days", "GPU-hours"."""
    stated = performance(this, claim, case)
    for unit in (claim.unit, stated[1] if stated is not None else None):
        words = read(unit or "")
        one = [part.kind for part in unit_parts(unit)] == ["time"]
        if one and (words.has("hardware") or words.has("device") or words.names("device")):
            return True
    return False


def _on_one_device(claim: Claim, case: Case) -> bool:
    """Whether work is such as one device does alone: a kernel, or an answer to one request but a language model's."""
    alone = claim.mode == "inference" and claim.scope == "request" and field_of("work", claim, case) != "tokens"
    return alone or claim.scope in ON_ONE_DEVICE


def _one_machine(case: Case, other: Party) -> System | None:
    """Return the document's only system where nothing says that the other side ran elsewhere: then a count is asked."""
    systems = tuple(case.submission.systems.values())
    words = words_in(*other.names, other.base.definition if other.base is not None else None)
    elsewhere = other.device is not None or words.has("hardware") or any(text.names("device") for text in words)
    return systems[0] if len(systems) == 1 and not elsewhere else None


def _identical(claim: Claim, this: Party, other: Party) -> bool:
    """Whether both sides ran on one system, or on equal numbers of one model whose power envelopes do not differ."""
    if this.devices != other.devices or not same_device(this, other, claim):
        return False
    if this.system is not None and this.system is other.system:
        return True
    known = this.power_w is not None and other.power_w is not None
    return this.devices is not None and (not known or _equal_power(this, other))


def _equal_power(this: Party, other: Party) -> bool:
    return this.power_w is not None and this.power_w == other.power_w


def _per_device(claim: Claim, case: Case, this: Party, other: Party) -> PerDevice | None:
    """Return the values per device, from both values, or the ratio per device from a claimed ratio."""
    assert this.devices is not None
    assert other.devices is not None
    values = performance(this, claim, case), performance(other, claim, case)
    unit = values[0][1] if values[0] is not None else None
    # A claimed time may stand on rates: the value's own unit decides.
    time = seconds(unit) is not None if unit is not None else claim.quantity in {"time", "latency"}
    if values[0] is not None and values[1] is not None and values[1][1] in {None, values[0][1]}:
        parts = [
            Decimal(value) * count if time else Decimal(value) / count
            for (value, _), count in zip((values[0], values[1]), (this.devices, other.devices), strict=True)
        ]
        unit = f"device-{values[0][1]}" if time else f"{values[0][1]} per device"
        higher = more_is_better(claim.quantity, values[0][1]) if not time else False
        gain = None
        if higher is not None and min(parts) > 0:
            gain = parts[0] / parts[1] if higher else parts[1] / parts[0]
        return PerDevice(f"{short(parts[0])} against {short(parts[1])} {unit}", gain)
    if claim.form == "ratio" and claim.value is not None and claim.unit not in PERCENT:
        ratio = Decimal(claim.value) * other.devices / this.devices
        counts = f"{this.devices} devices against {other.devices}"
        return PerDevice(f"{counts}: a gain of {claim.value} is one of {short(ratio)} per device", None)
    return None


def _counts_told(claim: Claim, this: Party, other: Party) -> bool:
    """Whether the sentence or a quote beside the number tells a count of devices or speaks of a value for each."""
    words = words_of(claim)
    counts = {count.value for text in words for count in text.counts() if count.of in SIZES}
    bare = {number.low for text in words for number in text.unbound_numbers()}
    told = {this.devices, other.devices} & (counts | bare)
    return bool(told) or claim.form == "efficiency" or words.has("per_device")


def _watts(party: Party) -> str:
    return f"{party.power_w:g} W" if party.power_w is not None else "not stated"
