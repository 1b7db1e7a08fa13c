"""What a finding rests on: it rests on a reading where it would not be made without it.

A refutation that rests on a kind of reading that is not known to be right often enough becomes a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from ..case import Case
from ..outcome import REFUTES, NotShown, Outcome, Related, Result, Violation
from .complete import without
from .precision import may_refute
from .reads import Read

MOST_QUOTED = 80


def grounded(result: Result, reads: Iterable[Read], again: Callable[[Case], Result | None], case: Case) -> Result:
    """Return a result that quotes the readings which its finding rests on.

    Args:
        result: of a rule on a completed case.
        reads: what was read of the claim.
        again: judges the same in another case; None where the rule does not apply there.
        case: the completed case.
    """
    if not isinstance(result.branch, Violation):
        return result
    resting = tuple(item for item in reads if not _made(again(without(case, item.field)), result.branch))
    return quoting(result, resting)


def _made(result: Result | None, finding: Violation) -> bool:
    branch = result.branch if result is not None else None
    return isinstance(branch, Violation) and branch.effect >= finding.effect and branch.confidence >= finding.confidence


def quoting(result: Result, reads: tuple[Read, ...]) -> Result:
    """Return a result that quotes some readings; a refutation that they may not carry asks instead."""
    branch = result.branch
    if not reads or branch is None:
        return result
    related = (*branch.related, *(Related(item.at, item.note) for item in reads))
    if isinstance(branch, NotShown):
        return replace(result, branch=replace(branch, related=related))
    if branch.effect is REFUTES and not all(may_refute(item.kind) for item in reads):
        asked = NotShown(f"{branch.message}; is it so ({_told(reads)})?", branch.at, related=related, question=True)
        return replace(result, outcome=Outcome.NOT_SHOWN, branch=asked, others=())
    return replace(result, branch=replace(branch, message=f"{branch.message} ({_told(reads)})", related=related))


def _told(reads: tuple[Read, ...]) -> str:
    """Return what was read, each quotation once: `form and quantity are read from the statement: "..."`."""
    fields: dict[tuple[str, str], list[str]] = {}
    for item in reads:
        fields.setdefault((item.source, _short(item)), []).append(item.field)
    return "; ".join(
        f'{" and ".join(names)} read from the {source}: "{quote}"' for (source, quote), names in fields.items()
    )


def _short(item: Read) -> str:
    return item.quote if len(item.quote) <= MOST_QUOTED else f"{item.quote[:MOST_QUOTED]}..."
