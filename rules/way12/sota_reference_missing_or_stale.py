"""W1202: better than something nobody can look up, or that is long outdone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim, Comparator, Reference
from ..case import Case
from ..facts.document.days import day, later, months_between
from ..facts.document.words import words_in
from ..language.reading import read
from ..outcome import C1, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule

ITEM = "reference of a superlative"
PROVIDE = """\
claims:
  best:
    reference: {name: "OtherLM 2.1", value: "233500", citation: "https://otherlm.example.org", date: "2026-01-20"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    age: float = Threshold(24, "months", "judgement: a field that moves fast")


@rule(
    "W1202",
    "sota-reference-missing-or-stale",
    effect=CAVEAT,
    confidence=C1,
    applies="best",
    origin="S1.12",
    thresholds=Thresholds,
)
def sota_reference_missing_or_stale(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A superlative whose reference is not given, or is old.

    ## What it does
    Looks for the reference of the superlative: its name, value or citation, and its date; where the claim gives none,
    for those of the system it is compared with. Compares the date with the day of publication.

    ## Why it misleads
    "State of the art" is a statement about everybody else. Beside a result of years ago, or an unnamed one, it says
    nothing about today.

    ## Branches
    - not applicable: the superlative is one among rows or variants of the document, which are its reference, and says
      nothing of everybody else ("state of the art", "unprecedented", "the first").
    - (a) caveat, C1: the reference is older than 24 months at the day of publication.
    - not shown: neither name nor value nor citation is given. Required (reference of a superlative) from the reviewer
      profile on, and so is the date of a reference without a citation that no name tells from others. Also where the
      date of a named one or the day of publication is not given.

    ## Flagged
    On `comparison` for claim `best`:
    ```json
    {"claims": {"best": {"reference": {"date": "2024-01-20"}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, with a reference of two months before.

    ## How to fix
    Cite the current best, with its date.

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    reference = claim.reference if claim.reference is not None else claim.comparator
    if reference is None and _among_shown(claim, case):
        yield Inapplicable("the superlative is one among the rows or variants of the document")
        return
    at = reference.at if reference is not None else claim.at
    if reference is None or not _identified(reference):
        yield NotShown("the reference of the superlative is not given", at, ITEM, PROVIDE)
        return
    publication = case.submission.publication
    of, today = day(reference.date), day((publication.date if publication is not None else None) or case.today)
    if of is None:
        item = "" if reference.citation is not None or _is_name(reference.name or "") else ITEM
        yield NotShown("the date of the superlative's reference is not given", at, item, PROVIDE)
    elif today is None:
        yield NotShown("the day of publication is not given, so the age of the reference is not known", at)
    elif later(of, thresholds.age) < today:
        months = months_between(of, today)
        message = f"the reference is of {of}, {months} months before the publication of {today}"
        yield Violation("a", CAVEAT, C1, message, reference.place("date"), str(of), str(today))


def _identified(reference: Reference | Comparator) -> bool:
    value = reference.value if isinstance(reference, Reference) else reference.performance or reference.own_value
    return any(item is not None for item in (reference.name, value, reference.citation))


def _is_name(text: str) -> bool:
    """Whether a text names one system: "OtherLM 2.1" or "llama.cpp", and not "existing numerical models"."""
    return any(sign.isupper() or sign.isdigit() for sign in text) or next(iter(read(text).names()), None) is not None


def _among_shown(claim: Claim, case: Case) -> bool:
    """Whether a superlative is one among one's own variants, or a rank among rows of a table, not among everybody."""
    row, table = case.row(claim), case.table(claim)
    among = claim.compares == "own_variants" or (row is not None and table is not None and len(table.rows) > 1)
    return among and not words_in(claim.superlative, claim.statement).has("ahead_of_everybody")
