"""What a study would change on the machine: read, and not changed."""

from __future__ import annotations

import json
from pathlib import Path

from ...schemas.spec import Spec
from .control import wanted
from .knobs.interface import Reading, Refused
from .setting import plain


def lines(spec: Spec, sysroot: Path = Path("/")) -> tuple[str, ...]:
    """Return a line for each knob and target: what would be set, and what it stands at.

    Whether it would be permitted shows only when it is tried.
    """
    found: list[str] = []
    controls = spec.controls
    own = ("affinity", "threads", "numa_nodes", "aslr")
    asked = {name: plain(getattr(controls, name)) for name in own if controls.asks(name)}
    found += [f"would set {name} = {value} in each trial's own process" for name, value in asked.items()]
    for setting in wanted(spec, sysroot):
        try:
            if setting.refused is not None:
                raise setting.refused
            now = _plain(setting.knob.read(setting.target))
        except Refused as refused:
            found.append(f"cannot set {setting.words}: {refused}")
        else:
            found.append(f"would set {setting.words}, and put it back at the end; now: {now}")
    return tuple(found)


def _plain(reading: Reading) -> str:
    """Return a reading in words; counters and the clock of the reading itself say nothing yet."""
    if not isinstance(reading, dict):
        return json.dumps(reading)
    told = {name: value for name, value in reading.items() if not name.endswith("_ns")}
    return ", ".join(f"{name} {json.dumps(value)}" for name, value in told.items())
