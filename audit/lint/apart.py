"""Results of one folder that have nothing to do with each other: each is judged by itself."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...rules.case import Case
from ...rules.engine import judge
from ...rules.outcome import Result
from ...rules.plugins import rules_in_force
from ...rules.registry import Listed, Rule
from ...schemas.collector import collector_paused
from ...schemas.submission import Submission
from ..verdict import Weighed, weigh_all

if TYPE_CHECKING:
    from ..importers.team import Team

Answers = tuple[list[Result], list[Weighed]]
"""The rules' answers on a claim, and what they do to it."""
NOTHING = Submission(dlaudit="submission/1", title="judged elsewhere", claims={})
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
    case: Case,
    cases: Mapping[str, Case],
    book: tuple[Listed, ...],
    names: Iterable[str],
    jobs: int,
    team: Team | None = None,
) -> tuple[tuple[Result, ...], dict[str, list[Weighed]]]:
    """Run every rule: those about the document on the whole, the others on each claim's own case.

    Args:
        case: the whole folder's.
        cases: each claim's own.
        book: the rules.
        names: the claims to judge.
        jobs: processes that judge.
        team: the processes that have read the logs, where they were told the submission: they judge, then.

    Returns:
        results in the order that `judge` gives them, and what those on the claims of `cases` do to their claim.
    """
    names = tuple(names)
    alone = [name for name in names if name in cases]
    if team is not None:
        judged = _begun(team, case, {name: tuple(cases[name].submission.arms) for name in alone}, book)
    else:
        judged = partial(_judged, cases, book, alone, min(jobs, len(alone) // FEWEST_A_PROCESS))
    # while the processes of the team judge
    found = list(judge(case, book, ()))
    by_claim = judged()
    rest = [name for name in names if name not in cases]
    for result in judge(case, tuple(rule for rule in book if rule.about == "claim"), rest):
        by_claim.setdefault(result.claim or "", ([], []))[0].append(result)
    for name in names:
        found.extend(by_claim[name][0])
    return tuple(found), {name: by_claim[name][1] for name in alone}


def _judge(own: Case, book: tuple[Listed, ...], name: str) -> Answers:
    results = list(judge(own, book, [name]))
    return results, weigh_all(results, own.submission.claims[name], own)


def _begun(
    team: Team, case: Case, arms: Mapping[str, tuple[str, ...]], book: tuple[Listed, ...]
) -> Callable[[], dict[str, Answers]]:
    """Begin to judge each claim in the process that keeps its log; what is returned waits for the answers."""
    shares = team.by_keeper({name: next(iter(behind), "") for name, behind in arms.items()})
    rest = replace(case, submission=NOTHING, traces={}, cache={})
    installed = any(isinstance(rule, Rule) for rule in book)
    wait = team.begin(_judged_where_read, [{name: arms[name] for name in share} for share in shares], rest, installed)
    return lambda: {name: answers for part in wait() for name, answers in part}


@collector_paused()
def _judged_where_read(arms: Mapping[str, tuple[str, ...]], rest: Case, installed: bool) -> list[tuple[str, Answers]]:
    """Judge claims, in a process of a team.

    Args:
        arms: those behind each claim.
        rest: the whole folder's case without its submission and logs, which are known here.
        installed: whether rules of installed packages judge, too.
    """
    from ..importers.team import known

    submission, logs = known()
    cases = cases_apart(replace(rest, submission=submission, traces=logs, cache={}), arms)
    book = tuple(rule for rule in rules_in_force(installed) if rule.about == "claim")
    return [(name, _judge(own, book, name)) for name, own in cases.items()]


def _judged(cases: Mapping[str, Case], book: tuple[Listed, ...], names: list[str], jobs: int) -> dict[str, Answers]:
    claims_book = tuple(rule for rule in book if rule.about == "claim")
    if jobs < 2 or not _can_fork():
        return {name: _judge(cases[name], claims_book, name) for name in names}
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # the first is judged here: the rules that it needs are imported once, not in each process
    first, *others = names
    found = {first: _judge(cases[first], claims_book, first)}
    _inherited.append((cases, claims_book))
    # what the collector does not look at is not written to, and so not copied for each process
    gc.freeze()
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            size = max(1, len(others) // (jobs * 4))
            parts = [others[start : start + size] for start in range(0, len(others), size)]
            return found | {name: answers for part in pool.map(_judged_there, parts) for name, answers in part}
    finally:
        gc.unfreeze()
        _inherited.pop()


def _can_fork() -> bool:
    from multiprocessing import get_all_start_methods

    return "fork" in get_all_start_methods()


@collector_paused()
def _judged_there(names: list[str]) -> list[tuple[str, Answers]]:
    cases, book = _inherited[-1]
    return [(name, _judge(cases[name], book, name)) for name in names]
