"""W1101: strong or weak scaling is not said, or not true."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.points import by_problem, points
from ..facts.comparison.scaling_mode import Mode, Sized, fits, inferred, label_of, sized, told_per_device
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

ITEM = "scaling label or global batch"
PROVIDE = """\
tables:
  scaling:
    label: strong
    rows:
      r8: {devices: 64, options: {global_batch: 8192}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    tolerance: float = Threshold(0.01, "share", "exact: batches are integers, and remainders are rounded")


@rule(
    "W1101",
    "scaling-mode-undeclared-or-wrong",
    effect=UNDERMINES,
    confidence=C3,
    applies="scaling and not replicated",
    origin="S1.11, HB15, MEAS",
    thresholds=Thresholds,
)
def scaling_mode_undeclared_or_wrong(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A scaling result that does not say what stays constant, or says it wrongly.

    ## What it does
    Compares the label with the global batch of every point (batch per device x accumulation x data-parallel size;
    accumulation is never assumed to be 1). Rows that solve different problems (model, formats, inputs, parameters) are
    separate series, and so are several batches at one device count.

    ## Why it misleads
    With a constant batch per device nearly everything scales, because the work grows with the machine. Only a constant
    total says how much sooner an answer comes.

    ## Branches
    - (a) undermines, C3: called strong, and the global batch varies by more than 1 %; or called weak, and the batch per
      device does.
    - (b) caveat, C3: no label, and the batches tell the mode.
    - not shown: no label, and the global batch of two points (or of all but one) is unknown. Required (scaling label or
      global batch) of scaling claims, from the reviewer profile on. With a label, batches that are not stated are
      named, and decide nothing. An efficiency of throughput alone, whose sentence prints both device counts, is asked.
    - not applicable: no label, and the claim states one point of its table.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16384, "accumulation": 2}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, which is called strong scaling and keeps its global batch.

    ## How to fix
    Say which mode it is; give the global batch of the rows that state none.

    ## References
    Hoefler, Twelve ways to fool the masses, way 11; Hoefler & Belli, Scientific benchmarking of parallel computing
    systems, 2015.
    """
    found = points(claim, case)
    label, at = label_of(claim, case)
    series = [sized(group) for group in by_problem(found)]
    comparable = [group for group in series if len({item.devices for item in group}) >= 2]
    unknown = [point for point in found if point.global_batch is None]
    if label is None and claim.form == "absolute":
        yield Inapplicable("one point of a table, and nothing is said of scaling")
        return
    if label is None:
        if len(unknown) >= 2 or not comparable:
            batches = "one" if len(unknown) == 1 else "several"
            message = f"neither strong nor weak is said, and the global batch of {batches} of the points is not stated"
            yield NotShown(message, claim.at, ITEM, PROVIDE, question=told_per_device(claim, case, found))
            return
        modes = " and ".join(sorted({inferred(group, thresholds.tolerance) for group in comparable}))
        message = f"strong or weak scaling is not said; from the global batches, inferred {modes}"
        yield Violation("b", CAVEAT, C3, message, at, recomputed=modes)
        return
    for group in comparable:
        if not fits(group, label, thresholds.tolerance):
            yield _violation(label, at, group)
    if not comparable or unknown:
        yield NotShown(f"called {label} scaling; not all global batches that would confirm it are stated", at)


def _violation(label: Mode, at: str, group: tuple[Sized, ...]) -> Violation:
    what = "batch per device" if label == "weak" else "global batch"

    def size(item: Sized) -> float:
        return item.batch / item.devices if label == "weak" else item.batch

    first, last = (end(group, key=lambda item: (size(item), item.devices)) for end in (min, max))
    least, most = size(first), size(last)
    message = (
        f"called {label} scaling, but the {what} is {least:g} at {first.devices} devices and {most:g} at {last.devices}"
    )
    related = (Related(first.point.at, f"{what} {least:g}"), Related(last.point.at, f"{what} {most:g}"))
    return Violation("a", UNDERMINES, C3, message, at, label, f"{what} {least:g} to {most:g}", related)
