"""R09: a log or a description with lines that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.pattern import Pattern
from ...schemas.runs import Description
from ...schemas.submission import Claim
from ..case import Case, Side
from ..outcome import C3, CAVEAT, Branch, NotShown, Related, Violation
from ..registry import rule

ITEM = "readable log"
LEAST_DIGITS = 4
MOST_NAMED = 5
_NUMBER = Pattern(r"(?<![0-9.])[0-9]+(?:\.[0-9]+)?(?![0-9.])")
PROVIDE = """\
arms:
  retinanet:
    runs:
      result_0: {file: {name: results/server/retinanet/result_0.txt, format: mlperf-training}}
"""
DESCRIBED = """\
arms:
  retinanet:
    description: {file: {name: systems/server.json}, fields: {system_name: server, number_of_nodes: 1}}
"""


@rule("R09", "trace-line-malformed", effect=CAVEAT, confidence=C3, applies="has(trace)", origin="MEAS")
def trace_line_malformed(claim: Claim, case: Case) -> Iterator[Branch]:
    """A log line that bears the harness's marker and is broken, cut off, or followed by other text.

    ## What it does
    Names every line of the runs' logs that bears the marker and does not parse, lacks its key or its time, is followed
    by other text, or holds a NUL character: line, column, and what should stand there. Other rules read such a line as
    missing. If a broken line holds the claimed number, or another declared number of the result, of at least four
    digits, the log was probably edited after the run. A system description that was handed in and is no JSON is named
    with the place where reading it ends.

    ## Why it misleads
    The harness writes whole lines. A broken one means that the log was cut, merged or edited, and the event that it
    held is lost.

    ## Branches
    - (a) caveat, C3: a broken line holds a declared number of the result.
    - not shown: a line of a log, or of the system description, is broken. Required (readable log) of claims in the
      format of a suite, from the reviewer profile on.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"malformed": {"95": {"column": 31, "expected": "a name in quotes",
       "text": ":::MLLOG {key: score, value: 38.115"}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose logs can be read to the end.

    ## How to fix
    Hand in the log as the run wrote it.

    ## References
    Published logs; two ranks that write into one line, both readable, are honest.
    """
    side = case.subject(claim)
    broken = [(run, line) for run in case.runs(claim) for line in run.trace.malformed]
    if side is not None and side.arm.description is not None:
        yield from _description(side.arm.description)
    if side is None or not broken:
        return
    numbers = _declared(claim, side)
    held = [(run, line, number) for run, line in broken for number in _NUMBER.findall(line.text) if number in numbers]
    if held:
        run, line, number = held[0]
        message = f"line {line.line} of {run.name} is broken and holds the declared {number}: edited after the run?"
        yield Violation("a", CAVEAT, C3, message, run.trace.place(line), number, line.text[:120])
    run, line = broken[0]
    more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
    message = f"line {line.line}, column {line.column} of {run.name} cannot be read: expected {line.expected}{more}"
    places = [(other.trace.place(found), found.expected) for other, found in broken[1:MOST_NAMED]]
    related = tuple(Related(at, f"expected {expected}") for at, expected in places)
    yield NotShown(message, run.trace.place(line), ITEM, PROVIDE, related)


def _description(found: Description) -> Iterator[NotShown]:
    """Yield the line in which a description cannot be read."""
    name = found.file.name if found.file is not None else "the system description"
    for line, broken in found.malformed.items():
        message = f"line {line}, column {broken.column or 1} of {name} cannot be read: {broken.expected}"
        yield NotShown(message, broken.at, ITEM, DESCRIBED)


def _declared(claim: Claim, side: Side) -> set[str]:
    """Return the declared numbers of a result that have enough digits to be no coincidence."""
    found = [claim.value, *(metric.value for metric in side.arm.performance.values())]
    found += [quality.value for quality in side.arm.quality.values()]
    return {value for value in found if value is not None and sum(map(str.isdigit, value)) >= LEAST_DIGITS}
