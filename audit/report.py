"""The report that a lint gives: verdicts, findings with their places, coverage. Renderers are functions of it."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from msgspec import Struct, field


class Verdict(IntEnum):
    """Verdict of a claim, and of a document (its worst claim); never a score."""

    PASS = 0
    PASS_WITH_CAVEATS = 1
    INSUFFICIENT_EVIDENCE = 2
    FAIL = 3

    @property
    def words(self) -> str:
        """The verdict as printed."""
        return self.name.replace("_", " ")


SENTENCE = "line-"
"""What the ids of claims begin with that an importer makes of the sentences of a document."""


class Location(Struct, frozen=True):
    """A place in a file.

    Attributes:
        file: name of the file.
        line: from 1.
        column: from 1.
        pointer: JSON Pointer.
        text: the line, shortened.
        cut: characters that are missing before what is quoted of a long line.
        place: where it stands in a document, in the words of its reader: "page 5, Table 2, row 3".
        lines: whether the file has lines that can be counted.
    """

    file: str
    line: int
    column: int
    pointer: str
    text: str = ""
    cut: int = 0
    place: str = ""
    lines: bool = True

    def within(self, name: str) -> str:
        """Return the place in a file of this name, as one finds it there."""
        if not self.lines:
            return f"{name}, {self.place}" if self.place else name
        return f"{name}:{self.line}:{self.column}" + (f", {self.place}" if self.place else "")

    @property
    def index(self) -> int:
        """Where the column is in the quoted text."""
        return max(self.column - 1 - self.cut, 0)


class Waived(Struct, frozen=True):
    """The waiver that accepts a finding: it stays visible and counted, and no longer decides.

    Attributes:
        id: name of the waiver in its file.
        reason: one of the closed list.
        justification: the reason in words.
        approver: who accepts it.
        expires: last day on which it holds, ISO 8601.
    """

    id: str
    reason: str
    justification: str
    approver: str
    expires: str


class Finding(Struct, frozen=True):
    """One flaw, or one piece of missing evidence.

    Attributes:
        fingerprint: stable name of the finding: rule, claim, branch and pointer, not the line.
        code: the rule.
        name: the flaw in words.
        claim: id of the claim; None for the document.
        outcome: violation, not-shown or error.
        effect: refutes, undermines, caveat; empty where nothing is shown.
        confidence: C1, C2, C3; empty likewise.
        tier: evidence tier of the inputs, T0 to T4.
        branch: letter of the rule's branch.
        message: one sentence.
        claimed: as stated.
        recomputed: what the evidence gives.
        location: primary place.
        related: further places with what stands there.
        also: codes that the finding speaks for.
        decides: whether it decides the verdict of its claim.
        item: required evidence item that is missing.
        next_step: what would show or mend it.
        provide: the piece of spec or submission that would show it.
        members: (code, message) of findings that are folded into this one.
        waived: the waiver that accepts it.
        known: whether the baseline holds it or a waiver accepts it; None without a baseline.
    """

    fingerprint: str
    code: str
    name: str
    claim: str | None
    outcome: str
    effect: str
    confidence: str
    tier: str
    branch: str
    message: str
    claimed: str | None
    recomputed: str | None
    location: Location
    related: tuple[tuple[Location, str], ...] = ()
    also: tuple[str, ...] = ()
    decides: bool = False
    item: str = ""
    next_step: str = ""
    provide: str = ""
    members: tuple[tuple[str, str], ...] = ()
    waived: Waived | None = None
    known: bool | None = None

    @property
    def is_minor(self) -> bool:
        """Whether it only tells of evidence that is missing without being required: one line says it."""
        return self.outcome == "not-shown" and not self.decides and self.waived is None and not self.members

    @property
    def is_below_tier(self) -> bool:
        """Whether its item is shown, and only by evidence of a lower tier than the profile asks for."""
        return self.outcome == "not-shown" and self.tier != "T0" and self.waived is None


class Coverage(Struct, frozen=True):
    """How much of a claim could be judged.

    Attributes:
        decided: codes of rules that gave an answer (pass or violation).
        not_shown: codes of rules that lacked evidence.
        not_applicable: how many rules had nothing to say.
        settle: what would settle the open ones, one clause each.
    """

    decided: tuple[str, ...]
    not_shown: tuple[str, ...]
    not_applicable: int
    settle: tuple[str, ...] = ()

    @property
    def applicable(self) -> int:
        """Number of rules that had something to say."""
        return len(self.decided) + len(self.not_shown)


class ClaimReport(Struct, frozen=True):
    """What a lint says of one claim.

    Attributes:
        id: the claim.
        statement: the sentence as printed.
        value: number and unit as printed.
        verdict: its verdict.
        why: the clause that decided it.
        judged_as: what the claim was taken for, and what it does not say.
        tier: tier of the evidence behind it.
        findings: the worst first.
        coverage: what could be checked.
        ways: worst outcome by way, W01 to W12.
        notes: printed beside passes.
        location: where its sentence stands in what a person edits; None where that is not known.
        cell: where the number stands of which its sentence was put together from a table: "Table, line 16"; empty of
            a sentence that somebody wrote.
    """

    id: str
    statement: str
    value: str
    verdict: Verdict
    why: str
    judged_as: str
    tier: str
    findings: tuple[Finding, ...]
    coverage: Coverage
    ways: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    location: Location | None = None
    cell: str = ""


class StudyReport(Struct, frozen=True):
    """A cited study and what verification said.

    Attributes:
        id: the submission's name for it.
        signature: trusted, unlisted, absent, invalid or unread.
        problems: what does not hold.
        plans: plans of the same spec in the signer's ledger, where known.
        witnessed: whether a witness co-signed the ledger.
    """

    id: str
    signature: str
    problems: tuple[str, ...]
    plans: int | None
    witnessed: bool


class LeftOut(Struct, frozen=True):
    """A file that was handed in and not judged.

    Attributes:
        folder: the folder that was handed in, as it was named.
        path: the file below it, with / between the parts.
        reason: why, in a clause.
    """

    folder: str
    path: str
    reason: str

    @property
    def shown(self) -> str:
        """The file as the user would name it."""
        return str(Path(self.folder) / self.path)


class Against(Struct, frozen=True):
    """How a document stands against the baseline.

    Attributes:
        new: findings that neither the baseline holds nor a waiver accepts.
        known: findings that the baseline holds.
        fails: whether a new one is as bad as the verdict to fail on.
    """

    new: int
    known: int
    fails: bool


class Report(Struct, frozen=True):
    """What a lint says of one document.

    Attributes:
        file: name of the document.
        sha256: digest of its bytes.
        title: its title.
        coverage: full or excerpt.
        profile: profile it was judged under.
        tool: version of dlaudit.
        verdict: the worst claim's; None where the document is invalid or makes no claim.
        claims: by claim, in the order of the document.
        findings: about the document as a whole.
        studies: cited studies.
        notes: printed once.
        left_out: files of the folder that was handed in which are not judged; in the folder's first report alone.
        against: how it stands against the baseline; None without one, and where there is no verdict.
    """

    file: str
    sha256: str
    title: str
    coverage: str
    profile: str
    tool: str
    verdict: Verdict | None
    claims: tuple[ClaimReport, ...]
    findings: tuple[Finding, ...] = ()
    studies: tuple[StudyReport, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    against: Against | None = None

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Every finding: those of the document, then those of the claims."""
        return self.findings + tuple(finding for claim in self.claims for finding in claim.findings)
