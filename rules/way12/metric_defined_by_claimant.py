"""W1205: ahead by a measure of one's own making."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.per_second import operations_per_second, seconds, work_per_second
from ..facts.quantities.unit_parts import unit_parts
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import rule

PROVIDE = """\
claims:
  speedup:
    metric_defined: {kind: custom, set_by: claimant, thresholds_declared_before: true}     # or {kind: listed}
"""
OTHERS = frozenset({"buyer", "benchmark"})
BOUGHT = {"energy", "power", "data", "money"}
"""What is usual by itself, and to be divided by."""


@rule(
    "W1205",
    "metric-defined-by-claimant",
    effect=CAVEAT,
    confidence=C3,
    applies="measured or comparison",
    origin="S1.12, MEAS",
)
def metric_defined_by_claimant(claim: Claim, case: Case) -> Iterator[Branch]:
    """A headline in a metric that the claimant defined, without a usual one beside it.

    ## What it does
    Reads whether the headline's metric is a usual one. Rates of samples, times, FLOP/s, utilisation, energy, memory,
    money and the common scores are, without saying so; a rate or share that counts only what meets a bound on
    latency is not. For a custom one it looks for a usual metric of both sides, and whether its thresholds were fixed
    before the runs. Of a number that is compared with nobody's it judges what is said to be custom only, and looks for
    a usual metric of the same arm.

    ## Why it misleads
    Whoever chooses the bound after the runs finds one at which the own system wins.

    ## Branches
    - (a) caveat, C3: a custom metric whose thresholds were not fixed before the runs, or without a usual metric of the
      same points.
    - not applicable: no other system is compared, and the metric is not said to be custom.
    - not shown: whether the metric is a usual one is not stated and not clear from its unit; or, for a custom one with
      usual ones beside it, whether its thresholds were fixed before. Where nothing says that the claimant set a metric
      that is no common one, the finding asks who did: it may be the usual one of its field.
    - Silent where a buyer or a named benchmark set the metric.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"metric_defined": {"kind": "custom", "set_by": "claimant",
                                               "thresholds_declared_before": false}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`, in tokens per second.

    ## How to fix
    Give the whole curve, and usual metrics.

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    defined = claim.metric_defined
    apart = claim.compares == "other_system"
    if not apart and (defined is None or defined.kind == "listed"):
        yield Inapplicable("no other system is compared, and the metric is not said to be custom")
        return
    if defined is None:
        if not _usual_headline(claim, case):
            message = "whether the metric is a usual one, or who defined it, is not stated"
            yield NotShown(message, claim.at, provide=PROVIDE)
        return
    if defined.kind == "listed" or defined.set_by in OTHERS:
        return
    if defined.set_by is None and defined.thresholds_declared_before is None:
        message = "who defined the metric, the claimant or the field, is not stated"
        yield NotShown(message, defined.at, provide=PROVIDE, question=True)
    elif defined.thresholds_declared_before is False:
        message = "the metric is the claimant's own, and its thresholds were not fixed before the runs"
        yield Violation("a", CAVEAT, C3, message, defined.place("thresholds_declared_before"))
    elif not (_beside(claim, case) if apart else _beside_alone(claim, case)):
        sides = " of both sides" if apart else ""
        message = f"the metric is the claimant's own, and no standard metric{sides} is given beside it"
        yield Violation("a", CAVEAT, C3, message, defined.at)
    elif defined.thresholds_declared_before is None:
        message = "whether the thresholds of the claimant's metric were fixed before the runs is not stated"
        yield NotShown(message, defined.at, provide=PROVIDE)


def _usual_headline(claim: Claim, case: Case) -> bool:
    if claim.purpose == "serving_objective":
        return False
    metric = case.metric(claim.measured)
    if claim.quantity == "accuracy":
        quality = case.quality(claim.quality)
        return _usual("accuracy", f"{claim.metric or ''} {quality.metric if quality is not None else ''}")
    units = [item.unit for item in (metric, claim, claim.base) if item is not None]
    table = case.table(claim)
    if table is not None:
        units += [column.unit for column in table.columns.values() if column.quantity == claim.quantity]
    return any(unit is not None and _usual(claim.quantity, unit) for unit in units)


def _usual(quantity: str, unit: str) -> bool:
    """Whether a quantity in a unit, or a quality by its name, is one that everybody reports."""
    if quantity == "accuracy":
        return read(unit).has("counted_error") or bool(read(unit).metrics())
    if quantity == "mfu":
        return True
    if work_per_second(unit) is not None or operations_per_second(unit) is not None or seconds(unit) is not None:
        return True
    first, *below = unit_parts(unit) or (None,)
    per = any(part.kind in {"time", *BOUGHT} for part in below)
    return first is not None and (first.kind in {"rate", *BOUGHT} or (per and len(first.words.tokens) == 1))


def _beside(claim: Claim, case: Case) -> bool:
    """Whether both sides state a usual metric besides the headline's."""
    table, row = case.table(claim), case.row(claim)
    sides = case.subject(claim), case.base(claim)
    if sides[0] is not None and sides[1] is not None:
        own = claim.measured.metric if claim.measured is not None else None
        shared = _metrics(sides[0], own) & _metrics(sides[1], own)
        if shared:
            return True
    base = table.rows.get(claim.row.base_row or table.base_row or "") if table is not None and claim.row else None
    if table is None or row is None or base is None:
        return False
    others = {key: column for key, column in table.columns.items() if column.quantity != claim.quantity}
    both = row.values.keys() & base.values.keys() & others.keys()
    return any(_usual(others[key].quantity, others[key].unit) for key in both)


def _beside_alone(claim: Claim, case: Case) -> bool:
    """Whether the arm of a single number states a usual metric besides the headline's."""
    side = case.subject(claim)
    own = claim.measured.metric if claim.measured is not None else None
    return side is not None and bool(_metrics(side, own))


def _metrics(side: Side, headline: str | None) -> set[tuple[str, str]]:
    """Return the usual metrics of an arm but the headline's, by quantity and unit; a single unnamed one is that."""
    found = {
        (metric.quantity, metric.unit)
        for name, metric in side.arm.performance.items()
        if name != headline and metric.value is not None and _usual(metric.quantity, metric.unit)
    }
    return found if headline is not None or len(side.arm.performance) > 1 else set()
