"""M18: two arms measured under different conditions."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.compared import compared, one_machine
from ..facts.comparison.environments import ITEMS, Item, compare_environments
from ..facts.comparison.named_base import open_side
from ..facts.comparison.options import Same
from ..facts.comparison.treatment import treated
from ..facts.device.device_words import device_words
from ..facts.document.told import said
from ..facts.document.words import words_in
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import rule
from ..tables.names import plain

ITEM = "equal environment of the arms"
TIMED = frozenset({"rate", "time", "latency", "flops", "mfu", "energy", "cost"})
PROVIDE = """\
arms:
  plain:
    software: {driver: "550.54.15", container: "registry.example.org/lm@sha256:0f3a"}
    environment:
      host: node-17
      clocks: {policy: locked, low_mhz: 1410, high_mhz: 1410}
      power_limit_w: 400
"""


@rule(
    "M18",
    "arms-differ-in-environment",
    effect=UNDERMINES,
    confidence=C3,
    applies="comparison and not (hosted or compares=other_system and form=rank)",
    origin="S4, S3, MEAS",
    also=("W0403",),
)
def arms_differ_in_environment(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison whose arms ran under different drivers, clocks, power limits, containers or hosts.

    ## What it does
    Compares driver, clocks, power limit, container and host of the two arms, one by one and in three values: different,
    equal, unknown. Logged clocks are an observation and count as equal; locked ones must be locked alike. Trials of one
    boot share their host.

    What the claim names as its treatment may differ, with what it brings along: another container for another
    framework; everything for another system, where that is another machine; for another engine on one machine the
    container and the driver; host, clocks, power limit and driver for another model of device; host for another number
    of nodes. Another system under comparison brings its own container. Two variants of one author that ran on different
    models of device compare devices: a timing must name that as its treatment, or name both models in its sentence or
    in what it says the base is. Clocks, power limit and host move no quality,
    memory or count.

    ## Why it misleads
    A newer driver or 50 W more give what many methods promise. The gain is then none of the method.

    ## Branches
    - (a) undermines, C3: an item that is known in both arms differs, and is not the treatment.
    - (b, instead of a) caveat, C3: the difference is said beside the ratio.
    - (c) undermines, C3: what is timed as another treatment of one author's ran on another model of device.
    - not shown: one author's variants ran on different models of device and the claim names no treatment; or an item
      is known in one arm only, or in none. Required (equal environment of the arms) of comparisons
      from the gate profile on.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"plain": {"software": {"driver": "470.82.01"}, "environment": {"power_limit_w": 300}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, both arms in one container on one host.

    ## How to fix
    Measure both arms under one environment, or name the difference as the treatment.

    ## References
    Benchmarking chapter of the deep-learning performance course; measured on published reports.
    """
    subject, base = _sides(claim, case)
    if subject is None or base is None:
        at = claim.base.at if claim.base is not None else claim.at
        yield NotShown(open_side("the environment of both arms is not given", claim, case), at, ITEM, PROVIDE)
        return
    if subject.id == base.id:
        return
    yield from _other_device(claim, case, subject, base)
    excused = _excused(claim, subject, base)
    found = [item for item in compare_environments(case, subject, base) if item.name not in excused]
    different = [item for item in found if item.same is Same.DIFFERENT]
    unknown = [item.name for item in found if item.same is Same.UNKNOWN]
    if different:
        yield _violation(claim, subject, base, different)
    if unknown:
        message = f"whether both arms share {_listed(unknown)} is not known"
        related = (Related(base.arm.at, "the other arm"),)
        yield NotShown(message, subject.arm.at, ITEM, PROVIDE, related)
    elif excused and not different and claim.quantity in TIMED:
        yield Note(f"{_listed([name for name in ITEMS if name in excused])} may differ: the treatment brings it along")


