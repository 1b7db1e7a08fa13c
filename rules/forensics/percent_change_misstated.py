"""F06: a percentage of less time that is sold as a percentage of more speed, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.numbers import INFINITY, PERCENT, Span, span
from ..facts.quantities.stated_ratios import Statement, said_of_base, statements
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule

_FASTER = Pattern(r"\bfaster\b|\bquicker\b|\bspeed-?\s?ups?\b|\bsped up\b|\bspeeds? up\b", re.IGNORECASE)
_UP_BEFORE = Pattern(
    r"\b(?:rais\w*|increas\w*|grow(?:s|n|ing)?|grew|ris(?:e|es|en|ing)|rose|speed(?:s|ing)?\s+up|sped\s+up|accelerat\w*)\b"
    r"(?:\W+\S+){0,8}?\W+by\s*$|\bup\s+(?:by\s*)?$|\b(?:rises?|rose|grows?|grew)\s*$",
    re.IGNORECASE,
)
_BETTER_BEFORE = Pattern(r"\b(?:improv|boost|lift)\w*\b(?:\W+\S+){0,8}?\W+by\s*$", re.IGNORECASE)
"""A number of which less is better is improved by making it less."""
_DOWN_BEFORE = Pattern(
    r"\b(?:shorten|reduc|decreas|cut|lower|drop|fall|shrink|sav)\w*\b(?:\W+\S+){0,8}?\W+by\s*$|\bdown\s+(?:by\s*)?$"
    r"|\b(?:falls?|fell|drops?|dropped|shrinks?|shrank)\s*$",
    re.IGNORECASE,
)
_UP_AFTER = Pattern(
    r"\s*(?:%|per ?cent)\s+(?:more|higher|faster|quicker|speed-?\s?up|dearer|costlier|pricier|longer|larger|bigger"
    r"|greater)\b(?! than needed)",
    re.IGNORECASE,
)
_OTHER_AFTER = Pattern(
    r"\s*(?:%|per ?cent)\s+(?!after\b)(?:\w+\s+)?(?:slower|worse|better|improvement|gain|behind|ahead|above|below|over"
    r"|under|of|\w{3,}er)\b",
    re.IGNORECASE,
)
_CUT_BEFORE = Pattern(
    r"\b(?:(?:shorten(?:s|ed|ing)?|reduc(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|cuts?|cutting|lowers|lowered|lowering)\b"
    r"(?:\s+[^\s,;:.]+){0,4}?\s+(?:times?|latency|duration|runtime|training)\b|\bshorten(?:s|ed|ing)?\b"
    r"|(?:times?|latency|duration|runtime)\b(?:\s+[^\s,;:.]+){0,6}?\s+(?:reduced|decreased|cut|lowered|shrinks|shrank"
    r"|falls|fell|drops|dropped|decreases)\b)(?:\s+[^\s,;:.]+){0,4}?\s+by\s*$",
    re.IGNORECASE,
)
_SHORTER_AFTER = Pattern(r"\s*(?:%|per ?cent)\s+(?:shorter|less (?:\w+ )?time)\b", re.IGNORECASE)
_DOWN_AFTER = Pattern(
    r"\s*(?:%|per ?cent)\s+(?:less|shorter|lower|fewer|cheaper|smaller|reduction|decrease|saving)\b", re.IGNORECASE
)
_SPEED = frozenset({"rate", "time", "latency", "flops", "mfu"})
"""Quantities of which "faster" may speak; beside a cost or an energy the word is about another number."""
_LESS = Pattern(
    r"\bless\b|\bfewer\b|\blower|\breduc|\bdecreas|\bshorter\b|\bshorten|\bdrop|\bcuts?\b|\bcutting\b|\bsav(?:e|es|ed|ing)",
    re.IGNORECASE,
)


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
    Reads whether the sentence says "faster" (old time / new time - 1) or "less time" (1 - new / old), computes both
    from the two numbers, and compares them with the printed percentage. A word that stands with the percentage itself
    ("13 % more", "shortened by 36 %") is taken at its word, for rates as for times; one elsewhere in the sentence only
    tells between the readings of less time, and "faster" only where the percentage is one of speed. "Improves the
    latency by 22 %" and "22 % better" say no direction of the number itself. Old time / new time - 1 beside a word for
    less is a loose way to speak of a gain that is there, and is excused unless the words say by how much the time
    itself was cut.

    ## Why it misleads
    30 % less time is 43 % faster, and 50 % less time is 100 % faster. The words decide how large a gain looks, and
    whether two publications can be compared.

    ## Branches
    - (a) undermines, C3: the percentage is not what the word beside it means; or it is neither what a word elsewhere
      means nor old / new - 1. A caveat where it is off by at most 1 %.
    - (b) caveat, C3: the percentage is old time / new time - 1, and the words beside it say that a time was cut by it:
      the gain is there, but counted from the new time.
    - not applicable: no percentage, or one of the other side ("faster than ours"); no word for more or less stands
      with it, and another comparative does, or the sentence says neither or both, or more is better in the two numbers,
      or they show a loss; one of them is missing; or the percentage fits no reading at all (F04).

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
    beside = _beside(claim, all(item.more_is_better for item in own))
    if beside is not None and own:
        yield from _strictly(claim, own, beside)
        return
    faster = _word(claim)
    if faster is None or beside is not None or any(_OTHER_AFTER.match(after) for _, after in _around(claim)):
        yield Inapplicable("no percentage with one word for its direction")
        return
    own = [item for item in own if not item.more_is_better and item.gain.high > 1]  # a word elsewhere is of a gain
    fitting = [item for item in own if any(reading.meets(item.gain) for reading in item.readings)]
    if not fitting:
        yield Inapplicable("both numbers are not given, more is better in them, or the ratio fits no reading at all")
        return
    printed = span(claim.value, claim.qualifier, claim.digits)
    found = [(item, *_changes(item.gain)) for item in fitting]
    if not any(printed.meets(change) for _, more, less in found for change in ((more,) if faster else (less, more))):
        item, more, less = found[0]
        yield _violation(claim, item, printed, (more, less), faster)


def _strictly(claim: Claim, own: list[Statement], faster: bool) -> Iterator[Branch]:
    """Yield a violation where a percentage is not what the word beside it means, whichever base is taken."""
    printed = span(claim.value or "0", claim.qualifier, claim.digits)
    found = [(item, *_changes(item.gain)) for item in own]
    if any(printed.meets(change) for item, more, less in found for change in _meant(item, more, less, faster)):
        if not faster and _of_time(claim) and not any(printed.meets(less) for _, _, less in found):
            yield from _from_the_new(claim, printed, found)
        return
    item, more, less = min(found, key=lambda one: gap(printed, one[1] if faster else one[2]))
    yield _violation(claim, item, printed, (more, less), faster)


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


def _of_time(claim: Claim) -> bool:
    """Whether the words beside the percentage say by how much a time was cut: "shortens training by 36 %"."""
    return any(_SHORTER_AFTER.match(after) or _CUT_BEFORE.search(before) for before, after in _around(claim))


def _around(claim: Claim) -> Iterator[tuple[str, str]]:
    """Yield what stands before and after the printed percentage, each time that the sentence prints it."""
    text = claim.statement
    for match in re.finditer(rf"(?<![\d.,]){re.escape(claim.value or '')}(?=\s*(?:%|per ?cent))", text):
        yield text[: match.start()], text[match.end() :]


def _meant(item: Statement, more: Span, less: Span, faster: bool) -> tuple[Span, ...]:
    """Return the changes that a word beside a percentage may mean; "30 % more time" and "30 % less of a rate" too."""
    if faster:
        return (more,) if item.more_is_better else (more, Span(-less.high, -less.low))
    return (less, more, Span(-more.high, -more.low))


def _beside(claim: Claim, more_is_better: bool) -> bool | None:
    """Return whether the word beside the printed percentage speaks of more, or of less; None where none stands there.

    "13 % more images/s", "raises the rate by 13 %", "shortened by 36 %", "36 % less time".
    """
    found = set()
    for before, after in _around(claim):
        found |= {True} if _UP_AFTER.match(after) or _UP_BEFORE.search(before) else set()
        found |= {True} if more_is_better and _BETTER_BEFORE.search(before) else set()
        found |= {False} if _DOWN_AFTER.match(after) or _DOWN_BEFORE.search(before) else set()
    return found.pop() if len(found) == 1 else None


def _word(claim: Claim) -> bool | None:
    """Return whether the sentence says "faster", or "less"; None where it says neither or both."""
    faster = claim.quantity in _SPEED and _FASTER.search(claim.statement) is not None
    words = faster, _LESS.search(claim.statement) is not None
    return words[0] if words[0] != words[1] else None


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
