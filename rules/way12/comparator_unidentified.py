"""W1207: compared with something that nobody can find."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.conditions import Software
from ...schemas.model import stated
from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.parties import Party, others, same_device, subject
from ..language.reading import read
from ..outcome import Branch, NotShown
from ..registry import rule
from ..tables.names import plain

ITEM = "comparator's identity"
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
      the device is neither stated nor the subject's by the sentence. Required (comparator's identity) from the reviewer
      profile on.
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
            yield NotShown(f"of the other side {', '.join(missing)}", other.at, ITEM, PROVIDE)


def _missing(claim: Claim, this: Party, other: Party) -> list[str]:
    found = []
    if not other.names:
        found.append("the name is missing")
    elif all(map(_generic, other.names)):
        found.append(f'the name is generic ("{other.names[0]}")')
    if not _dated(other):
        found.append("neither version nor date is given")
    if other.device is None and not same_device(this, other, claim) and not _in_sentence(claim, this):
        found.append("the device is not given")
    return found


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
