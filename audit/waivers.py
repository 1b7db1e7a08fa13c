"""Waivers: findings that the gate's owner accepts, each for one claim of one document, with a reason and an end.

They live in a file of the gate's owner. A waived finding stays visible and counted; it no longer decides. An expired
waiver and one that matched nothing are findings themselves. A changed document is judged anew: a waiver names the
digest of the document it was written for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from ..rules.outcome import Outcome
from ..schemas.model import to_model
from ..schemas.settings import Waiver, Waivers
from ..schemas.source import Source
from ..schemas.validation import load
from .report import Verdict, Waived
from .verdict import Weighed

EXPIRED, UNUSED = "D02", "D03"


class WaiverFile(Struct, frozen=True):
    """A file of waivers, with its text for places in it."""

    waivers: Mapping[str, Waiver]
    source: Source


def read_waivers(path: Path) -> WaiverFile:
    """Read a file of waivers.

    Raises:
        UserError: it cannot be read, or does not fit its schema.
    """
    source = load(path, "waivers")
    return WaiverFile(to_model(source.value, Waivers, "waivers:").waivers, source)


class Waiving(Struct, frozen=True):
    """The waivers that concern one document.

    Attributes:
        live: those that hold today, by name.
        expired: those that no longer do.
        mandatory: codes of rules that no waiver silences.
    """

    live: Mapping[str, Waiver]
    expired: Mapping[str, Waiver]
    mandatory: frozenset[str]

    def applied(self, weighed: Weighed, claim: str | None) -> Weighed:
        """Return a weighed result as a waiver leaves it: a caveat at most, with the waiver's name."""
        if weighed.verdict is Verdict.PASS or weighed.result.outcome is Outcome.ERROR:
            return weighed
        code = weighed.result.code
        for name, waiver in self.live.items():
            if waiver.rule == code and waiver.claim == claim and code not in self.mandatory:
                verdict = min(weighed.verdict, Verdict.PASS_WITH_CAVEATS)
                return weighed.replaced(verdict, f"{code} is waived by {waiver.approver}", waived(name, waiver))
        return weighed

    def unused(self, weighed: Iterable[Weighed]) -> dict[str, Waiver]:
        """Return the waivers that hold and matched nothing."""
        used = {item.waived.id for item in weighed if item.waived is not None}
        return {name: waiver for name, waiver in self.live.items() if name not in used}


NONE = Waiving({}, {}, frozenset())


def waiving(waivers: Mapping[str, Waiver], document_sha256: str, today: str, mandatory: Iterable[str]) -> Waiving:
    """Return the waivers that concern a document.

    Args:
        waivers: by name.
        document_sha256: digest of the document.
        today: ISO 8601 day.
        mandatory: codes of rules that no waiver silences.
    """
    mine = {name: waiver for name, waiver in waivers.items() if waiver.document == document_sha256}
    live = {name: waiver for name, waiver in mine.items() if waiver.expires >= today}
    expired = {name: waiver for name, waiver in mine.items() if waiver.expires < today}
    return Waiving(live, expired, frozenset(mandatory))


def waived(name: str, waiver: Waiver) -> Waived:
    """Return a waiver as a finding carries it."""
    return Waived(name, waiver.reason, waiver.justification, waiver.approver, waiver.expires)
