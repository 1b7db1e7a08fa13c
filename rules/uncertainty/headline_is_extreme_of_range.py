"""S15: the best of several results as the result."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.performance import HIGHER
from ..facts.quantities.qualifiers import qualifier_words
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ._spread import Spread, best_in_words, is_capacity, spread, typical_in_words

LARGEST = frozenset({"max", "best_of"})
OPEN = frozenset({"up_to", "over", "at_least", "less_than"})
"""Qualifiers that leave a side of a number open."""
ITEM = "range behind a qualifier"
PROVIDE = """\
claims:
  speedup:
    range: {low: "1.1", high: "2.9", where: same_place}    # over all results, beside the number
"""


@rule(
    "S15",
    "headline-is-extreme-of-range",
    effect=UNDERMINES,
    confidence=C3,
    applies="form in {ratio, absolute} and quantity in {rate, time, latency, energy, cost, flops}",
    origin="S1.3, S1.12, HB15, MEAS",
)
def headline_is_extreme_of_range(claim: Claim, case: Case) -> Iterator[Branch]:
    """The best of several results stands as the headline.

    ## What it does
    Looks for the range that a number comes from: one that is stated, or at least three results of the same two systems
    on several workloads in the claim's table. It asks whether the number is the favourable end, and whether the
    sentence says so ("up to"), as its field or in its words ("gains most", "the largest speed-up").

    ## Why it misleads
    "Up to 2.9x" is true of the one case in eleven where it is 2.9x. A reader expects the usual gain.

    ## Branches
    - (a) undermines, C3: the number is the favourable end of the range, without a qualifier.
    - (b) caveat, C3: a qualifier, or words that call it the best one, and the range is given elsewhere in the document.
    - (c) undermines, C3: a rate is called sustained, and its statistic is the maximum or the best of several.
    - (d, instead of c) caveat, C3: the same with a qualifier, or words that call it the best one.
    - pass with note: the range or the usual value stands in the same sentence or table, the row is named in the
      sentence, or, without a qualifier, the other end of the range is claimed as well.
    - not shown: a qualifier, and no range or results anywhere. Required (range behind a qualifier) of ratios from the
      reviewer profile on. "Over 3x" is only a rounded number where the two numbers behind it are given.
    - not applicable: fewer than three results, no range and no qualifier; a capacity, or the peak of a sweep over load.
      Repeats of one setting are W0302's.

    ## Flagged
    On `training-pair` for claim `speedup`, which is the best of a range that the sentence leaves out:
    ```json
    {"claims": {"speedup": {"range": {"low": "1.02", "high": "1.43", "where": "elsewhere"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, with its range in the sentence:
    ```json
    {"claims": {"speedup": {"statement": "Training is up to 1.43x faster with fused attention (1.02x to 1.43x).",
                            "qualifier": "up_to", "range": {"low": "1.02", "high": "1.43", "where": "same_place"}}}}
    ```

    ## How to fix
    Lead with the median, and give the range beside it.

    ## References
    Hoefler, Twelve ways to fool the masses, ways 3 and 12; Hoefler and Belli (2015), rule 1.
    """
    if is_capacity(claim):
        yield Inapplicable("a capacity or the peak of a sweep")
        return
    yield from _sustained(claim, case)
    word, found = claim.qualifier if claim.qualifier in OPEN else None, spread(claim, case)
    if word is not None and typical_in_words(claim):
        yield Note("the typical value or the range is in the sentence")
    elif found is not None:
        yield from _of_range(claim, case, word, found)
    elif word is None:
        yield Inapplicable("fewer than three results, no range and no qualifier")
    elif word != "up_to" and _both_given(claim, case):
        yield Note("the number is one rounded result: the two numbers behind it are given")
    else:
        yield NotShown(
            f'"{qualifier_words(claim)}" is printed, and no range or results behind it', claim.at, ITEM, PROVIDE
        )


def _sustained(claim: Claim, case: Case) -> Iterator[Violation]:
    """Yield a rate that is called sustained and is the largest of several."""
    metric = case.metric(claim.measured)
    given = next(((item, item.statistic) for item in (claim, metric) if item is not None and item.statistic), None)
    if given is None or given[1] not in LARGEST or claim.form != "absolute" or claim.quantity not in HIGHER:
        return
    if read(claim.statement).has("sustained_rate"):
        open_end = claim.qualifier in OPEN or best_in_words(claim)
        branch, effect = ("d", CAVEAT) if open_end else ("c", UNDERMINES)
        message = "the number is called sustained, but it is the largest of several"
        yield Violation(branch, effect, C3, message, given[0].place("statistic"), "sustained", given[1])


def _end(interval: Span) -> str:
    """Return an end of a range as it is printed: 0.97, and not 0.965 to 0.975."""
    return short((interval.low + interval.high) / 2)


def _of_range(claim: Claim, case: Case, word: str | None, found: Spread) -> Iterator[Branch]:
    interval = f"{_end(found.low)} to {_end(found.high)}"
    if found.same_place or _row_named(claim, case):
        yield Note(f"the range {interval} is given beside the number")
        return
    if found.low.meets(found.high):
        yield Note("all results are the same to their digits")
        return
    related = (Related(found.at, "the range"),)
    if word is not None:
        message = f'the number is given with "{word.replace("_", " ")}"; its range, {interval}, is given elsewhere'
        yield Violation("b", CAVEAT, C3, message, claim.place("value"), claim.value, interval, related)
    elif _other_end_claimed(claim, case, found):
        yield Note(f"the other end of the range {interval} is claimed as well")
    elif _number(claim).meets(found.best) and best_in_words(claim):
        message = f"{claim.value} is the best result, as the sentence says; the range, {interval}, is given elsewhere"
        yield Violation("b", CAVEAT, C3, message, claim.place("value"), claim.value, interval, related)
    elif _number(claim).meets(found.best):
        of = f" of {found.results} results" if found.results is not None else ""
        message = f"{claim.value} is the favourable end{of} of {interval}, and the sentence does not say so"
        yield Violation("a", UNDERMINES, C3, message, claim.place("value"), claim.value, interval, related)


def _number(claim: Claim) -> Span:
    return span(claim.value or "0", None, claim.digits)


def _row_named(claim: Claim, case: Case) -> bool:
    """Whether the sentence names the row of the table that it is about, so that it claims nothing for the others.

    All words of its label do, in any order. What a label begins with does, too, where no other begins so: "ViT-B/16" of
    "ViT-B/16, 224 px".
    """
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None or row.label is None:
        return False
    heads = [_head(other.label) for other in table.rows.values() if other.label is not None]
    names = [row.label] + ([_head(row.label)] if heads.count(_head(row.label)) == 1 else [])
    sentence, label = read(claim.statement), read(row.label)
    if any(len(name) > 1 and sentence.says(name) for name in names):
        return True
    return len(label.tokens) > 1 and {item.low for item in label.tokens} <= {item.low for item in sentence.tokens}


def _other_end_claimed(claim: Claim, case: Case, found: Spread) -> bool:
    """Whether the unfavourable end of the range is a claim of its own, with the same words around it as any other."""
    worst = found.low if found.best is found.high else found.high
    others = (item for item in case.submission.claims.values() if item is not claim and item.value is not None)
    kind = (claim.form, claim.quantity, claim.unit)
    return any((item.form, item.quantity, item.unit) == kind and _number(item).meets(worst) for item in others)


def _head(label: str) -> str:
    """Return a label up to its first comma, bracket or colon."""
    end = next((at for at, sign in enumerate(label) if sign in ",([:;"), len(label))
    return label[:end].strip()


def _both_given(claim: Claim, case: Case) -> bool:
    """Whether the number behind a claim is there: the arm's own, and that of the base for a ratio."""
    metric, base = case.metric(claim.measured), case.metric(claim.base)
    own = metric is not None and (metric.value is not None or metric.column is not None)
    if claim.form != "ratio":
        return own
    stated = claim.base is not None and claim.base.value is not None
    return own and (stated or (base is not None and (base.value is not None or base.column is not None)))
