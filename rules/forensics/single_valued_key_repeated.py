"""F52: a log with two starts, two stops or two results."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.clock_slack import slack_ms
from ..facts.runs.evaluation_events import results
from ..facts.runs.event_kinds import BESIDE_STOP
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..trace import Event, Logged, normalised

MOMENTS = ("run_start", "run_stop")
NAMES = ("submission_benchmark", "submission_division", "result_validity")
PREFIXES = ("result_", "effective_", "early_stopping_")
ROLES = frozenset({"training", "performance", "accuracy"})
BATCHES = frozenset({"global_batch_size", "train_batch_size"})
LEAST_OTHERS = 3
MOST_NAMED = 5


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(1, "s, log of one process", "measured on published logs")
    slack_ranks: float = Threshold(5, "s, log of several processes or of unknown many", "measured on published logs")


@rule(
    "F52",
    "single-valued-key-repeated",
    effect=REFUTES,
    confidence=C3,
    applies="has(trace)",
    origin="MEAS",
    thresholds=Thresholds,
)
def single_valued_key_repeated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Two values where a log can hold one.

    ## What it does
    Collects from every log the start and the stop, the benchmark, the division, the results, the verdict and the
    effective options of a harness, and compares all occurrences; seeds and options of training are compared where the
    other runs of the result log them once. Neither the first nor the last one is taken to be the
    right one. Ranks that log one moment may lie a second apart, five where several processes write.

    ## Why it misleads
    Whoever reads the log chooses which of the two counts, and with it the result.

    ## Branches
    - (a) refutes, C3: a log holds several starts or stops, or several values of a key that can have one.
    - not applicable: no log holds such a key; one of several starts or stops has no time.
    - (b, instead of a) caveat, C3: a log holds two values of an option of the recipe, or two seeds, while every other
      run of the result logs one.
    - (c, instead of b) undermines, C3: the option is the batch of a step, both values stand before the start, and no
      counter beside them says when each was in force.
    - (d) caveat, C3: the number beside the stop is that of no evaluation of the log, while in every other run of the
      result, three at least, it is the value of the last one.
    - guard: equal repetitions; seeds of ranks and options per group of parameters, which every run repeats alike; marks
      of initialisation.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {
      "91": {"time_ms": 1744017890000, "key": "run_stop", "value": "success"}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where every run starts and stops once.

    ## How to fix
    Remove the record that was superseded, or hand in the run whose log is whole.

    ## References
    Published logs to which a second run was appended.
    """
    runs = [run for run in case.runs(claim) if run.role in ROLES and run.trace.events]
    seen = False
    for run in runs:
        for key, events in run.trace.by_key.items():
            if key in MOMENTS or key in NAMES or key.startswith(PREFIXES):
                seen = True
                if len(events) > 1:
                    yield from _judge(run, key, events, slack_ms(run, thresholds.slack, thresholds.slack_ranks))
    yield from _odd(runs)
    yield from _beside_stop(runs)
    if not seen:
        yield Inapplicable("no log holds a start, a stop, a result or an effective option")


def _judge(run: Logged, key: str, events: tuple[Event, ...], slack: float) -> Iterator[Branch]:
    first, other = events[0], None
    if key in MOMENTS:
        timed = [event for event in events if event.time_ms is not None]
        first = min(timed, key=_time, default=first)
        other = max(timed, key=_time, default=None)
        if other is None or _time(other) - _time(first) <= slack:
            if len(timed) < len(events):
                yield Inapplicable(f"{run.name} holds {key} without a time")
            return
        values = (f"{_time(first):.0f} ms", f"{_time(other):.0f} ms")
        message = f"{run.name} holds {len(timed)} times {key}, {(_time(other) - _time(first)) / 1000:.1f} s apart"
    else:
        other = next((event for event in events if _value(event) != _value(first) and event.value is not None), None)
        if other is None or first.value is None:
            return
        values = (str(first.value)[:60], str(other.value)[:60])
        message = f"{run.name} gives {key} as {values[0]} and as {values[1]}"
    related = (Related(run.trace.place(first), f"{key} {values[0]}"),)
    yield Violation("a", REFUTES, C3, message, run.trace.place(other), *values, related)


