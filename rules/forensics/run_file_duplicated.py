"""F34: one file handed in as several runs."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.files import SCORED, digests, same_files
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Logged
from ._groups_of_runs import beside

LATENCY = "_percentile_latency_ns"
LEAST, DIGITS = 4, 5
"""Percentiles, and digits of each, from which equal ones are no chance: latencies are counted in nanoseconds."""


@rule(
    "F34",
    "run-file-duplicated",
    effect=REFUTES,
    confidence=C3,
    applies="has(files)",
    origin="MEAS",
)
def run_file_duplicated(claim: Claim, case: Case) -> Iterator[Branch]:
    """Two runs of one result whose files are equal.

    ## What it does
    Compares the digests of the run files behind a result, of their bytes and of their lines without blank ones and
    carriage returns: those of training and performance runs, and those of accuracy runs. Of performance runs of a load
    generator it compares the percentiles of the latency, too: no two runs have all of them alike to the nanosecond.

    ## Why it misleads
    A file that stands twice is one run. The result rests on fewer runs than it counts, and a performance log that is
    handed in as the accuracy log shows no accuracy.

    ## Branches
    - (a) refutes, C3: two run files of one result, or its performance and its accuracy log, are equal.
    - (b, instead of a) refutes, C3: the summaries of two performance runs of a result print the same percentiles of the
      latency, at least four of them, of five digits or more.
    - not applicable: fewer than two files with digests, or some with fewer digests than others.
    - guard: one file behind two results, as of the 99 % and the 99.9 % variant of a benchmark; empty files.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"file": {
      "content_sha256": "d33c759d4aefc19fec566d5a4032b606c97b73727f6717dc6471ea9ac5dcc676"}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, with five files of five digests.

    ## How to fix
    Hand in each run once, and state the number of runs that there are.

    ## References
    Copies found in published result folders.
    """
    scored = [run for run in case.runs(claim) if run.role in SCORED]
    runs = [run for run in scored if digests(run)]
    if len(runs) < 2:
        yield Inapplicable("fewer than two run files with digests")
        return
    asked = [run for run in scored if run.run.file is None or run.run.file.bytes != 0]
    if len({len(digests(run)) for run in runs}) > 1 or len(runs) < len(asked):
        yield Inapplicable("some run files have fewer digests than others")
    groups = same_files(runs)
    yield from _alike(runs, [{run.id for run in group} for group in groups])
    for group in groups:
        distinct = len(runs) - sum(len(each) - 1 for each in groups)
        roles = " and ".join(dict.fromkeys(f"the {run.role} log" for run in group))
        words = f", {roles}," if len({run.role for run in group}) > 1 else ""
        names = " and ".join(run.name for run in group[:3])
        message = f"{names}{words} are one file; of {len(runs)} run files {distinct} are distinct"
        related = beside(group, "the same file", "file")
        yield Violation("a", REFUTES, C3, message, group[1].place("file"), str(len(runs)), str(distinct), related)


def _alike(runs: list[Logged], told: list[set[str]]) -> Iterator[Violation]:
    """Yield performance runs with the percentiles of another one of their result, whose files are not equal."""
    known: dict[tuple[tuple[str, str], ...], Logged] = {}
    for run in runs:
        found = tuple(sorted((name, str(value)) for name, value in run.run.summary.items() if name.endswith(LATENCY)))
        telling = {value for _, value in found if value.isdigit() and len(value) >= DIGITS}
        if run.role != "performance" or len(telling) < LEAST:
            continue
        first = known.setdefault(found, run)
        if first is not run and not any({first.id, run.id} <= group for group in told):
            name, value = found[-1]
            message = f"{run.name} has all {len(found)} percentiles of {first.name}, to the nanosecond"
            related = (Related(first.place("summary", name), first.name),)
            yield Violation("b", REFUTES, C3, message, run.place("summary", name), value, related=related)
