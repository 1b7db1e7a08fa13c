"""L12: the rate of a busy server beside the latency of an idle one."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Load, Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import Same
from ..facts.serving.loads import has_curve, loads_of_group, per_device, same_load, swept, words
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule

PROVIDE = """\
arms:
  server:
    performance:
      latency:
        load: {concurrency: 16, loop: closed, steady: true}
"""
BESIDE_THE_RATE = frozenset({"energy", "memory"})
"""What is read off while the load runs whose rate and latencies the arm gives."""


@rule(
    "L12",
    "metrics-at-different-load-points",
    effect=UNDERMINES,
    confidence=C3,
    applies="serving and (has(group) or ratio)",
    origin="S1.8, S1.12, MEAS",
)
def metrics_at_different_load_points(claim: Claim, case: Case) -> Iterator[Branch]:
    """One headline joins numbers that were measured under different loads.

    ## What it does
    Compares the load (requests in flight or offered rate, kind of loop, lengths) of a ratio's two arms, and of the
    metrics that one headline joins.

    ## Why it misleads
    Every server has a high rate when it is crowded and a short latency when it is empty. No user ever gets both.

    ## Branches
    - (a) undermines, C3: a ratio or headline joins numbers at different loads, and not every arm shows its numbers over
      load.
    - (b, instead of a) caveat, C3: the same, and every arm shows at least three points over load.
    - pass with note: each side is measured at its own load within one stated latency bound; or arms of different size
      have as many requests in flight for each device.
    - not shown: the load of a number is not stated.
    - not applicable: the load is named as what is compared, the headline joins no numbers of a service, or it is about
      quality or a derived count.

    ## Flagged
    On `serving-comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"latency_bound": null}},
     "arms": {"theirs": {"performance": {"rate": {"load": {"concurrency": 4}}}}}}
    ```

    ## Accepted
    On `serving-comparison` for claim `speedup`, both at 16 requests in flight.

    ## How to fix
    Give throughput at one latency bound, or the curve over load of every arm.

    ## References
    Hoefler, Twelve ways to fool the masses, ways 8 and 12.
    """
    if claim.quantity == "accuracy" or (claim.quantity == "count" and claim.basis == "derived"):
        yield Inapplicable(f"{claim.quantity} does not depend on the load")
        return
    side, metric = case.subject(claim), case.metric(claim.measured)
    others = _others(claim, case)
    if side is None or metric is None or not others:
        if claim.form == "ratio":
            yield NotShown("the load of the number that the ratio is relative to is not stated", claim.at, "", PROVIDE)
        else:
            yield Inapplicable("the headline joins no numbers of a service")
        return
    if swept(claim.treatment):
        yield Inapplicable("the load itself is what is compared")
        return
    if claim.latency_bound is not None and claim.form == "ratio":
        yield Note("each side is measured within one latency bound")
        return
    for other, arm in others:
        if claim.quantity not in BESIDE_THE_RATE or not _under_one_load((metric, side), (other, arm)):
            yield from _compared(case, (metric, side), (other, arm))


def _others(claim: Claim, case: Case) -> list[tuple[Metric, Side]]:
    """Return what a claim's number is joined with: the base of a ratio, the other numbers of its headline."""
    found = [item for item in loads_of_group(claim, case) if item[0] is not case.metric(claim.measured)]
    base, metric = case.base(claim), case.metric(claim.base)
    if claim.form == "ratio" and base is not None and metric is not None:
        found.insert(0, (metric, base))
    return found


def _compared(case: Case, ours: tuple[Metric, Side], theirs: tuple[Metric, Side]) -> Iterator[Branch]:
    loads: tuple[Load | None, Load | None] = ours[0].load, theirs[0].load
    same = same_load(*loads)
    if same is Same.DIFFERENT and per_device((loads[0], ours[1]), (loads[1], theirs[1])):
        yield Note("both arms have as many requests in flight for each device")
        return
    if same is Same.DIFFERENT and loads[0] is not None and loads[1] is not None:
        curves = all(has_curve(side, case) for side in {ours[1].id: ours[1], theirs[1].id: theirs[1]}.values())
        branch, effect = ("b", CAVEAT) if curves else ("a", UNDERMINES)
        message = f"numbers at different loads are joined: {words(loads[0])} against {words(loads[1])}"
        related = (Related(loads[1].at, "the other load"),)
        yield Violation(branch, effect, C3, message, loads[0].at, words(loads[0]), words(loads[1]), related)
    elif same is Same.UNKNOWN:
        at = next((metric.at for metric, _ in (ours, theirs) if metric.load is None), theirs[0].at)
        yield NotShown("the load of a number of this headline is not stated", at, "", PROVIDE)


def _under_one_load(ours: tuple[Metric, Side], theirs: tuple[Metric, Side]) -> bool:
    """Whether a number without a load of its own (an energy, a memory) is one of arms that each ran under that load."""
    loads = []
    for metric, side in (ours, theirs):
        own = [metric.load] if metric.load is not None else [item.load for item in side.arm.performance.values()]
        given = [load for load in own if load is not None]
        if not given or any(same_load(given[0], other) is not Same.EQUAL for other in given):
            return False
        loads.append(given[0])
    return same_load(*loads) is Same.EQUAL
