"""W1108: a ratio over a base that differs in more than what is scaled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from ...schemas.submission import Claim, Table
from ..case import Case
from ..facts.comparison.base_row import base_rows, cell_span, table_gains
from ..facts.comparison.matched_base import match, treatment
from ..facts.comparison.options import differences
from ..facts.comparison.points import Point, table_points
from ..facts.comparison.scaling_mode import label_of
from ..facts.document.words import words_in
from ..facts.quantities.ratios import readings
from ..language.printed import Span, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

TOLERANCE = 0.01
MOST_ROWS = 100
PIECES = frozenset({"micro_batch", "per_device_batch"})
LEAST_OTHERS = 2
PROVIDE = """\
tables:
  scaling:
    base_row: r1
    rows:
      r1: {devices: 8, options: {precision: {compute: bf16}, global_batch: 8192}}
"""


@rule(
    "W1108",
    "scaling-base-unmatched",
    effect=UNDERMINES,
    confidence=C3,
    applies="(ratio or form=efficiency) and has(table)",
    origin="HB15.1, MEAS",
    also=("F04", "F05"),
)
def scaling_base_unmatched(claim: Claim, case: Case) -> Iterator[Branch]:
    """A speed-up of a series over a base that was run in another way.

    ## What it does
    Compares the row of a ratio with its base in the options that decide what is computed and, in strong scaling, in the
    global batch. What the claim or the table names as the difference may differ, and so may layout, recipe and, outside
    strong scaling, the batch. Where no base is named, looks for the rows whose own numbers give the ratio; they are
    held against it only where a matched row stands in the table and does not give it.

    ## Why it misleads
    Over a base in full precision, or on an older device, a series looks as if it scaled better than it does: a part of
    the ratio is the other change.

    ## Branches
    - (a) undermines, C3: the named base differs in such an option; or only rows that differ so give the ratio, beside a
      matched one that does not.
    - (b) caveat, C3: in strong scaling the base, on fewer devices, works in smaller micro-batches than the row of the
      ratio and all others between them. More devices may force smaller pieces upon a row; nothing forces them upon the
      base, which they make slower. Not where the claim or the table names the micro-batch as a difference.
    - not applicable: two systems are compared; the claim names no row; the base is called the best serial one; or no
      row of the table is the base.
    - not shown: the value that the claim gives for its base is not that of the row; the options of the base are not
      stated, or one of them on one side only; or more than one differs, and nothing says which one the ratio is about.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"arms": {"n1": {"options": {"precision": {"compute": "fp32"}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, whose base differs in devices alone.

    ## How to fix
    Compute the ratio over the row that differs in nothing else.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 1.
    """
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None or claim.row is None or claim.compares == "other_system":
        yield Inapplicable("two systems are compared, or the claim does not name a row")
        return
    found = {point.id: point for point in table_points(table, case)}
    if claim.row.row not in found or claim.row.base_row == claim.row.row:
        yield Inapplicable("the row or its base is not in the table")
        return
    point = found[claim.row.row or ""]
    likely = base_rows(table, point.id, claim)
    named = likely[0] if likely in {(claim.row.base_row,), (table.base_row,)} else None
    if _serial(claim, table, named):
        yield Inapplicable("the base is called the best serial one")
    elif named is not None:
        yield from _judge(claim, case, point, found[named])
        yield from _small_pieces(claim, case, point, found[named], found.values())
        yield from _other_value(claim, table, found[named])
    elif len(found) > MOST_ROWS:
        yield NotShown("which row the ratio is relative to is not stated", point.at, provide=PROVIDE)
    else:
        yield from _candidates(claim, case, table, point)


def _other_value(claim: Claim, table: Table, base: Point) -> Iterator[Branch]:
    """Judge the value that a claim gives for its base beside the row that is the base, per device or for all."""
    columns = [key for key, column in table.columns.items() if column.quantity == claim.quantity]
    if claim.base is None or claim.base.value is None:
        return
    scales = {key: _scale(table.columns[key].unit) / _scale(claim.base.unit) for key in columns}
    cells = [
        found * Span(scales[key], scales[key])
        for key in columns
        if (found := cell_span(table, (base.id, key))) is not None
    ]
    if not cells:
        return
    stated = span(claim.base.value).widened(TOLERANCE)
    factors = [Decimal(1)] + [Decimal(count) for count in {base.devices, claim.base.devices} if count]
    readings_of = [cell * Span(factor, factor) for cell in cells for factor in (*factors, *(1 / f for f in factors))]
    if not any(stated.meets(reading) for reading in readings_of):
        message = (
            f"the base is said to have {claim.base.value}, which is not the number of row `{base.id}`; what "
            "else differs in it is not stated"
        )
        related = (Related(base.at, "the row that is the base of the table"),)
        yield NotShown(message, claim.base.at, provide=PROVIDE, related=related)


def _scale(unit: str | None) -> Decimal:
    """Return what a unit counts in: "million samples" in millions."""
    return read(f"1 {unit or ''}").numbers((0, 1))[0].low


def _serial(claim: Claim, table: Table, named: str | None) -> bool:
    label = table.rows[named].label if named is not None else None
    definition = claim.base.definition if claim.base is not None else None
    return words_in(label, definition).has("best_serial")


def _judge(claim: Claim, case: Case, point: Point, base: Point) -> Iterator[Branch]:
    answer = match(claim, case, point, base)
    known = bool(treatment(claim, case)) or point.devices != base.devices
    words, related = differences(answer.different), (Related(point.at, "the row of the ratio"),)
    if answer.different and not known and len(answer.different) > 1:
        message = f"the base differs in {words}, and what the ratio is about is not stated"
        yield NotShown(message, base.at, provide=PROVIDE, related=related)
    elif answer.different and known:
        message = f"beside what the ratio is about, the base differs in {words}"
        yield Violation("a", UNDERMINES, C3, message, base.at, related=related)
    elif not answer.different and (answer.unknown or not answer.compared):
        what = f": {', '.join(answer.unknown)}" if answer.unknown else ""
        yield NotShown(f"whether the base differs in nothing else is not stated{what}", base.at, provide=PROVIDE)


def _small_pieces(claim: Claim, case: Case, point: Point, base: Point, rows: Iterable[Point]) -> Iterator[Violation]:
    """Judge a base that is cut into smaller micro-batches than its series, at one global batch."""
    if label_of(claim, case)[0] != "strong" or PIECES & treatment(claim, case):
        return
    ours, theirs = _piece(point), _piece(base)
    if ours is None or theirs is None or point.devices is None or base.devices is None:
        return
    others = [piece for row in rows if row.id != base.id and (piece := _piece(row)) is not None]
    if base.devices < point.devices and theirs < ours and theirs < min(others) and len(others) >= LEAST_OTHERS:
        message = (
            f"the base works in micro-batches of {theirs} on {base.devices} devices, the row of the ratio in {ours} on "
            f"{point.devices}; no row of the series has so small ones"
        )
        yield Violation("b", CAVEAT, C3, message, base.at, related=(Related(point.at, "the row of the ratio"),))


def _piece(point: Point) -> int | None:
    """Return how many samples a device takes at once, or None where it is not stated."""
    found = (point.options.get(key) for key in ("micro_batch", "per_device_batch"))
    return next((piece for piece in found if isinstance(piece, int)), None)


def _candidates(claim: Claim, case: Case, table: Table, point: Point) -> Iterator[Branch]:
    """Look for the base among the rows that give the ratio, beside those that by their options may be it."""
    others = [other for other in table_points(table, case) if other.id != point.id]
    giving = [other for other in others if _gives(claim, table, point.id, other.id)]
    fitting = [other for other in giving if not match(claim, case, point, other).different]
    if not giving:
        yield Inapplicable("no row of the table gives the ratio")
        return
    if fitting:
        yield from min((list(_judge(claim, case, point, other)) for other in fitting), key=len)
        return
    base = giving[0]
    matched = [other for other in others if _matched(claim, case, point, other, base)]
    if matched and (claim.base is None or claim.base.value is None):
        different = differences(match(claim, case, point, base).different)
        message = f"only a base that differs in {different} gives the ratio; row `{matched[0].id}` does not"
        related = (Related(matched[0].at, "a matched base"), Related(point.at, "the row of the ratio"))
        yield Violation("a", UNDERMINES, C3, message, base.at, claim.value, related=related)
    else:
        yield NotShown("which row the ratio is relative to is not stated", point.at, provide=PROVIDE)


def _matched(claim: Claim, case: Case, point: Point, other: Point, base: Point) -> bool:
    """Whether a row on no more devices than another base differs from the point in nothing else."""
    answer = match(claim, case, point, other)
    fewer = other.devices is not None and base.devices is not None and other.devices <= base.devices
    return fewer and answer.compared and not answer.different and not answer.unknown


def _gives(claim: Claim, table: Table, name: str, base: str) -> bool:
    """Whether a base's own numbers give the claimed ratio, under any reading of it."""
    place = table.rows[base].place("values")
    return any(
        reading.meets(gain.gain.widened(TOLERANCE))
        for gain in table_gains(table, name, (base,), frozenset({claim.quantity}))
        if gain.base.startswith(place)
        for reading in readings(claim, gain.more_is_better)
    )
