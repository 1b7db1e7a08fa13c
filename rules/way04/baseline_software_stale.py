"""W0403: new software against old."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from msgspec import Struct

from ...schemas.conditions import Software
from ...schemas.submission import Claim, Said
from ..case import Case
from ..facts.comparison.parties import Party, others, subject
from ..facts.document.days import day, later, months_between
from ..facts.document.words import words_in
from ..language import lexicon
from ..language.reading import read
from ..outcome import C1, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..tables.names import plain
from ..words import speedup

_BEFORE_A_VERSION = frozenset("=-v")
FIRST_CORRECTION = timedelta(days=92)
_RELEASES = (
    ((1, 0), date(2018, 12, 7)),
    ((1, 1), date(2019, 4, 30)),
    ((1, 2), date(2019, 8, 8)),
    ((1, 3), date(2019, 10, 10)),
    ((1, 4), date(2020, 1, 15)),
    ((1, 5), date(2020, 4, 21)),
    ((1, 6), date(2020, 7, 28)),
    ((1, 7), date(2020, 10, 27)),
    ((1, 8), date(2021, 3, 4)),
    ((1, 9), date(2021, 6, 15)),
    ((1, 10), date(2021, 10, 21)),
    ((1, 11), date(2022, 3, 10)),
    ((1, 12), date(2022, 6, 28)),
    ((1, 13), date(2022, 10, 28)),
    ((2, 0), date(2023, 3, 15)),
    ((2, 1), date(2023, 10, 4)),
    ((2, 2), date(2024, 1, 30)),
    ((2, 3), date(2024, 4, 24)),
    ((2, 4), date(2024, 7, 24)),
    ((2, 5), date(2024, 10, 17)),
    ((2, 6), date(2025, 1, 29)),
    ((2, 7), date(2025, 4, 23)),
    ((2, 8), date(2025, 8, 6)),
    ((2, 9), date(2025, 10, 15)),
    ((2, 10), date(2026, 1, 21)),
    ((2, 11), date(2026, 3, 23)),
    ((2, 12), date(2026, 5, 13)),
    ((2, 13), date(2026, 7, 8)),
    ((2, 14), date(2026, 9, 2)),
    ((2, 15), date(2026, 10, 28)),
)
"""Minor releases of PyTorch with the day on which their files were put on the package index (pypi.org)."""


def framework_days(software: Software | None) -> tuple[date, date] | None:
    """Return between which days the version of a stack's framework came out: from its minor release on.

    The first correction follows within three months, a later one before the next minor release at the latest. None
    where the framework is none whose releases are known here, or its newest, whose successor is not.
    """
    if software is None or not isinstance(software.framework, str):
        return None
    parts = _version(software.framework)
    if len(parts) < 2:
        return None
    version = (int(parts[0]), int(parts[1]))
    soon = parts[2:] in ([], ["0"], ["1"])
    for (name, first), (_, end) in pairwise(_RELEASES):
        if name == version:
            return first, min(end, first + FIRST_CORRECTION) if soon else end
    return None


def _version(framework: str) -> list[str]:
    """Return the parts of the version of PyTorch that a text names: 2, 4 and 1 of "PyTorch 2.4.1+cu121"."""
    tokens = read(framework).tokens
    at = next((at + 1 for at, token in enumerate(tokens) if token.low in lexicon.word_set("pytorch")), len(tokens))
    while tokens.low(at) and _BEFORE_A_VERSION.issuperset(tokens.low(at)):
        at += 1
    parts = tokens.low(at).split(".")[:3]
    return parts if all(part.isascii() and part.isdigit() for part in parts) else []


STACK = ("driver", "runtime", "framework")
PINNED = "software_pinned"
ITEM = "what the baseline is"
PROVIDE = """\
claims:
  speedup:
    base: {arm: theirs, metric: rate, definition: "PyTorch 2.9, compiled, the same GPU"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    age: float = Threshold(12, "months between the two stacks", "judgement: one or two yearly releases")


@rule(
    "W0403",
    "baseline-software-stale",
    effect=CAVEAT,
    confidence=C1,
    applies="comparison",
    origin="S1.4",
    thresholds=Thresholds,
)
def baseline_software_stale(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The baseline ran on last year's software, or without the tuned library that the subject has.

    ## What it does
    Compares the days of the two software stacks as the document states them: `released` of either arm, for another
    system also the day of the version or result that was used, which its stack cannot be younger than. Where a day is
    not stated, the framework's version tells: the subject's stack is no older than its release, and the baseline's no
    younger than the corrections of its own. Looks for a library that the subject has in a version and that the
    baseline is said to run without.

    ## Why it misleads
    A year of tuning by others makes the same program faster. That gain belongs to them, not to the new system.

    ## Branches
    - (a) caveat, C1: the baseline's stack is more than 12 months older, or a tuned library is off only in the baseline.
    - not shown: a quote beside the measured number says that the other side's was interpolated or estimated; a speed-up
      whose baseline is not stated; no software or hardware in the whole document; or the claim's
      side answers from a prefix cache, and whether the baseline had one is not stated. Required (what the baseline is)
      of comparisons from the reviewer profile on.
    - not applicable: the days are not stated and the stacks are not seen to be equal; or the author's own variants
      differ in the software by intention.
    - Silent where device support pins the baseline's stack and the document says so, and for a library that is named
      as the difference under study.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"software": {"released": "2025-12-10"}}, "theirs": {"software": {"released": "2024-03-01"}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, where both stacks are of one winter:
    ```json
    {"arms": {"ours": {"software": {"released": "2025-12-10"}}, "theirs": {"software": {"released": "2025-10-02"}}}}
    ```

    ## How to fix
    Say what the baseline is, and run both sides on one stack.

    ## References
    Hoefler, Twelve ways to fool the masses, way 4.
    """
    topics = [*(item.topic for item in claim.said), *(item.topic for item in case.submission.disclosures)]
    if PINNED in topics:
        return
    if claim.compares == "own_variants" and words_in(*claim.treatment).has("software_under_study"):
        yield Inapplicable("the software is the difference under study")
        return
    guessed = _worked_out(claim, case)
    if guessed is not None:
        message = "the number of the other side was not measured, but worked out from other numbers"
        yield NotShown(message, guessed.at, ITEM, PROVIDE, (Related(guessed.at, "tells how"),))
        return
    this, opposite = subject(claim, case), others(claim, case)
    unknown = _unknown(claim, case, opposite) if speedup(claim, case) else ""
    if unknown:
        yield NotShown(unknown, claim.at, ITEM, PROVIDE)
        return
    judged = [_judge(claim, thresholds, this, other) for other in opposite]
    yield from (branch for branches in judged if branches is not None for branch in branches)
    if not judged or any(branches is None for branches in judged):
        yield Inapplicable("the days of both software stacks are not stated")


def _worked_out(claim: Claim, case: Case) -> Said | None:
    """Return what tells, beside a measured number, how that of the other system was worked out."""
    number = case.metric(claim.measured)
    if claim.compares != "other_system" or claim.basis in {"projected", "simulated"}:
        return None
    if number is None or number.value is None:
        return None
    return next((item for item in claim.said if item.topic == "projection"), None)


def _unknown(claim: Claim, case: Case, opposite: tuple[Party, ...]) -> str:
    """Say that nothing tells what the baseline of a speed-up is, or what anything of the document ran on."""
    if not opposite:
        named = any(found.base is not None for found in read(claim.statement).comparisons())
        return "" if named else "over what the gain was measured is not stated"
    stated = bool(case.submission.systems) or any(side.arm.software is not None for side in case.sides())
    stated = stated or any(other.comparator is not None or _numbered(other) for other in opposite)
    if not stated:
        return "neither software nor hardware is stated of either side"
    loads = [metric.load if metric is not None else None for metric in map(case.metric, (claim.measured, claim.base))]
    cached = [load.prefix_cache if load is not None else None for load in loads]
    alone = cached[0] is True and cached[1] is None
    return "the claim's side answers from a prefix cache; whether the baseline had one is not stated" if alone else ""


def _numbered(party: Party) -> bool:
    """Whether the base is called by a number, such as that of its release."""
    return party.base is not None and any(map(str.isdigit, party.base.definition or ""))


def _judge(claim: Claim, thresholds: Thresholds, this: Party, other: Party) -> list[Branch] | None:
    """Return the findings about one baseline, or None where neither days nor versions tell anything."""
    new, old = _software(this), _software(other)
    found: list[Branch] = list(_off(claim, this, new, old))
    newest, oldest = _first_day(new), _day_of(other, old)
    if newest is not None and oldest is not None and later(oldest, thresholds.age) < newest:
        found.append(_older(this, other, newest, oldest))
    # The day of a result only says that its stack is no younger: it accuses, and acquits nobody.
    both = newest is not None and old is not None and day(old.released) is not None
    same = new is not None and old is not None and _same(new, old)
    return found if found or both or same else None


def _software(party: Party) -> Software | None:
    return party.side.arm.software if party.side is not None else None


def _day_of(other: Party, software: Software | None) -> date | None:
    """Return the day of the other side's stack, at the latest."""
    if software is not None and software.released is not None:
        return day(software.released)
    result = day(other.comparator.date) if other.comparator is not None else None
    current = framework_days(software)
    known = [item for item in (result, current[1] if current is not None else None) if item is not None]
    return min(known, default=None)


def _first_day(software: Software | None) -> date | None:
    """Return the day of the claim's own stack, at the earliest."""
    stated, current = day(software.released) if software is not None else None, framework_days(software)
    return stated if stated is not None or current is None else current[0]


def _older(this: Party, other: Party, new: date, old: date) -> Violation:
    message = (
        f"the baseline's software ({old} at the latest) is {months_between(old, new)} months older than that of the "
        f"subject ({new})"
    )
    at = other.side.arm.place("software") if other.side is not None else other.at
    return Violation("a", CAVEAT, C1, message, at, related=(Related(this.at, f"software of {new}"),))


def _off(claim: Claim, this: Party, new: Software | None, old: Software | None) -> Iterator[Violation]:
    if new is None or old is None:
        return
    ours = {plain(name): version for name, version in new.libraries.items()}
    for name, version in old.libraries.items():
        mine = ours.get(plain(name))
        named = plain(name) in plain(claim.statement) or any(plain(name) in plain(item) for item in claim.treatment)
        if mine is not None and not _is_off(mine) and _is_off(version) and not named:
            message = f"{name} ({mine}) is used by the subject and off in the baseline"
            related = (Related(this.at, f"{name} {mine}"),)
            yield Violation("a", CAVEAT, C1, message, old.place("libraries", name), related=related)


def _is_off(version: str) -> bool:
    return read(version).is_only("not_in_use")


def _same(new: Software, old: Software) -> bool:
    """Whether both arms are seen to have run on one stack."""
    pairs = [(getattr(new, name), getattr(old, name)) for name in STACK]
    known = [(left, right) for left, right in pairs if isinstance(left, str) and isinstance(right, str)]
    framework = isinstance(new.framework, str) and isinstance(old.framework, str)
    return framework and all(left == right for left, right in known) and new.libraries == old.libraries
