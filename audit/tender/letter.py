"""The letter to a vendor: what its hand-in shows, the few demands that decide, and every list in full behind them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from ...rules.outcome import Tier
from ...schemas.tender import TenderMetric
from ..renderers.asked import Question
from ..report import Verdict
from ..terminal import safe
from .digits import digits
from .figures import Figure
from .offers import ABSENT, VendorOffer
from .sent import to_vendor
from .shown import TIERS, limit, standing
from .tender import Issued

WIDTH = 92
TUNING = "tuning effort"
"""What only a vendor's own words can show."""
WORDS = {
    "arm": "one set of options of a spec, measured by trials of its own",
    "nonce": "the text in your spec, made for you alone, that shows that a study began after our call",
    "interval": "a range made so that, over many studies, 95 of 100 such ranges hold the number",
    "ledger": "the list of studies that dlaudit keeps where they are measured, those without a good end among them",
}


def letter(issued: Issued, offer: VendorOffer, day: str) -> str:
    """Return the letter as plain text.

    Args:
        issued: the tender.
        offer: what the vendor handed in.
        day: of the judgement.
    """
    return "\n".join(line.rstrip() for line in _lines(issued, to_vendor(issued, offer), day)) + "\n"


def _lines(issued: Issued, offer: VendorOffer, day: str) -> Iterator[str]:
    content = issued.content
    yield from (safe(content.buyer), "", f"To {safe(offer.name)}", "", safe(day), "")
    yield from _wrapped(f"Your offer: {content.title}")
    yield ""
    yield from _wrapped(_opening(offer))
    yield from _list("", (*offer.problems, *offer.open))
    if not offer.meets:
        closes = f" Offers close on {content.closes}." if content.closes else ""
        yield from ("", *_wrapped(f"Please answer {content.contact or content.buyer}.{closes}"))
        yield from _demands([question for question in offer.questions if question.decides])
        yield from _how(issued, offer)
    if offer.figures:
        yield from ("", "What your hand-in shows", "")
        for name, figure in offer.figures.items():
            yield from _wrapped(_shown(content.metrics[name], name, figure), "  ")
    yield from _annex(issued, offer)


def _opening(offer: VendorOffer) -> str:
    if offer.unread.startswith(ABSENT):
        return "We found no hand-in of yours. You are listed with the other offers, without a number. Why:"
    if offer.unread:
        return "We could not read your hand-in. It is listed with the other offers, without a number. Why:"
    if offer.meets:
        return "Your hand-in shows every number that the tender asks for, on the evidence that it asks for."
    if offer.sound:
        return "Your hand-in shows every number that the tender asks for, and we cannot sign it yet. Why:"
    if offer.verdict is Verdict.INSUFFICIENT_EVIDENCE:
        return "Your hand-in does not yet show what the tender asks for. Nothing in it contradicts your numbers. Why:"
    return "Your hand-in does not meet the tender. Why:"


def _shown(metric: TenderMetric, name: str, figure: Figure) -> str:
    value, low, high = digits(metric, figure)
    count, between = f" ({figure.counted})" if figure.counted else "", f", {low} to {high}" if low else ""
    words = f"{metric.label or name}: {value} {metric.unit}{count}{between}. Evidence {figure.tier.name}"
    if figure.tier < Tier[metric.tier]:
        words += f"; {metric.tier} is asked for"
    if not figure.stands:
        words += f". {standing(figure).capitalize()}"
    asked_for = f" The tender asks for {limit(metric)}." if limit(metric) else ""
    doubts = "".join(f" {doubt[0].upper()}{doubt[1:]}." for doubt in figure.open.words)
    return f"{words}.{asked_for}{doubts}"


def _demands(deciding: Sequence[Question]) -> Iterator[str]:
    """Yield the questions whose answers decide."""
    if deciding:
        yield from ("", "What decides, and we ask you for", "")
    for number, question in enumerate(deciding, 1):
        yield from _wrapped(f"{number}. {question.cause.ask}", "  ", "     ")
        yield from _wrapped(f"Please supply {question.cause.settle}", "     ")


def _annex(issued: Issued, offer: VendorOffer) -> Iterator[str]:
    """Yield each list in full: caveats, what is unproven, what else is open; and what words mean."""
    further = [question for question in offer.questions if not question.decides and question.kind == "open"]
    lists = (
        ("caveats of your numbers", offer.caveats),
        ("what is unproven", offer.unproven),
        ("what else is open", [seen for question in further for seen in question.seen]),
    )
    for number, (heading, items) in enumerate(((heading, items) for heading, items in lists if items), 1):
        yield from _list(f"Annex {number}: {heading}", items)
    yield from ("", "Words", "")
    asked = {Tier[metric.tier] for metric in issued.content.metrics.values()}
    for tier in sorted(asked | {figure.tier for figure in offer.figures.values()}):
        yield from _wrapped(f"{tier.name}: {TIERS[tier].replace('you', 'we')}", "  ")
    for word, meaning in WORDS.items():
        yield from _wrapped(f"{word}: {meaning}", "  ")


