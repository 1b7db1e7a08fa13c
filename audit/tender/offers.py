"""The offers of a tender: what each vendor handed in, judged, and the numbers that count taken out of it.

Nothing here compares vendors. Each number stands with its interval, the tier of its evidence, and what is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from msgspec import structs

from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.model import to_model
from ...schemas.source import parse
from ...schemas.tender import Offer, TenderMetric
from ...schemas.validation import check
from ..lint.lint import Linted, lint
from ..lint.read import read_documents
from ..lint.settings import Settings
from ..renderers.asked import Question, asked
from ..renderers.counts import counted
from ..report import ClaimReport, Verdict
from ..trust.trustfile import Trust
from . import against, figures
from .figures import Figure
from .loads import Loads
from .ran import of_studies
from .stated import stated
from .tender import Issued, id_of

OFFER_FILES = ("offer.yaml", "offer.json")
OFFER_LIMIT_BYTES = 1 << 16
ABSENT = "nothing was handed in"
ANOTHER = "another bidder"
"""What one vendor reads in place of another's name."""
SHARED = "the same study was handed in by"
UNWITNESSED = "runs that are not in the ledger (nobody witnessed it)"


@dataclass(frozen=True, slots=True)
class VendorOffer:
    """What one vendor handed in."""

    id: str
    name: str
    offer: Offer | None = None
    unread: str = ""
    """Why nothing could be read; empty where something could."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    """What speaks against the offer, in words; the gravest first."""
    open: tuple[str, ...] = ()
    """Which limits cannot be told to be kept, and which intervals are too wide to sign."""
    caveats: tuple[str, ...] = ()
    """What weakens its numbers without contradicting them; a busy machine first."""
    missing: tuple[str, ...] = ()
    """Evidence that procurement requires and the hand-in does not show."""
    unproven: tuple[str, ...] = ()
    """All that is not shown: what is missing, qualities that were asked for, and what else would settle a question."""
    verdict: Verdict | None = None
    """The worst of what the tender asks for and of what else is contradicted; None where nothing of it is there."""
    linted: tuple[Linted, ...] = ()
    questions: tuple[Question, ...] = ()
    studies: Mapping[str, bool] = field(default_factory=dict)
    """Whether each study, by its id, carries the nonce that this vendor was given."""
    private: Mapping[str, str] = field(default_factory=dict)
    """Problems and caveats that name another vendor, each with the words that this one may read."""

    @property
    def sound(self) -> bool:
        """Whether every number that counts is there and shown as the tender asks, and none misses its limits."""
        held = self.verdict is not None and self.verdict <= Verdict.PASS_WITH_CAVEATS
        return held and not self.problems

    @property
    def meets(self) -> bool:
        """Whether it can be signed: each number is also known well enough, and its limits certainly kept."""
        return self.sound and not self.open


def judge_offers(
    folder: Path, issued: Issued, loads: Loads, trust: Trust | None, today: str
) -> tuple[VendorOffer, ...]:
    """Judge what every vendor of a tender handed in; each of them is in the answer, in the order of the tender.

    Args:
        folder: holds a folder for each vendor, named by its id.
        issued: the tender.
        loads: of its services.
        trust: whose signatures count.
        today: day of the judgement, ISO 8601.
    """
    judged = [_vendor(folder / name, name, issued, loads, trust, today) for name in issued.content.vendors]
    return tuple(_shared(judged))


def unnamed(folder: Path, issued: Issued) -> tuple[str, ...]:
    """Return what lies in the folder of hand-ins and belongs to no vendor of the tender."""
    return tuple(
        sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name not in issued.content.vendors)
    )


def _vendor(folder: Path, name: str, issued: Issued, loads: Loads, trust: Trust | None, today: str) -> VendorOffer:
    vendor = issued.content.vendors[name]
    nothing = VendorOffer(name, vendor.name)
    if not folder.is_dir() or folder.is_symlink():
        return _unread(nothing, _absent(folder))
    try:
        offer = _offer(folder, name, issued)
        settings = Settings("procurement", trust=trust, today=today, nonce=vendor.nonce, code=issued.code)
        linted = tuple(lint(document, settings) for document in read_documents([str(folder)]))
    except UserError as error:
        why = str(error).replace(f"{folder}/", "")
        return replace(_unread(nothing, why), private={why: _nameless(why, name, issued)})
    broken = [item for item in linted if item.report.verdict is None and item.report.findings]
    if not any(item.report.claims for item in linted):
        return _unread(replace(nothing, offer=offer), _why(folder, broken), linted)
    return _judged(nothing, folder, offer, linted, issued, loads)


def _nameless(words: str, name: str, issued: Issued) -> str:
    """Return words with no id of another vendor in them."""
    for other in issued.content.vendors:
        words = words if other == name else words.replace(repr(other), ANOTHER)
    return words


def _absent(folder: Path) -> str:
    """Say that a vendor's folder is not there, and which one may be meant."""
    others = folder.parent.iterdir() if folder.parent.is_dir() else ()
    meant = next((other.name for other in others if other.is_dir() and id_of(other.name) == folder.name), None)
    if meant is not None and not folder.exists():
        return f"{ABSENT}: the folder {meant} may be meant; name it {folder.name}, the vendor's id"
    return f"{ABSENT}: there is no folder {folder.name}"


