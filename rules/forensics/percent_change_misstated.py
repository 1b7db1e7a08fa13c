"""F06: a percentage of less time that is sold as a percentage of more speed, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.stated_ratios import Statement, said_of_base, statements
from ..language.printed import INFINITY, Span, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule


class Said(Struct, frozen=True):
    """What a word says of the number that it changes.

    Attributes:
        more: whether the number may grow by so much.
        less: whether it may fall; both of "improves by 22 %".
        of_time: whether a time is surely cut by so much: "shortens training by 36 %".
    """

    more: bool
    less: bool
    of_time: bool


@rule(
    "F06",
    "percent-change-misstated",
    effect=UNDERMINES,
    confidence=C3,
    applies="ratio and has(base)",
    origin="J",
    also=("F04",),
)
def percent_change_misstated(claim: Claim, case: Case) -> Iterator[Branch]:
    """A percentage whose word says another change than its two numbers show.

    ## What it does
    Reads whether the word that governs the percentage says more ("faster", "raised by": old time / new time - 1) or
    less ("less time", "shortened by": 1 - new / old), computes both from the two numbers, and compares them with the
    printed percentage, for rates as for times. "Improves the latency by 22 %" may be either, and "22 % better" or
    "slower" say no direction of the number itself. Old time / new time - 1 beside a word for less is a loose way to
    speak of a gain that is there, and is excused unless the words say by how much the time itself was cut.

    ## Why it misleads
    30 % less time is 43 % faster, and 50 % less time is 100 % faster. The words decide how large a gain looks, and
    whether two publications can be compared.

    ## Branches
    - (a) undermines, C3: the percentage is not what its word means. A caveat where it is off by at most 1 %.
    - (b) caveat, C3: the percentage is old time / new time - 1, and the words beside it say that a time was cut by it:
      the gain is there, but counted from the new time.
    - not applicable: no percentage, or one of the other side ("faster than ours"); no word for more or less governs it;
      one of the two numbers is missing; or it is one of an improvement and fits no reading at all (F04).

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"statement": "Training steps are 30 % faster with fused attention.", "value": "30",
       "unit": "%", "quantity": "time"}},
     "arms": {"fused": {"performance": {"rate": {"quantity": "time", "unit": "s", "value": "0.793", "digits": null}}},
              "plain": {"performance": {"rate": {"quantity": "time", "unit": "s", "value": "1.133", "digits": null}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"statement": "Training steps take 30 % less time with fused attention.", "value": "30",
       "unit": "%", "quantity": "time"}},
     "arms": {"fused": {"performance": {"rate": {"quantity": "time", "unit": "s", "value": "0.793", "digits": null}}},
              "plain": {"performance": {"rate": {"quantity": "time", "unit": "s", "value": "1.133", "digits": null}}}}}
    ```

    ## How to fix
    State a ratio of the two values: 1.43x.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rules 1 and 3.
    """
    if claim.unit not in PERCENT or claim.value is None:
        yield Inapplicable("no percentage")
        return
    own = [item for item in statements(claim, case) if item.at == claim.place("value")]
    if said_of_base(claim, case):
        yield Inapplicable("the percentage is the other side's")
        return
    said = _said(claim, all(item.more_is_better for item in own))
    if said is None or not own:
        yield Inapplicable("no percentage with one word for its direction, or both numbers are not given")
        return
    yield from _judged(claim, own, said)


def _said(claim: Claim, more_is_better: bool) -> Said | None:
    """Return what the word that governs the printed percentage says of the number; None where none does, or several.

    "13 % more images/s", "raises the rate by 13 %", "shortened by 36 %". "Faster by a third (30 %)" does not.
    """
    found = set()
    reading = read(claim.statement)
    for frame in reading.comparisons():
        words = claim.statement[frame.start : frame.end]
        if frame.form not in {"percent_more", "percent_less"} or frame.degree != abs(Decimal(claim.value or "0")):
            continue
        up, down, cut, shorter, better = (
            any(frame.start <= item.start and item.end <= frame.end for item in reading.mentions(f"change.{kind}"))
            for kind in ("up", "down", "cut", "shorter", "better")
        )
        less = down or cut or shorter
        of_time = "," not in words and (shorter or (cut and frame.dimension == "time"))
        if "(" not in words and (up or less or better):
            found.add(Said(up or better, less or (better and not more_is_better), of_time))
    return found.pop() if len(found) == 1 else None


def _judged(claim: Claim, own: list[Statement], said: Said) -> Iterator[Branch]:
    """Yield a violation where a percentage is not what the word beside it means, whichever base is taken."""
    printed = span(claim.value or "0", claim.qualifier, claim.digits)
    found = [(item, *_changes(item.gain)) for item in own]
    if any(printed.meets(change) for item, more, less in found for change in _meant(item, more, less, said)):
        if said.of_time and not any(printed.meets(less) for _, _, less in found):
            yield from _from_the_new(claim, printed, found)
    elif said.more and said.less:
        yield Inapplicable("the percentage fits no reading of an improvement")
    else:
        item, more, less = min(found, key=lambda one: gap(printed, one[1] if said.more else one[2]))
        yield _violation(claim, item, printed, (more, less), said.more)


def _from_the_new(claim: Claim, printed: Span, found: list[tuple[Statement, Span, Span]]) -> Iterator[Branch]:
    """Yield a caveat where a time is cut by a percentage that counts from the new time."""
    fitting = [(item, more, less) for item, more, less in found if printed.meets(more)]
    if fitting:
        item, more, less = fitting[0]
        message = (
            f"a time is said to be cut by {claim.value} %; the two numbers are {less} % less time ({more} % faster)"
        )
        related = (Related(item.new, "new"), Related(item.base, "base"))
        yield Violation("b", CAVEAT, C3, message, item.at, f"{claim.value} %", f"{less} %", related)


def _meant(item: Statement, more: Span, less: Span, said: Said) -> Iterator[Span]:
    """Yield the changes that a word beside a percentage may mean; "30 % more time" and "30 % less of a rate" too."""
    if said.more:
        yield more
        yield from () if item.more_is_better else (Span(-less.high, -less.low),)
    if said.less:
        yield from (less, more, Span(-more.high, -more.low))


def _changes(gain: Span) -> tuple[Span, Span]:
    """Return "so many percent faster" and "so many percent less" of a gain old / new."""
    more = Span((gain.low - 1) * 100, (gain.high - 1) * 100)
    high = Decimal(100) if gain.high == INFINITY else (1 - 1 / gain.high) * 100
    return more, Span((1 - 1 / gain.low) * 100, high)


def _violation(claim: Claim, item: Statement, printed: Span, changes: tuple[Span, Span], faster: bool) -> Violation:
    more, less = changes
    meant, other = ("faster", f"{less} % less") if faster else ("less", f"{more} % faster")
    right = more if faster else less
    message = f"{claim.value} % {meant} is stated; the two numbers are {right} % {meant} ({other})"
    related = (Related(item.new, "new"), Related(item.base, "base"))
    effect = weighed(UNDERMINES, gap(printed, right))
    return Violation("a", effect, C3, message, item.at, f"{claim.value} %", f"{right} %", related)
