"""W0305: our flags against their defaults."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.behind import behind
from ..facts.comparison.options import flat
from ..facts.comparison.parties import Party, others, performance, subject
from ..facts.comparison.tuning import budget, is_treatment, nothing_to_tune, search_of, tuned
from ..facts.document.told import said
from ..facts.quantities.performance import more_is_better
from ..language.printed import Span, short, span
from ..outcome import C1, CAVEAT, UNDERMINES, Branch, Effect, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

QUOTED = frozenset({"published", "audited"})
SAID = ("tuning_effort", "option_sets_differ")
OTHER_UNIT = Decimal(10)
PROVIDE = """\
arms:
  theirs:
    options: {compile: true, precision: {compute: bf16}}
    search: {tuned_options: [compile], defaults_stated: false}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    own_value_gap: float = Threshold(0.1, "share of the measured value", "judgement")


@rule(
    "W0305",
    "options-tuned-in-one-arm",
    effect=UNDERMINES,
    confidence=C1,
    applies="comparison",
    origin="S1.3, S1.12, MEAS",
    thresholds=Thresholds,
)
def options_tuned_in_one_arm(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The claim's system runs with chosen options, the system that it beats runs as it came out of the box.

    ## What it does
    Reads which performance options each side set or searched, and whether the other side is said to run at its
    defaults. Where the document quotes the other system's own published value for the same device, precision and
    workload, it compares that with the value measured here.

    Two variants of one's own are held to the same, where both state their search: what was tuned for one of them alone
    is credited to the method.

    ## Why it misleads
    Defaults are made to work everywhere, not to win. A system that its makers run at twice the measured rate was not
    run the way they would.

    ## Branches
    - (a) undermines, C1: the claim's side has a performance option that was set, or a search, while the other is
      stated to run at defaults; or the other's own published value beats the measured one by more than 10 %.
    - (b, instead of a) caveat, C1: the same, and said beside the number.
    - not applicable: that the claim's side was tuned is not stated; the tuned option is the difference under study;
      only budgets of a search tell the two apart, and both are known (W0303); the other side is said to have nothing to
      tune; or the claim's side is the slower one by its own numbers.
    - not shown: the options of one side, or the tuning of the other one, are not stated; or the published and the
      measured value differ by a factor that only another unit explains.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"search": {"tuned_options": ["compile", "bucketing"]}},
              "theirs": {"search": {"defaults_stated": true}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"search": {"tuned_options": ["compile"]}},
              "theirs": {"search": {"tuned_options": ["compile"]}}}}
    ```

    ## How to fix
    Equal effort for both, or every system at its defaults as well.

    ## References
    Hoefler, Twelve ways to fool the masses, ways 3 and 12.
    """
    this, found = subject(claim, case), others(claim, case)
    if claim.compares != "other_system":
        yield from _own_variants(claim, case, this, found)
        return
    for other in found:
        yield from _tuning(claim, case, this, other)
        yield from _own_value(claim, case, other, thresholds.own_value_gap)
    unknown = [party for party in (this, *found) if not _options_known(party)]
    if not found or unknown:
        at = unknown[0].at if unknown else claim.at
        yield NotShown("the options of one side of the comparison are not stated", at, "", PROVIDE)


def _own_variants(claim: Claim, case: Case, this: Party, found: tuple[Party, ...]) -> Iterator[Branch]:
    """Judge two variants of one's own: only where both search blocks tell, for nobody asks defaults of a variant."""
    searched = search_of(this.side)
    other = next((item for item in found if search_of(item.side) is not None), None)
    their = search_of(other.side) if other is not None else None
    if other is None or searched is None or not tuned(searched) or their is None or their.defaults_stated is not True:
        yield Inapplicable("that one variant was tuned and the other left at its defaults is not stated")
        return
    yield from (item for item in _tuning(claim, case, this, other) if not isinstance(item, NotShown))


def _grade(claim: Claim) -> tuple[str, Effect]:
    """Return branch and effect: weaker where the claim itself tells of its tuning."""
    return ("b", CAVEAT) if said(claim, *SAID) else ("a", UNDERMINES)


def _tuning(claim: Claim, case: Case, this: Party, other: Party) -> Iterator[Branch]:
    own, their = search_of(this.side), search_of(other.side)
    if is_treatment(own, claim):
        yield Inapplicable("the tuned option is the difference under study")
    elif own is None or not tuned(own):
        yield Inapplicable("that the claim's side was tuned is not stated")
    elif nothing_to_tune(their):
        yield Inapplicable("the other side is said to have nothing to tune")
    elif behind(claim, case, this, other):
        yield Inapplicable("the claim's side is the one that loses")
    elif not own.tuned_options and budget(their):
        yield Inapplicable("both tuning budgets are known: see W0303")
    elif their is not None and their.defaults_stated is True and not tuned(their):
        what = ", ".join(own.tuned_options) or "a search over its options"
        message = f"the claim's side was tuned ({what}), the other is stated to run at its defaults"
        related = (Related(their.place("defaults_stated"), "the other side runs at defaults"),)
        yield Violation(*_grade(claim), C1, message, own.at, related=related)
    elif not tuned(their):
        message = "the claim's side was tuned; whether the other was, or runs at its defaults, is not stated"
        yield NotShown(message, other.at, "", PROVIDE)


def _own_value(claim: Claim, case: Case, other: Party, gap: float) -> Iterator[Branch]:
    comparator = claim.comparator
    measured = performance(other, claim, case)
    if comparator is None or comparator.own_value is None or comparator.source in QUOTED or measured is None:
        return
    higher = more_is_better(claim.quantity, measured[1])
    own, here = span(comparator.own_value), span(measured[0])
    better = _better_by(own, here, higher) if higher is not None else None
    if better is None or better <= 1 + Decimal(str(gap)):
        return
    if better > OTHER_UNIT:
        message = f"the other's own value {comparator.own_value} and the measured {measured[0]} cannot share a unit"
        yield NotShown(message, comparator.place("own_value"), "", PROVIDE)
        return
    message = (
        f"the other system publishes {comparator.own_value} for itself; measured here it gets {measured[0]}, "
        f"worse by a factor {short(better)} at least"
    )
    yield Violation(*_grade(claim), C1, message, comparator.place("own_value"), measured[0], comparator.own_value)


def _better_by(own: Span, here: Span, higher: bool) -> Decimal | None:
    """Return by which factor one value is better than another at least, by their printed digits."""
    if min(own.low, here.low) <= 0:
        return None
    return own.low / here.high if higher else here.low / own.high


def _options_known(party: Party) -> bool:
    search = search_of(party.side)
    stated = party.side is not None and bool(flat(party.side.arm.options))
    in_row = party.row is not None and bool(flat(party.row.options))
    configured = party.comparator is not None and party.comparator.configuration is not None
    return stated or in_row or configured or (search is not None and search.defaults_stated is not None)
