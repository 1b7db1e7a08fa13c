"""Q09: a result of an earlier round, handed in again with another description."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.runs.times import is_unix
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, Related, Violation
from ..registry import rule
from ..trace import Logged, normalised
from ._suite_earlier import altered, earlier_result, replaced_files

LEAST = 8
"""Timed events that have to coincide: to the millisecond, at the same lines and under the same keys."""


class Altered(Struct, frozen=True):
    """A run of an arm, its other log, and what the two give differently: with places and values."""

    run: Logged
    other: Logged
    what: str
    ours: str
    theirs: str
    at: str
    there: str


def altered_logs(side: Side, case: Case) -> Iterator[Altered]:
    """Yield the first difference of every run of an arm that another arm of the same system logs with other values."""
    if case.whole is not None:  # a folder of many results is read log by log, never all against all
        return
    for other in case.sides():
        if other.id == side.id or other.arm.system != side.arm.system:
            continue
        for copy in case.runs_of(other):
            for run in case.runs_of(side):
                if run.role == copy.role and _one_run(run, copy) and (found := _first(run, copy)) is not None:
                    yield found


def _one_run(run: Logged, copy: Logged) -> bool:
    ours, theirs = run.trace.events, copy.trace.events
    timed = sum(event.time_ms is not None for event in ours)
    if timed < LEAST or len(ours) != len(theirs) or not (is_unix(run) and is_unix(copy)):
        return False
    return all(
        (left.line, left.time_ms, left.key) == (right.line, right.time_ms, right.key)
        for left, right in zip(ours, theirs, strict=True)
    )


def _first(run: Logged, copy: Logged) -> Altered | None:
    for left, right in zip(run.trace.events, copy.trace.events, strict=True):
        if normalised(left.value) != normalised(right.value) or left.counter != right.counter:
            places = run.trace.place(left), copy.trace.place(right)
            return Altered(run, copy, left.key, _shown(left.value), _shown(right.value), *places)
    ours, theirs = run.run.record, copy.run.record
    if ours is None or theirs is None:
        return None
    for name, value in ours.metrics.items():
        before = theirs.metrics.get(name)
        if before is not None and normalised(before) != normalised(value):
            return Altered(run, copy, name, _shown(value), _shown(before), ours.place("metrics", name), theirs.at)
    return None


def _shown(value: object) -> str:
    return str(value)[:60]


FREE = frozenset({"status"})


@rule(
    "Q09",
    "resubmission-altered",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite and has(files)",
    origin="POL, MEAS",
)
def resubmission_altered(claim: Claim, case: Case) -> Iterator[Branch]:
    """Logs of an earlier round, handed in again under a system description that says something else.

    ## What it does
    Looks for results of earlier rounds in the same folder that hold a run file of this one, by its digest, and compares
    the two system descriptions field by field, but for contact and status. Looks, too, for a second log of the same run
    in the document: every event at the same line and millisecond. The two must give the same values, and their accuracy
    records the same metrics.

    ## Why it misleads
    The same run cannot have happened on two systems. Either the first description was wrong, or the second is.

    ## Branches
    - (a) undermines, C3: the descriptions differ in another field.
    - (b) undermines, C3: two logs of one run give a value differently.
    - (c) undermines, C3: some logs are those of a result of an earlier round, or of one that is said to be handed in
      again, and others of the same runs are not.
    - pass with note: they are equal: the result is one of the earlier round, handed in again, which is allowed.
    - not applicable: no earlier result with the same files, or one of them has no description.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"before": {"statement": "38.1 minutes", "quantity": "time", "form": "words", "scope": "training_run",
       "mode": "training", "compares": "none", "suite": "training", "measured": {"arm": "before"},
       "suite_result": {"benchmark": "ssd", "round": "v4.1"}}},
     "arms": {"before": {"description": {"fields": {"system_name": "example_server_8xh100",
         "accelerators_per_node": "16"}}, "runs": {"result_0": {"role": "training", "file": {"name": "result_0.txt",
         "sha256": "871d6d04daf1b5d7552371915fe884782deb2a90d581263c73638d133d8e30b3"}}}},
       "retinanet": {"description": {"fields": {"system_name": "example_server_8xh100"}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"before": {"statement": "38.1 minutes", "quantity": "time", "form": "words", "scope": "training_run",
       "mode": "training", "compares": "none", "measured": {"arm": "before"}, "suite": "training",
       "suite_result": {"benchmark": "ssd", "round": "v4.1"}}},
     "arms": {"before": {"description": {"fields": {
         "submitter": "Example Lab", "division": "closed", "status": "Available on-premise",
         "system_name": "example_server_8xh100", "number_of_nodes": "1", "host_processors_per_node": "2",
         "host_processor_model_name": "Intel Xeon Platinum 8480C", "host_processor_core_count": "56",
         "host_memory_capacity": "2 TB", "host_storage_type": "NVMe", "host_storage_capacity": "30 TB",
         "accelerators_per_node": "8", "accelerator_model_name": "NVIDIA H100-SXM5-80GB",
         "accelerator_memory_capacity": "80 GB", "framework": "PyTorch 2.6.0",
         "operating_system": "Ubuntu 22.04", "other_software_stack.cuda_version": "12.4",
         "other_software_stack.cuda_driver_version": "550.54.15", "cooling": "air", "hw_notes": "700 W"}},
         "runs": {"result_0": {"role": "training", "file": {"name": "result_0.txt",
         "sha256": "871d6d04daf1b5d7552371915fe884782deb2a90d581263c73638d133d8e30b3"}}}}}}
    ```

    ## How to fix
    Hand in the description of the first round, or run again.

    ## References
    MLPerf Training rules, section on resubmission.
    """
    side, found = case.subject(claim), earlier_result(claim, case)
    second = list(altered_logs(side, case)) if side is not None else []
    if second:
        yield _edited(second)
        return
    replaced = replaced_files(claim, case)
    if replaced is not None:
        names = ", ".join(replaced.runs[:5])
        message = f"{replaced.kept} logs are those of `{replaced.arm}`, handed in again; the logs of {names} are others"
        related = (Related(replaced.there, "the earlier log"),)
        yield Violation("c", UNDERMINES, C3, message, replaced.at, related=related)
    ours = side.arm.description if side is not None else None
    if ours is None or found is None or found.description is None:
        yield Inapplicable("no result of an earlier round with the same files and a description is at hand")
        return
    differing = altered(found.description, ours, FREE)
    if not differing:
        yield Note(f"handed in again from round v{found.round}")
        return
    name, before, after = differing[0]
    more = f", and {len(differing) - 1} more fields" if len(differing) > 1 else ""
    message = f"the logs are those of round v{found.round}, whose description says {name}: {before}, not {after}{more}"
    related = (Related(found.description.place("fields", name), f"in round v{found.round}"),)
    at = ours.place("fields", name)
    yield Violation("a", UNDERMINES, C3, message, at, str(after), str(before), related)


def _edited(found: list[Altered]) -> Violation:
    first = found[0]
    more = f", and {len(found) - 1} more runs differ" if len(found) > 1 else ""
    message = f"two logs of one run give {first.what}: {first.ours} in {first.run.name}, {first.theirs} in "
    message += f"{first.other.name}{more}"
    related = (Related(first.there, f"{first.what} {first.theirs}"),)
    return Violation("b", UNDERMINES, C3, message, first.at, first.ours, first.theirs, related)
