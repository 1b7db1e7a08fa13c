"""F51: a summary that is not that of its log."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.verdict_parts import PARTS
from ..language.printed import Span, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..trace import Event, Logged

WORDS = {"result": "result_validity", "mode": "effective_test_mode", "scenario": "effective_scenario"}
HEADLINES = ("samples_per_second", "completed_samples_per_second", "scheduled_samples_per_second", "queries_per_second")
LONG = 15
MOST_NAMED = 5


class Pair(Struct, frozen=True):
    """A figure of the summary beside the events of the log that may stand for it: of samples, or of queries."""

    name: str
    at: str
    summary: object
    events: tuple[Event, ...]


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    relative: float = Threshold(1e-3, "relative difference", "measured: printed figures keep four digits")


@rule(
    "F51",
    "summary-differs-from-trace",
    effect=REFUTES,
    confidence=C3,
    applies="has(trace) and has(summary)",
    origin="MEAS",
    thresholds=Thresholds,
)
def summary_differs_from_trace(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A printed summary beside a detailed log that says something else.

    ## What it does
    Looks up, for every figure and flag of a run's summary, the event of the same name in its log: verdicts, scenario
    and mode as words, numbers within their printed digits and one in a thousand.

    ## Why it misleads
    Readers see the summary. If it was edited, or belongs to another run, the log behind it supports another number.

    ## Branches
    - (a) refutes, C3: the verdicts or flags differ, or a number does by more than its digits and 0.1 %.
    - not applicable: the summary has no figure that the log holds once, or one of the two lacks a figure of the other.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"summary": {"samples_per_second": "95945.806"}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, whose summary repeats its log.

    ## How to fix
    Write the summary anew from the log, or hand in the log that belongs to it.

    ## References
    Published inference logs.
    """
    found = [item for run in case.runs(claim) if run.role != "compliance" for item in _pairs(run)]
    pairs = [(run, pair) for run, pair in found if pair is not None]
    for run in {run.id: run for run, _ in pairs}.values():
        odd = [pair for of, pair in pairs if of is run and _differ(pair, thresholds.relative)]
        if odd:
            yield _violation(run, odd)
    if not pairs or len(pairs) < len(found):
        yield Inapplicable("a figure of the summary does not appear in the log")


def _pairs(run: Logged) -> Iterator[tuple[Logged, Pair | None]]:
    """Yield the figures of a run's summary and verdict with their events; None for one that only one side holds."""
    for name, value in run.run.summary.items():
        events = _single(run, *((WORDS[name],) if name in WORDS else _keys(name)))
        place = run.place("summary", name)
        yield run, Pair(name, place, value, events) if events else None
    for name in HEADLINES:
        if run.run.summary and name not in run.run.summary and run.trace.of(*_keys(name)):
            yield run, None
    verdict = run.run.verdict
    if verdict is None or not run.run.summary:
        return
    events = _single(run, "result_validity")
    if events and verdict.valid is not None:
        yield run, Pair("verdict", verdict.place("valid"), "VALID" if verdict.valid else "INVALID", events)
    for name, holds in verdict.parts.items():
        events = _single(run, *PARTS.get(name, ()))
        if events:
            yield run, Pair(name, verdict.place("parts"), holds, events)


def _keys(name: str) -> tuple[str, ...]:
    """Return the keys under which a log may hold a figure of the summary; some are written with "sec"."""
    short = name.replace("per_second", "per_sec")
    queries = (name.replace("_latency", "_query_latency"), name.replace("_latency", "_per_query_latency"))
    results = dict.fromkeys(f"result_{each}" for each in (name, short, *queries))
    return (*results, f"effective_{name}", name)


def _single(run: Logged, *keys: str) -> tuple[Event, ...]:
    """Return the first event of each key that is logged with one value; none where a key has several."""
    found = [events for key in keys if (events := run.trace.by_key.get(key, ()))]
    if any(len({str(event.value) for event in events}) > 1 for events in found):
        return ()
    return tuple(events[0] for events in found)


def _differ(pair: Pair, relative: float) -> bool:
    return all(_differs(pair, event.value, relative) for event in pair.events)


def _differs(pair: Pair, logged: object, relative: float) -> bool:
    if isinstance(pair.summary, bool) or isinstance(logged, bool):
        return _truth(pair.summary) is not None and _truth(pair.summary) is not _truth(logged)
    left, right = _number(pair.summary), _number(logged)
    if left is not None and right is not None:
        return not left.meets(right.widened(relative))
    plain = [str(value).strip().casefold() for value in (pair.summary, logged)]
    return pair.name in {*WORDS, "verdict"} and plain[0] != plain[1]


def _number(value: object) -> Span | None:
    """Return a figure as the interval of its digits; a long whole number, such as a seed, exactly."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = repr(value) if isinstance(value, float) else str(value).strip()
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    return Span(number, number) if len(text) > LONG and number == number.to_integral_value() else span(text)


def _truth(value: object) -> bool | None:
    words = str(value).strip().casefold()
    return True if words in {"true", "yes", "valid"} else False if words in {"false", "no", "invalid"} else None


def _violation(run: Logged, odd: list[Pair]) -> Violation:
    first = odd[0]
    more = f", and {len(odd) - 1} more figures differ" if len(odd) > 1 else ""
    event = first.events[0]
    shown = str(first.summary)[:60], str(event.value)[:60]
    message = f"the summary of {run.name} gives {first.name} as {shown[0]}, its log as {shown[1]}{more}"
    related = [Related(run.trace.place(event), f"{event.key} {shown[1]}")]
    related += [Related(pair.at, pair.name) for pair in odd[1:MOST_NAMED]]
    return Violation("a", REFUTES, C3, message, first.at, *shown, tuple(related))