def _sides(claim: Claim, case: Case) -> tuple[Side | None, Side | None]:
    """Return the arms of a comparison: those that the claim names, else those of its rows."""
    subject, base = case.subject(claim), case.base(claim)
    if base is None:
        point, bases = compared(claim, case)
        subject, base = (found.side if found is not None else None for found in (point, next(iter(bases), None)))
    return subject, base


def _violation(claim: Claim, subject: Side, base: Side, different: list[Item]) -> Violation:
    words = ", ".join(f"{item.name} {item.left} against {item.right}" for item in different)
    branch, effect = ("b", CAVEAT) if said(claim, "environment_differs") else ("a", UNDERMINES)
    left, right = (", ".join(getattr(item, side) for item in different) for side in ("left", "right"))
    related = (Related(_place(base, different[0].name), "the other arm"),)
    at = _place(subject, different[0].name)
    return Violation(branch, effect, C3, f"the arms differ in their environment: {words}", at, left, right, related)


def _other_device(claim: Claim, case: Case, subject: Side, base: Side) -> Iterator[Branch]:
    left, right = (_model(side) for side in (subject, base))
    if not left or not right or plain(left) == plain(right) or claim.compares != "own_variants":
        return
    ours, theirs = device_words(case, left), device_words(case, right)
    named = claim.base.definition if claim.base is not None and claim.base.definition is not None else ""
    words = device_words(case, f"{claim.statement} {named} {base.arm.label or ''}")
    hardware = claim.attribution == "system" or _is_hardware(claim) or treated(claim, "devices", "hosts")
    silent = claim.quantity in TIMED and not (ours & theirs or theirs & words or said(claim, "environment_differs"))
    if hardware or not silent or not ours or not theirs:
        return
    related = (Related(base.arm.at, "the other arm"),)
    if claim.treatment:
        message = f"{', '.join(claim.treatment)} is compared on {left} against {right}, which the sentence does not say"
        yield Violation("c", UNDERMINES, C3, message, subject.arm.at, left, right, related)
    else:
        message = f"whether {left} against {right} is what is compared is not stated: the claim names no treatment"
        yield NotShown(message, subject.arm.at, ITEM, related=related)


def _model(side: Side) -> str:
    device = side.system.device if side.system is not None else None
    return device if isinstance(device, str) else ""


def _place(side: Side, item: str) -> str:
    if item in {"driver", "container"} and side.arm.software is not None:
        return side.arm.software.place(item)
    if side.arm.environment is not None:
        return side.arm.environment.place({"power limit": "power_limit_w"}.get(item, item))
    return side.arm.at


def _excused(claim: Claim, subject: Side, base: Side) -> frozenset[str]:
    """Return the items that may differ: those of the treatment, and what it brings along."""
    if _is_hardware(claim):
        return frozenset(ITEMS)
    excused: set[str] = set()
    if claim.attribution == "system" and claim.compares == "other_system":
        if not one_machine(subject, base):
            return frozenset(ITEMS)
        excused |= {"driver", "container"}
    excused |= {name for name in ITEMS if words_in(*claim.treatment).has(f"treatment.{name}")}
    if claim.quantity not in TIMED:
        excused |= {"clocks", "power limit", "host"}
    systems = subject.system, base.system
    devices = [system.device if system is not None else None for system in systems]
    if isinstance(devices[0], str) and isinstance(devices[1], str) and plain(devices[0]) != plain(devices[1]):
        excused |= {"host", "clocks", "power limit", "driver"}
    if _count(subject) != _count(base):
        excused.add("host")
    if claim.compares == "other_system":
        excused.add("container")
    return frozenset(excused)


def _is_hardware(claim: Claim) -> bool:
    """Whether the treatment is the hardware itself: "server" is, an "inference server" is a program."""
    named = words_in(*claim.treatment)
    return named.has("treatment.hardware") or any(item.is_only("treatment.machine") for item in named)


def _count(side: Side) -> tuple[int | None, int | None]:
    return side.devices, side.system.nodes if side.system is not None else None


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
