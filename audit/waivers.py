"""Waivers: findings that the gate's owner accepts, each for one claim of one document, with a reason and an end.

They live in a file of the gate's owner. A waived finding stays visible and counted; it no longer decides. An expired
waiver and one that matched nothing are findings themselves. A changed document is judged anew: a waiver names the
digest of the document it was written for, and one of a rule that reads the source or the files of results behind it
those of these, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from msgspec import Struct

from ..rules.case import Case
from ..rules.outcome import Outcome
from ..schemas.errors import UserError, VerificationFailed
from ..schemas.model import to_model
from ..schemas.settings import Waiver, Waivers
from ..schemas.source import Source, parse, read
from ..schemas.validation import check
from .report import Verdict, Waived
from .verdict import Assessment

if TYPE_CHECKING:
    from .trust.trustfile import Trust

EXPIRED, UNUSED = "D02", "D03"
OF_SOURCE, OF_RESULTS = frozenset({"D04", "D05"}), frozenset({"D04"})
"""Rules that compare a submission with the document that its sentences stand in, and with files of results."""
NO_DAY = "give the last day on which it holds, such as 2027-03-31"
REVIEWER = {"reviewer": 1}
"""Signatures that a file of waivers needs where the profile asks for signed ones."""


class WaiverFile(Struct, frozen=True):
    """A file of waivers, with its text for places in it."""

    waivers: Mapping[str, Waiver]
    source: Source


def read_waivers(path: Path) -> WaiverFile:
    """Read a file of waivers, signed or not; whoever asks for a signature asks `require_reviewer` too.

    Raises:
        UserError: it cannot be read, or does not fit its schema.
    """
    source = read(path)
    if is_signed(source):
        from .trust import dsse

        source = parse(dsse.read(source.data, str(path)).payload, str(path))
    waivers = to_model(check(source, "waivers").value, Waivers, "waivers:").waivers
    for name, waiver in waivers.items():
        if not is_day(waiver.expires):
            place = source.place(f"/waivers/{name}/expires")
            where = f"{source.name}:{place.line}:{place.column} (/waivers/{name}/expires)"
            raise UserError(f"there is no day {waiver.expires}", NO_DAY, where)
    return WaiverFile(waivers, source)


def is_day(text: str) -> bool:
    """Whether an ISO 8601 day is in the calendar: the last of February, not the 31st."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_signed(source: Source) -> bool:
    """Whether a document is an envelope."""
    return isinstance(source.value, dict) and "payloadType" in source.value


def require_reviewer(path: Path, trust: Trust | None, now: datetime) -> None:
    """Make sure that a reviewer's key signed a file of waivers.

    Raises:
        UserError: it is not signed, or no trust file says whose signatures count.
        VerificationFailed: the signature does not hold, or is of nobody who is trusted as a reviewer.
    """
    from .trust import dsse
    from .trust.judgement import judge

    if trust is None:
        raise UserError("waivers must be signed here, and no trust file says by whom", "give --trust", str(path))
    source = read(path)
    if not is_signed(source):
        raise UserError(
            "waivers must be signed here, and these are not", "`dlaudit waive --sign` signs them", str(path)
        )
    envelope = dsse.read(source.data, str(path))
    judgement = judge(envelope, trust, now, str(path), REVIEWER)
    if envelope.payload_type != dsse.WAIVERS_TYPE or judgement.status != "valid_trusted":
        reasons = "; ".join(problem.message for problem in judgement.problems) or "it is not an envelope of waivers"
        raise VerificationFailed(f"{path}: {reasons}")


class Behind(Struct, frozen=True):
    """Digests of what a submission was taken from; without what cannot be read.

    Attributes:
        source: of the document that its sentences stand in; None where there is none.
        results: of the files of results that its numbers stand in, by path.
    """

    source: str | None = None
    results: Mapping[str, str] = {}

    def read_by(self, rule: str) -> Behind:
        """Return the part that a rule reads: a waiver of it holds for that alone."""
        return Behind(self.source if rule in OF_SOURCE else None, self.results if rule in OF_RESULTS else {})


NOTHING = Behind()


def behind(case: Case) -> Behind:
    """Return the digests of what a submission was taken from, as that is now."""
    source = case.published.sha256 if case.published is not None else ""
    return Behind(source or None, {name: file.sha256 for name, file in case.results.items() if file.sha256})


class Waiving(Struct, frozen=True):
    """The waivers that concern one document.

    Attributes:
        live: those that hold today, by name.
        expired: those that no longer do.
        mandatory: codes of rules that no waiver silences.
        outdated: those written for a file of this name, or for what stands behind it, with other bytes.
    """

    live: Mapping[str, Waiver]
    expired: Mapping[str, Waiver]
    mandatory: frozenset[str]
    outdated: Mapping[str, Waiver] = {}

    def applied(self, assessment: Assessment, claim: str | None) -> Assessment:
        """Return an assessed result as a waiver leaves it: a caveat at most, with the waiver's name."""
        if assessment.verdict is Verdict.PASS or assessment.result.outcome is Outcome.ERROR:
            return assessment
        code = assessment.result.code
        for name, waiver in self.live.items():
            if waiver.rule == code and waiver.claim == claim and code not in self.mandatory:
                verdict = min(assessment.verdict, Verdict.PASS_WITH_CAVEATS)
                return assessment.replaced(verdict, f"{code} is waived by {waiver.approver}", waived(name, waiver))
        return assessment

    def unused(self, assessments: Iterable[Assessment]) -> dict[str, Waiver]:
        """Return the waivers that hold and matched nothing."""
        used = {item.waived.id for item in assessments if item.waived is not None}
        return {name: waiver for name, waiver in self.live.items() if name not in used}


NONE = Waiving({}, {}, frozenset())


def waiving(
    waivers: Mapping[str, Waiver],
    document_sha256: str,
    today: str,
    mandatory: Iterable[str],
    file: str = "",
    behind: Behind = NOTHING,
) -> Waiving:
    """Return the waivers that concern a document.

    Args:
        waivers: by name.
        document_sha256: digest of the document.
        today: ISO 8601 day.
        mandatory: codes of rules that no waiver silences.
        file: path of the document as it was named.
        behind: what the document was taken from.
    """
    mine = {
        name: waiver
        for name, waiver in waivers.items()
        if waiver.document == document_sha256 and behind.read_by(waiver.rule) == Behind(waiver.source, waiver.results)
    }
    live = {name: waiver for name, waiver in mine.items() if waiver.expires >= today}
    expired = {name: waiver for name, waiver in mine.items() if waiver.expires < today}
    renewed = {(waiver.rule, waiver.claim) for waiver in mine.values()}
    outdated = {
        name: waiver
        for name, waiver in waivers.items()
        if name not in mine and (waiver.rule, waiver.claim) not in renewed and _same_file(waiver.file, file)
    }
    return Waiving(live, expired, frozenset(mandatory), outdated)


def _same_file(waived: str | None, named: str) -> bool:
    """Whether two paths end alike: one may be named from another folder."""
    if waived is None:
        return False
    pair = zip(reversed(PurePath(waived).parts), reversed(PurePath(named).parts), strict=False)
    return bool(PurePath(waived).name) and all(left == right for left, right in pair)


def waived(name: str, waiver: Waiver) -> Waived:
    """Return a waiver as a finding carries it."""
    return Waived(name, waiver.reason, waiver.justification, waiver.approver, waiver.expires)
