"""F46: a log of another division, benchmark or organisation than the result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.treatment import words_of
from ..facts.document.placeholders import is_blank
from ..facts.suite.result import quoted
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..tables.datasets import plain
from ..trace import Event, Logged
from ._handed_in import Stated, handed_in
from ._suite_names import availability, other_availability, other_benchmark, same_organisation

LOGGED = {
    "division": "submission_division",
    "benchmark": "submission_benchmark",
    "organisation": "submission_org",
    "availability": "submission_status",
}
DIVISIONS = frozenset({"closed", "open", "network"})
FRAMEWORKS = frozenset({"pytorch", "mxnet", "tensorflow", "jax", "paddle", "mindspore"})


@rule(
    "F46",
    "identity-differs-from-description",
    effect=REFUTES,
    confidence=C3,
    applies="has(description) and has(trace)",
    origin="MEAS",
)
def identity_differs_from_description(claim: Claim, case: Case) -> Iterator[Branch]:
    """Logs that were written for another division, benchmark, organisation or kind of availability.

    ## What it does
    Compares what the logs say of the submission with the system description and with what the claim quotes.
    Spellings, initials and longer names of one organisation are one; so are "available" and where it is available.
    Placeholders that were left in are another rule's finding. Logs of inference say nothing of it: there the folders
    in which a result lies have to agree with its description.

    ## Why it misleads
    A result of the open division that stands as a closed one was reached under other rules; a log of another benchmark
    is no evidence at all.

    ## Branches
    - (a) refutes, C3: the benchmark differs, or the log's division is not the closed one and the result's is.
    - (b) caveat, C3: organisation or availability differs; or the framework is another one than the folder of the
      system names; or a log of the closed division stands as an open result, which its stricter rules allow.
    - (c) undermines, C3: the result and its logs, or of inference its folder, say closed, its own description says
      another division; a caveat (b) where the folder of the result is called open.
    - not applicable: one of them is not stated by the result, or not by every log.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"9": {"value": "open"}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose logs and description agree.

    ## How to fix
    Make logs, description and result agree on what was submitted.

    ## References
    Measured on 538 published results: none differs in division or benchmark; 26 in organisation and 63 in availability.
    """
    side = case.subject(claim)
    runs = [run for run in case.runs(claim) if run.trace.events]
    if side is None or not runs:
        return
    if claim.suite == "inference":
        yield from _placed(claim, side)
    yield from _framework(side)
    compared = {}
    for what, key in LOGGED.items():
        stated = list(_stated(what, side, claim))
        events = [(run, event) for run in runs for event in run.trace.of(key) if _says(event)]
        if stated and events:
            compared[what] = len({run.id for run, _ in events}) == len(runs)
            yield from _judge(what, stated, events, quoted(claim).division)
    missing = ", ".join(what for what in LOGGED if not compared.get(what))
    if missing:
        yield Inapplicable(f"{missing} is not stated by all logs, or not by the result")


def _framework(side: Side) -> Iterator[Violation]:
    """Yield a framework of the description that is not the one that the folder of its system names."""
    below = (side.arm.folder or "").rpartition("results/")[2].partition("/")[0]
    named = FRAMEWORKS & {part.casefold() for part in re.split(r"[^A-Za-z]+", below)}
    stated = handed_in(side, "framework")
    if len(named) != 1 or stated is None:
        return
    name, words = min(named), stated.words.casefold()
    if name not in words and any(other in words for other in FRAMEWORKS):
        message = f"the description gives the framework as {stated.words[:60]!r}; the result lies in {below[:60]}"
        yield Violation("b", CAVEAT, C3, message, stated.at, name, stated.words[:60])


def _placed(claim: Claim, side: Side) -> Iterator[Violation]:
    """Yield a division and an organisation of the description that are not those of the folders around the result."""
    parts = (side.arm.folder or "").split("/")
    if "results" not in parts:
        return
    above = parts[: parts.index("results")]
    division = next((part for part in reversed(above) if part in {"closed", "open"}), None)
    stated = handed_in(side, "division")
    if division is not None and stated is not None and _other_division(stated.words, division):
        branch, effect = ("c", UNDERMINES) if division == "closed" else ("b", CAVEAT)
        message = (
            f"the description gives the division as {stated.words[:60]!r}; the result lies in the folder {division}/"
        )
        yield Violation(branch, effect, C3, message, stated.at, division, stated.words[:60])
    stated = handed_in(side, "submitter")
    owner = above[-1] if len(above) > 1 and above[-2] == division else None
    if not owner or stated is None or not plain(stated.words):
        return
    if not same_organisation(stated.words, owner):
        message = (
            f"the description names {stated.words[:60]!r} as submitter; the result lies in the folder {owner[:60]}/"
        )
        yield Violation("b", CAVEAT, C3, message, stated.at, owner[:60], stated.words[:60])


def _says(event: Event) -> bool:
    said = isinstance(event.value, str) and event.value.strip() != "" and "placeholder" not in event.value.casefold()
    return said and not is_blank(event.value)


def _stated(what: str, side: Side, claim: Claim) -> Iterator[Stated]:
    """Yield what the description says, and the division and benchmark that the claim quotes."""
    result, named = claim.suite_result, {"division": "division", "organisation": "submitter", "availability": "status"}
    described = handed_in(side, named[what]) if what in named else None
    if described is not None:
        yield described
    if result is not None and what in {"division", "benchmark"}:
        words = getattr(result, what)
        if words is not None:
            yield Stated(words, result.place(what))


def _judge(
    what: str, stated: list[Stated], events: list[tuple[Logged, Event]], claimed: str | None
) -> Iterator[Violation]:
    differ = {
        "division": _other_division,
        "benchmark": other_benchmark,
        "organisation": lambda left, right: not same_organisation(left, right),
        "availability": _other_availability,
    }[what]
    for item in stated:
        odd = [(run, event) for run, event in events if differ(str(event.value), item.words)]
        if odd:
            run, event = odd[0]
            logs = len({run.id for run, _ in odd})
            many = f" in {logs} logs" if logs > 1 else ""
            message = (
                f"{run.name} gives the {what} as {str(event.value)[:60]!r}{many}; the result says {item.words[:60]!r}"
            )
            branch, effect = "b", CAVEAT
            if what == "benchmark" or (what == "division" and plain(str(event.value)) != "closed"):
                branch, effect = "a", REFUTES
            elif what == "division" and claimed == "closed" and "open" not in words_of(run.name):
                branch, effect = "c", UNDERMINES
            related = (Related(item.at, item.words[:60]),)
            shown = item.words[:60], str(event.value)[:60]
            yield Violation(branch, effect, C3, message, run.trace.place(event), *shown, related)
            return


def _other_division(left: str, right: str) -> bool:
    return plain(left) != plain(right) and {plain(left), plain(right)} <= DIVISIONS


def _other_availability(left: str, right: str) -> bool:
    kinds = availability(left), availability(right)
    return kinds[0] is not None and kinds[1] is not None and other_availability(kinds[0], kinds[1])
