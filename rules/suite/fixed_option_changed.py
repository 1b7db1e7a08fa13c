"""Q04: an option that the closed division fixes, with another value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import Quoted, described, quoted
from ..facts.suite.runs import training_runs
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain
from ..trace import Event, Logged, Option, normalised

RETRAINED = frozenset({"yes", "y", "true", "retrained"})
SINGLE = 1e-6
"""Relative difference below which two numbers are one: logs print values of single precision."""


@rule(
    "Q04",
    "fixed-option-changed",
    effect=UNDERMINES,
    confidence=C3,
    applies="closed and (suite_training and has(options) or suite_inference and has(description))",
    origin="POL, MEAS",
)
def fixed_option_changed(claim: Claim, case: Case) -> Iterator[Branch]:
    """A closed result with another value of an option that its round fixes.

    ## What it does
    Compares what the runs log, under any name that logs use for it, with the values that the rules of the closed
    division fix for this benchmark, round and optimizer. Numbers are compared as numbers. Where the text of the rules
    and the checker disagree, the text counts. Values that follow from a formula are left out. Of inference, reads
    whether the file that goes with a measurement says that the model was retrained.

    ## Why it misleads
    The closed division compares systems, not recipes. A freer recipe reaches the target sooner.

    ## Branches
    - (a) undermines, C3: a logged option differs from its fixed value.
    - (b) caveat, C3: a closed result of inference says that its model was retrained, which is open to weights that the
      suite itself hands out.
    - not shown: some runs log such an option, and others do not.
    - not applicable: no option is fixed for the round, or none of those is logged.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"15": {"value": 0.0001}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, trained with adam and without weight decay.

    ## How to fix
    Train with the fixed value, or hand the result in to the open division.

    ## References
    MLPerf Training rules, table of hyper-parameters; the suite's compliance checker.
    """
    result = quoted(claim)
    if result.part == "inference":
        yield from _retrained(claim, case)
        return
    tables = list(_fixed(result))
    if not tables:
        yield result.no_figure("fixed options")
        return
    runs = training_runs(claim, case)
    logged: dict[str, set[str]] = {}
    told: set[str] = set()
    for run in runs:
        if "opt_name" not in told and (odd := _other_optimizer(run, tables)) is not None:
            told.add("opt_name")
            event, listed = odd
            message = f"{run.name} logs opt_name = {event.value}; {result.words} lists {', '.join(listed)}"
            yield Violation("a", UNDERMINES, C3, message, run.trace.place(event), ", ".join(listed), str(event.value))
        for name, wanted in _wanted(run, tables).items():
            key, values = _logged(run, name)
            if not values:
                continue
            logged.setdefault(name, set()).add(run.id)
            other = next((value for value in values if not _same(value, wanted)), None)
            if other is not None and name not in told:
                told.add(name)
                event = next(event for event in run.trace.of(key) if normalised(event.value) == other)
                message = f"{run.name} logs {key} = {_shown(other)}; {result.words} fixes {_shown(wanted)}"
                yield Violation("a", UNDERMINES, C3, message, run.trace.place(event), _shown(wanted), _shown(other))
    partly = sorted(name for name, ids in logged.items() if len(ids) < len(runs))
    if not logged:
        yield Inapplicable("no fixed option is logged")
    elif partly:
        yield NotShown(f"logged by some of the runs only: {', '.join(partly)}", claim.at)


def _retrained(claim: Claim, case: Case) -> Iterator[Branch]:
    """Yield that a result of inference says of its model that it was retrained."""
    side, stated = case.subject(claim), described(claim, case, "retraining")
    if not stated or side is None or side.arm.description is None:
        yield Inapplicable("whether the model was retrained is not stated")
    elif plain(stated) in RETRAINED:
        place = side.arm.description.place("fields", "retraining")
        message = f'retraining is "{stated}"; the closed division runs the weights of the suite'
        yield Violation("b", CAVEAT, C3, message, place, "no", stated)


def _logged(run: Logged, name: str) -> tuple[str, tuple[Option, ...]]:
    """Return the key and the values under which a run logs an option, by the first of its names that is there."""
    for key in (name, *mlperf.training().fixed_options.aliases.get(name, ())):
        values = tuple(value for value in run.trace.options.get(key, ()) if value is not None)
        if values:
            return key, values
    return name, ()


def _fixed(result: Quoted) -> Iterator[mlperf.Fixed]:
    """Yield the entries of a benchmark that hold for its round, those of the checker before those of the text."""
    if result.benchmark is None or result.round is None:
        return
    for entry in mlperf.training().fixed_options.benchmarks.get(result.benchmark, ()):
        if mlperf.within(result.round, entry.rounds):
            yield entry


def _wanted(run: Logged, tables: list[mlperf.Fixed]) -> dict[str, Any]:
    """Return the fixed values for a run's optimizer."""
    optimizers = {str(value).casefold() for value in run.trace.options.get("opt_name", ())}
    found: dict[str, Any] = {}
    for entry in tables:
        if entry.optimizer is None or not optimizers or entry.optimizer in optimizers:
            found |= entry.options
    return found


def _other_optimizer(run: Logged, tables: list[mlperf.Fixed]) -> tuple[Event, tuple[str, ...]] | None:
    """Return the logged optimizer and those that the round lists, where it is none of them."""
    listed = tuple(sorted({entry.optimizer.casefold() for entry in tables if entry.optimizer is not None}))
    for event in run.trace.of("opt_name"):
        logged = str(event.value).casefold() if isinstance(event.value, str) else ""
        if logged and listed and not any(name in logged or logged in name for name in listed):
            return event, listed
    return None


def _same(value: Option, wanted: Any) -> bool:
    fixed = normalised(wanted)
    if isinstance(value, bool) or isinstance(fixed, bool):
        return value in {0, 1} and bool(value) == bool(fixed)
    if isinstance(value, float) and isinstance(fixed, float):
        return abs(value - fixed) <= SINGLE * abs(fixed) or abs(value - fixed) <= 1e-15
    if isinstance(value, str) and isinstance(fixed, str):
        return value.strip().casefold() == fixed.casefold()
    return False


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
