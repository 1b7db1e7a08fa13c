"""W0804: timed under one software stack, judged under another."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.conditions import Software
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.pairing import paired_quality, quality_arms
from ..facts.comparison.software import compare_stacks
from ..fields import field_of
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Effect, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..tables.names import plain

PROVIDE = """\
arms:
  fast:                     # one arm for both values, or the stack of each
    software: {container: "registry.example.org/lm@sha256:0f3a", framework: "torch 2.6.0", driver: "550.54.15"}
"""
MOST_STACKS = 5
PROMISES = frozenset({"method_speedup", "time_to_accuracy"})


@rule(
    "W0804",
    "software-stack-mismatch",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(pair)",
    origin="S1.8, MEAS",
)
def software_stack_mismatch(claim: Claim, case: Case) -> Iterator[Branch]:
    """Performance and quality that were obtained with different software.

    ## What it does
    Compares the software of the arm that was timed with that of the arm whose quality stands beside it: container,
    framework, runtime, libraries, driver. Versions count as far as both are given ("2.6" is "2.6.0"), drivers by their
    branch, and one container, by its digest, fixes all but the driver. Names that may be layers of one stack (a trainer
    and the framework under it) contradict nothing. Also reads which parts of the evaluated program the timed mode
    switches off.

    Values of one arm share its stack, unless its trials state stacks of their own: those that were timed are then
    compared with those that were trained. Values from different models of device are not compared. Where a timed arm
    has no quality beside it, the arms that state its model's quality elsewhere in the document stand for it; one of
    them
    with the same stack is enough.

    ## Why it misleads
    A library that is faster may compute something else, and a mode for timing that skips a part of the work was never
    the mode whose quality is shown.

    ## Branches
    - not applicable: the two values come from different devices.
    - (a) caveat, C3: a container or version that both sides state differs, or the timed mode switches off a part of
      what was evaluated.
    - (b) undermines, C3: the same, where the claim is about a method's speed-up or a time to accuracy, and the two
      values stand together.
    - not shown: the software is not stated, or an item of it on one side only.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
     "arms": {"plain": {"software": {"container": "registry.example.org/lm@sha256:77aa", "framework": "torch 2.4.1"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}}}
    ```

    ## How to fix
    Obtain both values under one stack.

    ## References
    Hoefler, Twelve ways to fool the masses, way 8.
    """
    fast = case.subject(claim)
    paired = paired_quality(claim, case)
    good = case.side(paired) if paired is not None else fast
    if fast is None or good is None:
        yield NotShown("the software of the two values is not stated", claim.at, provide=PROVIDE)
        return
    effect, branch = (UNDERMINES, "b") if field_of("purpose", claim, case) in PROMISES else (CAVEAT, "a")
    measurement = fast.arm.measurement
    if measurement is not None and measurement.switched_off:
        message = f"the timed mode switches off what is evaluated: {', '.join(measurement.switched_off)}"
        yield Violation(branch, effect, C3, message, measurement.place("switched_off"))
    apart = _by_kind(fast) if fast.id == good.id else None
    if apart is not None:
        yield from _trials(fast, apart, branch, effect)
    elif fast.id != good.id:
        yield from _stacks(fast, good, branch, effect)
    elif paired is None and not fast.arm.quality:
        yield from _elsewhere(fast, quality_arms(fast, case))


def _by_kind(side: Side) -> tuple[Software, Software] | None:
    """Return the stacks of an arm's timed and of its trained trials, where trials of a kind state one and agree."""
    found: dict[str, list[Software]] = {"throughput": [], "convergence": []}
    for trial in side.arm.trials.values():
        software = trial.software or side.arm.software
        if trial.kind in found and software is not None:
            found[trial.kind].append(software)
    timed, trained = found["throughput"], found["convergence"]
    if not timed or not trained or not any(trial.software is not None for trial in side.arm.trials.values()):
        return None
    pairs = [(left, right) for left in _distinct(timed) for right in _distinct(trained)]
    return pairs[0] if all(compare_stacks(*pair).different for pair in pairs) else None


def _distinct(stacks: list[Software]) -> list[Software]:
    found: list[Software] = []
    for stack in stacks:
        if not found or compare_stacks(found[-1], stack).different:
            found.append(stack)
    return found[:MOST_STACKS]


def _trials(side: Side, stacks: tuple[Software, Software], branch: str, effect: Effect) -> Iterator[Branch]:
    different = compare_stacks(*stacks).different
    words = ", ".join(f"{name} {left} against {right}" for name, left, right in different)
    message = f"the runs that were timed and those that were trained used different software: {words}"
    left, right = (", ".join(item[column] for item in different) for column in (1, 2))
    yield Violation(branch, effect, C3, message, side.arm.place("trials"), left, right)


def _elsewhere(fast: Side, found: tuple[Side, ...]) -> Iterator[Branch]:
    """Judge a model's quality that is given elsewhere in the document: one arm with the timed stack is enough."""
    answers = [tuple(_stacks(fast, good, "a", CAVEAT)) for good in found]
    ranks = [any(isinstance(item, Violation) for item in branches) for branches in answers]
    if answers:
        yield from answers[ranks.index(min(ranks))]


def _stacks(fast: Side, good: Side, branch: str, effect: Effect) -> Iterator[Branch]:
    devices = [side.system.device if side.system is not None else None for side in (fast, good)]
    if isinstance(devices[0], str) and isinstance(devices[1], str) and plain(devices[0]) != plain(devices[1]):
        yield Inapplicable(f"the two values come from different devices, {devices[0]} and {devices[1]}")
        return
    if fast.arm.software is None or good.arm.software is None:
        missing = fast if fast.arm.software is None else good
        yield NotShown(f"the software of arm {missing.id} is not stated", missing.arm.at, provide=PROVIDE)
        return
    found = compare_stacks(fast.arm.software, good.arm.software)
    related = (Related(good.arm.software.at, "the stack whose quality is shown"),)
    if found.different:
        words = ", ".join(f"{name} {left} against {right}" for name, left, right in found.different)
        message = f"performance and quality come from different software: {words}"
        left, right = (", ".join(item[side] for item in found.different) for side in (1, 2))
        yield Violation(branch, effect, C3, message, fast.arm.software.at, left, right, related)
    if found.unknown or not found.equal:
        items = ", ".join(found.unknown) or "any item"
        message = f"whether both values share their software is not known for {items}"
        yield NotShown(message, fast.arm.software.at, provide=PROVIDE, related=related)
