"""The numbers that count, taken out of a hand-in: each with its interval, its evidence, and whether it can count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...rules.case import Side
from ...rules.outcome import Tier
from ...schemas.evidence import Interval, Quality
from ...schemas.submission import Claim
from ...schemas.tender import Offer, TenderMetric
from ..lint.lint import Linted
from ..report import ClaimReport, Verdict
from . import examples
from .doubts import Doubts, doubts
from .ran import Ran
from .tender import Issued

HOUR_S = 3600
Studies = Mapping[tuple[str, str], Ran]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that counts, as a vendor shows it."""

    metric: str
    value: float
    printed: str
    interval: Interval | None
    tier: Tier
    verdict: Verdict
    why: str
    """The clause that decided the verdict; of a number that nobody claims, that it is not claimed."""
    not_comparable: str
    """Why it answers another question than the tender's; empty where it answers that one."""
    per: Mapping[str, float | None]
    """Per device, joule, cost, as the tender asks; None where what it is divided by is not stated, or where the number
    does not stand."""
    open: Doubts
    """Whether it keeps its limits, and what keeps it from being signed or accepted."""
    claim: str
    counted: str = ""
    """A share of examples as a count."""

    @property
    def stands(self) -> bool:
        """Whether the number may be set beside those of other vendors."""
        return not self.not_comparable and self.verdict <= Verdict.PASS_WITH_CAVEATS


@dataclass(frozen=True, slots=True)
class Found:
    """Where a vendor shows a number: its claim, if there is one, and the arm behind it."""

    linted: Linted
    report: ClaimReport | None
    claim: Claim | None
    id: str
    side: Side | None


def find(metric: TenderMetric, linted: Sequence[Linted], studies: Studies) -> Found | None:
    """Return where a number that counts stands: in a claim on a study of its workload, in such a study, in any claim.

    A claim on a study of another workload is none; one without a study may be meant, at the tier that it has.
    """
    stated = [found for found in _claims(metric, linted) if found.claim and found.claim.unit == metric.unit]
    of_studies = [found for found in stated if _ran(found, studies, metric.workload) is not None]
    named = [found for found in of_studies if found.side is not None and found.side.id.endswith(f":{metric.arm}")]
    if named or of_studies:
        return (named or of_studies)[0]
    recorded = (found for found in _records(metric, linted, studies) if _number(metric, found.side) is not None)
    unbound = (found for found in stated if found.side is None or found.side.study is None)
    return next(recorded, None) or next(unbound, None)


def other_unit(metric: TenderMetric, linted: Sequence[Linted], studies: Studies) -> str | None:
    """Return the unit in which a number was handed in that the tender asks for in another one."""
    of_studies = (found for found in _claims(metric, linted) if _ran(found, studies, metric.workload) is not None)
    units = [found.claim.unit for found in of_studies if found.claim is not None]
    for found in _records(metric, linted, studies):
        arm = found.side.arm if found.side is not None else None
        held = (arm.quality if metric.quality else arm.performance) if arm is not None else {}
        number = held.get(metric.quality or metric.metric or "")
        units.append(number.unit if number is not None else None)
    return next((unit for unit in units if unit is not None and unit != metric.unit), None)


def _records(metric: TenderMetric, linted: Sequence[Linted], studies: Studies) -> Iterator[Found]:
    """Yield the arms of the metric's name in studies of its workload."""
    for item in linted:
        for study in item.case.studies.values():
            side = item.case.cited(study, metric.arm)
            found = Found(item, None, None, "", side)
            if side is not None and _ran(found, studies, metric.workload) is not None:
                yield found


def _ran(found: Found, studies: Studies, workload: str) -> Ran | None:
    """Return what the study behind a number ran, where it is of a workload."""
    study = found.side.study if found.side is not None else None
    one = studies.get((found.linted.path, study.id)) if study is not None else None
    return one if one is not None and one.workload == workload else None


def _claims(metric: TenderMetric, linted: Sequence[Linted]) -> Iterator[Found]:
    for item in linted:
        reports = {report.id: report for report in item.report.claims}
        for name, claim in item.case.submission.claims.items():
            if name not in reports or claim.form != "absolute" or claim.value is None:
                continue
            reference = claim.quality if metric.quality is not None else claim.measured
            stated = getattr(reference, "quality" if metric.quality is not None else "metric", None)
            if stated == (metric.quality or metric.metric) and (metric.quality is None or claim.quantity == "accuracy"):
                yield Found(item, reports[name], claim, name, item.case.subject(claim))


