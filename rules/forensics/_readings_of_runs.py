"""What a log states of its own course, beside the events that show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from itertools import islice
from statistics import median

from msgspec import Struct

from ..facts.runs.times import is_unix, started_ms, stopped_ms
from ..trace import Event, Logged

BEGIN, SECONDS, PRECISION = "printed_begin", "printed_seconds", "printed_ap"
"""Keys of what a log prints in words: when its script began, how long it took, and average precision."""
STAMP = "%Y-%m-%d %I:%M:%S %p"
FARTHEST_ZONE_H = 36
"""A local time of any zone lies nearer than that to the instant, also where the run waited half a day to start."""
SLACK_S = 2.0
ALIKE, OFF = 0.05, 0.15
"""Epochs of one length run at one rate: how far honest ones lie apart at most, and from where on one is no such."""
FEWEST_EPOCHS, FEWEST_RUNS = 4, 4


class Odd(Struct, frozen=True):
    """A reading that the events contradict.

    Attributes:
        run: whose log it is in.
        event: the reading.
        other: an event that contradicts it.
        words: what is wrong, behind the run's name.
        stated, shown: the reading, and what the events give.
    """

    run: Logged
    event: Event
    other: Event | None
    words: str
    stated: str
    shown: str


def states_something(run: Logged) -> bool:
    """Whether a log states anything that can be held against its events."""
    rates = islice(_rates(run), FEWEST_EPOCHS)
    return bool(run.trace.of(BEGIN, SECONDS, PRECISION) or _counted(run)) or len(list(rates)) == FEWEST_EPOCHS


def of_script(run: Logged) -> Iterator[Odd]:
    """Yield what the script around a run printed of its time, where the run's clock shows another one."""
    start, stop = started_ms(run), stopped_ms(run)
    if start is None or stop is None or not is_unix(run):
        return
    seconds, begins = run.trace.of(SECONDS), run.trace.of(BEGIN)
    lasted = (stop - start) / 1000
    if len(seconds) == 1 and seconds[0].number is not None and seconds[0].number + SLACK_S < lasted:
        printed = seconds[0].number
        words = f"prints {printed:g} s as its result, and its clock ran {lasted:.0f} s from start to stop"
        yield Odd(run, seconds[0], _first(run, "run_stop"), words, f"{printed:g}", f"{lasted:.0f}")
    began = _instant_s(begins[0].value) if len(begins) == 1 else None
    if began is not None and abs(began - start / 1000) > FARTHEST_ZONE_H * 3600:
        days = abs(began - start / 1000) / 86_400
        day = datetime.fromtimestamp(start / 1000, UTC).date().isoformat()
        words = f"prints that it began at {begins[0].value}, {days:.0f} days from its first timed event"
        yield Odd(run, begins[0], _first(run, "run_start"), words, str(begins[0].value), day)


def of_quality(run: Logged) -> Iterator[Odd]:
    """Yield the first average precision that is printed otherwise than logged, where each evaluation prints one."""
    printed, logged = run.trace.of(PRECISION), run.trace.evaluations
    if not printed or len(printed) != len(logged):
        return
    for event, other in zip(printed, logged, strict=True):
        number = _decimal(event.value)
        if number is None or other.number is None:
            return
        unit = Decimal(1).scaleb(int(number.as_tuple().exponent))
        if abs(float(number) - other.number) > float(unit):
            words = f"prints an average precision of {event.value}, and logs {other.number:.5f} for that evaluation"
            yield Odd(run, event, other, words, str(event.value), f"{other.number:.5f}")
            return


def of_epochs(run: Logged) -> Iterator[Odd]:
    """Yield the throughput of an epoch that lasted as long as the others, which all give another one."""
    lasted = _epochs_ms(run)
    if len(lasted) < FEWEST_EPOCHS:
        return
    rates = {event.epoch: (event, rate) for event, rate in _rates(run) if event.epoch in lasted}
    if len(rates) < FEWEST_EPOCHS:
        return
    usual_ms, usual = median(lasted[epoch] for epoch in rates), median(rate for _, rate in rates.values())
    alike = [epoch for epoch in rates if abs(lasted[epoch] - usual_ms) <= ALIKE * usual_ms]
    off = [epoch for epoch in alike if abs(rates[epoch][1] - usual) > OFF * usual]
    fitting = [epoch for epoch in alike if abs(rates[epoch][1] - usual) <= ALIKE * usual]
    if len(off) == 1 and len(fitting) == len(alike) - 1 >= FEWEST_EPOCHS - 1:
        event, rate = rates[off[0]]
        words = f"logs a throughput of {rate:,.5g} for an epoch as long as those with {usual:,.5g}"
        yield Odd(run, event, rates[fitting[0]][0], words, f"{rate:.6g}", f"{usual:.6g}")


def of_counts(runs: Sequence[Logged]) -> Iterator[Odd]:
    """Yield a count of trained samples that is not the last counter, as in every other log of the result."""
    counted = [(run, event, last) for run in runs for event, last in _counted(run)]
    odd = [item for item in counted if item[1].number != item[2].samples]
    if len(counted) == len(runs) > FEWEST_RUNS and len(odd) == 1:
        run, event, last = odd[0]
        words = f"logs {event.number:,.0f} train_samples after {last.samples:,.0f} were counted"
        yield Odd(run, event, last, f"{words}; in the other logs both are equal", str(event.value), f"{last.samples:g}")


def _counted(run: Logged) -> list[tuple[Event, Event]]:
    """Return the count of samples that a log gives at its end with its largest counter, where it has both."""
    events = [event for event in run.trace.of("train_samples") if event.kind == "stat" and event.number is not None]
    if len(events) != 1:
        return []
    counters = [event for event in run.trace.events if event.samples is not None]
    return [(events[0], max(counters, key=lambda event: event.samples or 0.0))] if counters else []


def _epochs_ms(run: Logged) -> dict[float | None, float]:
    starts = {event.epoch: event.time_ms for event in run.trace.of("epoch_start") if event.epoch is not None}
    stops = {event.epoch: event.time_ms for event in run.trace.of("epoch_stop") if event.epoch is not None}
    both = ((epoch, starts[epoch], stops[epoch]) for epoch in starts if epoch in stops)
    return {epoch: stop - start for epoch, start, stop in both if start is not None and stop is not None}


def _rates(run: Logged) -> Iterator[tuple[Event, float]]:
    for event in run.trace.of("tracked_stats", "throughput"):
        value = event.value.get("throughput") if isinstance(event.value, dict) else event.number
        if isinstance(value, float) and value > 0:
            yield event, value


def _first(run: Logged, key: str) -> Event | None:
    return next(iter(run.trace.of(key)), None)


def _instant_s(value: object) -> float | None:
    try:
        return datetime.strptime(str(value).strip(), STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _decimal(value: object) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
