"""F48: a result out of a run that its harness does not call valid."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Logged

OF_THE_BUILD = ("uncommitted changes", "Multiple conf files")
JUDGED = frozenset({"training", "performance"})


@rule(
    "F48",
    "validity-flag-contradicted",
    effect=REFUTES,
    confidence=C3,
    applies="has(harness_verdict)",
    origin="MEAS, ML",
)
def validity_flag_contradicted(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A run that its own harness calls invalid, or valid although one of its conditions failed.

    ## What it does
    Reads the verdict that the harness printed about every measured run, its parts (duration, queries, early stopping),
    the events that it flagged as errors and the errors that it counted. Warnings are none of these.

    ## Why it misleads
    The number of an invalid run is none. A verdict that its parts contradict was edited.

    ## Branches
    - (a) refutes, C3: the verdict is not valid; it is valid while a part is false; an event of the run is an error; or
      errors are counted while the claim gives none.
    - (b, instead of a) caveat, C3: the only errors are that the harness was built from a changed tree or read several
      configuration files, which the suite's own checker can be told to accept.
    - not applicable: no measured run has a verdict, or one has none; errors that the claim states are another rule's.
    - guard: runs that find the range of a meter, and compliance runs, by their role.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"verdict": {"valid": false, "words": "INVALID"}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, whose verdict and its three parts hold.

    ## How to fix
    Repeat the run; a verdict is never edited.

    ## References
    Published inference logs; the suite's own checker reads the verdict alone.
    """
    runs = [run for run in case.runs(claim) if run.role in JUDGED]
    metric = case.metric(claim.measured)
    stated = metric is not None and metric.n is not None and bool(metric.n.failed)
    for run in runs:
        errors = run.trace.kind("error")
        grave = [event for event in errors if not any(words in str(event.value) for words in OF_THE_BUILD)]
        yield from _verdict(run, stated, len(errors) - len(grave))
        if errors:
            first = grave[0] if grave else errors[0]
            message = f"{run.name} holds {len(errors)} events flagged as errors: {first.key} {str(first.value)[:60]}"
            branch, effect = ("a", REFUTES) if grave else ("b", CAVEAT)
            yield Violation(branch, effect, C3, message, run.trace.place(first))
    if not runs or any(run.run.verdict is None or run.run.verdict.valid is None for run in runs):
        yield Inapplicable("a measured run has no verdict of its harness")


def _verdict(run: Logged, stated: bool, of_the_build: int) -> Iterator[Branch]:
    verdict = run.run.verdict
    if verdict is None:
        return
    failed = [name for name, holds in verdict.parts.items() if not holds]
    if verdict.valid is False:
        why = f"; it fails {', '.join(failed)}" if failed else ""
        message = f"the harness calls {run.name} {verdict.words or 'not valid'}{why}"
        yield Violation("a", REFUTES, C3, message, verdict.place("valid"), recomputed=verdict.words)
    elif failed and verdict.valid:
        message = f"{run.name} is called valid while {', '.join(failed)} is false"
        related = (Related(verdict.place("valid"), "valid"),)
        yield Violation("a", REFUTES, C3, message, verdict.place("parts"), "valid", failed[0], related)
    if verdict.errors is not None and verdict.errors > of_the_build and not stated:
        message = f"the harness counts {verdict.errors} errors in {run.name}, and the claim gives none"
        yield Violation("a", REFUTES, C3, message, verdict.place("errors"), "0", str(verdict.errors))
