"""W0805: a number that is put together from different option sets."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import compare, differences
from ..facts.comparison.pairing import headline, other_model
from ..facts.document.told import said
from ..facts.document.words import words_around, words_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ._composite import Parts, parts_of, settings_apart

PROVIDE = """\
tables:
  results:
    rows:
      a: {options: {precision: {compute: bf16}, attention: exact}}
      b: {options: {precision: {compute: bf16}, attention: exact}}
"""


@rule(
    "W0805",
    "composite-of-option-sets",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(series) or has(table) or has(group)",
    origin="S1.8, MEAS",
)
def composite_of_option_sets(claim: Claim, case: Case) -> Iterator[Branch]:
    """A total, a mean or a curve whose parts ran under different option sets.

    ## What it does
    Looks at claims about a whole table: an aggregate over its rows, or a curve along devices, batch or length. Compares
    the options that decide what is computed, row by row. What tells the parts apart (model, data, input size, place on
    the axis; between models the optimizer and what else belongs to their recipe) may differ, and so may batch and
    layout. Where the rows of one option set hold every part, that set was measured whole. What a comparison names as
    its treatment, or whose two formats its sentence prints, tells its two sides apart, and no parts.

    ## Why it misleads
    Whoever may choose the best configuration for every part describes a system that does not exist: none of the
    configurations reaches the sum.

    ## Branches
    - not applicable: the claim is about single rows, or about nothing that is put together.
    - (a) undermines, C3: two parts differ in such an option, and no single option set was measured on all parts.
    - (b) caveat, C3: one sentence prints two numbers of one headline that come from different option sets, or from
      different device counts, and does not tell them apart; or a speed-up's sentence prints the quality of an arm of
      another option set, where the arm that was timed has none.
    - (b) caveat, C3: the table says that each row holds its best setting, and the settings that the rows state differ.
    - (b, instead of a) caveat, C3: the same, and the document calls it a bound, an oracle or a best-of.
    - not shown: the options of the parts are not stated, or of some parts only.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"row": {"row": null, "base_row": null}}},
     "arms": {"n8": {"options": {"precision": {"compute": "e4m3"}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"row": {"row": null, "base_row": null}}}}
    ```

    ## How to fix
    Give the best single option set beside it.

    ## References
    Hoefler, Twelve ways to fool the masses, way 8.
    """
    parts = parts_of(claim, case)
    joined = _headline(claim, case)
    if joined is not None:
        yield joined
    elif parts is None:
        yield Inapplicable("the claim is not about a total, a mean or a curve of a table, nor part of such a headline")
    elif parts.different and not parts.whole:
        yield _violation(claim, case, parts)
    elif (picked := _picked(claim, case, parts)) is not None:
        yield picked
    elif parts.whole and not parts.unknown and any(point.options for point in parts.points):
        return
    else:
        keys = ", ".join(parts.unknown) or "options"
        message = f"whether all rows of this {parts.kind} ran with the same {keys} is not stated"
        yield NotShown(message, parts.at, provide=PROVIDE)


def _picked(claim: Claim, case: Case, parts: Parts) -> Violation | None:
    """Judge a whole whose parts were each run in the setting that suited them, as its table or sentence says."""
    if not words_around(claim, case).has("whichever_best"):
        return None
    apart = settings_apart(parts)
    if not apart:
        return None
    message = f"this {parts.kind} joins the best setting of each row: {differences(apart)}"
    related = tuple(Related(point.at, f"row {point.id}") for point in parts.points[:5])
    return Violation("b", CAVEAT, C3, message, parts.at, related=related)


def _headline(claim: Claim, case: Case) -> Violation | None:
    """Judge a sentence that prints numbers of one model from arms of different option sets as one thing.

    The other number must stand in this claim's own sentence, or in one that it runs on into, and both must be absolute:
    a comparison names two sides.
    Of a comparison the other number is a quality, and the arm that was timed has none of its own.
    """
    side = case.subject(claim)
    if claim.group is None or side is None:
        return None
    alone = claim.form == "absolute" and claim.compares == "none"
    for name, other in headline(case, claim.group):
        if other is claim or other.form != "absolute" or other.compares != "none":
            continue
        theirs = case.subject(other) if other.quantity != "accuracy" else case.side(other.quality)
        if theirs is None or theirs.id == side.id or other.value is None or other_model(side, theirs):
            continue
        if not alone and not _lent(claim, case, side, other):
            continue
        one = _prints(claim, other)
        if not one and not _runs_on(claim.statement, other.statement):
            continue
        apart = compare(side.arm.options, theirs.arm.options).differing("HARD", "STAT")
        words = differences(apart)
        counts = {side.devices, theirs.devices} - {None}
        if not apart and other.quantity == claim.quantity and len(counts) > 1:
            words = f"{side.devices} against {theirs.devices} devices"
        if words and not _named(claim, side, theirs, "" if one else other.statement):
            message = (
                f"one sentence joins this number with {other.value} (`{name}`), which was measured with another option "
                f"set: {words}"
            )
            related = (Related(theirs.arm.at, "the other option set"),)
            return Violation("b", CAVEAT, C3, message, claim.place("statement"), claim.value, other.value, related)
    return None


def _prints(claim: Claim, other: Claim) -> bool:
    """Whether a sentence prints the number of another claim, and not only its own of equal digits."""
    text, value = read(claim.statement), Decimal(other.value or 0)
    units = {found.number.first: found for found in text.quantities() if found.number is not None}
    wanted = next(iter(read(f"{other.value} {other.unit or ''}").quantities()), None)
    found = 0
    for number in text.numbers():
        unit = units.get(number.first)
        alike = unit is None or wanted is None or unit.unit == wanted.unit or unit.dimension == wanted.dimension
        found += alike and value in {number.low, number.high, text.tokens[number.first].value}
    return found > (claim.value is not None and Decimal(claim.value) == value)


def _runs_on(one: str, other: str) -> bool:
    """Whether two statements are parts of one sentence: the first has not ended where the second goes on."""
    pair = ((one, other), (other, one))
    return any(first.rstrip()[-1:] in {",", ";", ":"} and _goes_on(second) for first, second in pair)


def _goes_on(statement: str) -> bool:
    begin = len(statement) - len(statement.lstrip(" ,;"))
    return any(mention.start == begin for mention in read(statement).mentions("sentence_goes_on"))


def _lent(claim: Claim, case: Case, side: Side, other: Claim) -> bool:
    """Whether a comparison's sentence takes its quality from another arm than its speed, which itself shows none."""
    quality = case.quality(other.quality)
    if quality is None or claim.quantity == "accuracy":
        return False
    own = {item.metric for item in side.arm.quality.values()}
    logged = {name for trial in side.arm.trials.values() for item in trial.evaluations for name in item.metrics}
    return quality.metric not in own | logged and not any(trial.final for trial in side.arm.trials.values())


def _named(claim: Claim, side: Side, theirs: Side, more: str = "") -> bool:
    """Whether the sentence tells both arms apart, by what they are called or by their device counts."""
    words = words_of(claim).and_(("", more))
    told = " ".join(text.source for text in words).casefold()
    labels = [arm.arm.label for arm in (side, theirs)]
    if all(label is not None and label.casefold() in told for label in labels):
        return True
    printed = {count.value for text in words for count in text.counts("devices")}
    return side.devices != theirs.devices and {side.devices, theirs.devices} <= printed


def _violation(claim: Claim, case: Case, parts: Parts) -> Violation:
    called = claim.statistic == "best_of" or said(claim, "composite")
    branch, effect = ("b", CAVEAT) if called or words_around(claim, case).has("oracle") else ("a", UNDERMINES)
    message = f"this {parts.kind} joins rows of different option sets: {differences(parts.different)}"
    related = tuple(Related(point.at, f"row {point.id}") for point in parts.points[:5])
    return Violation(branch, effect, C3, message, parts.at, related=related)
