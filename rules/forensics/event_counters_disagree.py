"""F43: counters of a log that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.likely_cause import likely_cause
from ..facts.quantities.numbers import exact
from ..facts.runs.evaluation_events import counter_in
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Event, Logged

LEAST_EPOCHS = 2
SLACK = 1.2
"""Last batches are filled up or dropped, and sets padded to the number of workers: a tenth and more is not that."""
CLOSE = 0.02
"""How far from a whole number of passes an epoch may be: last batches are dropped or filled up in each."""
KEYS = ("epoch_start", "epoch_stop")


class Epochs(Struct, frozen=True):
    """Epochs of equal length.

    Attributes:
        event: the mark at which the last of them was counted.
        steps: steps of each.
        examples: examples of the training set, as logged before the start.
    """

    event: Event
    steps: int
    examples: int


def equal_epochs(run: Logged) -> Epochs | None:
    """Return the epochs of a run, where all that it marks have one number of steps; None where they do not."""
    sizes = run.trace.options.get("train_samples", ())
    if len(sizes) != 1 or not isinstance(sizes[0], float) or sizes[0] < 1:
        return None
    for key in KEYS:
        marks = [event for event in run.trace.of(key) if event.step is not None and event.epoch is not None]
        if any(event.samples is not None for event in marks):
            continue  # the mark itself says how many examples its epoch passed, as of epochs of the program's own
        ordered = all((left.epoch or 0) + 1 == right.epoch for left, right in pairwise(marks))
        steps = {(right.step or 0) - (left.step or 0) for left, right in pairwise(marks)}
        if len(marks) > LEAST_EPOCHS and ordered and len(steps) == 1 and (each := steps.pop()) >= 1:
            return Epochs(marks[-1], int(each), int(sizes[0]))
    return None


def other_batch(epochs: Epochs, batches: tuple[float, ...]) -> bool:
    """Whether an epoch of so many steps passes surely more or fewer examples than there are, under any batch given."""
    shares = [epochs.steps * batch / epochs.examples for batch in batches]
    # of few steps the last one, filled up or dropped, is a large part
    slack = SLACK + 1 / epochs.steps
    return bool(shares) and not any(1 / slack <= share <= slack for share in shares)


def passes(epochs: Epochs, batch: float) -> int:
    """Return how many times an epoch passes the set under a batch; 0 where that is surely no whole number of times."""
    share = epochs.steps * batch / epochs.examples
    times = round(share)
    return times if times >= 1 and abs(share - times) <= CLOSE * times + batch / epochs.examples else 0


BATCHES = ("global_batch_size", "train_batch_size", "input_batch_size", "batch_size")
ACCUMULATION = ("gradient_accumulation_steps", "gradient_accumulation_frequency")
LEAST_INCREASES = 3


@rule(
    "F43",
    "event-counters-disagree",
    effect=REFUTES,
    confidence=C3,
    applies="training and has(trace) and has(counters)",
    origin="MEAS",
    also=("F02",),
)
def event_counters_disagree(claim: Claim, case: Case) -> Iterator[Branch]:
    """Samples that are not steps times the batch, or a count that goes back.

    ## What it does
    Holds the counters of samples and of optimizer steps that stand at one event of a log against the logged global
    batch, with and without accumulation. Counts since a checkpoint lie apart by one amount at every event, and are
    left alone; so are counts of single blocks. A count of what was trained, which grew three times and more, must not
    go back to something else than its beginning. Nor may one stretch of training begin after more than it ends with,
    where all others of the log count on from the beginning. Where the marks of epochs count steps, an epoch passes the
    training set once; where they count samples, too, those say what it passed.

    ## Why it misleads
    The work behind a result is told by its counters. Where they contradict each other, so does the batch, the time per
    sample, or the quality after so many samples.

    ## Branches
    - (a) refutes, C3: samples and steps times the batch differ by more than one batch; or a cumulative count decreases.
    - (b) undermines, C3: a stretch of training begins at a count above the one at its end, while every other one of the
      log begins where the one before it ended; a caveat where it is the first one, whose count may be a checkpoint's.
    - (c) undermines, C3: all epochs of a log have one number of steps, which under its global batch are twice the
      examples of its training set, or another whole number of times, and it logs how often gradients are accumulated.
    - (c) caveat, C3: those examples are otherwise a fifth more or less; what the log calls an epoch may be a part of a
      pass, and a step a part of one that the optimizer makes.
    - not applicable: no event with samples and steps; no single global batch, as of a batch that grows.
    - guard: offsets of a checkpoint, blocks that count their own samples, steps that begin again in every epoch.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {
      "28": {"samples": 1170432, "step": 4572}, "39": {"samples": 2340864, "step": 18288},
      "50": {"samples": 3511296, "step": 27432}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {
      "28": {"samples": 1170432, "step": 4572}, "39": {"samples": 2340864, "step": 9144},
      "50": {"samples": 3511296, "step": 13716}}}}}}}
    ```

    ## How to fix
    Correct the counter or the batch.

    ## References
    Measured on 27,181 events of published logs: all agree.
    """
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace.events]
    asked = False
    for run in runs:
        counted = _counted(run)
        batches = _batches(run)
        if len(counted) >= 2 and batches:
            asked = True
            yield from _products(run, counted, batches)
        yield from _going_back(run)
        yield from _epochs(run, batches)
        yield from _above_its_end(run)
    if not asked:
        yield Inapplicable("no log with samples and steps at two events and one global batch")


def _epochs(run: Logged, batches: tuple[float, ...]) -> Iterator[Violation]:
    """Yield a violation where the steps of an epoch are those of another batch."""
    epochs = equal_epochs(run) if batches else None
    if epochs is not None and other_batch(epochs, batches):
        message = (
            f"{run.name} counts {epochs.steps:,} steps in every epoch; {epochs.examples:,} examples in batches of "
            f"{batches[0]:,.0f} are {epochs.examples / batches[0]:,.1f}"
        )
        shown = (f"{epochs.steps}", f"{epochs.examples / batches[0]:.1f}")
        accumulates = any(run.trace.options.get(key) for key in ACCUMULATION)
        effect = UNDERMINES if accumulates and passes(epochs, batches[0]) > 1 else CAVEAT
        yield Violation("c", effect, C3, message, run.trace.place(epochs.event), *shown, _batch_place(run))


def _counted(run: Logged) -> tuple[Event, ...]:
    """Return the events at the end of a stretch of training that give cumulative samples and steps."""
    by_key: dict[str, list[Event]] = {}
    for event in run.trace.events:
        counts = event.step is not None and event.samples is not None
        if counts and (event.kind == "eval" or event.key.endswith("_stop")):
            by_key.setdefault(event.key, []).append(event)
    return tuple(event for events in by_key.values() if _grows(events) for event in events)


def _grows(events: list[Event]) -> bool:
    pairs = [(event.samples or 0.0, event.step or 0.0) for event in events]
    steady = all(left[0] <= right[0] and left[1] <= right[1] for left, right in pairwise(pairs))
    return steady and pairs[0][0] < pairs[-1][0] and pairs[0][1] < pairs[-1][1]


def _batches(run: Logged) -> tuple[float, ...]:
    """Return the batch of a step: the global one, and where gradients are accumulated, that of a part step."""
    found = [run.trace.options[key] for key in BATCHES if key in run.trace.options]
    if len(found) != 1 or len(found[0]) != 1 or not isinstance(found[0][0], float) or found[0][0] <= 0:
        return ()
    batch = found[0][0]
    parts = [run.trace.options.get(key, ()) for key in ACCUMULATION]
    steps = {value for part in parts for value in part if isinstance(value, float) and value > 1}
    return (batch, *(batch / step for step in steps))


def _batch_place(run: Logged) -> tuple[Related, ...]:
    option = next((item for key in BATCHES for item in run.trace.of(key)), None)
    return (Related(run.trace.place(option), "global batch"),) if option is not None else ()


def _products(run: Logged, counted: tuple[Event, ...], batches: tuple[float, ...]) -> Iterator[Violation]:
    """Yield a violation where under no reading of the batch the counters agree, or differ by one amount throughout."""
    for batch in batches:
        gaps = [(event.samples or 0.0) - (event.step or 0.0) * batch for event in counted]
        if max(gaps) - min(gaps) <= batches[0] or all(abs(gap) <= batches[0] for gap in gaps):
            return
    event = max(counted, key=lambda item: abs((item.samples or 0.0) - (item.step or 0.0) * batches[0]))
    assert event.samples is not None
    assert event.step is not None
    product = event.step * batches[0]
    cause = likely_cause(exact(event.samples), exact(product)) if product else ""
    message = (
        f"{run.name} counts {event.samples:,.0f} samples at {event.key} after {event.step:,.0f} steps of "
        f"{batches[0]:,.0f}, which are {product:,.0f}{cause}"
    )
    shown = (f"{event.samples:.0f}", f"{product:.0f}")
    yield Violation("a", REFUTES, C3, message, run.trace.place(event), *shown, _batch_place(run))


def _going_back(run: Logged) -> Iterator[Violation]:
    ends: dict[str, list[Event]] = {}
    for event in run.trace.kind("train"):
        if event.key.endswith("_stop"):
            ends.setdefault(event.key, []).append(event)
    for events in ends.values():
        for unit in ("samples", "step", "epoch"):
            drop = _drop(events, unit)
            if drop is not None:
                before, after = drop
                values = counter_in(before, unit), counter_in(after, unit)
                message = f"{run.name}: {unit} goes back from {values[0]:g} to {values[1]:g} at {after.key}"
                related = (Related(run.trace.place(before), f"{unit} {values[0]:g}"),)
                yield Violation("a", REFUTES, C3, message, run.trace.place(after), related=related)
                return


def _above_its_end(run: Logged) -> Iterator[Violation]:
    """Yield the only stretch of training that begins above its own end, where the others count on from each other."""
    for key, starts in run.trace.by_key.items():
        stops = run.trace.by_key.get(f"{key.removesuffix('_start')}_stop", ()) if key.endswith("_start") else ()
        if starts[0].kind != "train" or len(starts) != len(stops) or len(starts) <= LEAST_INCREASES:
            continue
        for unit in ("samples", "step"):
            begins = [counter_in(event, unit) for event in starts]
            ends = [counter_in(event, unit) for event in stops]
            odd = _odd(begins, ends)
            if odd is not None:
                begin, end = begins[odd] or 0.0, ends[odd] or 0.0
                message = f"{run.name}: {key} gives {unit} {begin:,.0f}, its {stops[odd].key} {end:,.0f}"
                message += ": was the run resumed?" if odd == 0 else ""
                related = (Related(run.trace.place(stops[odd]), f"{unit} {end:,.0f}"),)
                shown = (f"{begin:.0f}", f"{end:.0f}")
                effect = UNDERMINES if odd else CAVEAT
                yield Violation("b", effect, C3, message, run.trace.place(starts[odd]), *shown, related)
                return


def _odd(begins: list[float | None], ends: list[float | None]) -> int | None:
    """Return the only stretch that begins above its end, if all ends grow and the others begin at the end before."""
    first = [value for value in begins if value is not None]
    last = [value for value in ends if value is not None]
    if len(first) != len(begins) or len(last) != len(ends) or sorted(set(last)) != last:
        return None
    above = [index for index, value in enumerate(first) if value > last[index]]
    apart = [index for index in range(1, len(first)) if first[index] != last[index - 1]]
    return above[0] if len(above) == 1 and set(apart) <= set(above) else None


def _drop(events: list[Event], unit: str) -> tuple[Event, Event] | None:
    """Return the only place where a growing count decreases, in the file and in time, and not to its beginning."""
    counts = [(event, value) for event in events if (value := counter_in(event, unit)) is not None]
    pairs = list(pairwise(counts))
    drops = [(left, right) for left, right in pairs if right[1] < left[1]]
    increases = sum(right[1] > left[1] for left, right in pairs)
    if len(drops) != 1 or increases < LEAST_INCREASES:
        return None
    (before, high), (after, low) = drops[0]
    in_time = before.time_ms is not None and after.time_ms is not None and before.time_ms < after.time_ms
    return (before, after) if in_time and low > counts[1][1] and high > low else None
