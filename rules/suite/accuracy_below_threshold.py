"""Q14: an accuracy beyond the limits of its round."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.accuracy import Recorded, above, below, recorded
from ..facts.suite.inference import accuracy_runs
from ..facts.suite.result import accuracy_limits, quoted
from ..language.printed import short
from ..outcome import C3, REFUTES, Branch, NotShown, Violation
from ..registry import rule
from ..tables import mlperf

ITEM = "listed metric"
PROVIDE = """\
arms:
  offline:
    runs:
      accuracy: {role: accuracy, record: {metrics: {accuracy: "76.234"}}}
"""


@rule(
    "Q14",
    "accuracy-below-threshold",
    effect=REFUTES,
    confidence=C3,
    applies="suite_inference and closed",
    origin="POL, MEAS",
    also=("L10", "P11"),
)
def accuracy_below_threshold(claim: Claim, case: Case) -> Iterator[Branch]:
    """A closed result whose recorded accuracy is beyond what its round asks for.

    ## What it does
    Compares every metric that the round lists for the benchmark with the accuracy record of the result, at five
    significant figures, half to even. Lengths of the output have a rule of their own.

    ## Why it misleads
    Speed can be bought with accuracy. The closed division compares at one accuracy.

    ## Branches
    - (a) refutes, C3: a listed metric is below its least or above its greatest value.
    - not shown: a listed metric is not in the record. Required (listed metric) of closed results of an inference
      suite, from the reviewer profile on; not of quoted, verified entries.
    - not applicable: no figure for benchmark and round.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"accuracy": {"record": {"metrics": {"accuracy": "75.684"}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, with 76.234 % where 75.695 % are due.

    ## How to fix
    Restore the accuracy, or hand the result in to the open division.

    ## References
    MLPerf Inference rules, table of quality targets.
    """
    result = quoted(claim)
    lengths = mlperf.inference().length_metrics
    limits = {name: limit for name, limit in accuracy_limits(result).items() if name not in lengths}
    if not limits:
        yield result.no_figure("the accuracy")
        return
    missing = []
    for name, (least, greatest) in limits.items():
        limit = least if least is not None else greatest
        found = recorded(claim, case, name, limit) if limit is not None else None
        if found is None:
            missing.append(name)
        elif least is not None and below(found, least):
            yield _violation(name, found, "at least", least)
        elif greatest is not None and above(found, greatest):
            yield _violation(name, found, "at most", greatest)
    if missing:
        records = [run.run.record.at for run in accuracy_runs(claim, case) if run.run.record is not None]
        message = f"no accuracy record gives a number for {', '.join(missing)}"
        yield NotShown(message, records[0] if records else claim.at, ITEM, PROVIDE)


def _violation(name: str, found: Recorded, sign: str, limit: float) -> Violation:
    message = f"{name} is {found.text}; the round asks for {sign} {short(limit)}"
    return Violation("a", REFUTES, C3, message, found.at, f"{sign} {short(limit)}", found.text)
