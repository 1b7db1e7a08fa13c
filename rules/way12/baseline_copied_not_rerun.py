"""W1203: a gain over a number from someone else's machine."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.parties import Party, others, same_device, subject
from ..facts.document.told import said
from ..facts.quantities.per_second import operations_per_second, work_per_second
from ..outcome import C3, CAVEAT, Branch, Note, NotShown, Related, Violation
from ..registry import rule

PROVIDE = """\
claims:
  speedup:
    comparator: {source: rerun, device: "A100", devices: 8}     # or published, audited
"""


@rule(
    "W1203",
    "baseline-copied-not-rerun",
    effect=CAVEAT,
    confidence=C3,
    applies="(ratio or (accuracy and has(base))) and compares=other_system",
    origin="S1.12, MEAS",
)
def baseline_copied_not_rerun(claim: Claim, case: Case) -> Iterator[Branch]:
    """A ratio over a published number that was taken on other hardware.

    ## What it does
    Reads where the other side's number comes from: measured again, published or audited; trials of it in the document
    show that it was measured here. Compares models and numbers of devices.

    ## Why it misleads
    Half of such a gain may be the machine's. Only a run on the same hardware, or a value per device, tells the two
    apart.

    ## Branches
    - (a) caveat, C3: the number was published for another device or another number of devices, and is not normalised.
    - pass with note: it was published for the same model and number of devices; or the difference is said beside the
      ratio, the comparison is called one between generations, or both are values per device of one model.
    - not shown: a gain in quality is over a published value; where the number comes from is not stated; or it is a
      quoted one, and the hardware of a side is not known. An audited result on named hardware passes.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"comparator": {"source": "published", "device": "V100"}, "base": {"arm": null}}},
     "arms": {"theirs": {"trials": null}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, which ran the other system again.

    ## How to fix
    Run it again, or normalise.

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    this, opposite = subject(claim, case), others(claim, case)
    if not opposite:
        yield NotShown("where the other side's number comes from is not stated", claim.at, provide=PROVIDE)
    for other in opposite:
        yield from _judge(claim, case, this, other)


def _judge(claim: Claim, case: Case, this: Party, other: Party) -> Iterator[Branch]:
    source = other.comparator.source if other.comparator is not None else None
    if source is None and other.side is not None and other.side.arm.trials:
        return
    if source is None:
        yield NotShown("where the other side's number comes from is not stated", other.at, provide=PROVIDE)
    elif source == "audited":
        if other.device is None and (other.comparator is None or other.comparator.result_id is None):
            yield NotShown("the hardware of the audited result is not named", other.at, provide=PROVIDE)
    elif source == "published":
        yield _published(claim, case, this, other)


def _published(claim: Claim, case: Case, this: Party, other: Party) -> Branch:
    if claim.quantity == "accuracy":
        message = (
            "the other side's quality is a published one; whether its data, recipe and evaluation were the same is open"
        )
        return NotShown(message, other.at, provide=PROVIDE)
    one_device = same_device(this, other, claim)
    if said(claim, "hardware_normalisation"):
        return Note("a published number, normalised as said beside the ratio")
    if one_device and (this.devices == other.devices is not None or _per_device(claim, case)):
        return Note(f"a published number from {_hardware(other)}, the same hardware or a value per device")
    if other.comparator is not None and other.comparator.generational is True:
        return Note("a published number of an earlier generation: the hardware is what is compared")
    apart = this.device is not None and other.device is not None and not one_device
    counts = this.devices is not None and other.devices is not None and this.devices != other.devices
    if not apart and not counts:
        message = "the number is a published one, and whether it was taken on the same hardware is not stated"
        return NotShown(message, other.at, provide=PROVIDE)
    message = (
        f"the ratio is over a published number from {_hardware(other)}, while the subject ran on {_hardware(this)}"
    )
    related = (Related(this.at, "the subject"),)
    return Violation("a", CAVEAT, C3, message, other.at, _hardware(this), _hardware(other), related)


def _hardware(party: Party) -> str:
    count = f"{party.devices}x " if party.devices is not None else ""
    return f"{count}{party.device or 'an unnamed device'}"


def _per_device(claim: Claim, case: Case) -> bool:
    """Whether the numbers of both sides are values of one device."""
    metrics = case.metric(claim.measured), case.metric(claim.base)
    units = [metric.unit if metric is not None else None for metric in metrics]
    if units[1] is None and claim.base is not None:
        units[1] = claim.base.unit
    found = [operations_per_second(unit) or work_per_second(unit) for unit in units]
    return all(unit is not None and unit.per_device for unit in found)
