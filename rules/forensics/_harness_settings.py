"""Settings of a harness as its configuration files give them, against those that its log says were in force."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Arm
from ..facts.suite.inference import texts
from ..trace import Logged

SEEDS = ("qsl_rng_seed", "sample_index_rng_seed", "schedule_rng_seed")
KEYS = {
    **{name: f"effective_{name}" for name in SEEDS},
    "target_qps": "effective_target_qps",
    "min_duration": "effective_min_duration_ms",
}
"""Settings that the log gives in the same unit, by the key that it gives them under."""
RATED = frozenset({"Server", "Offline"})
"""Scenarios that are run at a rate; of the others the log gives the inverse of a latency."""
CLOSE = 1e-4


class Setting(Struct, frozen=True):
    """A setting that a file and a log give differently."""

    name: str
    file: str
    written: str
    logged: str
    written_at: str
    logged_at: str


def other_settings(arm: Arm, run: Logged, scenario: str | None) -> Iterator[Setting]:
    """Yield the settings of the files that hold for a run and that its log gives with one other value.

    A file that the harness reads later wins: user.conf over mlperf.conf, which holds the defaults of the round; of it
    the seeds alone are the same for all.
    """
    last: dict[str, tuple[str, str]] = {}
    for name in sorted(arm.configuration, key=lambda name: name == "user.conf"):
        last |= {key: (name, value) for key, value in arm.configuration[name].settings.items()}
    for key, (name, value) in last.items():
        default = name != "user.conf" and key not in SEEDS
        if key not in KEYS or default or (key == "target_qps" and scenario not in RATED):
            continue
        found = list(texts(run, KEYS[key])) if key in SEEDS else list(_numbers(run, KEYS[key]))
        if len(found) == 1 and not _same(value, found[0][0], key in SEEDS):
            place = arm.configuration[name].place("settings", key)
            yield Setting(key, name, value, found[0][0], place, found[0][1])


def _numbers(run: Logged, key: str) -> Iterator[tuple[str, str]]:
    """Yield the distinct values of a number in a log as written, each with its place."""
    seen = set()
    for event in run.trace.of(key):
        if event.number is not None and event.number not in seen:
            seen.add(event.number)
            yield f"{event.number:.15g}", run.trace.place(event)


def _same(written: str, logged: str, exact: bool) -> bool:
    """Whether two values are one; what is no number in the file tells nothing."""
    if exact:
        return not written.isdigit() or not logged.isdigit() or written.lstrip("0") == logged.lstrip("0")
    try:
        left, right = float(written), float(logged)
    except ValueError:
        return True
    return not abs(left - right) > CLOSE * max(abs(left), abs(right))
