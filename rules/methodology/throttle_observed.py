"""M14: a device that was too hot, or braked, while it was timed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import arms_of, clock_policy
from ..facts.device.telemetry import throttled
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

REASONS = {"thermal": "heat", "power_brake": "a power brake"}
PROVIDE = """\
arms:
  plain:
    trials:
      t1:
        kind: throughput
        outcome: completed
        telemetry: {window_s: 24.6, throttled_s: {thermal: 0, power_brake: 0}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.01, "fraction of the readings, or of the time", "judgement")


@rule(
    "M14",
    "throttle-observed",
    effect=UNDERMINES,
    confidence=C3,
    applies="(timing or measured and quantity in {flops, mfu, energy}) and has(telemetry)",
    origin="S4",
    thresholds=Thresholds,
)
def throttle_observed(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A timing, or an energy, during which heat or a power brake held the clocks down.

    ## What it does
    Adds up over the trials of each arm how long a thermal reason or a power brake was active: from the device's
    counters where they are given, else from the share of the readings. A power cap in software is the operating point
    of the device, and no throttle, except in one arm of two whose clocks are said to be locked: there it breaks the
    lock.

    ## Why it misleads
    A device that is held down measures its cooling, in seconds and, as it works at other clocks for longer, in joules.
    Where only one arm was, the difference belongs to the room.

    ## Branches
    - (a) undermines, C3: a thermal reason or a power brake was active in more than 1 % of the time of one arm alone, or
      of an arm whose clocks are said to be locked.
    - (b) caveat, C3: a power cap was active in more than 1 % of the time of one arm, though its clocks are said to be
      locked, and not in the other arm.
    - pass with a note: the same in both arms, with clocks that were not locked.
    - not shown: one arm was held down, and of the other nothing was recorded.
    - not applicable: no reasons were recorded, or of one arm only and it was not held down.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"environment": {"clocks": {"policy": "logged"}}, "trials": {
       "t1": {"telemetry": {"window_s": 24.0, "throttled_s": {"thermal": 0.0}}}}},
      "plain": {"environment": {"clocks": {"policy": "logged"}}, "trials": {
       "t1": {"telemetry": {"window_s": 34.2, "throttled_s": {"thermal": 9.1, "power_cap": 2.0}}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"trials": {"t1": {"telemetry": {"window_s": 24.0, "throttled_s": {"thermal": 0.0}}}}},
      "plain": {"trials": {"t1": {"telemetry": {"window_s": 34.2,
        "throttled_s": {"thermal": 0.1, "power_cap": 30.0}}}}}}}
    ```

    ## How to fix
    Mend the cooling or lower the limit, and measure both arms again.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    sides = arms_of(claim, case)
    told = False
    for reason, words in REASONS.items():
        shares = [(side, _share(case, side, reason)) for side in sides]
        told = told or all(share is not None for _, share in shares)
        held = [(side, share) for side, share in shares if share is not None and share > thresholds.share]
        locked = [item for item in held if _locked(case, item[0])]
        if locked or (held and len(held) < len(sides) and all(share is not None for _, share in shares)):
            yield _violation(locked[0] if locked else held[0], words, bool(locked), shares)
        elif held and len(sides) == 1 and claim.compares == "none":
            yield _violation(held[0], words, False, shares)
        elif held and (len(sides) == 1 or len(held) < len(sides)):
            other = next((side.arm.place("trials") for side, share in shares if share is None), claim.at)
            message = f"{words} held down arm {held[0][0].id}; whether it held down the other arm is not recorded"
            yield NotShown(message, other, provide=PROVIDE)
        elif held:
            yield Note(f"{words} held down both arms alike: " + ", ".join(f"{s.id} {v:.1%}" for s, v in held))
    yield from _capped(case, sides, thresholds)
    if not told:
        yield Inapplicable("the readings do not tell for every arm whether clocks were held down")


def _capped(case: Case, sides: tuple[Side, ...], thresholds: Thresholds) -> Iterator[Branch]:
    """A lock that the power cap broke in one arm only."""
    shares = [(side, _share(case, side, "power_cap")) for side in sides]
    held = [(side, share) for side, share in shares if share is not None and share > thresholds.share]
    if len(shares) == 2 and len(held) == 1 and all(s is not None for _, s in shares) and _locked(case, held[0][0]):
        found = _violation(held[0], "a power cap", True, shares)
        yield Violation("b", CAVEAT, C3, found.message, found.at, None, found.recomputed, found.related)


def _share(case: Case, side: Side, reason: str) -> float | None:
    found = throttled(case, side, reason)
    return found[0] / found[1] if found is not None and found[1] > 0 else None


def _locked(case: Case, side: Side) -> bool:
    policy = clock_policy(case, side)
    return policy is not None and policy.kind == "locked"


def _violation(
    item: tuple[Side, float], words: str, locked: bool, shares: list[tuple[Side, float | None]]
) -> Violation:
    side, share = item
    beside = [f"{other.id} {found:.1%}" for other, found in shares if other is not side and found is not None]
    why = ", though its clocks are said to be locked" if locked else f" ({', '.join(beside)})" if beside else ""
    message = f"{words} held down arm {side.id} in {share:.1%} of its timed run{why}"
    related = tuple(Related(other.arm.place("trials"), "the other arm") for other, _ in shares if other is not side)
    return Violation("a", UNDERMINES, C3, message, side.arm.place("trials"), None, f"{share:.3g}", related)