def _number(metric: TenderMetric, side: Side | None) -> tuple[str, Interval | None] | None:
    """Return the number that an arm's record states, where its unit is the tender's."""
    if side is None:
        return None
    if metric.quality is not None:
        quality = side.arm.quality.get(metric.quality)
        if quality is None or quality.value is None or (quality.unit or metric.unit) != metric.unit:
            return None
        return quality.value, quality.interval
    found = side.arm.performance.get(metric.metric or "")
    if found is None or found.value is None or found.unit != metric.unit:
        return None
    return found.value, found.interval


def figure(issued: Issued, vendor: str, name: str, found: Found, studies: Studies, offer: Offer | None) -> Figure:
    """Return a number as a vendor shows it.

    Args:
        issued: the tender.
        vendor: whose hand-in it is.
        name: of the number in the tender.
        found: where it stands.
        studies: what each study of the hand-in ran.
        offer: what the vendor states beside its studies.
    """
    metric, side, claim = issued.content.metrics[name], found.side, found.claim
    recorded = _number(metric, side)
    printed, interval = (claim.value, claim.interval) if claim is not None else recorded or ("0", None)
    assert printed is not None
    quality = _counted(metric, side, printed)
    if quality is not None:  # so many examples show no more, whatever a vendor states
        interval = examples.interval_of(quality)
    elif interval is None and recorded is not None and recorded[0] == printed:
        interval = recorded[1]
    tier, verdict, why = _judged(metric, found)
    other = _not_comparable(_ran(found, studies, metric.workload), issued.content.vendors[vendor].nonce)
    if other and verdict < Verdict.INSUFFICIENT_EVIDENCE:
        verdict, why = Verdict.INSUFFICIENT_EVIDENCE, f"not comparable: {other}"
    value = float(printed)
    stands = verdict <= Verdict.PASS_WITH_CAVEATS
    asked = metric.per if metric.better == "higher" else ()
    per = {each: _per(each, value, side, offer) if stands else None for each in asked}
    of = (quality.examples or 0) if quality is not None else 0
    left = doubts(issued.content, metric, value, interval, side, of)
    count = examples.counted(quality) if quality is not None else ""
    return Figure(name, value, printed, interval, tier, verdict, why, other, per, left, found.id, count)


def _counted(metric: TenderMetric, side: Side | None, printed: str) -> Quality | None:
    """Return the quality behind a number where it is a share of counted examples.

    One that a training run reached varies with its seeds, and these examples alone do not tell how far.
    """
    quality = side.arm.quality.get(metric.quality or "") if side is not None else None
    if quality is None or quality.value != printed or quality.checkpoint is not None:
        return None
    return quality if examples.interval_of(quality) is not None else None


def _judged(metric: TenderMetric, found: Found) -> tuple[Tier, Verdict, str]:
    """Return the tier of a number, its verdict, and what decided it."""
    if found.report is not None:
        tier, verdict, why = Tier[found.report.tier], found.report.verdict, found.report.why
    else:
        tier, verdict, why = _tier(found.side), Verdict.PASS, "in the record of the study; nobody claims it"
    if tier < Tier[metric.tier] and verdict < Verdict.INSUFFICIENT_EVIDENCE:
        return tier, Verdict.INSUFFICIENT_EVIDENCE, f"shown at {tier.name}; the tender asks for {metric.tier}"
    return tier, verdict, why


def _not_comparable(ran: Ran | None, nonce: str) -> str:
    if ran is None:
        return ""
    if ran.changed:
        return f"another spec was run: other {', '.join(ran.changed)}"
    return "" if ran.nonce == nonce else "measured for another call"


def _tier(side: Side | None) -> Tier:
    """Return the tier of a number in a record that no claim repeats: attested at best."""
    study = side.study if side is not None else None
    if study is None or study.signature in ("invalid", "unread"):
        return Tier.T1
    return Tier.T3 if study.signature == "trusted" else Tier.T2


def _per(each: str, value: float, side: Side | None, offer: Offer | None) -> float | None:
    if each == "device":
        return value / side.devices if side is not None and side.devices else None
    if each == "cost":
        return _per_cost(value, side, offer)
    energy = side.arm.energy if side is not None else None
    if energy is None:
        return None
    if energy.work is not None and energy.energy_j:
        return energy.work / energy.energy_j
    return value / energy.mean_power_w if energy.mean_power_w else None


def _per_cost(value: float, side: Side | None, offer: Offer | None) -> float | None:
    """Return a rate over the price of all that is measured; over a price per hour, what an hour does for it."""
    if offer is None or offer.price is None:
        return None
    if offer.price.per == "hour":
        return value * HOUR_S / offer.price.amount
    units = side.devices if offer.price.per == "device" and side is not None else 1
    return value / (offer.price.amount * units) if units else None
