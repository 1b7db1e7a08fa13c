"""L11: requests that were never answered."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric, Repetitions
from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import Same
from ..facts.document.words import words_around, words_in
from ..facts.serving.loads import same_load
from ..facts.serving.records import records
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Violation
from ..registry import Threshold, rule

ITEM = "failures"
PROVIDE = """\
arms:
  server:
    performance:
      latency:
        n: {unit: request, planned: 1004, completed: 1000, failed: 4, excluded: 0}
"""
PRINTED = Pattern(r'^\s*"[^"]{1,80}"\s*:')
"""A quote that is fields of a tool's report: numbers, of which no sentence says anything."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.01, "failed of planned requests", "judgement: the tail that a 99th percentile is about")
    no_rank: float = Threshold(0.10, "failed of planned requests", "judgement")


@rule(
    "L11",
    "failed-requests-excluded",
    effect=UNDERMINES,
    confidence=C3,
    applies="serving",
    origin="MEAS",
    also=("F26",),
    thresholds=Thresholds,
)
def failed_requests_excluded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A statistic over the requests that were answered, while others failed.

    ## What it does
    Compares failed with planned requests of every arm of the claim, and with its requests where they are recorded. What
    was cut off at the end of the window, or left out by design and declared so, counts as excluded and not as failed.

    ## Why it misleads
    A server that drops what takes too long has a short tail. With 2 % of the requests lost, the 99th percentile over
    all of them is infinite.

    ## Branches
    - (a) undermines, C3: more than 1 % of the planned requests failed, and neither the sentence nor a tool's report
      behind it says so; or all planned requests are given as completed beside such failures.
    - (b) undermines, C3: more than 10 % failed in an arm that is compared or ranked, said or not.
    - (a, too) undermines, C3: the requests are recorded one by one, and more of them were not answered than the number
      gives as failed, by more than 1 % of the planned ones.
    - (c) caveat, C3: more than 10 % failed and the sentence says so, but not that it reports goodput; or more than 1 %
      failed, which nothing says but the counts that the tool's report prints.
    - pass with a note: more than 1 % failed, and the sentence says so.
    - not applicable: a quality, a memory or a derived count, which are no statistics over requests.
    - not shown: how many requests failed is not stated for an arm; or requests are excluded, and neither a rule nor a
      word says why: they may have failed. Required (failures) from the publication profile on.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"arms": {"server": {"performance": {"latency": {"n": {"planned": 1064, "completed": 1000, "failed": 64}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, where 4 of 1004 requests failed.

    ## How to fix
    Report goodput over planned requests, and count a failed request as infinitely late.

    ## References
    Measured on published serving reports; Hoefler and Belli (2015), rule 2.
    """
    if claim.quantity in {"accuracy", "memory"} or (claim.quantity == "count" and claim.basis == "derived"):
        yield Inapplicable(f"{claim.quantity} is no statistic over requests")
        return
    compares = claim.compares != "none" or claim.form in {"ratio", "rank"}
    arms = [("the claim's arm", case.metric(claim.measured), case.subject(claim))]
    if compares:
        arms.append(("what it is compared with", case.metric(claim.base), case.base(claim)))
    for name, metric, side in arms:
        n = _requests(metric, side)
        failed, planned = _counts(n)
        yield from _unlike_record(side, case, failed, thresholds)
        if planned is None and (failed == 0 or _errors(side)):
            # Nothing failed, of however many; errors that the harness counts are spoken of with its verdict.
            continue
        if n is None or failed is None or planned is None:
            at = metric.at if metric is not None else claim.at
            yield NotShown(f"how many requests failed is not stated for {name}", at, ITEM, PROVIDE)
        elif planned > 0:
            said, printed = _said(claim, case), _printed(claim)
            yield from _judge(n, (failed, planned), compares, said or printed, thresholds)
            if not compares and (said or printed):
                yield from _disclosed(claim, n, (failed, planned), said, thresholds)
            if n.excluded and not _explained(claim, case, side):
                message = f"{n.excluded} of {planned} requests are excluded for {name}, and why is not stated"
                yield NotShown(message, n.at, ITEM, PROVIDE, question=True)


def _unlike_record(side: Side | None, case: Case, failed: int | None, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield that more of the recorded requests were not answered than a number gives as failed."""
    found = records(case, side) if side is not None else ()
    planned, unanswered = sum(one.planned for one in found), sum(one.unanswered for one in found)
    if side is not None and failed is not None and unanswered - failed > thresholds.share * planned:
        message = f"{unanswered} of {planned} recorded requests were not answered; the number gives {failed} as failed"
        yield Violation("a", UNDERMINES, C3, message, side.arm.place("trials"), str(failed), str(unanswered))


def _errors(side: Side | None) -> bool:
    """Whether the harness of an arm's runs counts errors, which need not be requests."""
    runs = side.arm.runs.values() if side is not None else ()
    return any(run.verdict is not None and run.verdict.errors for run in runs)


def _requests(metric: Metric | None, side: Side | None) -> Repetitions | None:
    """Return the requests behind a number: its own.

    Of a number over windows or trials: those that all numbers of the arm under its load agree on.
    """
    if metric is None or metric.n is None or metric.n.unit == "request":
        return metric.n if metric is not None else None
    others = [
        other.n
        for other in (side.arm.performance.values() if side is not None else ())
        if other.n is not None and other.n.unit == "request" and same_load(metric.load, other.load) is Same.EQUAL
    ]
    return others[0] if len({_counts(n) for n in others}) == 1 else None


def _counts(n: Repetitions | None) -> tuple[int | None, int | None]:
    """Return failed and planned requests; planned is the sum of all outcomes where it is not stated."""
    if n is None or n.unit != "request":
        return None, None
    excluded = n.excluded or 0
    failed, planned = n.failed, n.planned
    if failed is None and planned is not None and n.completed is not None:
        failed = max(planned - n.completed - excluded, 0)
    if planned is None and failed is not None and n.completed is not None:
        planned = n.completed + failed + excluded
    return failed, planned


def _said(claim: Claim, case: Case) -> bool:
    """Whether the sentence, a quote beside it or the caption of its table speaks of failed requests."""
    quotes = [item.quote for item in claim.said if item.topic == "failed_requests"]
    if any(PRINTED.search(quote) is None for quote in quotes):
        return True
    table = case.table(claim)
    words = words_in(claim.statement, table.caption if table is not None else None)
    return words.has("failed_requests", affirmed=False)


def _printed(claim: Claim) -> bool:
    """Whether the tool's report behind a claim prints the counts that tell of the failed requests."""
    return any(item.topic == "failed_requests" and PRINTED.search(item.quote) is not None for item in claim.said)


def _explained(claim: Claim, case: Case, side: Side | None) -> bool:
    """Whether the arm states a rule for what it leaves out, or the document speaks of requests that were left out."""
    measurement = side.arm.measurement if side is not None else None
    if measurement is not None and measurement.discard_rule is not None:
        return True
    words = words_around(claim, case).and_(*((item.at, item.quote) for item in case.submission.disclosures))
    if measurement is not None:
        words = words.and_((measurement.place("stop_rule"), measurement.stop_rule))
    return words.has("exclusion", "unfinished_requests", affirmed=False)


def _judge(
    n: Repetitions, counts: tuple[int, int], compares: bool, said: bool, thresholds: Thresholds
) -> Iterator[Branch]:
    failed, planned = counts
    share = failed / planned
    message = f"{failed} of {planned} requests failed ({share:.1%})"
    if share > thresholds.no_rank and compares:
        message += ": an arm that loses so many is not comparable"
        yield Violation("b", UNDERMINES, C3, message, n.at, recomputed=f"{share:.1%}")
    if share > thresholds.share and not said:
        as_planned = n.completed is not None and n.completed >= planned
        message += ", and all planned ones are given as completed" if as_planned else ", and the claim does not say so"
        yield Violation("a", UNDERMINES, C3, message, n.at, recomputed=f"{share:.1%}")


def _disclosed(
    claim: Claim, n: Repetitions, counts: tuple[int, int], said: bool, thresholds: Thresholds
) -> Iterator[Branch]:
    """Yield what a reader has to know of a number whose sentence says that requests failed, or whose counts do."""
    failed, planned = counts
    share = failed / planned
    message = f"{failed} of {planned} requests failed ({share:.1%})"
    counts_tell = share > thresholds.share and not said
    if counts_tell or (share > thresholds.no_rank and not read(claim.statement).has("goodput")):
        message += f"{', as the counts tell' if counts_tell else ''}: the number is that of the others"
        yield Violation("c", CAVEAT, C3, message, n.at, recomputed=f"{share:.1%}")
    elif share > thresholds.share:
        yield Note(f"{message}, as the sentence says")
