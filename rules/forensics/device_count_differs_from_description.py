"""F45: a device count that the system description does not have."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.conditions import System
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.likely_cause import likely_cause
from ..facts.quantities.numbers import exact
from ..facts.runs.overlaps import window
from ..facts.suite.runs import is_weak
from ..facts.training.configuration import of_statement
from ..facts.training.parallel_sizes import counts_twice
from ..language.reading import read
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import normalised
from ._counts_in_names import devices_in, machines_in, named, sizes_in
from ._handed_in import PLATFORMS

RANKS = "number_of_ranks"
SLACK_MS = 5000
"""What two clocks may differ by."""
LOGGED = ("number_of_nodes", "accelerators_per_node")
"""Keys under which a run logs its nodes and the devices of each, as the description names them."""


class Stated(Struct, frozen=True):
    """A device count that stands somewhere else than in the description."""

    count: int
    at: str
    words: str


@rule(
    "F45",
    "device-count-differs-from-description",
    effect=REFUTES,
    confidence=C3,
    applies="has(description)",
    origin="MEAS",
)
def device_count_differs_from_description(claim: Claim, case: Case) -> Iterator[Branch]:
    """A count of devices in a label, a sentence or the runs that the described system cannot have.

    ## What it does
    Reads nodes and devices per node of the system and compares their product with the devices that ran, with those that
    the runs log as nodes and devices per node, with the count that the label of the arm or row, the claim's sentence or
    the platform in a run's log names, and with the counts of devices and of nodes in the system's own name. A platform
    is named as the suite has it: the number of machines, x, the machine. A part of the system may run; more
    than it has cannot. Where many instances run at once, the log of one tells of a part of the system, and only the sum
    of those that ran at once is compared. Ranks that a run logs divide its devices, or are shared out over them. Logs
    may count the dies of a board, or the cores of a chip, where the description counts boards and chips.

    ## Why it misleads
    Every number per device, per watt and per price hangs on the count.

    ## Branches
    - (a) refutes, C3: more devices ran than are described; or a label names a count that is neither that of the nodes,
      nor of all devices, nor of those that ran; or the description that was handed in has another count than those that
      ran and than the system.
    - (b) undermines, C3: the count of devices in the system's own name is neither that of a node nor of the system, or
      its count of nodes is another one; a count in the name of its folder is neither; the platform of the logs counts
      more machines than the system has nodes; or instances that ran at once log more devices together than the system
      has.
    - (c) caveat, C3: every run of a benchmark suite's result logs fewer devices than its system has; or a run logs
      ranks that neither divide its devices nor are divided by them.
    - not applicable: nodes or devices per node are not given, no other count is, or the system is a mixed one.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"devices": 8}}}
    ```

    ## Accepted
    On `rate` for claim `rate`: one device of a system with one.

    ## How to fix
    Correct the description, the label or the count.

    ## References
    Measured on published result files: descriptions copied from a smaller system.
    """
    side = case.subject(claim)
    system = _system(claim, case, side)
    yield from _handed_in(side, system)
    if system is None or system.nodes is None or system.devices_per_node is None or _mixed(system):
        yield Inapplicable("nodes and devices per node of one kind are not given")
        return
    row = case.row(claim)
    nodes, each = (row.nodes if row is not None and row.nodes is not None else system.nodes), system.devices_per_node
    ran, stated = list(_ran(claim, case, side)), list(_labels(claim, case, side))
    part = is_weak(claim, case)  # each log is that of one instance, which has a part of the system
    twice = isinstance(system.device, str) and counts_twice(system.device)
    logged = list(_logged(case, side)) if side is not None and not part else []
    logged = [item for item in logged if not (twice and item.count == 2 * nodes * each)]
    ran += logged
    if side is not None:
        yield from _ranks(case, side)
        if part:
            yield from _at_once(case, side, nodes, each * (2 if twice else 1))
    if not ran:
        yield Inapplicable("how many devices ran is not stated")
    if row is not None and nodes == 1 and any(item.count > each and item.count % each == 0 for item in ran):
        yield Inapplicable("the description may be that of one node of the row's system")
        return
    related = (Related(system.at, f"{nodes} nodes of {each} devices"),)
    for item in ran:
        if item.count > nodes * each:
            cause = likely_cause(exact(item.count), exact(nodes * each)) if each else ""
            message = f"{item.words}; the system has {nodes} x {each} devices{cause}"
            yield Violation("a", REFUTES, C3, message, item.at, str(item.count), str(nodes * each), related)
    if side is not None and not part and (row is None or row.system is None or row.system == side.arm.system):
        stated += _platforms(case, side, system)
        yield from _machines(case, side, {nodes, each, nodes * each, *(item.count for item in ran)}, related)
    known = {nodes, each, nodes * each, *(item.count for item in ran)}
    for item in stated:
        if item.count not in known:
            message = f"{item.words}; the system has {nodes} x {each} devices"
            yield Violation("a", REFUTES, C3, message, item.at, str(item.count), str(nodes * each), related)
    if claim.suite is not None and logged and all(item.count < nodes * each for item in logged):
        most = max(logged, key=lambda item: item.count)
        message = f"{most.words}; the system of the result has {nodes} x {each} devices"
        yield Violation("c", CAVEAT, C3, message, most.at, str(most.count), str(nodes * each), related)
    if claim.suite is not None and side is not None and not part:
        yield from _of_folder(side, system, nodes * each * (2 if twice else 1))
    in_name = named(system.name)
    machines = in_name.nodes | (in_name.machines - {each, nodes * each})
    if len(machines) == 1 and system.nodes not in machines and not in_name.unsure:
        (count,) = machines
        message = f"the system is named with nodes: {count}; it is described with {system.nodes}"
        yield Violation("b", UNDERMINES, C3, message, system.place("name"), str(count), str(system.nodes), related)
    device = system.device if isinstance(system.device, str) else ""
    for count in sorted(devices_in(system.name, device, case) - {nodes, each, nodes * each}):
        message = f"the system is named with {count} devices; it is described with {nodes} x {each}"
        yield Violation("b", UNDERMINES, C3, message, system.place("name"), str(count), str(nodes * each), related)


def _handed_in(side: Side | None, system: System | None) -> Iterator[Branch]:
    """Yield the count of the description as handed in, where neither the devices that ran nor the system have it."""
    description = side.arm.description if side is not None else None
    if side is None or description is None or side.arm.devices is None:
        return
    counts = [_whole(description.fields.get(name)) for name in ("number_of_nodes", "accelerators_per_node")]
    if None in counts or any(
        read(str(value)).has("partition", affirmed=False) for value in description.fields.values()
    ):
        return
    nodes, each = counts[0] or 0, counts[1] or 0
    known = {side.arm.devices}
    if system is not None and system.nodes is not None and system.devices_per_node is not None:
        known.add(system.nodes * system.devices_per_node)
        if _mixed(system):
            return
    if nodes * each and nodes * each not in known:
        message = f"{side.arm.devices} devices ran; the description as handed in has {nodes} x {each}"
        at, related = side.arm.place("devices"), (Related(description.place("fields"), f"{nodes} nodes of {each}"),)
        yield Violation("a", REFUTES, C3, message, at, str(side.arm.devices), str(nodes * each), related)


def _whole(value: object) -> int | None:
    number = normalised(value)
    return int(number) if isinstance(number, float) and number.is_integer() and number >= 0 else None


def _system(claim: Claim, case: Case, side: Side | None) -> System | None:
    row = case.row(claim)
    named = case.submission.systems.get(row.system or "") if row is not None else None
    return named or (side.system if side is not None else None)


def _mixed(system: System) -> bool:
    device = system.device if isinstance(system.device, str) else ""
    return system.device_kind == "processor" or read(device).has("several_devices")


def _ran(claim: Claim, case: Case, side: Side | None) -> Iterator[Stated]:
    """Yield the devices that ran: as stated for the row or the arm, as seen, and as the runs list them."""
    row = case.row(claim)
    if row is not None and row.system is not None and row.devices is not None:
        yield Stated(row.devices, row.place("devices"), f"the row ran on {row.devices} devices")
        if row.arm is None or side is None or (side.system is not None and row.system != side.arm.system):
            return
    if side is None:
        return
    if side.arm.devices is not None:
        yield Stated(side.arm.devices, side.arm.place("devices"), f"{side.arm.devices} devices ran")
    for options, verb in ((side.arm.options, "are stated"), (side.arm.observed, "were seen")):
        if options is not None and options.devices is not None:
            yield Stated(options.devices, options.place("devices"), f"{options.devices} devices {verb}")
    for name, trial in side.arm.trials.items():
        if trial.device_ids:
            count = len(set(trial.device_ids))
            yield Stated(count, trial.place("device_ids"), f"run {name} lists {count} devices")


def _logged(case: Case, side: Side) -> Iterator[Stated]:
    """Yield the distinct counts of devices that the runs log as nodes and devices per node."""
    seen = set()
    for run in case.runs_of(side):
        events = [run.trace.of(key) for key in LOGGED]
        if not all(events):
            continue
        nodes, each = (_whole(found[-1].value) for found in events)
        count = (nodes or 0) * (each or 0)
        if count and count not in seen:
            seen.add(count)
            yield Stated(count, run.trace.place(events[1][-1]), f"run {run.name} logs {nodes} x {each} devices")


def _ranks(case: Case, side: Side) -> Iterator[Violation]:
    """Yield the first run whose ranks cannot be shared out over the devices that it logs."""
    for run in case.runs_of(side):
        events = [run.trace.of(key) for key in (*LOGGED, RANKS)]
        if not all(events):
            continue
        nodes, each, ranks = ((_whole(found[-1].value) or 0) for found in events)
        count = nodes * each
        if count and ranks and count % ranks and ranks % count:
            message = f"run {run.name} logs {ranks} ranks on {nodes} x {each} devices"
            place, related = run.trace.place(events[2][-1]), (Related(run.trace.place(events[0][-1]), "its nodes"),)
            yield Violation("c", CAVEAT, C3, message, place, str(ranks), str(count), related)
            return


def _at_once(case: Case, side: Side, nodes: int, each: int) -> Iterator[Violation]:
    """Yield a violation where the instances that ran at one time log more devices together than the system has."""
    marks: list[tuple[float, int, int]] = []
    whole = 0
    for run in case.runs_of(side):
        timed, logged = window(side, run), [run.trace.of(key) for key in LOGGED]
        if timed is None or not logged[0]:
            continue
        count = (_whole(logged[0][-1].value) or 0) * ((_whole(logged[1][-1].value) or 0) if logged[1] else each)
        whole += count == nodes * each
        marks += [(timed.start_ms, count, 1), (max(timed.stop_ms - SLACK_MS, timed.start_ms), -count, -1)]
    most = beside = devices = instances = 0
    for _, change, one in sorted(marks):
        devices, instances = devices + change, instances + one
        most, beside = max((most, beside), (devices, instances))
    # where each logs all devices of the system, it tells of the system and not of its own part
    if most > nodes * each and beside > 1 and 2 * whole != len(marks):
        message = f"{beside} instances that ran at once log {most} devices; the system has {nodes} x {each} devices"
        related = (Related(side.system.at, "the system"),) if side.system is not None else ()
        yield Violation("b", UNDERMINES, C3, message, side.arm.place("runs"), str(most), str(nodes * each), related)


def _of_folder(side: Side, system: System, devices: int) -> Iterator[Violation]:
    """Yield a count in the system's folder of a result that is neither that of its nodes nor of its devices."""
    below = f"/{side.arm.folder or ''}".rpartition("/results/")[2].split("/")
    counts = sizes_in(below[0]) if len(below) > 1 else frozenset()
    if counts and counts.isdisjoint({system.nodes, (system.nodes or 0) * (system.devices_per_node or 0), devices}):
        count = min(counts)
        message = f"the folder of the system, {below[0][:80]}, counts {count} of what the description has"
        message += f" {system.nodes} x {system.devices_per_node} of"
        related = (Related(system.at, f"{system.nodes} nodes of {system.devices_per_node} devices"),)
        yield Violation("b", UNDERMINES, C3, message, side.arm.place("folder"), str(count), str(devices), related)


def _machines(case: Case, side: Side, known: set[int], related: tuple[Related, ...]) -> Iterator[Violation]:
    """Yield a platform, named as the suite has it, that counts more machines than there are nodes: "2xSERVER"."""
    nodes = side.system.nodes if side.system is not None else None
    for run in case.runs_of(side):
        for event in run.trace.of(PLATFORMS[0])[:1]:
            count = machines_in(str(event.value))
            if nodes is not None and count is not None and count > nodes and count not in known:
                message = (
                    f'the log\'s platform "{str(event.value)[:60]}" counts {count} machines; the system has {nodes}'
                )
                place = run.trace.place(event)
                yield Violation("b", UNDERMINES, C3, message, place, str(count), str(nodes), related)
                return


def _labels(claim: Claim, case: Case, side: Side | None) -> Iterator[Stated]:
    """Yield the one device count that a label or the sentence names."""
    row = case.row(claim)
    texts = [(side.arm.label, side.arm.place("label"))] if side is not None and side.arm.label is not None else []
    texts += [(row.label, row.place("label"))] if row is not None and row.label is not None else []
    for text, at in texts:
        counts = named(text)
        if len(counts.totals) == 1 and len(counts.devices) < 2 and not counts.unsure:
            (count,) = counts.totals
            yield Stated(count, at, f'"{text[:60]}" names {count} devices')
    sentence = of_statement(claim).get("devices")
    if (
        sentence is not None
        and row is None
        and len(named(claim.statement).devices) < 2
        and not read(claim.statement).has("part_of", affirmed=False)
    ):
        count = int(sentence.low)
        yield Stated(count, claim.place("statement"), f"the sentence names {count} devices")


def _platforms(case: Case, side: Side, system: System) -> Iterator[Stated]:
    """Yield the count that the logs put before the device's model in the name of their platform: "1xF8 8xH100"."""
    device = system.device if isinstance(system.device, str) else ""
    seen = set()
    for run in case.runs_of(side):
        for event in run.trace.of(PLATFORMS[0]):
            text = str(event.value)
            counts = devices_in(text, device, case) if text not in seen else frozenset()
            seen.add(text)
            for count in sorted(counts):
                yield Stated(count, run.trace.place(event), f'the log\'s platform "{text[:60]}" names {count} devices')
