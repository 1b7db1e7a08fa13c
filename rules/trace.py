"""A run's log as rules read it: the same whether the submission holds the events or a foreign file does.

`case.runs(claim)` gives the runs behind a claim, each a `Logged`: the submission's record (`run.run`: file, status,
window, verdict of the harness, accuracy record) and the log (`run.trace`). `trace.of("run_start")` gives the events
of a key, `trace.kind("train", "eval")` those of a sort, `trace.evaluations` those with a number, `trace.options` the
effective options with the set of their values, `trace.malformed` the lines that could not be read. `trace.place(event)`
is the place for a finding: it leads to the pointer in the submission or to the line of the foreign file.

When a run started, stopped and how it ended is a fact (`facts/run_times.py`); a key that must stand once and stands at
two different times gives none there. The system description as handed in is `side.arm.description`, the folder
`case.submission.folder`. A folder of many results is judged result by result; `case.whole` is then the case of all, for
rules that compare results. Such a folder holds a million events: go over them once, or ask for keys.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from ..schemas.model import escape
from ..schemas.runs import Run
from .facts.runs.event_kinds import kind_of

Option = str | float | bool | None | tuple[Any, ...]
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "infinity": math.inf, "-inf": -math.inf, "-infinity": -math.inf}


class Event(Struct, frozen=True, array_like=True, gc=False):
    """One event.

    Attributes:
        line: line of the log, from 1; several events may stand in one.
        time_ms: clock time in milliseconds, or None where the line gives none.
        key: what is logged.
        kind: option, identity, mark, train, eval, stat or error.
        value: as logged; where it is not finite a float that is not finite.
        samples: counter of training samples that stands with it.
        step: counter of optimizer steps likewise.
        epoch: counter of epochs likewise.
    """

    line: int
    time_ms: float | None
    key: str
    kind: str
    value: Any = None
    samples: float | None = None
    step: float | None = None
    epoch: float | None = None

    @property
    def number(self) -> float | None:
        """The value where it is a number (also NaN or infinite), else None."""
        value = self.value
        if value.__class__ is float:
            return value
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else None

    @property
    def counter(self) -> tuple[str, float] | None:
        """Unit and value of the counter: samples before steps before epochs; None where there is none."""
        if self.samples is not None:
            return "samples", self.samples
        if self.step is not None:
            return "step", self.step
        return ("epoch", self.epoch) if self.epoch is not None else None


class Malformed(Struct, frozen=True, array_like=True, gc=False):
    """A line that bears the log's marker and cannot be read: where, and what should stand there."""

    line: int
    column: int
    expected: str
    text: str = ""


