"""Runs rules over a case: decides applicability, orders the branches, isolates crashes, folds findings of one flaw."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter_ns

from msgspec.structs import replace

from ..schemas.submission import Claim
from .case import Case
from .completion.complete import as_worded, completed, taken_otherwise
from .completion.grounds import grounded, quoting
from .completion.reads import Read
from .outcome import Branch, Inapplicable, Note, NotShown, Outcome, Result, Tier, Violation
from .predicate import answers
from .registry import Listed, Rule

OPEN = "what the document leaves open"
SEVERITY = (Outcome.NOT_APPLICABLE, Outcome.PASS, Outcome.ERROR, Outcome.NOT_SHOWN, Outcome.VIOLATION)


def judge(case: Case, book: Iterable[Listed], claims: Iterable[str] | None = None) -> tuple[Result, ...]:
    """Run every rule on every claim, and document rules once.

    Args:
        case: what the rules read.
        book: the rules; of an entry the rule is imported where it applies.
        claims: ids of the claims to judge; all where None.

    Returns:
        one result per rule and claim (claim None for document rules), in the order of the document, then of the book.
    """
    case = completed(case)
    wanted = case.submission.claims if claims is None else {name: case.submission.claims[name] for name in claims}
    on_document: list[Listed] = []
    on_claims: list[Listed] = []
    kinds = {"document": on_document, "claim": on_claims}
    for rule in book:
        if (kind := kinds.get(rule.about)) is not None:
            kind.append(rule)
    results = [_document_result(rule.load(), case) for rule in on_document]
    for name, claim in wanted.items():
        results.extend(_fold(on_claims, _claim_results(on_claims, name, claim, case)))
    return tuple(results)


def _document_result(rule: Rule, case: Case) -> Result:
    assert rule.check_document is not None
    check = rule.check_document

    def run(case: Case) -> Result:
        return _run(rule.code, None, Tier.T1, check, case)

    result = run(case)
    return grounded(result, _reads_at(result, case), run, case)


def _reads_at(result: Result, case: Case) -> list[Read]:
    """Return what was read of the claims that a finding about the document names."""
    branch = result.branch
    if not case.reads or branch is None:
        return []
    places = (branch.at, *(item.at for item in branch.related))
    return [
        item
        for at, reads in case.reads.items()
        if any(f"{place}/".startswith(f"{at}/") for place in places)
        for item in reads
    ]


def _claim_results(book: Iterable[Listed], name: str, claim: Claim, case: Case) -> list[Result]:
    """Judge a claim in every way in which it may be read, and against every side that it is compared with."""
    book = tuple(book)
    results = _against_each(book, name, claim, case)
    if case.otherwise is None:
        return results
    other = _against_each(book, name, case.otherwise.submission.claims[name], case.otherwise)
    return [_in_both(pair) for pair in zip(results, other, strict=True)]


def _in_both(pair: tuple[Result, Result]) -> Result:
    """Return what holds in both readings of a document: a flaw only where both have it."""
    mildest = min(pair, key=_severity)
    worst = max(pair, key=_severity)
    if worst.outcome is not Outcome.VIOLATION or mildest.outcome is Outcome.VIOLATION or worst.branch is None:
        return mildest
    missing = NotShown(
        "it depends on what the document leaves open (a day, or what is compared)", worst.branch.at, OPEN
    )
    return replace(worst, outcome=Outcome.NOT_SHOWN, branch=missing, others=(), also=())


def _against_each(book: tuple[Listed, ...], name: str, claim: Claim, case: Case) -> list[Result]:
    """Judge a claim against each of the other sides that its sentence names; the least favourable counts."""
    results = _in_words(book, name, claim, case)
    for comparator in claim.comparators[1:]:
        other = replace(claim, comparator=comparator)
        beside = replace(case.submission, claims={**case.submission.claims, name: other})
        found = _in_words(book, name, other, replace(case, submission=beside, cache={}))
        results = [max(pair, key=_severity) for pair in zip(results, found, strict=True)]
    return results


def _in_words(book: Iterable[Listed], name: str, claim: Claim, case: Case) -> list[Result]:
    """Judge a claim by its fields and, where its words contradict them, by these, too: the less favourable counts."""
    otherwise = taken_otherwise(case, claim)
    results = _taken(book, name, case)
    if not otherwise:
        return results
    reads = tuple(otherwise.values())
    in_words = (quoting(result, reads) for result in _taken(book, name, as_worded(case)))
    return [max(pair, key=_severity) for pair in zip(results, in_words, strict=True)]


def _taken(book: Iterable[Listed], name: str, case: Case) -> list[Result]:
    claim = case.submission.claims[name]
    applies, tier, reads = answers(claim, case), case.tier(claim), case.read(claim)
    return [
        _claim_result(listed.load(), claim, name, case, tier, reads)
        if applies[listed.applies]
        else Result(listed.code, name, Outcome.NOT_APPLICABLE, reason=f"applies to: {listed.applies}")
        for listed in book
    ]


def _severity(result: Result) -> tuple[int, int, int]:
    branch = result.branch
    graded = (branch.effect, branch.confidence) if isinstance(branch, Violation) else (0, 0)
    return (SEVERITY.index(result.outcome), *graded)


def _claim_result(rule: Rule, claim: Claim, name: str, case: Case, tier: Tier, reads: tuple[Read, ...]) -> Result:
    result = _run(rule.code, name, tier, rule.branches, claim, case)
    if not reads or not isinstance(result.branch, Violation):
        return result

    def again(case: Case) -> Result | None:
        claim = case.submission.claims[name]
        if not answers(claim, case)[rule.applies]:
            return None
        return _run(rule.code, name, case.tier(claim), rule.branches, claim, case)

    return grounded(result, reads, again, case)


def _run(
    code: str, name: str | None, tier: Tier, check: Callable[..., Iterable[Branch]], *given: Claim | Case
) -> Result:
    start = perf_counter_ns()
    try:
        branches = tuple(check(*given))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:300]
        return Result(code, name, Outcome.ERROR, reason=reason, duration_ns=perf_counter_ns() - start)
    return _decide(code, name, tier, branches, perf_counter_ns() - start)


def _decide(code: str, name: str | None, tier: Tier, branches: tuple[Branch, ...], duration_ns: int) -> Result:
    """Order the branches: violation, not shown, not applicable, pass; of the violations the strongest speaks."""
    if not branches:
        return Result(code, name, Outcome.PASS, tier=tier, duration_ns=duration_ns)
    violations = [branch for branch in branches if isinstance(branch, Violation)]
    missing = [branch for branch in branches if isinstance(branch, NotShown)]
    outside = [branch for branch in branches if isinstance(branch, Inapplicable)]
    notes = tuple(branch.message for branch in branches if isinstance(branch, Note))
    if violations:
        first, *others = sorted(violations, key=lambda violation: (-violation.effect, -violation.confidence))
        own = first.tier if first.tier is not None else tier
        return Result(
            code, name, Outcome.VIOLATION, first, notes=notes, tier=own, others=tuple(others), duration_ns=duration_ns
        )
    if missing:
        first_missing = next((branch for branch in missing if branch.item), missing[0])
        return Result(code, name, Outcome.NOT_SHOWN, first_missing, notes=notes, duration_ns=duration_ns)
    if outside:
        reason = outside[0].reason
        return Result(code, name, Outcome.NOT_APPLICABLE, reason=reason, notes=notes, duration_ns=duration_ns)
    return Result(code, name, Outcome.PASS, notes=notes, tier=tier, duration_ns=duration_ns)


def _fold(book: Iterable[Listed], results: list[Result]) -> list[Result]:
    """Let the most specific rule speak for the others that see the same flaw, with the strongest effect among them."""
    fired = {result.code: result for result in results if result.outcome is Outcome.VIOLATION}
    speaks = {rule.code: rule.also for rule in book if rule.code in fired} if len(fired) > 1 else {}
    spoken: dict[str, str] = {}
    for code in fired:
        for other in speaks.get(code, ()):
            if other in fired and other not in spoken and code not in spoken:
                spoken[other] = code
    if not spoken:
        return results
    return [_folded(result, fired, spoken) if result.code in fired else result for result in results]


def _folded(result: Result, fired: dict[str, Result], spoken: dict[str, str]) -> Result:
    if result.code in spoken:
        reason = f"same flaw as {spoken[result.code]}"
        return replace(result, outcome=Outcome.NOT_APPLICABLE, branch=None, others=(), reason=reason)
    also = tuple(code for code, speaker in spoken.items() if speaker == result.code)
    return _strengthened(result, [fired[code] for code in also]) if also else result


def _strengthened(result: Result, others: list[Result]) -> Result:
    branches = [branch for item in (result, *others) if isinstance(branch := item.branch, Violation)]
    strongest = max(branches, key=lambda branch: (branch.effect, branch.confidence))
    assert isinstance(result.branch, Violation)
    branch = replace(result.branch, effect=strongest.effect, confidence=strongest.confidence)
    return replace(result, branch=branch, also=tuple(item.code for item in others))