def _why(folder: Path, broken: Sequence[Linted]) -> str:
    """Say why nothing counts of what lies in a vendor's folder: what, where, and what to do."""
    if not broken:
        todo = "put the whole folder into it that dlaudit run wrote, with manifest.json and submission.json"
        return f"{folder.name} holds no study and no claim; {todo}"
    return against.unreadable(broken[0]).replace(f"{folder}/", "")


def _unread(nothing: VendorOffer, why: str, linted: tuple[Linted, ...] = ()) -> VendorOffer:
    return replace(nothing, unread=why, problems=(why,), linted=linted)


def _offer(folder: Path, name: str, issued: Issued) -> Offer | None:
    """Return what the vendor states beside its studies.

    Raises:
        UserError: it is not valid, or states another vendor or currency.
    """
    file = next((each for each in OFFER_FILES if (folder / each).exists()), None)
    if file is None:
        return None
    with open_beneath(folder, file) as opened:
        source = parse(opened.read(OFFER_LIMIT_BYTES), file)
    offer = to_model(check(source, "offer").value, Offer)
    if offer.vendor != name:
        raise UserError(f"this offer is from {offer.vendor!r}", f"it lies in the folder of {name!r}", file)
    asked = issued.content.price
    if offer.price is not None and offer.price.currency != asked.currency:
        raise UserError(f"the price is in {offer.price.currency}", f"state it in {asked.currency}", file)
    if offer.price is not None and offer.price.per != asked.per:
        raise UserError(f"the price is per {offer.price.per}", f"state it per {asked.per}, as the tender asks", file)
    return offer


def _judged(
    nothing: VendorOffer, folder: Path, offer: Offer | None, linted: tuple[Linted, ...], issued: Issued, loads: Loads
) -> VendorOffer:
    shown, reports, of_numbers, ran = {}, [], [], of_studies(linted, issued)
    untold: list[str] = []
    wide: list[str] = []
    busy: dict[str, None] = {}
    for name, metric in issued.content.metrics.items():
        label = metric.label or name
        found = figures.find(metric, linted, ran)
        if found is None:
            of_numbers.append(f"{label}: {_why_none(metric, linted, ran, loads)}")
            continue
        shown[name] = figures.figure(issued, nothing.id, name, found, ran, offer)
        if not shown[name].not_comparable and (more := loads.exceeded(metric, shown[name].value)):
            of_numbers.append(f"{label}: {shown[name].printed} {metric.unit} is claimed, {more}")
        reports += [found.report] if found.report is not None else []
        of_numbers += against.of_figure(label, metric, shown[name])
        untold += against.left_open(label, shown[name])
        wide += against.widely_kept(label, shown[name])
        busy |= dict.fromkeys(filter(None, [shown[name].open.disturbed]))
    missing = against.lacking(reports, linted)
    problems = [
        *(words.replace(f"{folder}/", "") for words in against.broken(linted)),
        *against.contradictions(reports, linted),
        *_only_words(linted, ran),
        *against.not_shown(missing),
        *(
            f"study {one.title!r} did not run what was asked for: other {', '.join(one.changed)}"
            for one in ran.values()
            if one.changed
        ),
        *of_numbers,
    ]
    if offer is None or offer.price is None:
        problems.append("no price is stated in offer.yaml")
    return replace(
        nothing,
        offer=offer,
        figures=shown,
        problems=tuple(dict.fromkeys(problems)),
        open=tuple(untold),
        caveats=(*busy, *wide, *against.caveats(reports)),
        missing=missing,
        unproven=tuple(_unproven((*missing, *_unmeasured(issued, shown)), reports, linted)),
        verdict=_worst(shown.values(), linted, len(shown) == len(issued.content.metrics)),
        linted=linted,
        questions=tuple(_questions(reports, linted)),
        studies={
            study.record.study.id: study.record.study.nonce == issued.content.vendors[nothing.id].nonce
            for item in linted
            for study in item.case.studies.values()
            if study.record is not None
        },
    )


