"""W1206: the headline beats the weaker of two competitors."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case
from ..facts.comparison.base_row import cell_span, table_gains
from ..facts.comparison.options import Same, same_value
from ..facts.comparison.points import Point, device_of_point, table_points
from ..facts.comparison.table_series import base_names
from ..facts.document.words import words_around, words_of
from ..language.printed import Span
from ..language.reading import read
from ..language.tokens import WORD
from ..outcome import C1, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, Related, Violation
from ..registry import Threshold, rule
from ..tables.names import plain

LARGER = 1.1
PRINTED = {"ratio", "percent"}
INPUT = ("dataset", "input_shape", "input_length")
PROBLEM = ("model", "weights", *INPUT)


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    factor: float = Threshold(1.2, "times the headline's comparator", "judgement")


@rule(
    "W1206",
    "weakest-comparator-in-headline",
    effect=UNDERMINES,
    confidence=C1,
    applies="(ratio or (accuracy and has(base))) and compares=other_system and has(table)",
    origin="S1.12, MEAS",
    thresholds=Thresholds,
)
def weakest_comparator_in_headline(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A ratio over one competitor, where the document holds a stronger one.

    ## What it does
    Looks in the table of the claim for other systems on the same problem and the same kind and number of devices. Rows
    that belong to the claimant (said so, or by the same leading name) are left out. Where one beats the headline's
    comparator by at least 1.2 times, its own ratio should stand in the sentence or in the table.

    ## Why it misleads
    "3x faster than A" is true and beside the point when B is there and "1.1x faster than B" holds, too.

    ## Branches
    - (a) undermines, C1: another comparator is at least 1.2 times as good as the headline's, and its ratio stands
      neither in the sentence nor in the table.
    - (b, instead of a) caveat, C1: its ratio is given elsewhere in the document.
    - (c, instead of a) caveat, C1: a gain in quality over one rival, where another of the table, on the same data and
      no larger, leaves less than 1 / 1.2 of it, and the sentence does not name it.
    - pass with note: the sentence says that the weaker one is what is in use.
    - not applicable: the row or its base is not named, or the table holds no further system on the same problem.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"row": {"table": "systems", "row": "ours", "base_row": "theirs"}}},
     "tables": {"systems": {"rows": {"third": {"label": "ThirdLM 1.4", "own": false, "system": "theirs", "devices": 8,
                                               "nodes": 1, "values": {"rate": "298000", "loss": "3.06"}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"row": {"table": "systems", "row": "ours", "base_row": "theirs"}}},
     "tables": {"systems": {"rows": {"third": {"label": "ThirdLM 1.4", "own": false, "system": "theirs", "devices": 8,
                                               "nodes": 1, "values": {"rate": "241000", "loss": "3.06"}}}}}}
    ```

    ## How to fix
    Lead with the strongest.

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    table, name = case.table(claim), claim.row.row if claim.row is not None else None
    bases = base_names(claim, table) if table is not None and name is not None else ()
    if table is None or name is None or name not in table.rows or len(bases) != 1:
        yield Inapplicable("the row of the ratio or its base is not named")
        return
    found = {point.id: point for point in table_points(table, case)}
    if claim.form != "ratio":
        yield from _differences(claim, case, table, found, name, bases[0], thresholds.factor)
        return
    candidates = [key for key in found if key not in {name, *bases} and _comparable(case, found, name, bases[0], key)]
    compared = [(key, gain) for key in candidates for gain in _gains(claim, table, key, bases[0])]
    if not compared:
        yield Inapplicable("the table holds no further system on the same problem")
        return
    factor = Decimal(repr(float(thresholds.factor)))
    stronger = [(key, gain) for key, gain in compared if gain.low >= factor]
    if stronger:
        key, gain = max(stronger, key=lambda item: item[1].low)
        branch = _branch(claim, case, table, name, bases[0], key, gain)
        if branch is not None:
            yield branch


def _comparable(case: Case, found: dict[str, Point], name: str, base: str, other: str) -> bool:
    """Whether a row is another system that solves the same problem on as many devices of one model."""
    own, comparator, row = found[name], found[base], found[other]
    if not _another_system(own, row) or _one_arm(row, own) or _one_arm(row, comparator):
        return False
    if row.devices != comparator.devices or _device(case, row) != _device(case, comparator):
        return False
    return _same_problem(row, comparator, PROBLEM)


def _another_system(own: Point, row: Point) -> bool:
    """Whether a row is said to be of others; where nothing is said, whether it is called otherwise."""
    if row.row is None or own.row is None or row.row.own is not None:
        return row.row is not None and own.row is not None and row.row.own is False
    return bool(_lead(row)) and _lead(row) != _lead(own)


def _same_problem(row: Point, comparator: Point, keys: tuple[str, ...]) -> bool:
    stated = [key for key in keys if key in row.options and key in comparator.options]
    return all(same_value(key, row.options[key], comparator.options[key]) is not Same.DIFFERENT for key in stated)


def _differences(
    claim: Claim, case: Case, table: Table, found: dict[str, Point], name: str, base: str, factor: float
) -> Iterator[Branch]:
    """Judge a gain in quality over one rival beside the others of the table that are no larger than the subject."""
    quality = [key for key, column in table.columns.items() if column.quantity == "accuracy"]
    columns = [key for key in quality if all(cell_span(table, (row, key)) is not None for row in (name, base))]
    own = [cell for key in columns if (cell := cell_span(table, (name, key))) is not None]
    if len(columns) != 1 or not own:
        yield Inapplicable("no single column of quality tells the rivals apart")
        return
    theirs = cell_span(table, (base, columns[0]))
    if theirs is None or theirs.meets(own[0]):
        return
    sign = 1 if own[0].low > theirs.high else -1
    most, words = Decimal(repr(float(factor))), " ".join([claim.statement, *(item.quote for item in claim.said)])
    stronger = []
    for key in sorted(found.keys() - {name, base}):
        cell = cell_span(table, (key, columns[0]))
        if cell is None or _one_arm(found[key], found[base]) or not _rival(found, name, base, key):
            continue
        left = max(sign * (own[0].high - cell.low), sign * (own[0].low - cell.high))
        least = min(sign * (own[0].high - theirs.low), sign * (own[0].low - theirs.high))
        label = (table.rows[key].label or key).partition("(")[0].strip()
        if left * most <= least and label not in words and (table.rows[key].values[columns[0]]) not in words:
            stronger.append((left, key, label))
    if stronger:
        _, key, label = min(stronger)
        others = (item for item in case.submission.claims.values() if item is not claim)
        where = "elsewhere" if any(_gain_over(item, table.rows[key], key) for item in others) else "nowhere"
        message = (
            f'"{label}" has {table.rows[key].values[columns[0]]} where "{table.rows[base].label or base}" has '
            f"{table.rows[base].values[columns[0]]}, and the gain over it stands {where}"
        )
        related = (Related(table.rows[base].at, "the headline's comparator"),)
        yield Violation("c", CAVEAT, C1, message, table.rows[key].at, claim.value, related=related)


def _gain_over(claim: Claim, row: Row, name: str) -> bool:
    """Whether a claim is relative to a row."""
    by_row = claim.row is not None and claim.row.base_row == name
    return by_row or (claim.base is not None and row.arm is not None and claim.base.arm == row.arm)


def _rival(found: dict[str, Point], name: str, base: str, other: str) -> bool:
    """Whether a row is another system for the same data, of no more parameters than the subject."""
    own, row = found[name], found[other]
    sizes = [point.row.parameters for point in (row, own) if point.row is not None and point.row.parameters]
    if not _another_system(own, row) or (len(sizes) == 2 and sizes[0] > LARGER * sizes[1]):
        return False
    return _same_problem(row, found[base], INPUT)


def _one_arm(row: Point, comparator: Point) -> bool:
    """Whether two rows are of one arm, at two loads or sizes: the comparator is no rival of its own."""
    return row.side is not None and comparator.side is not None and row.side.id == comparator.side.id


def _lead(point: Point) -> str:
    """Return the first word of what a row is called: variants of one system share it."""
    label = point.row.label if point.row is not None else None
    label = label or (point.side.arm.label if point.side is not None else None) or ""
    return next((token.low for token in read(label).tokens if token.kind == WORD), "")


def _device(case: Case, point: Point) -> str | None:
    device = device_of_point(point, case)
    return plain(device) if device is not None else None


def _gains(claim: Claim, table: Table, name: str, base: str) -> list[Span]:
    place = table.rows[base].place("values")
    gains = table_gains(table, name, (base,), frozenset({claim.quantity}))
    return [item.gain for item in gains if item.base.startswith(place)]


def _branch(claim: Claim, case: Case, table: Table, name: str, base: str, other: str, gain: Span) -> Branch | None:
    label = table.rows[other].label or other
    if table.rows[other].speedup is not None or _in_words(claim, case, table, name, other):
        return None
    if words_of(claim).has("user_default"):
        return Note(f'"{label}" is stronger; the headline\'s comparator is said to be what is in use')
    ratios = [item for item in case.submission.claims.values() if item is not claim and item.form == "ratio"]
    elsewhere = any(_gain_over(item, table.rows[other], other) for item in ratios)
    branch, effect = ("b", CAVEAT) if elsewhere else ("a", UNDERMINES)
    weaker = table.rows[base].label or base
    where = "elsewhere" if elsewhere else "nowhere"
    message = f'"{label}" is {gain} times as good as "{weaker}", and the ratio over it stands {where}'
    related = (Related(table.rows[base].at, "the headline's comparator"),)
    at = table.rows[other].at
    return Violation(branch, effect, C1, message, at, claim.value, str(gain), related)


def _in_words(claim: Claim, case: Case, table: Table, name: str, other: str) -> bool:
    """Whether the sentence, a quote beside it or the caption prints the ratio over the other system."""
    ratios = _gains(claim, table, name, other)
    found = [item for text in words_around(claim, case) for item in text.quantities() if item.dimension in PRINTED]
    numbers = [item.interval for item in found if item.interval is not None]
    shifted = [Span(1 + item.low / 100, 1 + item.high / 100) for item in numbers]
    return any(number.meets(ratio.widened(0.01)) for number in (*numbers, *shifted) for ratio in ratios)
