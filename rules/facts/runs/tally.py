"""The runs of a plan that a document accounts for: listed, left out with a reason, or behind another kind of number."""

from __future__ import annotations

import re

from msgspec import Struct

from ....schemas.evidence import Plan, Repetitions
from ....schemas.pattern import Pattern
from ...case import Case, Side
from ...language.reading import read
from ..document.none_said import begins_with_none

RUN_UNITS = frozenset({"trial", "session", "training_run"})
REPEATED = frozenset({"runs", "trials", "seeds", "repetitions"})
_RANGE = Pattern(
    r"(?<![\w.])[a-z]{0,9}?(?P<first>\d{1,6})\s?(?:-|\u2013|to|\.\.)\s?[a-z]{0,9}?(?P<last>\d{1,6})(?![\w.])",
    re.IGNORECASE,
)
_LIST = Pattern(r"(?<![\w.])[a-z]{0,9}?\d{1,6}(?:\s?(?:,|;|and|&)\s?[a-z]{0,9}?\d{1,6})+(?![\w.])", re.IGNORECASE)
MOST_OF_ONE_REASON = 100


class Elsewhere(Struct, frozen=True):
    """Runs that an arm's numbers rest on and its list of trials does not hold.

    Attributes:
        count: how many.
        what: what they are, in words.
    """

    count: int
    what: str


def left_out(plan: Plan, listed: frozenset[str]) -> int:
    """Return how many runs a plan leaves out with a reason; one entry may name several of them."""
    return sum(runs_named(key, reason) for key, reason in plan.omitted.items() if key not in listed)


def runs_named(key: str, reason: str) -> int:
    """Return how many runs one entry names: "seed 1-5", "t6, t7", or "t6" with "the five training runs" as reason."""
    spans = [int(match["last"]) - int(match["first"]) + 1 for match in _RANGE.finditer(key)]
    lists = [len(re.findall(r"\d+", match[0])) for match in _LIST.finditer(key)]
    told = _counts(f"{key}; {reason}")
    named = [count for count in (*spans, *lists) if 1 < count <= MOST_OF_ONE_REASON]
    return max(named or [count for count in told if count <= MOST_OF_ONE_REASON], default=1) or 1


def _counts(text: str) -> list[int]:
    """Return the counts of runs in a text; not those of which only a part is meant: "two of the five runs"."""
    reading = read(text)
    parts = {part.end for part in reading.mentions("some_of_all")}
    counts = (item for item in reading.counts() if item.of in REPEATED or read(item.noun).has("run_noun"))
    return [int(item.value) for item in counts if reading.within(item.start, item.end)[0].end not in parts]


def elsewhere(side: Side) -> Elsewhere | None:
    """Return the runs of the kind that an arm does not list: the training runs beside timed processes, or these."""
    kinds = {trial.kind for trial in side.arm.trials.values()}
    if not kinds:
        return None
    if "convergence" not in kinds:
        count = trained(side)
        return Elsewhere(count, f"{count} training runs behind its quality") if count else None
    if kinds == {"convergence"}:
        count = timed_processes(side)
        return Elsewhere(count, f"{count} timed processes") if count else None
    return None


def trained(side: Side) -> int:
    """Return how many training runs an arm's numbers are said to rest on."""
    counts = [total(n) for n in _of_unit(side, "training_run")]
    return max((*counts, *(len(quality.seeds) for quality in side.arm.quality.values())), default=0)


def timed_processes(side: Side) -> int:
    """Return how many processes, none a training run, an arm's numbers of parts of a run are said to rest on."""
    found = [
        metric.trials or 0
        for metric in side.arm.performance.values()
        if metric.scope not in {None, "training_run"} and (metric.n is None or metric.n.unit != "training_run")
    ]
    return max(found, default=0)


def given_up(side: Side) -> int:
    """Return how many runs are counted as failed or excluded beside a number."""
    counts = [(n.failed or 0) + (n.excluded or 0) for unit in RUN_UNITS for n in _of_unit(side, unit)]
    return max(counts, default=0)


def rule_of_discards(case: Case, side: Side) -> bool:
    """Whether the document says by which rule, or for what failures, runs were given up."""
    measurement = side.arm.measurement
    rule = measurement.discard_rule if measurement is not None else None
    told = any(item.topic == "infrastructure_failures" for item in case.submission.disclosures)
    return told or (rule is not None and not begins_with_none(rule))


def speaks_of_losses(case: Case, side: Side) -> bool:
    """Whether words elsewhere in the document say that runs were lost or dropped, without naming them."""
    measurement = side.arm.measurement
    rules = (measurement.stop_rule, measurement.discard_rule) if measurement is not None else ()
    texts = [*(item.quote for item in case.submission.disclosures), *(rule for rule in rules if rule is not None)]
    return any(read(text).has("runs_given_up", affirmed=False) for text in texts)


def warm_runs(side: Side) -> int:
    """Return how many whole runs were discarded as warm-up."""
    warmup = side.arm.measurement.warmup if side.arm.measurement is not None else None
    return warmup.discarded if warmup is not None and warmup.unit == "run" else 0


def _of_unit(side: Side, unit: str) -> list[Repetitions]:
    return [n for n in counts_of_repetitions(side) if n.unit == unit]


def counts_of_repetitions(side: Side) -> list[Repetitions]:
    """Return the repetitions behind each number and each quality of an arm."""
    found = [metric.n for metric in side.arm.performance.values()]
    found += [quality.n for quality in side.arm.quality.values()]
    return [n for n in found if n is not None]


def total(n: Repetitions) -> int:
    """Return all repetitions behind a number, with those that failed or were excluded."""
    return (n.completed or 0) + (n.failed or 0) + (n.excluded or 0)
