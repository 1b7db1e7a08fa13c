"""Whether a manifest tells the same story as the part of the ledger that it carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ...schemas.manifest import LedgerSlice, Predicate
from .chain import Chain, Entry, check_slice, open_starts
from .ledger import count_plans
from .problem import Problem
from .recorder import differs_from

LedgerStatus = Literal["unwitnessed", "absent", "broken"]


@dataclass(frozen=True, slots=True)
class Record:
    """What the ledger says of a study."""

    status: LedgerStatus
    """`unwitnessed` is the best there is: its owner can link it anew. `broken`: it contradicts itself or the rest."""
    plans_of_spec: int | None
    """Studies planned with the same spec, this one included; None where no ledger tells."""
    plans_of_options: int | None
    """Studies planned with one of its option sets, this one included."""
    lost: tuple[str, ...]
    """Trials of which an attempt was started and has no end, once for each attempt."""
    problems: tuple[Problem, ...]


def check_record(predicate: Predicate, statement: Any) -> Record:
    """Check the ledger slice of a manifest.

    Args:
        predicate: the record of the study.
        statement: the JSON value of the whole manifest.
    """
    part = predicate.ledger
    if part is None:
        return Record("absent", None, None, (), ())
    chain = check_slice(part.entries, part.first_seq)
    problems = _chain_problems(part, chain)
    own = [entry for entry in chain.entries if entry.study == predicate.study.id]
    planned = [entry for entry in own if entry.event == "plan"]
    if not problems:
        problems = _plan_problems(predicate, own, planned, statement["predicate"]["plan"])
        problems += _trial_problems(predicate, own) if planned else []
    lost = [entry.trial for entry in own if entry.event == "lost"] + [entry.trial for entry in open_starts(own)]
    count = count_plans(
        chain.entries,
        predicate.study.spec_sha256,
        [digest for entry in planned for digest in entry.value["option_sets"]],
    )
    if not problems and part.plans_of_spec is not None and part.plans_of_spec < count.same_spec:
        message = f"the manifest counts {part.plans_of_spec} plans of its spec, its ledger entries {count.same_spec}"
        problems = [_problem("ledger-plan-count", message)]
    same_spec = max(count.same_spec, part.plans_of_spec or 0)
    status: LedgerStatus = "broken" if problems else "unwitnessed"
    return Record(status, same_spec, count.same_options, tuple(sorted(lost)), tuple(problems))


def _chain_problems(part: LedgerSlice, chain: Chain) -> list[Problem]:
    if chain.break_line is not None:
        message = f"the ledger is broken at entry {part.first_seq + chain.break_line - 1}: {chain.break_what}"
        return [_problem("ledger-broken", message)]
    if not chain.entries or chain.entries[-1].seq != part.last_seq or chain.head != part.head:
        return [_problem("ledger-broken", "the ledger's entries do not lead to the head that the manifest states")]
    if part.first_seq == 0 and chain.origin != part.origin:
        return [_problem("ledger-broken", "the ledger's genesis entry names another origin than the manifest")]
    return []


def _plan_problems(predicate: Predicate, own: list[Entry], planned: list[Entry], plan: Any) -> list[Problem]:
    if not planned:
        return [_problem("ledger-no-plan", "the ledger holds no plan of this study")]
    problems = []
    if _started_unplanned(own, planned, plan):
        problems.append(
            _problem("ledger-plan-late", "the ledger shows a trial that started before the study was planned")
        )
    values, spec_sha256 = [entry.value for entry in planned], predicate.study.spec_sha256
    if any(value["spec_sha256"] != spec_sha256 for value in values):
        problems.append(_problem("ledger-plan-differs", "the ledger shows a plan of another spec for this study"))
    if values[-1]["trials"] != len(plan) or differs_from(values, values[0]["spec_sha256"], plan):
        problems.append(
            _problem("ledger-plan-differs", "the ledger shows another plan for this study than the manifest")
        )
    return problems


def _started_unplanned(own: list[Entry], planned: list[Entry], plan: Any) -> bool:
    """Whether a trial started before a plan that holds it; a plan grows when a study goes on with a new arm."""
    place = {trial["trial"]: index for index, trial in enumerate(plan)}
    starts = [entry for entry in own if entry.event == "start"]
    return any(
        not any(one.seq < start.seq and place.get(start.trial, 0) < one.value["trials"] for one in planned)
        for start in starts
    )


def _trial_problems(predicate: Predicate, own: list[Entry]) -> list[Problem]:
    """Find a run that was dropped, one that was slipped in, and raw numbers that were exchanged."""
    trials = {name: trial for arm in predicate.arms.values() for name, trial in arm.trials.items()}
    ends = {entry.trial: entry for entry in own if entry.event in ("end", "lost")}
    started = {entry.trial for entry in own if entry.event == "start"}
    problems = []
    for name in sorted(started - trials.keys()):
        message = f"the trial {name} was started, says the ledger, and the manifest does not tell of it"
        problems.append(_problem("ledger-trial-dropped", message))
    for name, trial in sorted(trials.items()):
        end = ends.get(name)
        if end is None or end.event == "lost" or name not in started:
            if trial.outcome in ("completed", "diverged"):
                message = f"the manifest tells of the trial {name}, and the ledger knows no start and end of it"
                problems.append(_problem("ledger-trial-unknown", message))
        elif end.value["outcome"] != trial.outcome:
            outcome = end.value["outcome"]
            message = f"the trial {name} ended as {outcome}, says the ledger; the manifest says {trial.outcome}"
            problems.append(_problem("ledger-outcome-differs", message))
        elif trial.samples_file is not None and end.value.get("artifact_sha256") != trial.samples_file.sha256:
            message = f"the raw numbers of the trial {name} are not those that it ended with"
            problems.append(_problem("ledger-artifact-differs", message))
    return problems


def _problem(code: str, message: str) -> Problem:
    return Problem(code, message, "broken", "manifest.json (/predicate/ledger)")
