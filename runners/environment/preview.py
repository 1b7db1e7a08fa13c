"""What a study would change on the machine: read, and not changed."""

from __future__ import annotations

from pathlib import Path

from ...schemas.spec import Spec
from .control import wanted
from .knobs.interface import Refused
from .setting import plain
from .wording import state


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
            now = state(setting.knob, setting.knob.read(setting.target))
        except Refused as refused:
            found.append(f"cannot set {setting.words}: {refused}")
        else:
            found.append(f"would set {setting.words}, and put it back at the end; now: {now}")
    return tuple(found)
