"""W1207: compared with something that nobody can find."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.conditions import Software
from ...schemas.model import stated
from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.pairing import has_value
from ..facts.comparison.parties import Party, others, same_device, subject
from ..facts.document.words import words_in
from ..language.reading import read
from ..outcome import Branch, NotShown
from ..registry import rule
from ..tables.names import plain

ITEM = "comparator's identity"
NO_DEVICE = "the device is not given"
UNDATED = "neither version nor date is given"
SPEED = frozenset({"rate", "time", "latency", "flops", "energy"})
"""What depends on the release and the device of the other side, as no quality, price or count does."""
PROVIDE = """\
claims:
  speedup:
    comparator:
      name: "FastLM"
      version: "2.1.0"            # or date: "2026-01-10"
      device: "A100"
      devices: 8
      configuration: "--fused --bf16"
"""


@rule(
    "W1207",
    "comparator-unidentified",
    applies="form in {ratio, rank} and compares=other_system",
    origin="S1.12, HB15.9, MEAS",
)
def comparator_unidentified(claim: Claim, case: Case) -> Iterator[Branch]:
    """A gain over another system that is not named, has no version, or ran nobody knows where.

    ## What it does
    Looks for the other side's name, its version or date, and its device: with the comparator, in its arm, or in the
    sentence ("on the same GPU").

    ## Why it misleads
    "3x faster than existing systems" cannot be checked: the release of last month may have closed the gap, and the old
    one may have run on half the hardware.

    ## Branches
    - not shown: the name is missing or generic ("existing systems", "baseline"); neither version nor date is given; or
      the device is neither stated nor the subject's by the sentence. Where the document prints the quality of what is
      named, or leaves open only which of its devices was used, the finding asks for that. Required (comparator's
      identity) from the reviewer profile on: the name; of a speed also the device, and the version or date of a program
      (a framework, a library, an engine, a service). A model, a method or what is cited is known by its name.
    - Silent where the comparator is a result id of a named benchmark.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"comparator": {"name": "existing systems"}}}, "arms": {"theirs": {"label": "baseline"}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, which names the other system, its version and its device.

    ## How to fix
    Name it, with version, flags and device.

    ## References
    Hoefler & Belli, Scientific benchmarking of parallel computing systems, rule 9. Hoefler, Twelve ways to fool the
    masses, way 12.
    """
    this, opposite = subject(claim, case), others(claim, case)
    if not opposite:
        yield NotShown("what the number is compared with is not named", claim.at, ITEM, PROVIDE)
    for other in opposite:
        comparator = other.comparator
        if comparator is not None and comparator.result_id is not None:
            continue
        missing = _missing(claim, this, other)
        if missing:
            message = f"the other side is not identified: {', '.join(missing)}"
            item = ITEM if any(_owed(claim, case, other, what) for what in missing) else ""
            yield NotShown(message, other.at, item, PROVIDE, question=_elsewhere(case, other, missing))


def _owed(claim: Claim, case: Case, other: Party, missing: str) -> bool:
    """Whether nobody can tell without it what a claim is compared with: only a program changes with its release."""
    if missing == UNDATED:
        return claim.quantity in SPEED and _is_program(other)
    if missing == NO_DEVICE:
        return claim.quantity in SPEED and not _device_elsewhere(case, other)
    return True


def _is_program(other: Party) -> bool:
    """Whether the other side is called a program, with neither a number of its own nor a citation."""
    cited = other.comparator is not None and other.comparator.citation is not None
    if cited or any(map(str.isdigit, "".join(other.names))):
        return False
    words = words_in(*other.names)
    return words.has("program") or any(text.names(kind) for text in words for kind in ("framework", "library"))


def _elsewhere(case: Case, other: Party, missing: list[str]) -> bool:
    """Whether a document that names the other side tells more of it elsewhere: its quality, or on what it was run.

    What is asked is then which of these is meant.
    """
    if not other.names or all(map(_generic, other.names)):
        return False
    if missing == [NO_DEVICE]:
        return any(isinstance(system.device, str) for system in case.submission.systems.values())
    return any(f" {plain(name)} " in f" {plain(text)} " for name in other.names for text in _judged(case))


def _judged(case: Case) -> Iterator[str]:
    """Yield what arms, rows and columns that hold a quality are called."""
    for side in case.sides():
        if side.arm.label is not None and any(map(has_value, side.arm.quality.values())):
            yield side.arm.label
    for table in case.submission.tables.values():
        columns = {key for key, column in table.columns.items() if column.quantity == "accuracy"}
        yield from columns
        yield from (row.label for row in table.rows.values() if row.label is not None and columns & set(row.values))


def _missing(claim: Claim, this: Party, other: Party) -> list[str]:
    found = []
    if not other.names:
        found.append("the name is missing")
    elif all(map(_generic, other.names)):
        found.append(f'the name is generic ("{other.names[0]}")')
    if not _dated(other):
        found.append(UNDATED)
    if other.device is None and not same_device(this, other, claim) and not _in_sentence(claim, this):
        found.append(NO_DEVICE)
    return found


def _device_elsewhere(case: Case, other: Party) -> bool:
    """Whether another claim of the document gives the device of what it calls by the same name."""
    names = set(map(plain, other.names))
    comparators = (claim.comparator for claim in case.submission.claims.values())
    return any(item is not None and item.device is not None and plain(item.name or "") in names for item in comparators)


def _generic(name: str) -> bool:
    """Whether a name says no more than that it is another system: "existing systems", "the baseline"."""
    text = read(name)
    said = {at for mention in text.mentions("unnamed") for at in range(*mention.span)}
    return all(token.start in said for token in text.tokens if token.text.isalnum())


def _dated(other: Party) -> bool:
    comparator = other.comparator
    if comparator is not None and (comparator.version is not None or comparator.date is not None):
        return True
    software = other.side.arm.software if other.side is not None else None
    return software is not None and _versioned(software)


def _versioned(software: Software) -> bool:
    code = software.code is not None and software.code.commit is not None
    named = (software.framework, software.tool, software.container, software.released)
    return code or bool(software.libraries) or any(stated(value) for value in named)


def _in_sentence(claim: Claim, this: Party) -> bool:
    """Whether the sentence names the subject's device, so that it holds for both sides."""
    return this.device is not None and plain(this.device) in plain(claim.statement)
