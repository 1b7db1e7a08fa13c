"""Judge: every rule on the document and on the case of each claim, in other processes where that pays."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...rules import engine
from ...rules.case import Case
from ...rules.completion.complete import completed
from ...rules.completion.links import linked
from ...rules.cosmetic_options import without
from ...rules.outcome import Result
from ...rules.plugins import rules_in_force
from ...rules.registry import Listed, Rule, family_of
from ...schemas.collector import collector_paused
from ..verdict import Assessment, assess_all, assess_document
from .cases import NOTHING, cases_of

if TYPE_CHECKING:
    from ..workers import Workers

FEWEST_A_PROCESS = 16


class Answer(Struct, frozen=True):
    """What the rules say of the document as a whole, or of one claim.

    Of a round half a million results say nothing: they are counted, and not kept.

    Attributes:
        assessments: of those results that say anything.
        families: of the rules that were asked.
        notes: what results tell beside.
        times_ns: nanoseconds spent in each rule, by code.
        asked: how many rules were asked.
    """

    assessments: tuple[Assessment, ...]
    families: frozenset[str]
    notes: tuple[str, ...]
    times_ns: Mapping[str, int]
    asked: int


class Answers(Struct, frozen=True):
    """What the rules say of a document and, by id, of each of its claims."""

    document: Answer
    claims: Mapping[str, Answer]

    @property
    def decisions(self) -> int:
        """How many pairs of rule and claim, or document, were decided."""
        return self.document.asked + sum(answer.asked for answer in self.claims.values())

    @property
    def times_ns(self) -> dict[str, int]:
        """Nanoseconds spent in each rule, by code."""
        times: dict[str, int] = {}
        for answer in (self.document, *self.claims.values()):
            for code, spent in answer.times_ns.items():
                times[code] = times.get(code, 0) + spent
        return times

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """All assessments."""
        return tuple(chain(self.document.assessments, *(answer.assessments for answer in self.claims.values())))


def judge(
    whole: Case,
    cases: Mapping[str, Case],
    book: tuple[Listed, ...],
    workers: Workers | None = None,
    keepers: Mapping[str, int] | None = None,
) -> Answers:
    """Run every rule: those about the document on the whole, the others on the case of each claim.

    Args:
        whole: the case of the document.
        cases: by claim.
        book: the rules.
        workers: processes that judge claims with a case of their own.
        keepers: number of the process that keeps the logs of an arm.
    """
    wait = _begun(whole, cases, book, workers, keepers or {}) if workers is not None else dict
    # while other processes judge the claims
    results = engine.judge(whole, book, ())
    document = _told(results, map(assess_document, results))
    elsewhere, about_claims = wait(), tuple(rule for rule in book if rule.about == "claim")
    claims = {name: elsewhere.get(name) or _answer(case, about_claims, name) for name, case in cases.items()}
    return Answers(document, claims)


def _answer(case: Case, book: tuple[Listed, ...], claim: str) -> Answer:
    results = engine.judge(case, book, [claim])
    answer = _told(results, assess_all(results, case.submission.claims[claim], case))
    if case.whole is not None:
        # nobody asks for the facts of one result of many again
        case.cache.clear()
        for name, arm in case.submission.arms.items():
            for run in arm.runs:
                if (trace := case.traces.get((name, run))) is not None:
                    trace.forget()
    return answer


def _told(results: tuple[Result, ...], assessments: Iterable[Assessment]) -> Answer:
    return Answer(
        tuple(assessments),
        frozenset(family_of(result.code) for result in results),
        tuple(note for result in results for note in result.notes),
        {result.code: result.duration_ns for result in results if result.duration_ns},
        len(results),
    )


def _begun(
    whole: Case,
    cases: Mapping[str, Case],
    book: tuple[Listed, ...],
    workers: Workers,
    keepers: Mapping[str, int],
) -> Callable[[], dict[str, Answer]]:
    """Begin to judge the claims that have a case of their own; what is returned waits for the answers.

    Each is judged by the process that keeps its logs. Where none does, some are given all of them, if that pays.
    """
    arms = {name: tuple(case.submission.arms) for name, case in cases.items() if case is not whole}
    most = max(keepers.values()) + 1 if keepers else min(len(workers), len(arms) // FEWEST_A_PROCESS)
    if not arms or (not keepers and most < 2):
        return dict
    shares: list[dict[str, tuple[str, ...]]] = [{} for _ in range(most)]
    for number, (name, behind) in enumerate(arms.items()):
        shares[keepers.get(next(iter(behind), ""), 0) if keepers else number % most][name] = behind
    known = {"submission": NOTHING.submission, "traces": {}, "reads": None} if keepers else {}
    installed = any(isinstance(rule, Rule) for rule in book)
    packed = pickle.dumps(replace(whole, cache={}, **known))
    wait = workers.begin(_judged, shares, packed, bool(keepers), installed)
    return lambda: {name: answer for part in wait() for name, answer in part}


@collector_paused()
def _judged(
    arms: Mapping[str, tuple[str, ...]], packed: bytes, is_kept: bool, installed: bool
) -> list[tuple[str, Answer]]:
    """Judge claims in a process of its own.

    Args:
        arms: those that each claim stands on alone.
        packed: the case of the document, packed once for all.
        is_kept: whether this process has its submission and logs: it comes without them, then.
        installed: whether rules of installed packages judge, too.
    """
    whole: Case = pickle.loads(packed)  # noqa: S301 - packed by the process that began this one
    if is_kept:
        from ..importers.kept_logs import folder

        submission, traces = folder()
        known = without(submission, whole.cosmetic)
        whole = completed(linked(replace(whole, submission=known, traces=traces)))
    book = tuple(rule for rule in rules_in_force(installed) if rule.about == "claim")
    return [(name, _answer(case, book, name)) for name, case in cases_of(whole, arms, arms).items()]
