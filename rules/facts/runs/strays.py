"""The one run of a system that ran at the time of another result's, where all its others follow one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from ...caching import fact
from ...case import Case
from .instants import RunSpan, run_span

FEWEST = 10
"""Runs of a system from which on it shows that they follow one another."""


class Stray(Struct, frozen=True):
    """A run, and the run of another result within whose time it lies."""

    run: RunSpan
    other: RunSpan
    seconds: float


@fact
def strays(case: Case, slack_s: float) -> Mapping[str, Stray]:
    """Return such runs by their arm: a system that runs several results at once has many overlaps, and none here."""
    systems: dict[tuple[str, str], list[tuple[str, RunSpan]]] = {}
    for name, arm in case.submission.arms.items():
        before = (arm.folder or "").partition("results/")[0]
        spans = [run_span(f"{name} {key}", trial) for key, trial in arm.trials.items()]
        if arm.system is not None:
            systems.setdefault((before, arm.system), []).extend((name, span) for span in spans if span is not None)
    found: dict[str, Stray] = {}
    for runs in systems.values():
        met = _meetings(runs, slack_s) if len(runs) >= FEWEST else []
        counts = Counter(item for pair in met for item in pair)
        once = [item for item, count in counts.items() if count == len(met)]
        if once and all(left[0] != right[0] for left, right in met):
            for left, right in met[:1]:
                ours, other = (left, right) if left in once else (right, left)
                seconds = min(left[1].end_s, right[1].end_s) - max(left[1].start_s, right[1].start_s)
                found[ours[0]] = Stray(ours[1], other[1], seconds)
    return found


def _meetings(runs: list[tuple[str, RunSpan]], slack_s: float) -> list[tuple[tuple[str, RunSpan], tuple[str, RunSpan]]]:
    """Return the pairs of runs that overlap by more than the slack, each with the name of its arm."""
    pairs = []
    going: list[tuple[str, RunSpan]] = []
    for item in sorted(runs, key=lambda item: item[1].start_s):
        going = [other for other in going if other[1].end_s - item[1].start_s > slack_s]
        pairs += [(other, item) for other in going if item[1].end_s - item[1].start_s > slack_s]
        going.append(item)
    return pairs
