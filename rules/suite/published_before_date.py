"""Q31: a result quoted before its round was published."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import quoted, rounds_of
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain


@rule(
    "Q31",
    "published-before-date",
    effect=CAVEAT,
    confidence=C3,
    applies="suite",
    origin="POL",
)
def published_before_date(claim: Claim, case: Case) -> Iterator[Branch]:
    """A publication that quotes results of a round before their date.

    ## What it does
    Compares the day of the publication with the month in which the round was published. Anyone but the submitter
    waits two weeks longer. Where only the month is known, its first day counts. The dates hold for every result of the
    version, verified or not.

    ## Why it misleads
    Before the date nobody can look the result up, or object to it.

    ## Branches
    - (a) caveat, C3: published before the date; by others, less than 14 days after it.
    - not applicable: one of the dates is not known.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"publication": {"date": "2025-03-11"}, "claims": {"retinanet": {"suite_result": {"verified": true}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"publication": {"date": "2025-07-11"}, "claims": {"retinanet": {"suite_result": {"verified": true}}}}
    ```

    ## How to fix
    Wait for the date.

    ## References
    MLPerf results messaging guidelines, section on the timing of disclosures; the days are those of MLCommons'
    announcements.
    """
    publication, stated, result = case.submission.publication, claim.suite_result, quoted(claim)
    months = [entry.published for entry in rounds_of(result.part, result.round) if entry.published is not None]
    if publication is None or publication.date is None or not months:
        yield Inapplicable("the dates of publication and round are not both known")
        return
    first = min(date.fromisoformat(day if len(day) > len("2025-04") else f"{day}-01") for day in months)
    organisation = stated.organisation if stated is not None else None
    own = organisation is None or publication.authors is None or plain(organisation) in plain(publication.authors)
    days = mlperf.messaging().embargo_days
    due = first + timedelta(days=days.submitter if own else days.others)
    day = date.fromisoformat(publication.date)
    if day < due:
        message = f"published on {day}; results of round v{result.round} may be quoted from {due} on"
        yield Violation("a", CAVEAT, C3, message, publication.place("date"), str(day), str(due))
