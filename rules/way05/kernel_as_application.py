"""W0501: a part is measured, the whole is claimed."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.told import said
from ..facts.document.words import words_in
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, NotShown, Related, Violation
from ..registry import rule

ORDERS = (
    ("kernel", "collective", "layer", "phase", "step", "epoch", "training_run", "pipeline"),
    ("kernel", "collective", "layer", "request", "serving_window", "pipeline"),
)
SAID = frozenset({"scope_narrower", "projection"})
PARTS = frozenset({"kernel", "collective", "layer", "phase"})
ITEM = "what the timed region covers"
PROVIDE = """\
arms:
  a:
    measurement: {scope: step}      # what the timed region covers
"""


@rule(
    "W0501",
    "kernel-as-application",
    effect=UNDERMINES,
    confidence=C3,
    applies="not (purpose=kernel_benchmark) and quantity in {rate, time, latency, flops}",
    origin="S1.5",
)
def kernel_as_application(claim: Claim, case: Case) -> Iterator[Branch]:
    """The timed region covers less than the statement does.

    ## What it does
    Compares what the measurement covers with what the claim covers, in two orders: kernel, collective, layer, phase,
    step, epoch, training run; and kernel, collective, layer, request, serving window. A whole pipeline is broader than
    either. An arm that holds timed training runs covers the run and its epochs, whatever its throughput trials cover.

    ## Why it misleads
    A fast kernel is not a fast training: what was left out does not become faster, and often takes most of the time.

    ## Branches
    - (a) undermines, C3: the claim's scope is strictly broader than the measurement's.
    - (b, instead of a) caveat, C3: the same, and the words beside the number say that it covers less or is a
      projection.
    - not shown: the scope of the measurement is not stated, or stands in the other order. Required (what the timed
      region covers) from the reviewer profile on where words beside a number of the whole tell of the speed of a part,
      such as an encoder's.

    ## Flagged
    On `training-pair` for claim `rate`:
    ```json
    {"arms": {"fused": {"measurement": {"scope": "layer"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`, whose timed region is the step that the claim is about.

    ## How to fix
    Call the number what it is, or measure end to end.

    ## References
    Hoefler, Twelve ways to fool the masses, way 5.
    """
    side = case.subject(claim)
    measured = _measured(claim, case, side)
    if measured is None:
        yield _not_stated(claim)
        return
    scope, at = measured
    order = next((order for order in ORDERS if scope in order and claim.scope in order), None)
    if order is None:
        message = (
            f"the measurement covers a {_words(scope)}, the claim a {_words(claim.scope)}: nothing relates the two"
        )
        yield NotShown(message, at, provide=PROVIDE)
        return
    if order.index(claim.scope) <= order.index(scope) or _timed_runs(claim, case, side):
        return
    branch, effect = ("b", CAVEAT) if said(claim, *SAID) else ("a", UNDERMINES)
    message = f"the claim is about a {_words(claim.scope)}, the measurement covers only a {_words(scope)}"
    related = (Related(at, f"covers a {_words(scope)}"),)
    yield Violation(branch, effect, C3, message, claim.place("scope"), claim.scope, scope, related)


def _not_stated(claim: Claim) -> NotShown:
    quotes = words_in(*(item.quote for item in claim.said if item.topic == "scope_narrower"))
    if claim.scope in PARTS or not quotes.has("speed_of_a_part"):
        return NotShown("what the timed region covers is not stated", claim.at, provide=PROVIDE)
    message = "words beside the number tell of the speed of a part; what the timed region covers is not stated"
    return NotShown(message, claim.at, ITEM, PROVIDE)


def _measured(claim: Claim, case: Case, side: Side | None) -> tuple[str, str] | None:
    """Return what the measurement covers and where it says so: the number itself, else the arm, else its column."""
    metric = case.metric(claim.measured)
    if metric is not None and metric.scope is not None:
        return metric.scope, metric.place("scope")
    if side is not None and side.arm.measurement is not None and side.arm.measurement.scope is not None:
        return side.arm.measurement.scope, side.arm.measurement.place("scope")
    table = case.table(claim)
    columns = (
        [column for column in table.columns.values() if column.quantity == claim.quantity] if table is not None else []
    )
    scopes = {column.scope for column in columns}
    if len(scopes) == 1 and columns[0].scope is not None:
        return columns[0].scope, columns[0].place("scope")
    return None


def _timed_runs(claim: Claim, case: Case, side: Side | None) -> bool:
    """Whether the arm holds whole training runs with their times, behind a number that states no scope itself."""
    metric = case.metric(claim.measured)
    if (
        side is None
        or claim.scope not in {"epoch", "training_run"}
        or (metric is not None and metric.scope is not None)
    ):
        return False
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"]
    return any(
        trial.wall_s is not None
        or (trial.crossing is not None and trial.crossing.time_s is not None)
        or any(evaluation.time_s is not None for evaluation in trial.evaluations)
        for trial in runs
    )


def _words(scope: str) -> str:
    return scope.replace("_", " ")
