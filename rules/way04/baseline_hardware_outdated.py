"""W0401: a new system against a device that nobody would buy any more."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.parties import Party, others, same_device, subject
from ..facts.device.device_words import device_words
from ..facts.device.specification import Variant, device_of, device_table, named_device
from ..facts.document.days import day, later, months_between
from ..facts.document.told import said
from ..language.reading import Reading, read
from ..outcome import C1, CAVEAT, UNDERMINES, Branch, NotShown, Related, Violation
from ..registry import Threshold, rule


def released(case: Case, party: Party) -> date | None:
    """Return the release day of a side's device: of the claim's own side the earliest, of the other the latest."""
    if party.released is not None:
        return day(party.released)
    devices = _variant(case, party).devices
    days = [_first(device.release_earliest) if party.own else _last(device.release_latest) for device in devices]
    known = [found for found in days if found is not None]
    if not known or len(known) < len(days):
        return None
    return min(known) if party.own else max(known)


def superseded(case: Case, party: Party) -> date | None:
    """Return the day from which on the next generation of a side's device surely could be had."""
    if party.superseded is not None:
        return day(party.superseded)
    table = device_table(case)
    successors = [table.devices.get(device.successor or "") for device in _variant(case, party).devices]
    days = [_last(device.release_latest) if device is not None else None for device in successors]
    known = [found for found in days if found is not None]
    return max(known) if known and len(known) == len(days) else None


def _variant(case: Case, party: Party) -> Variant:
    if party.comparator is not None and party.comparator.device is not None:
        return named_device(case, party.comparator.device)
    return device_of(case, party.system)


def _first(month: str | None) -> date | None:
    return day(f"{month}-01") if month is not None else None


def _last(month: str | None) -> date | None:
    first = _first(month)
    return first.replace(day=monthrange(first.year, first.month)[1]) if first is not None else None


PROVIDE = """\
publication: {date: "2026-03-14"}
systems:
  baseline: {name: "4x V100", device: V100, released: "2017-06-21", superseded: "2020-05-14"}
  ours: {name: "4x H100", device: H100, released: "2022-10-01"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    age: float = Threshold(24, "months between the two devices", "judgement: about one generation of accelerators")
    generation: float = Threshold(
        12, "months between the two devices", "judgement: a half-way refresh is no generation"
    )
    available: float = Threshold(6, "months a newer device could be had before the claim", "judgement")


@rule(
    "W0401",
    "baseline-hardware-outdated",
    effect=UNDERMINES,
    confidence=C1,
    applies="comparison and compares=other_system",
    origin="S1.4, J",
    thresholds=Thresholds,
)
def baseline_hardware_outdated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A comparison with hardware of an earlier generation, where a newer one could be had.

    ## What it does
    Compares the days on which the two devices were released, and asks whether a newer device of the baseline's vendor
    and class could be had before the claim was published. The days are those that the document states (`released`,
    `superseded`, the day of the publication), else those of the accelerator table: the earliest day of the subject's
    device, the latest of the baseline's and of its next generation.

    ## Why it misleads
    Every new device beats the one before the last. The reader wants to know whether it beats what else can be bought
    today.

    ## Branches
    - (a) undermines, C1: the baseline's device came out at least 24 months before the subject's, a newer one of its
      vendor and class was available at least 6 months before the claim, and the comparison is not called one between
      generations (by the comparator's entry or in the sentence).
    - (b, instead of a) caveat, C1: the same, with 12 to 24 months between the two devices.
    - not shown: a device or one of the days that decide is neither stated nor in the table.
    - Silent where both sides ran on the same model of device. An age below 12 months, or below
      24 where nothing newer is known, passes without the other days.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"comparator": {"device": "V100"}}},
     "systems": {"theirs": {"name": "8x V100-SXM2-32GB", "device": "V100", "released": "2017-06-21",
                            "superseded": "2020-05-14"}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, where both sides ran on the same model of device.

    ## How to fix
    Add the newest device that is generally available, or call the comparison one between generations.

    ## References
    Hoefler, Twelve ways to fool the masses, way 4.
    """
    if _between_generations(claim, case):
        return
    this = subject(claim, case)
    opposite = others(claim, case)
    if not opposite:
        yield NotShown("the device that the other side ran on is not stated", claim.at, provide=PROVIDE)
    for other in opposite:
        if not same_device(this, other, claim):
            yield from _judge(case, thresholds, this, other)


def _between_generations(claim: Claim, case: Case) -> bool:
    """Whether generations are compared, as is said beside the number: by its topic, or by naming device and age."""
    words = read(claim.statement)
    called = claim.comparator is not None and claim.comparator.generational is True
    aged = (words.has("generation_age") or _names_a_year(words)) and any(
        other.device is not None and device_words(case, other.device) & device_words(case, claim.statement)
        for other in others(claim, case)
    )
    return called or aged or said(claim, "device_generation")


def _names_a_year(words: Reading) -> bool:
    found = (number for item in words.mentions("year") for number in read(item.text).numbers())
    return any(1900 <= number.low < 2100 and not number.suffix for number in found)


def _judge(case: Case, thresholds: Thresholds, this: Party, other: Party) -> Iterator[Branch]:
    new, old = released(case, this), released(case, other)
    if new is None or old is None:
        which = "either device" if new is old else "the subject's device" if new is None else "the other device"
        yield NotShown(f"the release day of {which} is not known", other.at, provide=PROVIDE)
        return
    if later(old, thresholds.generation) > new:
        return
    aged = later(old, thresholds.age) <= new
    publication = case.submission.publication
    successor, claimed = superseded(case, other), day(publication.date if publication is not None else None)
    if (successor is None or claimed is None) and not aged:
        return
    if successor is None or claimed is None:
        missing = "whether a newer device could be had" if successor is None else "the day of the claim"
        message = f"the baseline's device is of {old}, the subject's of {new}, and {missing} is not known"
        yield NotShown(message, other.at, provide=PROVIDE)
    elif later(successor, thresholds.available) <= claimed:
        message = (
            f"the baseline's {other.device or 'device'} ({old}) is {months_between(old, new)} months older than the "
            f"subject's {this.device or 'device'} ({new}), and a newer one could be had from {successor} on"
        )
        related = (Related(this.at, f"released {new}"),)
        branch, effect = ("a", UNDERMINES) if aged else ("b", CAVEAT)
        yield Violation(branch, effect, C1, message, other.at, related=related)
