"""Results of one folder that have nothing to do with each other: each is judged by itself."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ...rules.case import Case
from ...rules.engine import judge
from ...rules.outcome import Result
from ...rules.registry import Listed

FEWEST_A_PROCESS = 16
_inherited: list[tuple[Mapping[str, Case], tuple[Listed, ...]]] = []
"""What the processes of a pool take over from the one that forks them: too much to send to each."""


def cases_apart(case: Case, apart: Mapping[str, tuple[str, ...]]) -> dict[str, Case]:
    """Return a case of its own for every claim that arms stand behind alone, with the whole folder's beside it.

    Args:
        case: the whole folder's.
        apart: arms by claim.
    """
    submission = case.submission
    return {
        name: replace(
            case,
            submission=replace(
                submission,
                claims={name: submission.claims[name]},
                arms={arm: submission.arms[arm] for arm in arms if arm in submission.arms},
            ),
            whole=case,
            cache={},
        )
        for name, arms in apart.items()
        if name in submission.claims
    }


def judge_apart(
    case: Case, cases: Mapping[str, Case], book: tuple[Listed, ...], names: Iterable[str], jobs: int
) -> tuple[Result, ...]:
    """Run every rule: those about the document on the whole, the others on each claim's own case.

    Returns:
        results in the order that `judge` gives them.
    """
    names = tuple(names)
    found = list(judge(case, book, ()))
    alone = [name for name in names if name in cases]
    by_claim = _judged(cases, book, alone, min(jobs, len(alone) // FEWEST_A_PROCESS))
    rest = [name for name in names if name not in cases]
    for result in judge(case, tuple(rule for rule in book if rule.about == "claim"), rest):
        by_claim.setdefault(result.claim or "", []).append(result)
    for name in names:
        found.extend(by_claim[name])
    return tuple(found)


def _judged(
    cases: Mapping[str, Case], book: tuple[Listed, ...], names: list[str], jobs: int
) -> dict[str, list[Result]]:
    claims_book = tuple(rule for rule in book if rule.about == "claim")
    if jobs < 2 or not _can_fork():
        return {name: list(judge(cases[name], claims_book, [name])) for name in names}
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # the first is judged here: the rules that it needs are imported once, not in each process
    first, *others = names
    found = {first: list(judge(cases[first], claims_book, [first]))}
    _inherited.append((cases, claims_book))
    # what the collector does not look at is not written to, and so not copied for each process
    gc.freeze()
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            size = max(1, len(others) // (jobs * 4))
            parts = [others[start : start + size] for start in range(0, len(others), size)]
            return found | {name: results for part in pool.map(_judged_there, parts) for name, results in part}
    finally:
        gc.unfreeze()
        _inherited.pop()


def _can_fork() -> bool:
    from multiprocessing import get_all_start_methods

    return "fork" in get_all_start_methods()


def _judged_there(names: list[str]) -> list[tuple[str, list[Result]]]:
    cases, book = _inherited[-1]
    return [(name, list(judge(cases[name], book, [name]))) for name in names]