class Trace(Struct, frozen=True, dict=True):
    """The log of one run.

    Attributes:
        events: its events in the order of the file.
        malformed: lines that could not be read.
        file: name of the foreign file that holds them; empty where the submission does.
        at: JSON Pointer of the run in the submission.
    """

    events: tuple[Event, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    file: str = ""
    at: str = ""

    def __bool__(self) -> bool:
        """Whether there is anything to read: an event, or a line that should be one."""
        return bool(self.malformed) or bool(self.events)

    @cached_property
    def by_key(self) -> Mapping[str, tuple[Event, ...]]:
        """Events by key, each in the order of the file."""
        found: defaultdict[str, list[Event]] = defaultdict(list)
        for event in self.events:
            found[event.key].append(event)
        return {key: tuple(events) for key, events in found.items()}

    def of(self, *keys: str) -> tuple[Event, ...]:
        """Return the events of some keys: of the first key in the order of the file, then of the next."""
        if len(keys) == 1:
            return self.by_key.get(keys[0], ())
        return tuple(event for key in keys for event in self.by_key.get(key, ()))

    def kind(self, *kinds: str) -> tuple[Event, ...]:
        """Return the events of some kinds in the order of the file."""
        found = self._of_kinds.get(kinds)
        if found is None:
            events = self.events if "stat" in kinds else self._without_statistics
            found = self._of_kinds[kinds] = tuple([event for event in events if event.kind in kinds])
        return found

    @cached_property
    def _without_statistics(self) -> tuple[Event, ...]:
        """The few events that most rules ask for: of a log of training, nine in ten are statistics."""
        return tuple([event for event in self.events if event.kind != "stat"])

    @cached_property
    def _of_kinds(self) -> dict[tuple[str, ...], tuple[Event, ...]]:
        """What was asked for: several rules go over the evaluations, none keeps them."""
        return {}

    @cached_property
    def in_time(self) -> tuple[Event, ...]:
        """Events that give a time, in the order of time; of equal times in the order of the file."""
        return tuple(sorted((e for e in self.events if e.time_ms is not None), key=lambda e: e.time_ms or 0.0))

    @cached_property
    def evaluations(self) -> tuple[Event, ...]:
        """Events of kind eval that carry a number, in the order of the file; NaN and infinite numbers too."""
        return tuple(event for event in self.kind("eval") if event.number is not None)

    @cached_property
    def span_ms(self) -> tuple[float, float] | None:
        """First and last clock time, in milliseconds; None where no event gives one."""
        times = [event.time_ms for event in self.events if event.time_ms is not None]
        return (min(times), max(times)) if times else None

    @cached_property
    def options(self) -> Mapping[str, tuple[Option, ...]]:
        """Effective options: per key the distinct values in the order logged, numbers written as text as numbers."""
        found: dict[str, dict[Option, None]] = {}
        for event in self.kind("option"):
            found.setdefault(event.key, {})[normalised(event.value)] = None
        return {key: tuple(values) for key, values in found.items()}

    def forget(self) -> None:
        """Forget what was computed of its events, and compute it anew where it is asked for again."""
        vars(self).clear()

    def place(self, event: Event | Malformed) -> str:
        """Return the place of an event for a finding: its line in the foreign file, or its pointer."""
        if self.file:
            return f"file:{self.file}#{event.line}"
        return f"{self.at}/{'malformed' if isinstance(event, Malformed) else 'events'}/{event.line}"


def normalised(value: object) -> Option:
    """Return a value in a form that can be compared: 256, 256.0 and "256" are one number, "true" is true."""
    if isinstance(value, str):
        return _of_text(value.strip())
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, dict):
        return tuple((str(key), normalised(value[key])) for key in sorted(value, key=str))
    if isinstance(value, list | tuple):
        return tuple(normalised(item) for item in value)
    return str(value)


def _of_text(text: str) -> Option:
    if text.casefold() in {"true", "false"}:
        return text.casefold() == "true"
    if not text[:1].isdigit() and text[:1] not in {"-", "+", "."}:
        return text
    try:
        return _number(float(text))
    except ValueError:
        return text


def _number(value: float) -> Option:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return float(value) if abs(value) < 2**53 else str(value)


def inline_trace(run: Run) -> Trace:
    """Return the trace of a run whose events the submission holds, in the order of their lines."""
    lines = sorted(run.events, key=int)
    malformed = tuple(
        Malformed(int(line), found.column or 1, found.expected, found.text or "")
        for line, found in sorted(run.malformed.items(), key=lambda item: int(item[0]))
    )
    return Trace(tuple(_events(run, lines)), malformed, "", run.at)


def _events(run: Run, lines: Iterable[str]) -> Iterable[Event]:
    started = False
    for line in lines:
        event = run.events[line]
        started = started or event.key == "run_start"
        counted = event.samples is not None or event.step is not None or event.epoch is not None
        kind = event.kind or kind_of(event.key, started=started, counted=counted)
        yield Event(
            int(line), event.time_ms, event.key, kind, finite(event.value), event.samples, event.step, event.epoch
        )


def finite(value: Any) -> Any:
    """Return a logged value with "NaN" and "Infinity" as the numbers they stand for, as JSON cannot hold them."""
    return _NOT_FINITE.get(value.strip().casefold(), value) if isinstance(value, str) else value


class Logged(Struct, frozen=True):
    """A run behind a claim, with its log.

    Attributes:
        id: the run in its arm.
        run: what the submission says of it.
        trace: its events; empty where there are none.
    """

    id: str
    run: Run
    trace: Trace

    @property
    def role(self) -> str:
        """What the run is for: training where the submission does not say."""
        return self.run.role or "training"

    @property
    def name(self) -> str:
        """The run as a message names it: its file, else its id."""
        return self.run.file.name if self.run.file is not None else self.id

    def place(self, *steps: str) -> str:
        """Return the JSON Pointer of something in the submission's record of the run."""
        return self.run.at + "".join("/" + escape(step) for step in steps)
