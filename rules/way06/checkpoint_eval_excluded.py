"""W0604: the clock stops while the model is evaluated or saved."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Measurement
from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.words import words_in
from ..facts.series.phases import phase, times
from ..language.reading import Reading, read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Note, NotShown, Violation
from ..registry import rule
from ..words import tta

TOPICS = frozenset({"clock_exclusions", "phases_excluded"})
CONCEPTS = {"evaluation": "evaluation", "checkpoint": "checkpointing"}
PROVIDE = """\
arms:
  trained:
    measurement:
      exclusions:
        evaluation: {recurs: per_run, duration_s: 12.5, stated: true}
      exclusions_complete: true
"""


@rule(
    "W0604",
    "checkpoint-eval-excluded",
    effect=CAVEAT,
    confidence=C3,
    applies="tta or (training and quantity in {rate, time})",
    origin="S1.6, ML",
    also=("W0605",),
)
def checkpoint_eval_excluded(claim: Claim, case: Case) -> Iterator[Branch]:
    """A time to accuracy without the time in which accuracy was measured.

    ## What it does
    Asks of evaluation and of checkpoints whether the clock runs during them: what the clock leaves out, which phases
    are excluded, which are timed, and whether that list is complete.

    ## Why it misleads
    Whoever trains to a target must evaluate to know that it is reached, and save the model to keep it.

    ## Branches
    - (a) caveat, C3: evaluation or checkpoints are left out of the clock, and the document does not say so.
      For a rate of training, or a time without a target, only what is marked as not stated counts.
    - pass with note: a suite's rules leave them out for everybody.
    - not shown: whether the clock runs during evaluation and checkpoints is not stated.
    - not applicable: a rate, or a time without a target, of which nothing is stated as left out.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"measurement": {"exclusions": {"evaluation": {"recurs": "per_run", "duration_s": 11.0,
                                                                         "stated": false}}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose clock runs from the start of the process to the target.

    ## How to fix
    Include both, or say beside the time that they are left out, and how long they take.

    ## References
    Hoefler, Twelve ways to fool the masses, way 6. MLPerf training rules, timing.
    """
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    if not tta(claim, case):
        yield from _beside_a_rate(claim, case, measurement)
        return
    if side is None or measurement is None:
        at = claim.at if side is None else side.arm.at
        yield NotShown("whether the clock runs during evaluation and checkpoints is not stated", at, provide=PROVIDE)
        return
    for name in ("evaluation", "checkpoint"):
        yield from _judge(claim, case, measurement, name)


def _judge(claim: Claim, case: Case, measurement: Measurement, name: str) -> Iterator[Branch]:
    items = [item for key, item in measurement.exclusions.items() if phase(key) == name]
    phases = {phase(key) for key in measurement.excluded_phases}
    left_out = [item for item in items if item.recurs == "per_run" and item.duration_s != 0]
    if not left_out and name not in phases:
        known = items or name in times(measurement) or measurement.exclusions_complete
        if not known:
            message = f"whether the clock runs during {name} is not stated"
            yield NotShown(message, measurement.at, provide=PROVIDE)
        return
    if claim.suite == "training":
        yield Note(f"the suite's rules leave {name} out of the time for everybody")
    elif not (left_out and all(item.stated for item in left_out)) and not _said(claim, case, name):
        at = left_out[0].at if left_out else measurement.place("excluded_phases")
        durations = [f"{item.duration_s:g} s" for item in left_out if item.duration_s is not None]
        took = f" ({', '.join(durations)})" if durations else ""
        message = f"the clock stops during {name}{took}, and nothing in the document says so"
        yield Violation("a", CAVEAT, C3, message, at, claim.value)


def _beside_a_rate(claim: Claim, case: Case, measurement: Measurement | None) -> Iterator[Branch]:
    """Judge a rate or a time of training without a target: only what is marked as left out and not stated."""
    if measurement is None or not (measurement.exclusions or measurement.exclusions_complete):
        yield Inapplicable("what a rate's clock leaves out is not stated")
        return
    for key, item in measurement.exclusions.items():
        name = phase(key)
        silent = not item.stated and item.recurs == "per_run" and item.duration_s != 0
        if name in CONCEPTS and silent and claim.suite != "training" and not _said(claim, case, name):
            took = f" ({item.duration_s:g} s a run)" if item.duration_s is not None else ""
            message = f"the clock stops during {name}{took}, and nothing in the document says so"
            yield Violation("a", CAVEAT, C3, message, item.at, claim.value)


def _said(claim: Claim, case: Case, name: str) -> bool:
    """Whether a sentence of the document says that this is left out."""
    quotes = [item.quote for item in claim.said if item.topic in TOPICS]
    quotes += [item.quote for item in case.submission.disclosures if item.topic in TOPICS]
    concept = CONCEPTS[name]
    return words_in(*quotes).has(concept, affirmed=False) or _left_out(read(claim.statement), concept)


def _left_out(words: Reading, concept: str) -> bool:
    """Whether a clause of a sentence says that something is left out: "without validation", "saving is excluded"."""
    out = [item for name in ("exclusion", "left_outside") for item in words.mentions(name) if not item.negated]
    clauses = {words.clause(item.span) for item in out}
    return bool(clauses) and any(words.clause(item.span) in clauses for item in words.mentions(concept))
