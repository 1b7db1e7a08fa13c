"""W0402: devices of different classes side by side."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.parties import Party, others, same_device, subject
from ..facts.device.formats import known, normalised
from ..facts.device.peaks import SPARSE, SPARSE_FACTOR
from ..facts.document.words import Words, words_in, words_of
from ..facts.quantities.given import given
from ..language.printed import Span, short
from ..language.reading import Reading, read
from ..outcome import C1, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
systems:
  ours: {name: "1x A100", device_kind: accelerator, design_power_w: 400}
  theirs: {name: "2x EPYC 7763", device_kind: processor, host_cores: 128, threads_used: 128, vectorised: true,
           design_power_w: 280}
arms:
  ours: {operations: {peak_flops: 312e12, peak_kind: dense}}
"""
NORMALISED = frozenset({"mfu", "energy", "cost"})
PER_SIZE = ("per_energy_or_cost", "work_per_energy")
NOT_SPEED = frozenset({"accuracy", "memory", "count"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    ratio: float = Threshold(4, "ratio of peaks or design powers", "judgement: more than one class of device apart")
    cores: float = Threshold(0.5, "share of the physical cores", "judgement")


@rule(
    "W0402",
    "device-class-mismatch",
    effect=UNDERMINES,
    confidence=C1,
    applies="comparison",
    origin="S1.4",
    thresholds=Thresholds,
)
def device_class_mismatch(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A large device against a small one, or an accelerator against a processor that hardly works.

    ## What it does
    Compares the dense peaks of both sides at one number format and their power envelopes, for one device and for all
    devices used. Looks at the threads and the vectorisation of a processor baseline. Asks whether the document holds
    any number that takes the size out: a share of the peak, work per joule, a cost; or gives peak, power or price of
    both beside the ratio.

    ## Why it misleads
    An accelerator with ten times the peak should be ten times faster. Against one thread of a processor with 64 cores
    anything is fast.

    ## Branches
    - (a) undermines, C1: the subject has more than 4 times the peak or the power of the other side, per device and in
      total, and no number per peak, watt or price stands in the document; or the baseline ran on less than half of the
      physical cores of its processor, or without vector instructions, and the subject did not; or it is said to have
      run on one core or thread, beside an accelerator.
    - not shown: peaks or power envelopes of different devices are not stated, or the threads and cores of a processor
      baseline are not.
    - not applicable: two variants of one author on one model of device; no ratio is drawn between the two; the quantity
      is no speed; a claim about cost, where the prices are the comparison.
    - Silent where both sides ran on the same model of device. A larger peak of the other side misleads nobody.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"statement": "FastLM trains the 350M decoder 1.34x faster than OtherLM.",
                            "comparator": {"device": null}}},
     "systems": {"theirs": {"name": "2x EPYC 7763", "device": "EPYC 7763", "device_kind": "processor",
                            "threads_used": 8}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, where both sides ran on eight A100s.

    ## How to fix
    Let the baseline use its whole machine, and add work per joule or the share of the peak.

    ## References
    Hoefler, Twelve ways to fool the masses, way 4. Hoefler and Belli, Scientific benchmarking of parallel computing
    systems (2015).
    """
    if claim.quantity in NOT_SPEED or claim.quantity == "cost":
        yield Inapplicable(f"{claim.quantity} is not a speed of the devices")
        return
    if not _ratio_drawn(claim, case):
        yield Inapplicable("the document draws no ratio between the two systems")
        return
    this, opposite = subject(claim, case), others(claim, case)
    if claim.compares == "own_variants":
        yield from _variants(claim, case, thresholds, this, opposite)
        return
    if not opposite:
        yield NotShown("the hardware that the other side ran on is not stated", claim.at, provide=PROVIDE)
    for other in opposite:
        if same_device(this, other, claim) and not _is(other, "processor"):
            continue
        yield from _processor(claim, thresholds, this, other)
        if not same_device(this, other, claim) and not _normalised(claim, case):
            yield from _class(thresholds, this, other)


def _variants(
    claim: Claim, case: Case, thresholds: Thresholds, this: Party, opposite: tuple[Party, ...]
) -> Iterator[Branch]:
    """Judge two variants of one author that ran on different devices; what is not stated of them is not asked for."""
    pairs = [other for other in opposite if this.system is not None and other.system is not None]
    apart = [other for other in pairs if this.device and other.device and not same_device(this, other, claim)]
    if not apart:
        yield Inapplicable("both variants ran on one model of device, as far as stated")
        return
    for other in apart:
        found = [*_processor(claim, thresholds, this, other)]
        if not _normalised(claim, case):
            found += _class(thresholds, this, other)
        yield from (branch for branch in found if isinstance(branch, Violation))


def _ratio_drawn(claim: Claim, case: Case) -> bool:
    row = case.row(claim)
    printed = row is not None and row.speedup is not None
    return claim.form != "rank" or claim.unit in {"x", "%", "percent"} or printed


def _is(party: Party, kind: str) -> bool:
    return party.system is not None and party.system.device_kind == kind


def _accelerated(claim: Claim) -> bool:
    """Whether the sentence names an accelerator, outside of what it compares with."""
    sentence = read(claim.statement)
    bases = [found.base for found in sentence.comparisons() if found.base is not None]
    places = [item.span for item in sentence.mentions("on_an_accelerator") if not item.negated]
    places += [(name.start, name.end) for name in sentence.names("device") if not name.host]
    return any(not any(begin <= start < stop for begin, stop in bases) for start, _ in places)


def _called(other: Party) -> Words:
    """Return what the other side is called, and how it is said to be configured."""
    definition = other.base.definition if other.base is not None else None
    configuration = other.comparator.configuration if other.comparator is not None else None
    return words_in(*other.names, definition, configuration)


def _on_one_core(claim: Claim, other: Party) -> bool:
    """Whether the other side is said to have run on one core or thread, as in "faster than one core of it"."""
    sentence = read(claim.statement)
    bases = [found.base for found in sentence.comparisons() if found.base is not None]
    compared = any(read(claim.statement[start:end]).has("one_core") for start, end in bases)
    return compared or _called(other).has("one_core")


def _processor(claim: Claim, thresholds: Thresholds, this: Party, other: Party) -> Iterator[Branch]:
    """Judge the baseline's use of its processor; not where the subject uses its own no better, or that is studied."""
    system, own = other.system, this.system
    accelerated = _is(this, "accelerator") or (this.system is None and _accelerated(claim))
    if (system is None or system.threads_used is None) and accelerated and _on_one_core(claim, other):
        message = f"the baseline ran on one core of {other.device or 'a processor'}, the subject on an accelerator"
        yield Violation("a", UNDERMINES, C1, message, other.at, related=(Related(this.at, "subject"),))
        return
    if (
        system is None
        or not _is(other, "processor")
        or {"threads", "threads_used", "vectorised"} & set(claim.treatment)
    ):
        return
    more_threads = not _is(this, "processor") or (
        own is not None and (own.threads_used or 0) > (system.threads_used or 0) and system.threads_used is not None
    )
    vectors = not _is(this, "processor") or (own is not None and own.vectorised is True)
    if system.vectorised is False and vectors:
        message = f"the baseline on {other.device or 'a processor'} does not use its vector instructions"
        related = (Related(this.at, "subject"),)
        yield Violation("a", UNDERMINES, C1, message, system.place("vectorised"), related=related)
    if system.threads_used is None or system.host_cores is None:
        if not _is(this, "processor"):
            message = f"threads and cores of the baseline on {other.device or 'a processor'} are not stated"
            yield NotShown(message, system.at, provide=PROVIDE)
    elif more_threads and system.threads_used < thresholds.cores * system.host_cores:
        message = f"the baseline ran {system.threads_used} threads on a processor node with {system.host_cores} cores"
        related = (Related(this.at, "the subject"),)
        share = f"{system.threads_used / system.host_cores:.2g} of the cores"
        yield Violation("a", UNDERMINES, C1, message, system.place("threads_used"), recomputed=share, related=related)


def _class(thresholds: Thresholds, this: Party, other: Party) -> Iterator[Branch]:
    """Compare peaks and power envelopes of two different devices."""
    peaks, powers = _peaks(this, other), _powers(this, other)
    for name, pair in (("peak", peaks), ("power envelope", powers)):
        ratio = pair[0] / pair[1] if pair is not None else None
        if ratio is None or ratio.low <= Decimal(str(thresholds.ratio)):
            continue
        if this.devices is None or other.devices is None:
            message = f"the subject's device has {short(ratio.low)} times the {name}; the device counts are not stated"
            yield NotShown(message, other.at, provide=PROVIDE)
            return
        total = ratio.low * this.devices / other.devices
        if total > Decimal(str(thresholds.ratio)):
            message = (
                f"{this.devices} x {this.device or 'device'} have {short(total)} times the {name} of {other.devices} x "
                f"{other.device or 'device'}, and nothing is given per peak, watt or price"
            )
            yield Violation("a", UNDERMINES, C1, message, other.at, related=(Related(this.at, "the subject"),))
            return
    missing = [name for name, pair in (("peaks at one number format", peaks), ("power envelopes", powers)) if not pair]
    if missing:
        message = f"the {' and '.join(missing)} of both devices are not stated"
        yield NotShown(message, other.at, provide=PROVIDE, related=(Related(this.at, "the subject"),))


def _powers(this: Party, other: Party) -> tuple[Span, Span] | None:
    if this.power_w is None or other.power_w is None:
        return None
    return given(this.power_w), given(other.power_w)


def _peaks(this: Party, other: Party) -> tuple[Span, Span] | None:
    """Return the dense peaks of one device of either side, where both are stated at one number format."""
    found = [_peak(party.side) for party in (this, other)]
    if found[0] is None or found[1] is None or found[0][0] != found[1][0]:
        return None
    return found[0][1], found[1][1]


def _peak(side: Side | None) -> tuple[str, Span] | None:
    if side is None or side.arm.operations is None or side.arm.options is None:
        return None
    peak, precision = side.arm.operations.peak_flops, side.arm.options.precision
    if peak is None or precision is None or precision.compute is None or not known(precision.compute):
        return None
    interval = given(peak)
    if side.arm.operations.peak_kind == SPARSE:
        interval = Span(interval.low / SPARSE_FACTOR, interval.high / SPARSE_FACTOR)
    return normalised(precision.compute), interval


def _normalised(claim: Claim, case: Case) -> bool:
    """Whether the document holds a number that takes the size of the devices out."""
    topics = [*(item.topic for item in claim.said), *(item.topic for item in case.submission.disclosures)]
    words = words_of(claim).and_(("", claim.unit))
    if "hardware_normalisation" in topics or words.has(*PER_SIZE, "size_told"):
        return True
    if any(_prices_or_powers(text, claim) for text in words):
        return True
    columns = [column for table in case.submission.tables.values() for column in table.columns.values()]
    quantities = {
        *(column.quantity for column in columns),
        *(item.quantity for item in case.submission.claims.values()),
    }
    if not NORMALISED.isdisjoint({claim.quantity, *quantities}):
        return True
    if words_in(*(column.unit for column in columns)).has(*PER_SIZE):
        return True
    pair = [side for side in (case.subject(claim), case.base(claim)) if side is not None]
    return len(pair) == 2 and all(_own_normalised(side) for side in pair)


def _prices_or_powers(words: Reading, claim: Claim) -> bool:
    """Whether a text gives a price, beside the claim's number what more the one side costs or draws, or both powers."""
    times = (*words.comparisons("cost"), *words.comparisons("energy"))
    own = Decimal(claim.value) if claim.value is not None else None
    priced = any(found.degree not in {None, own} for found in times) or bool(words.quantities("money"))
    return priced or sum(found.value is not None for found in words.quantities("power")) >= 2


def _own_normalised(side: Side) -> bool:
    energy, metrics = side.arm.energy, side.arm.performance.values()
    if side.arm.cost is not None or (energy is not None and (energy.energy_j or energy.mean_power_w)):
        return True
    return any(metric.quantity in NORMALISED or words_in(metric.unit).has(*PER_SIZE) for metric in metrics)
