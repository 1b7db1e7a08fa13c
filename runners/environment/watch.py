"""Watching one trial: the readings of every knob before, during and after it, and what they show."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from ..trial.events import ControlRecord, Verified
from .knobs.interface import Reading, Refused, Verification
from .setting import Setting, plain

SAMPLE_S = 0.1
"""Distance of the samples in the first minute of a trial; it grows with the trial's age, up to SAMPLE_LIMIT_S."""
SAMPLE_LIMIT_S = 1.0
CORE_SHARE = 0.01
"""Share of one core that the samples may take, unless that would be fewer than one in SAMPLE_LIMIT_S."""
TARGETS = 32
"""Targets of which a record takes what each stood at; the readings have all."""
WORST_FIRST: tuple[Verified, ...] = ("contradicted", "not_permitted", "unverifiable", "verified", "not_requested")


class Watch:
    """The readings of one trial. Takes the first when it is made."""

    def __init__(self, settings: Sequence[Setting]) -> None:
        self._settings = tuple(settings)
        self._readings: list[list[Reading]] = [[] for _ in settings]
        self._blind: dict[int, Refused] = {}
        self._began = time.monotonic()
        self._next_s = SAMPLE_S
        self._read(every=True)

    @property
    def samples(self) -> bool:
        """Whether anything is to be read while the trial runs."""
        return any(setting.knob.SAMPLED and setting.refused is None for setting in self._settings)

    def sample(self) -> None:
        """Read what changes while a trial runs, if it is time."""
        age_s = time.monotonic() - self._began
        if age_s >= self._next_s:
            began_cpu = time.thread_time()
            self._read(every=False)
            cost_s = time.thread_time() - began_cpu
            self._next_s = age_s + min(SAMPLE_LIMIT_S, max(SAMPLE_S, age_s / 600, cost_s / CORE_SHARE))

    def end(self) -> tuple[ControlRecord, ...]:
        """Take the last readings and return a record for each knob: over its targets, the worst."""
        self._read(every=True)
        by_knob: dict[str, list[tuple[Setting, Verification]]] = {}
        for index, setting in enumerate(self._settings):
            by_knob.setdefault(setting.knob.NAME, []).append((setting, self._verify(index, setting)))
        return tuple(_record(name, members) for name, members in by_knob.items())

    def document(self, records: Sequence[ControlRecord]) -> dict[str, Any]:
        """Return records and readings as a JSON value."""
        readings = [
            {"knob": setting.knob.NAME, "target": setting.target, "readings": taken}
            for setting, taken in zip(self._settings, self._readings, strict=True)
        ]
        return {"dlaudit": "controls/1", "records": msgspec.to_builtins(records), "readings": readings}

    def _read(self, *, every: bool) -> None:
        for index, setting in enumerate(self._settings):
            if setting.refused is not None or not (every or setting.knob.SAMPLED):
                continue
            try:
                self._readings[index].append(setting.knob.read(setting.target))
            except Refused as refused:
                self._blind[index] = refused

    def _verify(self, index: int, setting: Setting) -> Verification:
        refused = setting.refused or self._blind.get(index)
        if refused is not None or setting.applied is None:
            return Verification(refused.state, str(refused)) if refused else Verification("unverifiable", "not set")
        try:
            return setting.knob.verify(setting.target, setting.applied, self._readings[index])
        except Refused as late:
            return Verification(late.state, str(late))


def _record(name: str, members: Sequence[tuple[Setting, Verification]]) -> ControlRecord:
    setting, worst = min(members, key=lambda member: WORST_FIRST.index(member[1].verified))
    applied = {one.applied for one, _ in members}
    evidence, measured = worst.evidence, dict(worst.measured)
    if len(members) > 1:
        alike = sum(verification.verified == worst.verified for _, verification in members)
        evidence = f"{alike} of {len(members)} {worst.verified}, among them {setting.label}: {evidence}"
        each = ((one.target, verification.found) for one, verification in members[:TARGETS])
        measured |= {f"found.{target}": float(found) for target, found in each if isinstance(found, (int, float))}
    return ControlRecord(
        knob=name,
        requested=plain(setting.requested),
        applied=applied.pop() if len(applied) == 1 else ", ".join(sorted(str(value) for value in applied)),
        found=worst.found,
        verified=worst.verified,
        evidence=evidence[:4000],
        measured=measured,
    )
