"""Q13: a load generator with other seeds than those of the round."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.inference import accuracy_runs, performance_runs, texts
from ..facts.suite.result import quoted
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import rule
from ..tables import mlperf


@rule(
    "Q13",
    "random-seed-not-official",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_inference",
    origin="POL, MEAS",
)
def random_seed_not_official(claim: Claim, case: Case) -> Iterator[Branch]:
    """A run whose load generator drew its samples and arrivals from other seeds than the round prescribes.

    ## What it does
    Compares the effective seeds that performance and accuracy runs log with those of the round. Compliance runs have
    seeds of their own.

    ## Why it misleads
    Whoever may choose the seed may choose the easiest order of samples and the kindest arrivals.

    ## Branches
    - (a) undermines, C3: a seed of a performance run differs.
    - (b) caveat, C3: a seed of an accuracy run differs, which evaluates the whole set in any order.
    - not applicable: a run does not log its seeds, or the table holds none for the round.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"events": {"9": {"value": "12786827339337101903"}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, with the seeds of round v5.0.

    ## How to fix
    Run again with the configuration of the round.

    ## References
    MLPerf Inference rules; seeds as the suite's checker lists them.
    """
    result = quoted(claim)
    seeds = _seeds(result.round)
    if not seeds:
        yield result.no_figure("seeds")
        return
    complete = bool(case.runs(claim))
    kinds = (("a", UNDERMINES, performance_runs(claim, case)), ("b", CAVEAT, accuracy_runs(claim, case)))
    for branch, effect, run in ((branch, effect, run) for branch, effect, runs in kinds for run in runs):
        for name, official in seeds.items():
            logged = list(texts(run, f"effective_{name}"))
            complete = complete and bool(logged) and all(text.isdigit() for text, _ in logged)
            for text, at in logged:
                if text != official and text.isdigit():
                    message = f"{run.name} ran with {name} {text}; round v{result.round} prescribes {official}"
                    yield Violation(branch, effect, C3, message, at, official, text)
    if not complete:
        yield Inapplicable("not every run logs all its seeds")


def _seeds(round_name: str | None) -> dict[str, str]:
    """Return the seeds that a round prescribes by name; none where no table holds them."""
    table = mlperf.inference()
    found = table.rounds.get(round_name or "")
    return found.seeds if found is not None else table.earlier_seeds.rounds.get(round_name or "", {})
