"""F35: one run as the result of two systems."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case, Side
from ..facts.runs.files import digests, holders
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..tables.datasets import plain
from ..trace import Logged
from ._handed_in import PLATFORMS, handed_in

HARDWARE = ("device", "devices_per_node", "nodes", "host_processor", "host_sockets", "host_memory_gib")


@rule(
    "F35",
    "run-claimed-by-two-systems",
    effect=REFUTES,
    confidence=C3,
    applies="folder and has(files)",
    origin="MEAS",
)
def run_claimed_by_two_systems(claim: Claim, case: Case) -> Iterator[Branch]:
    """A run file that is handed in for two systems that differ.

    ## What it does
    Looks every run file of a result up among the files of all other results of the document. Where it supports a
    result of another system, the platform that the log names tells which one it ran on, and the other result has the
    finding. Where the log names neither, nobody but the one who handed both in can tell, and both have a weaker one.

    ## Why it misleads
    A system that was never measured gets the number of another one.

    ## Branches
    - (a) refutes, C3: a run file supports results of two systems that are described differently, and the log names the
      other one.
    - (a) undermines, C3: the same, and the log names neither or both.
    - (b, instead of a) caveat, C3: the descriptions agree on devices, their count, host processor and memory: one
      machine under two names.
    - (c) caveat, C3: the log names the claim's own system, and no claim rests on the other one's result, which would
      have the finding.
    - not applicable: the system has no description.
    - guard: results of two rounds; variants and scenarios of one system.

    ## Flagged
    On `suite-training` for claim `copy`:
    ```json
    {"claims": {"copy": {"statement": "Example Lab trained RetinaNet in 38.115 minutes on eight H200.",
        "value": "38.115", "unit": "min", "quantity": "time", "form": "absolute", "scope": "training_run",
        "mode": "training", "compares": "none", "suite": "training", "measured": {"arm": "copy"}}},
      "systems": {"other": {"name": "Other Box, 8x H200", "device": "H200", "devices_per_node": 8, "nodes": 1}},
      "arms": {"copy": {"system": "other", "runs": {"r": {"role": "training", "file": {"name": "r/copy/r.txt",
        "sha256": "871d6d04daf1b5d7552371915fe884782deb2a90d581263c73638d133d8e30b3"},
        "events": {"11": {"key": "submission_platform", "value": "1xExample Server 8xH100"}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose files stand for one system.

    ## How to fix
    Measure both systems, or declare that one system has two names.

    ## References
    Published folders in which one log stands under two systems.
    """
    side = case.subject(claim)
    if side is None or side.system is None:
        yield Inapplicable("the system is not described")
        return
    index = holders(case)
    told: set[str] = set()
    for run in case.runs_of(side):
        for digest in digests(run):
            for other, copy in index.get(digest, ()):
                if other.id in told or other.id == side.id or other.system is None or not _two(side, other, case):
                    continue
                branch = _branch(side, other, run, copy) or _unclaimed(case, side, other, run, copy)
                if branch is not None:
                    told.add(other.id)
                    yield branch


def _two(side: Side, other: Side, case: Case) -> bool:
    """Whether two arms are of different systems and of one round."""
    rounds = _rounds(case)
    known = rounds.get(side.id, set()), rounds.get(other.id, set())
    return side.arm.system != other.arm.system and not (known[0] and known[1] and known[0].isdisjoint(known[1]))


@fact
def _rounds(case: Case) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for claim in case.submission.claims.values():
        side = case.subject(claim)
        if side is not None and claim.suite_result is not None and claim.suite_result.round is not None:
            found.setdefault(side.id, set()).add(claim.suite_result.round)
    return found


def _branch(side: Side, other: Side, run: Logged, copy: Logged) -> Violation | None:
    assert side.system is not None
    assert other.system is not None
    here, there = _names(side, run), _names(other, run)
    if here and not there:
        return None
    facts = [(getattr(side.system, name), getattr(other.system, name)) for name in HARDWARE]
    known = [(left, right) for left, right in facts if left is not None and right is not None]
    one_machine = len(known) >= 3 and all(left == right for left, right in known)
    effect = CAVEAT if one_machine else REFUTES if there and not here else UNDERMINES
    named = f"; the log names {other.system.name}" if there and not here else ""
    words = "; the two are described alike" if one_machine else named
    message = f"{run.name} also stands for the result {other.id} of {other.system.name}{words}"
    related = (Related(copy.place("file"), other.system.name), Related(side.system.at, side.system.name))
    return Violation(
        "b" if one_machine else "a",
        effect,
        C3,
        message,
        run.place("file"),
        side.system.name,
        other.system.name if words == named and named else None,
        related,
    )


def _unclaimed(case: Case, side: Side, other: Side, run: Logged, copy: Logged) -> Violation | None:
    """Return that a run of the claim's system is handed in for another one, too, where no claim has that finding."""
    assert side.system is not None
    assert other.system is not None
    subjects = (case.subject(claim) for claim in case.submission.claims.values())
    if any(subject is not None and subject.id == other.id for subject in subjects):
        return None
    message = f"{run.name}, whose log names {side.system.name}, also stands for {other.id} on {other.system.name}"
    related = (Related(run.place("file"), side.system.name),)
    return Violation("c", CAVEAT, C3, message, copy.place("file"), other.system.name, side.system.name, related)


def _names(side: Side, run: Logged) -> bool:
    """Whether the platform that a log names is a system: the words of one name hold those of the other."""
    assert side.system is not None
    described = handed_in(side, "system_name")
    own = [
        plain(str(name))
        for name in (side.system.name, side.arm.system, described.words if described is not None else None)
        if name
    ]
    logged = [plain(str(event.value).partition("x")[2]) for event in run.trace.of(*PLATFORMS)]
    logged += [plain(str(event.value)) for event in run.trace.of(*PLATFORMS)]
    return any(len(name) > 3 and (name in each or each in name) for name in logged for each in own if len(each) > 3)