def _only_words(linted: Sequence[Linted], ran: figures.Studies) -> Iterator[str]:
    """Yield that there are claims and no study, where it is so."""
    claims = sum(len(item.report.claims) for item in linted)
    if claims and not ran and not any(item.case.studies for item in linted):
        yield f"no study was handed in: {counted(claims, 'number')} in words, none of them shown"


def _why_none(metric: TenderMetric, linted: Sequence[Linted], ran: figures.Studies, loads: Loads) -> str:
    """Say why a number that counts is not there: it has another unit, only words state it, or nothing does."""
    other = figures.other_unit(metric, linted, ran)
    if other:
        return f"handed in as {other}, the tender asks for {metric.unit}"
    words = stated(metric, linted)
    if words is None:
        return "not in what was handed in"
    more = loads.exceeded(metric, words.value)
    return f"{words.words}; {more}" if more else words.words


def _unmeasured(issued: Issued, shown: Mapping[str, Figure]) -> Iterator[str]:
    """Yield the qualities that the tender asks for and nobody measured."""
    for name, metric in issued.content.metrics.items():
        if metric.quality is not None and name not in shown:
            yield metric.label or name


def _worst(shown: Iterable[Figure], linted: Sequence[Linted], complete: bool) -> Verdict | None:
    """Return the worst verdict of the numbers that count, of the documents, and of every claim that is contradicted.

    None where nothing is claimed at all.
    """
    verdicts = [figure.verdict for figure in shown]
    contradicted = [report.verdict for report in against.refuted(linted)]
    if not verdicts and not contradicted:
        return Verdict.INSUFFICIENT_EVIDENCE if any(item.report.claims for item in linted) else None
    open_ones = [] if complete else [Verdict.INSUFFICIENT_EVIDENCE]
    return max(*verdicts, *contradicted, *open_ones, *map(against.of_document, linted))


def _unproven(missing: Sequence[str], reports: Sequence[ClaimReport], linted: Sequence[Linted]) -> dict[str, None]:
    found = dict.fromkeys((*missing, *(what for report in reports for what in report.coverage.settle)))
    studies = [study for item in linted for study in item.case.studies.values()]
    if any(study.record is not None and not study.witnessed for study in studies):
        found[UNWITNESSED] = None
    return found


def _questions(reports: Sequence[ClaimReport], linted: Sequence[Linted]) -> Iterator[Question]:
    """Yield what to ask about the claims that count and those that are contradicted; each question once."""
    counted = {id(report) for report in (*reports, *against.refuted(linted))}
    merged: dict[str, Question] = {}
    for question in (question for item in linted for question in asked(item).questions):
        if question.claims and not any(id(claim) in counted for claim in question.claims):
            continue
        known = merged.get(question.cause.ask)
        if known is not None:
            seen = tuple(dict.fromkeys((*known.seen, *question.seen)))
            question = structs.replace(known, decides=known.decides or question.decides, seen=seen)
        merged[question.cause.ask] = question
    yield from merged.values()


def _shared(judged: Sequence[VendorOffer]) -> Iterator[VendorOffer]:
    """Yield the offers; a study that several handed in fails each of them that was not given its nonce."""
    for one in judged:
        own: dict[str, str] = {}
        theirs: dict[str, str] = {}
        for study, is_own in one.studies.items():
            names = ", ".join(other.name for other in judged if other is not one and study in other.studies)
            if names and is_own:
                own[f"{SHARED} {names}; it carries this vendor's own nonce"] = (
                    f"{SHARED} {ANOTHER}; it carries your own nonce"
                )
            elif names:
                theirs[f"{SHARED} {names}"] = f"{SHARED} {ANOTHER}"
        yield replace(
            one,
            problems=(*theirs, *one.problems),
            caveats=(*own, *one.caveats),
            verdict=Verdict.FAIL if theirs else one.verdict,
            private={**one.private, **theirs, **own},
        )
