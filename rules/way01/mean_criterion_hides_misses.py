"""W0108: the mean meets the target, many runs do not."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_around
from ..facts.quantities.numbers import finite
from ..facts.training.convergence import meets, scale_differs
from ..facts.training.target import JudgedRun, judged_runs
from ..language.printed import short
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import target_of

FEW_MISSES = 2
"""Of fewer runs than the rule wants, one miss may be chance, two are a share that the reader should know."""
PROVIDE = """\
claims:
  time:
    target: {criterion: mean}      # and the sentence: "mean over n runs; k of n reach the target"
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.90, "share of the runs that reach the target", "judgement")
    runs: float = Threshold(10, "runs", "judgement")
    share_of_mean: float = Threshold(
        0.80, "share of the runs that a mean named as such may leave unsaid", "measured on published speed records"
    )


@rule(
    "W0108",
    "mean-criterion-hides-misses",
    effect=CAVEAT,
    confidence=C3,
    applies="tta and criterion in {mean, median} and has(trials)",
    origin="MEAS",
    thresholds=Thresholds,
)
def mean_criterion_hides_misses(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A target is met on average, a good part of the runs never meets it, and the sentence does not say so.

    ## What it does
    Counts the runs of the claim that reach the target, each read in its favour: by its log, by its recorded crossing,
    or by its final value; a run that diverged does not reach it. A criterion counts as named where the sentence, a
    quote beside the number or the caption of its table speaks of a mean or a median. The share counts as told where
    they, or a disclosure, give a p value or how many runs reach the target, or where a test of that mean stands with
    the claim. What only a field of the target says, no reader of the sentence sees.

    ## Why it misleads
    "Reaches 3.28 in 4.4 minutes" reads as what a run does. If one run in five does not, the time until one has a model
    of that quality is longer.

    ## Branches
    - not applicable: fewer than 10 runs, of which at most one misses the target.
    - (a) caveat, C3: fewer than 90 % of the runs reach the target (of fewer than 10 runs at least two miss it), and the
      statement does not name the criterion.
    - (b) caveat, C3: the criterion is named, the share is not told, and fewer than 80 % of the runs reach the target
      (of fewer than 10 runs at least two miss it). A mean says that some runs may miss, not that a third of them does.
    - pass with note: the criterion is named, and the share is told or at least 80 %: the share of the runs that
      reach the target, and the time divided by it.
    - not shown: the runs do not all tell whether they reach it, and that decides.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"criterion": "mean", "target": {"criterion": null},
                         "statement": "On one A100 the network reaches 94 % test accuracy in 85.0 s."}},
     "arms": {"trained": {"target": {"criterion": null}, "trials": {
       "s6": {"kind": "convergence", "outcome": "completed", "final": {"accuracy": "0.9446"}},
       "s7": {"kind": "convergence", "outcome": "completed", "final": {"accuracy": "0.9441"}},
       "s8": {"kind": "convergence", "outcome": "completed", "final": {"accuracy": "0.9452"}},
       "s9": {"kind": "convergence", "outcome": "completed", "final": {"accuracy": "0.9391"}},
       "s10": {"kind": "convergence", "outcome": "completed", "final": {"accuracy": "0.9388"}}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, with the criterion named and every run above the target:
    ```json
    {"claims": {"time": {"criterion": "median", "target": {"criterion": "median"}}}}
    ```

    ## How to fix
    Say "mean over n runs", and give the share of runs that succeed.

    ## References
    Measured on published speed records, of which one in five runs misses its target.
    """
    side, target = case.subject(claim), target_of(claim, case)
    runs = judged_runs(side, target) if side is not None and isinstance(target, Target) else ()
    if side is None or not isinstance(target, Target) or not runs:
        yield Inapplicable("no training run of the claim is shown")
        return
    reached = [_reached(side, run, target) for run in runs]
    met, unknown, n = reached.count(True), reached.count(None), len(runs)
    meant, told = _named(claim, case)
    hidden = meant and not told and met + unknown < thresholds.share_of_mean * n
    if (meant or told) and not (hidden and (n >= thresholds.runs or reached.count(False) >= FEW_MISSES)):
        yield from _note(claim, target, met, unknown, n)
    elif n < thresholds.runs and reached.count(False) < FEW_MISSES:
        yield Inapplicable(f"{n} runs are too few to speak of a share")
    elif met + unknown < thresholds.share * n:
        missed = [run for run, answer in zip(runs, reached, strict=True) if answer is False]
        unsaid = "how many" if meant else f"that the {claim.criterion or 'mean'} over the runs is meant"
        message = (
            f"{met + unknown} of {n} runs reach {target.metric} {target.value}; the sentence does not say {unsaid}"
        )
        related = tuple(Related(run.at, "a run that misses the target") for run in missed[:5])
        yield Violation(
            "b" if meant else "a", CAVEAT, C3, message, claim.place("statement"), target.value, f"{met}/{n}", related
        )
    elif met < thresholds.share * n:
        message = f"{unknown} of {n} runs do not tell whether they reach {target.metric} {target.value}"
        yield NotShown(message, side.arm.place("trials"), "", PROVIDE)


def _reached(side: Side, run: JudgedRun, target: Target) -> bool | None:
    """Return whether a run reaches the target by its log, its recorded crossing or its final value."""
    if run.met is not None or run.recorded:
        return bool(run.met) or run.recorded
    trial = side.arm.trials[run.trial]
    final = float(trial.final.get(target.metric, "nan"))
    if finite(final) and not scale_differs((final,), target):
        return meets(final, target)
    return False if trial.outcome == "diverged" else None


def _named(claim: Claim, case: Case) -> tuple[bool, bool]:
    """Return whether the mean is named, and whether its test or the share of the runs is told."""
    words = words_around(claim, case)
    told = words.and_(*((item.at, item.quote) for item in case.submission.disclosures))
    return words.has("mean_or_median"), claim.test is not None or told.has("runs_that_reach")


def _note(claim: Claim, target: Target, met: int, unknown: int, n: int) -> Iterator[Branch]:
    text = f"{met} of {n} runs reach {target.metric} {target.value}"
    if unknown:
        yield Note(f"{text}, {unknown} do not tell")
    elif 0 < met < n and claim.value is not None and claim.form == "absolute":
        time = f"{short(float(claim.value) * n / met)} {claim.unit or ''}".strip()
        yield Note(f"{text}; the time divided by that share is {time}")
    else:
        yield Note(text)
