"""Runs rules over a case: decides applicability, orders the branches, isolates crashes, folds findings of one flaw."""

from __future__ import annotations

from collections.abc import Iterable
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
    book, case = tuple(book), completed(case)
    wanted = case.submission.claims if claims is None else {name: case.submission.claims[name] for name in claims}
    results = [_document_result(rule.load(), case) for rule in book if rule.about == "document"]
    on_claims = [rule for rule in book if rule.about == "claim"]
    by_code = {rule.code: rule for rule in on_claims}
    for name, claim in wanted.items():
        results.extend(_fold(by_code, _claim_results(on_claims, name, claim, case)))
    return tuple(results)


def _document_result(rule: Rule, case: Case) -> Result:
    assert rule.check_document is not None
    check = rule.check_document

    def run(case: Case) -> Result:
        return _run(rule.code, None, Tier.T1, lambda: check(case))

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
    """Judge a claim by its fields and, where its words contradict them, by these, too: the less favourable counts."""
    otherwise = taken_otherwise(case, claim)
    results = _taken(book, name, case)
    if not otherwise:
        return results
    reads = tuple(otherwise.values())
    in_words = (quoting(result, reads) for result in _taken(book, name, as_worded(case)))
    return [max(pair, key=_severity) for pair in zip(results, in_words, strict=True)]


def _taken(book: Iterable[Listed], name: str, case: Case) -> list[Result]:
    applies = answers(case.submission.claims[name], case)
    return [
        _claim_result(listed, name, case)
        if applies[listed.applies]
        else Result(listed.code, name, Outcome.NOT_APPLICABLE, reason=f"applies to: {listed.applies}")
        for listed in book
    ]


def _severity(result: Result) -> tuple[int, int, int]:
    branch = result.branch
    graded = (branch.effect, branch.confidence) if isinstance(branch, Violation) else (0, 0)
    return (SEVERITY.index(result.outcome), *graded)


def _claim_result(listed: Listed, name: str, case: Case) -> Result:
    rule = listed.load()

    def run(case: Case) -> Result:
        claim = case.submission.claims[name]
        return _run(rule.code, name, case.tier(claim), lambda: rule.branches(claim, case))

    def again(case: Case) -> Result | None:
        return run(case) if answers(case.submission.claims[name], case)[rule.applies] else None

    return grounded(run(case), case.read(case.submission.claims[name]), again, case)


def _run(code: str, name: str | None, tier: Tier, check: object) -> Result:
    assert callable(check)
    start = perf_counter_ns()
    try:
        branches = tuple(check())
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


def _fold(book: dict[str, Listed], results: list[Result]) -> Iterable[Result]:
    """Let the most specific rule speak for the others that see the same flaw, with the strongest effect among them."""
    fired = {result.code: result for result in results if result.outcome is Outcome.VIOLATION}
    spoken: dict[str, str] = {}
    for code in fired:
        for other in book[code].also:
            if other in fired and other not in spoken and code not in spoken:
                spoken[other] = code
    return (_folded(result, fired, spoken) for result in results) if spoken else results


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
