"""Progress of a study: on a terminal one line that is written again, elsewhere a line now and then."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from statistics import fmean
from typing import TextIO

from .plan import PlannedTrial

LEAST_S = 10.0
"""Between two lines where there is no terminal: short trials are told together."""


class Progress:
    """Shows which trial runs and how much time is left, from the trials that are over."""

    def __init__(self, stream: TextIO, trials: Sequence[PlannedTrial]) -> None:
        self.shown = stream.isatty()
        self._stream = stream
        self._total = len(trials)
        self._left = list(trials)
        self._durations: dict[tuple[str, str], list[float]] = {}
        self._current: PlannedTrial | None = None
        self._begun = 0.0
        self._written = time.monotonic()

    def begin(self, trial: PlannedTrial) -> None:
        """Say that a trial runs."""
        self._current, self._begun = trial, time.monotonic()
        self.tick()

    def end(self, trial: PlannedTrial, note: str | None = None) -> None:
        """Say that a trial is over.

        Args:
            trial: the trial.
            note: a line to leave on the screen, where something went wrong.
        """
        if self._current == trial:
            self._durations.setdefault((trial.arm, trial.kind), []).append(time.monotonic() - self._begun)
        self._left = [other for other in self._left if other.trial != trial.trial]
        self._current = None
        if not self.shown:
            self._tell(trial)
        if note is not None and self.shown:
            self._write("".join(letter if letter.isprintable() else "?" for letter in note))  # a workload wrote it
            self._stream.write("\n")
        self.tick()

    def _tell(self, trial: PlannedTrial) -> None:
        """Write a line of its own, for a log that people read while the study runs."""
        now = time.monotonic()
        left = self.left_s()
        if now - self._written < LEAST_S or not self._left or left is None:
            return
        self._written = now
        done = f"{self._total - len(self._left)}/{self._total} trials, the last {trial.trial}"
        with suppress(BrokenPipeError):  # whoever reads may go away; the study goes on
            self._stream.write(f"dlaudit: {done}; about {duration(left)} left\n")
            self._stream.flush()

    def tick(self) -> None:
        """Write the line again."""
        if not self.shown:
            return
        done = self._total - len(self._left)
        width = 20
        bar = "#" * (width * done // max(1, self._total))
        line = f"[{bar:<{width}}] {done}/{self._total}"
        if self._current is not None:
            line += f"  {self._current.trial}  {duration(time.monotonic() - self._begun)}"
        left = self.left_s()
        if left is not None:
            line += f"  about {duration(left)} left"
        self._write(line)

    def close(self) -> None:
        """Take the line away."""
        if self.shown:
            self._write("")
            self._stream.write("\r")
            self._stream.flush()

    def left_s(self) -> float | None:
        """Return the time that the trials left will take, in seconds, or None before the first one is over."""
        if not self._durations:
            return None
        kinds: dict[str, list[float]] = {}
        for (_, kind), values in self._durations.items():
            kinds.setdefault(kind, []).extend(values)
        every = fmean(value for values in kinds.values() for value in values)
        total = 0.0
        for trial in self._left:
            known = self._durations.get((trial.arm, trial.kind)) or kinds.get(trial.kind)
            expected = fmean(known) if known else every
            if trial == self._current:
                expected = max(0.0, expected - (time.monotonic() - self._begun))
            total += expected
        return total

    def _write(self, line: str) -> None:
        columns = shutil.get_terminal_size().columns
        self._stream.write("\r\x1b[K" + line[: columns - 1])
        self._stream.flush()


def duration(seconds: float) -> str:
    """Return a duration for people: 41 s, 3 min 05 s, 2 h 04 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
