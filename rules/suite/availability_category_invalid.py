"""Q20: a category of availability that the suite does not have, or a preview that never became available."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.times import is_unix, started_ms
from ..facts.suite.result import Quoted, described, quoted, round_entry, rounds_of
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain
from ..tables.mlperf_common import categories, common

ITEM = "availability status"
LAST_MS = 253402300800000.0
"""End of the year 9999, as milliseconds since 1970."""
PROVIDE = """\
arms:
  trained:
    description: {fields: {status: "available"}}
"""


@rule(
    "Q20",
    "availability-category-invalid",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite",
    origin="POL, MEAS",
)
def availability_category_invalid(claim: Claim, case: Case) -> Iterator[Branch]:
    """A system whose category of availability is none of the suite's, or that was shown and never sold.

    ## What it does
    Reads the status of the system, from its description or the quoted result, and compares it with the categories of
    the suite. A system in preview has to become available within 140 days of the publication.

    ## Why it misleads
    The category tells a buyer whether the number can be bought.

    ## Branches
    - (a) undermines, C3: the status is no category; or a system in preview became available after more than 140 days.
    - not shown: no status is stated (required, availability status, of results of a suite, from the reviewer profile
      on), or whether a system in preview became available.
    - not applicable: other words in a round before the categories were used alike, or in a round that is not stated and
      whose runs are older than that or tell no date.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"description": {"fields": {"status": "prototype"}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, an available system.

    ## How to fix
    State the category, and hand in the result of the system as sold.

    ## References
    Submission rules of the suites, section on availability.
    """
    stated = claim.suite_result.category if claim.suite_result is not None else None
    status = stated or described(claim, case, "status")
    result = quoted(claim)
    if not status:
        yield NotShown("the availability of the system is not stated", claim.at, ITEM, PROVIDE)
    elif (category := categories().get(plain(status))) is None:
        if not _since_first_round(result, claim, case):
            yield Inapplicable(f'"{status}" is a wording of early rounds')
            return
        message = f'the availability "{status}" is no category of the suite: available, preview, or research'
        yield Violation("a", UNDERMINES, C3, message, _place(claim, case), status, None)
    elif category == "preview":
        yield from _preview(claim, case, common().availability.preview_days)


def _since_first_round(result: Quoted, claim: Claim, case: Case) -> bool:
    """Whether a result is of a round with the categories' own words: by its round, else by the clock of its runs."""
    first = common().availability.from_round
    if result.round is not None:
        return mlperf.since(result.round, first)
    published = [entry.published for entry in rounds_of(result.part, first) if entry.published is not None]
    began = [started_ms(run) for run in case.runs(claim) if is_unix(run)]
    days = [
        datetime.fromtimestamp(ms / 1000, UTC).date().isoformat() for ms in began if ms is not None and ms < LAST_MS
    ]
    # a round that was published by month only is over when the next month has begun
    return bool(published and days) and min(days)[: len(max(published))] > max(published)


def _place(claim: Claim, case: Case) -> str:
    side = case.subject(claim)
    if claim.suite_result is not None and claim.suite_result.category is not None:
        return claim.suite_result.place("category")
    if side is not None and side.arm.description is not None:
        return side.arm.description.place("fields", "status")
    return claim.at


def _preview(claim: Claim, case: Case, most_days: int) -> Iterator[Branch]:
    entry, quote = round_entry(quoted(claim)), claim.suite_result
    published = entry.published if entry is not None else None
    available = quote.available if quote is not None else None
    if available is None or published is None or quote is None:
        message = "whether the system in preview became available is not stated"
        yield NotShown(message, _place(claim, case), provide="claims: {score: {suite_result: {available: 2026-03-01}}}")
        return
    year, month = (int(part) for part in published.split("-")[:2])
    last_day = date(year + month // 12, month % 12 + 1, 1)
    days = (date.fromisoformat(available) - last_day).days + 1
    if days > most_days:
        message = f"the system in preview became available {days} days after the round's publication"
        yield Violation("a", UNDERMINES, C3, message, quote.place("available"), str(most_days), str(days))
