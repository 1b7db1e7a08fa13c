"""W0506: the gain of a part, without that of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case, Side
from ..facts.document.words import words_of
from ..facts.quantities.performance import more_is_better
from ..facts.quantities.ratios import gain, readings
from ..language.printed import Span, span
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

WHOLE = frozenset({"step", "epoch", "training_run", "request", "serving_window", "pipeline"})
SPEED = frozenset({"rate", "time", "latency"})
PROVIDE = """\
claims:
  whole:
    statement: "A training step becomes 1.2x faster."
    scope: step
    measured: {arm: fused, metric: step-rate}
    base: {arm: plain, metric: step-rate}
"""


@rule(
    "W0506",
    "phase-figure-without-whole",
    effect=CAVEAT,
    confidence=C3,
    applies="(scaling or quantity in {rate, time, latency, flops}) and part and not purpose=kernel_benchmark",
    origin="S1.5, MEAS",
)
def phase_figure_without_whole(claim: Claim, case: Case) -> Iterator[Branch]:
    """A kernel, layer or phase becomes faster, and nobody says by how much the step does.

    ## What it does
    Looks for the whole at the same point: another claim about the same arms whose scope is a step or more, whole rates
    of both arms, or a whole rate in the claim's own row. Compares the gain of the whole with that of the part.

    ## Why it misleads
    Readers buy and train whole models. A part that became three times faster may make the step one tenth faster.

    ## Branches
    - (a) caveat, C3: the smaller gain of the whole is given elsewhere, and not beside that of the part.
    - not shown: no rate or ratio of the whole step or run at the same point stands in the document.
    - Silent where both stand in one headline, sentence or table row.

    ## Flagged
    On `training-pair` for claim `part`:
    ```json
    {"claims": {"part": {"statement": "Fused attention is 3.5x faster.", "value": "3.5", "unit": "x",
                         "quantity": "rate", "form": "ratio", "scope": "layer", "mode": "training",
                         "compares": "own_variants", "measured": {"arm": "fused"}, "base": {"arm": "plain"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `part`, whose headline names both gains:
    ```json
    {"claims": {"speedup": {"group": "headline"},
                "part": {"statement": "Fused attention is 3.5x faster.", "value": "3.5", "unit": "x",
                         "quantity": "rate", "form": "ratio", "scope": "layer", "mode": "training", "group": "headline",
                         "compares": "own_variants", "measured": {"arm": "fused"}, "base": {"arm": "plain"}}}}
    ```

    ## How to fix
    Print the gain of the whole beside that of the part, and the part's share of the time.

    ## References
    Hoefler, Twelve ways to fool the masses, way 5.
    """
    side = case.subject(claim)
    if side is None:
        yield NotShown("what was measured, and how fast the whole is, is not stated", claim.at, provide=PROVIDE)
        return
    ratios = [other for other in _of_the_whole(case) if other is not claim and _over_the_same(claim, case, other)]
    measured = _measured_gain(claim, case, side)
    if not ratios and measured is None and not _whole_rate(claim, case, side):
        what = "gain" if claim.form == "ratio" else "number"
        message = f"the {what} of a {claim.scope} is given alone, without a rate or ratio of the whole"
        yield NotShown(message, claim.at, provide=PROVIDE)
        return
    if claim.form == "absolute":
        return
    if any(_beside(claim, other) for other in ratios) or _in_row(claim, case):
        return
    part = [reading for reading in readings(claim, claim.quantity == "rate") if reading.low > 1]
    if claim.form != "ratio" or not part:
        yield Inapplicable("no gain of a part is claimed")
        return
    least = min(part, key=lambda reading: reading.low)
    for other in ratios:
        whole = [reading for reading in readings(other, other.quantity == "rate") if reading.high > 0]
        if whole and all(reading.high < least.low for reading in whole):
            yield _smaller(claim, other.value or "", Related(other.at, "the gain of the whole"))
            return
    if measured is not None and measured.high < least.low:
        yield _smaller(claim, str(measured), Related(side.arm.place("performance"), "rate of the whole"))


def _smaller(claim: Claim, whole: str, related: Related) -> Violation:
    message = f"the {claim.scope} gains {claim.value}, the whole {whole}, and only the larger number is given here"
    return Violation("a", CAVEAT, C3, message, claim.place("value"), claim.value, whole, (related,))


@fact
def _of_the_whole(case: Case) -> tuple[Claim, ...]:
    """Return the claims that are a ratio of the whole."""
    return tuple(
        claim
        for claim in case.submission.claims.values()
        if claim.form == "ratio" and claim.scope in WHOLE and claim.quantity in SPEED
    )


def _over_the_same(claim: Claim, case: Case, other: Claim) -> bool:
    """Whether a ratio of the whole is over the arms of another claim."""
    mine, theirs = (case.subject(claim), case.base(claim)), (case.subject(other), case.base(other))
    ids = [tuple(side.id if side is not None else None for side in pair) for pair in (mine, theirs)]
    return ids[0][0] == ids[1][0] and (ids[0][1] == ids[1][1] or ids[0][1] is None)


def _beside(claim: Claim, other: Claim) -> bool:
    """Whether two claims stand together: one headline, one sentence, or the other's number in this one's words."""
    if claim.group is not None and claim.group == other.group:
        return True
    if other.value is None or claim.statement == other.statement:
        return claim.statement == other.statement
    return any(words.prints(Decimal(other.value)) for words in words_of(claim))


def _in_row(claim: Claim, case: Case) -> bool:
    """Whether a number of the whole stands in the claim's own row."""
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None:
        return False
    return any(
        key in row.values and column.scope in WHOLE and column.quantity in SPEED
        for key, column in table.columns.items()
    )


def _whole_values(side: Side) -> dict[tuple[str, str], Span]:
    """Return an arm's numbers about the whole, by quantity and unit."""
    measurement = side.arm.measurement
    found = {}
    for metric in side.arm.performance.values():
        scope = metric.scope or (measurement.scope if measurement is not None else None)
        if scope in WHOLE and metric.quantity in SPEED and metric.value is not None:
            found[metric.quantity, metric.unit] = span(metric.value, digits=metric.digits)
    return found


def _whole_rate(claim: Claim, case: Case, side: Side) -> bool:
    return bool(_whole_values(side)) or _in_row(claim, case)


def _measured_gain(claim: Claim, case: Case, side: Side) -> Span | None:
    """Return the gain of the whole between the claim's arms, from their numbers of one quantity and unit."""
    base = case.base(claim)
    if base is None:
        return None
    new, old = _whole_values(side), _whole_values(base)
    for key in new.keys() & old.keys():
        ways = more_is_better(*key)
        found = gain(new[key], old[key], ways) if ways is not None else None
        if found is not None:
            return found
    return None