def _list(heading: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield from ("", heading, "") if heading else ("",)
    for item in items:
        yield from _wrapped(f"- {item}", "  ")


def _how(issued: Issued, offer: VendorOffer) -> Iterator[str]:
    """Yield how to supply it: what no measurement settles, then each spec that settles something, with its commands."""
    yield from ("", "What to supply, and how", "")
    for line in _without_measuring(issued, offer):
        yield from _wrapped(f"- {line}", "  ")
    for name in issued.content.workloads:
        settled = [_label(issued, each) for each in wanting(issued, offer) if _workload(issued, each) == name]
        if settled:
            yield from _spec(issued, offer, name, settled)


def wanting(issued: Issued, offer: VendorOffer) -> tuple[str, ...]:
    """Return the numbers that a run of their spec would settle: those that are not shown, or not as the tender asks."""
    only_words = offer.missing == (TUNING,) and offer.verdict is Verdict.INSUFFICIENT_EVIDENCE
    found = []
    for name, metric in issued.content.metrics.items():
        figure = offer.figures.get(name)
        measured = figure is not None and figure.tier >= Tier[metric.tier] and not figure.not_comparable
        if not measured or (figure is not None and not figure.stands and not only_words):
            found.append(name)
    return tuple(found)


def _without_measuring(issued: Issued, offer: VendorOffer) -> Iterator[str]:
    """Yield what to do about each point that a run of a spec does not settle."""
    content, again = issued.content, wanting(issued, offer)
    measured = {name: figure for name, figure in offer.figures.items() if name not in again}
    missed = [_label(issued, name) for name, figure in measured.items() if figure.open.limit == "missed"]
    open_ones = [name for name, figure in measured.items() if figure.open.untold or figure.open.wide]
    if missed:
        yield f"{'; '.join(missed)}: measured as asked, beyond the limit. Another system would have to keep it."
    if open_ones:
        busy = any(measured[name].open.disturbed for name in open_ones)
        quiet = " Your machine was busy: choose a quiet one." if busy else ""
        more = dict.fromkeys("examples" if measured[name].counted else "trials" for name in open_ones)
        yield (
            f"{'; '.join(_label(issued, name) for name in open_ones)}: measured as asked, with too few "
            f"{' and '.join(more)} to decide. We may send you a second call of this tender: the same spec with more of "
            f"them and a new nonce. Only its numbers are then measured again; your price and all else stand.{quiet}"
        )
    if offer.offer is None or offer.offer.price is None:
        price = f"{{amount: 84200, currency: {content.price.currency}, per: {content.price.per}}}"
        yield f"State your price in {offer.id}/offer.yaml, such as price: {price}."
    if TUNING in offer.missing:
        yield (
            "No record can show how many runs it took to find the options: state them in submission.json of "
            'your study, without a new run, such as "disclosures": [{"topic": "tuning_effort", "quote": "…"}].'
        )


def _spec(issued: Issued, offer: VendorOffer, name: str, settled: Sequence[str]) -> Iterator[str]:
    """Yield a spec with this vendor's nonce, in full, what a run of it settles, and the commands."""
    data = issued.nonced(name, offer.id).decode(errors="replace")
    file = f"{name}.{'json' if data.startswith('{') else 'yaml'}"
    yield from _wrapped(
        f"- Run {file}, which carries your nonce: it measures {'; '.join(settled)}. Sign it with the key whose public "
        "half we have, and hand in the whole folder that it writes, with offer.yaml beside it.",
        "  ",
    )
    yield from ("", f"  {file}:", "", *(f"    {safe(line)}" for line in data.splitlines()), "")
    yield f"    dlaudit run {file} --out {offer.id}/{name} --key keys/*.key"
    yield f"    dlaudit verify {offer.id}/{name}"


def _label(issued: Issued, name: str) -> str:
    return issued.content.metrics[name].label or name


def _workload(issued: Issued, name: str) -> str:
    return issued.content.metrics[name].workload


def _wrapped(text: str, indent: str = "", later: str | None = None) -> list[str]:
    later = indent + ("  " if text.startswith("- ") else "") if later is None else later
    return textwrap.wrap(safe(text), WIDTH, initial_indent=indent, subsequent_indent=later, break_on_hyphens=False)
