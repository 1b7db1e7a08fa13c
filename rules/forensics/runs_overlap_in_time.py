"""F37: runs of one exclusive machine at one time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.runs.logged_options import whole_option
from ..facts.runs.overlaps import Overlap, Room, most_at_once, overlaps
from ..facts.runs.shared_devices import shared_devices
from ..facts.runs.strays import strays
from ..facts.suite.runs import is_weak
from ..fields import field_of
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ._groups_of_runs import MOST_NAMED, timed_runs

PROVIDE = """\
arms:
  retinanet:
    runs:
      result_0: {host: node-17, device_ids: ["GPU-4f1c2a9e"]}
      result_1: {host: node-18, device_ids: ["GPU-88d01b3c"]}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    overlap: float = Threshold(5, "seconds that two clocks may differ", "judgement")


@rule(
    "F37",
    "runs-overlap-in-time",
    effect=REFUTES,
    confidence=C3,
    applies="has(runs) and has(times)",
    origin="MEAS, ML",
    thresholds=Thresholds,
)
def runs_overlap_in_time(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Two runs at the same time on hardware that has room for one.

    ## What it does
    Orders the windows of all logged runs, those of one host together, and looks for pairs that overlap by more than
    five seconds, as do trials that state when they began and ended. Runs on separate hosts, or on separate devices of
    one host, may; runs that share a device may not, nor may runs beside one that had its machine for itself, or that
    need more devices than their node or their site has.

    ## Why it misleads
    Runs that shared a machine slowed each other down, or one of the records is of another time or place.

    ## Branches
    - (a) refutes, C3: two runs overlap by more than 5 s and share a device, or a host that one of them had for itself
      or that has too few devices for both; or more devices ran at once than the site has.
    - (b) undermines, C3: a run initialised for more than 5 s while another one was measured on such a device or host.
    - not shown: runs overlap, and no host, device or exclusive use is recorded that would tell; or one training run
      lies in the time of another result's, where all other runs of the system follow one another.
    - not applicable: fewer than two runs with clock times, or a run without.
    - guard: parallel runs on separate nodes; one log that stands in two results; the instances of a result that is
      scored by the throughput of many at once.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"23": {"time_ms": 1744014000000}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose runs follow one another.

    ## How to fix
    Record the host and the device ids of every run.

    ## References
    Measured on 538 published results: the runs of 89 overlap, on separate nodes as far as they tell.
    """
    side = case.subject(claim)
    if side is not None:
        yield from _of_trials(claim, case, side, thresholds.overlap)
        yield from _of_other_results(claim, case, side, thresholds.overlap)
    runs = timed_runs(case, side) if side is not None else []
    if side is None or len(runs) < 2:
        yield Inapplicable("fewer than two runs with clock times")
        return
    if len(runs) < len(case.runs_of(side)):
        yield Inapplicable("a run gives no start and end on the clock")
    inference = field_of("suite", claim, case) == "inference"
    found = overlaps((case.whole or case) if inference else case, side, thresholds.overlap)
    impossible = [overlap for overlap in found if overlap.room is Room.NONE]
    for setup in (False, True):
        of_kind = [overlap for overlap in impossible if overlap.setup is setup]
        if of_kind:
            yield _violation(of_kind, setup)
    most = most_at_once(runs, thresholds.overlap * 1000)
    yield from _crowded(side, most)
    unknown = [overlap for overlap in found if overlap.room is Room.UNKNOWN]
    if unknown and not is_weak(claim, case):
        first = unknown[0]
        names = f"{first.left.run.name} and {first.right.run.name}"
        message = f"{names} overlap by {first.seconds:.0f} s, up to {max(most, 2)} at once"
        message += f", and neither host nor devices are recorded{_room_for_one(claim, case, side)}"
        yield NotShown(message, first.right.run.place(), provide=PROVIDE)


def _of_other_results(claim: Claim, case: Case, side: Side, overlap: float) -> Iterator[NotShown]:
    """Yield the one training run of a system that lies within the time of another result's."""
    if field_of("suite", claim, case) != "training" or is_weak(claim, case):
        return
    stray = strays(case.whole or case, overlap).get(side.id)
    if stray is not None:
        message = (
            f"{stray.run.name} overlaps {stray.other.name} by {stray.seconds:.0f} s, as no others of the system do"
        )
        message += ", and neither host nor devices are recorded"
        related = (Related(stray.other.at, "a run of another result"),)
        yield NotShown(message, stray.run.at, "", PROVIDE, related)


def _of_trials(claim: Claim, case: Case, side: Side, overlap: float) -> Iterator[Violation]:
    """Yield trials of the claim's arms that share a device with another trial of their record, at the same time."""
    arms = {other.id for other in (side, case.base(claim)) if other is not None}
    record = [other for other in case.sides() if other.study is side.study]
    found = [item for item in shared_devices(record, overlap) if item.arms & arms]
    if found:
        first = max(found, key=lambda item: item.seconds)
        message = f"{first.left.name} and {first.right.name} overlap by {first.seconds:.0f} s on {first.device}"
        yield Violation("a", REFUTES, C3, message, first.right.at, related=(Related(first.left.at, "the other run"),))


def _room_for_one(claim: Claim, case: Case, side: Side) -> str:
    """Return in words that each run of a suite's result takes the whole system that is described; else nothing."""
    system = side.system
    if claim.suite != "training" or system is None or system.nodes is None or not system.devices_per_node:
        return ""
    count = system.nodes * system.devices_per_node
    runs = case.runs_of(side)
    logged = {whole_option(run, "number_of_nodes") * whole_option(run, "accelerators_per_node") for run in runs}
    return f": the system of {count} devices that is described has room for one" if logged <= {0, count} else ""


def _crowded(side: Side, most: int) -> Iterator[Violation]:
    site = side.system.site_devices if side.system is not None else None
    if site is not None and side.devices is not None and most > 1 and most * side.devices > site:
        assert side.system is not None
        message = f"{most} runs of {side.devices} devices each ran at once on a site of {site}"
        yield Violation("a", REFUTES, C3, message, side.arm.place("runs"), str(most * side.devices), str(site))


def _violation(found: list[Overlap], setup: bool) -> Violation:
    first = max(found, key=lambda overlap: overlap.seconds)
    left, right = first.left.run, first.right.run
    more = f"; {len(found) - 1} more pairs do" if len(found) > 1 else ""
    message = f"{left.name} and {right.name} overlap by {first.seconds:.0f} s on {first.shared}{more}"
    if setup:
        message = f"{right.name} initialised for {first.seconds:.0f} s while {left.name} ran on {first.shared}{more}"
    related = [Related(left.place(), "the other run")]
    related += [Related(item.right.run.place(), item.left.run.name) for item in found if item is not first]
    branch, effect = ("b", UNDERMINES) if setup else ("a", REFUTES)
    return Violation(branch, effect, C3, message, right.place(), related=tuple(related[:MOST_NAMED]))