def _odd(runs: list[Logged]) -> Iterator[Violation]:
    """Yield the runs that hold several seeds, or several values of an option, that most runs hold once.

    A key may be an option before the start and a counter after it, so that a log without a start tells neither.
    """
    training = [run for run in runs if run.role == "training" and run.trace.of("run_start")]
    many: dict[str, list[Logged]] = {}
    for run in training:
        doubled = [key for key, values in run.trace.options.items() if len(values) > 1]
        doubled += ["seed"] if len(_seeds(run)) > 1 else []
        for key in doubled:
            many.setdefault(key, []).append(run)
    found = {key: odd for key, odd in many.items() if 2 * len(odd) < len(training)}
    for run in training:
        keys = sorted((key for key, odd in found.items() if odd[0] is run), key=lambda key: key not in BATCHES)
        if keys:
            held = [event for event in run.trace.of(keys[0]) if event.value is not None]
            events = [event for event in held if event.kind != "stat"] or held
            first = events[0]
            other = next((event for event in events if _value(event) != _value(first)), events[-1])
            message = f"{run.name} gives {keys[0]} as {str(first.value)[:60]} and as {str(other.value)[:60]}"
            message += f", {', '.join(keys[1:MOST_NAMED])} twice, too" if len(keys) > 1 else ""
            counted = any(event.kind == "stat" for other_run in training for event in other_run.trace.of(keys[0]))
            message += f"; {len(training) - len(found[keys[0]])} other runs log one value"
            message += " before the steps" if counted else ""
            related = (Related(run.trace.place(first), f"{keys[0]} {str(first.value)[:60]}"),)
            shown = str(first.value)[:60], str(other.value)[:60]
            open_batch = keys[0] in BATCHES and _at_once(run, events)
            branch, effect = ("c", UNDERMINES) if open_batch else ("b", CAVEAT)
            yield Violation(branch, effect, C3, message, run.trace.place(other), *shown, related)


def _beside_stop(runs: list[Logged]) -> Iterator[Violation]:
    """Yield the only run whose stop gives another number than its last evaluation."""
    told = [
        (run, stops[-1], ends[-1]) for run in runs if (stops := run.trace.of(BESIDE_STOP)) and (ends := results(run))
    ]
    odd = [(run, stop, last) for run, stop, last in told if stop.value != last.value]
    if len(odd) != 1 or len(told) <= LEAST_OTHERS or len({last.key for _, _, last in told}) != 1:
        return
    run, stop, last = odd[0]
    if stop.value not in {event.value for event in results(run)}:
        message = f"{run.name} stops with {stop.value:g}; its last {last.key} is {last.value:g}"
        message += f", and in {len(told) - 1} other runs the two are one"
        related = (Related(run.trace.place(last), last.key),)
        shown = (f"{stop.value:g}", f"{last.value:g}")
        yield Violation("d", CAVEAT, C3, message, run.trace.place(stop), *shown, related)


def _at_once(run: Logged, events: list[Event]) -> bool:
    """Whether all values stand before the run starts, none with a counter: not those of phases."""
    start = min((event.line for event in run.trace.of("run_start")), default=0)
    return all(event.line < start and event.counter is None for event in events)


def _seeds(run: Logged) -> set[object]:
    """Return the seeds that a run logs before it starts."""
    start = min((event.line for event in run.trace.of("run_start")), default=0)
    return {_value(event) for event in run.trace.of("seed") if event.value is not None and event.line < start}


def _value(event: Event) -> object:
    found = normalised(event.value)
    return found.casefold() if isinstance(found, str) else found


def _time(event: Event) -> float:
    return event.time_ms or 0.0
