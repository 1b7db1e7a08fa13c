"""Q15: outputs that are shorter or longer than the round allows."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.accuracy import Recorded, above, below, recorded
from ..facts.suite.result import accuracy_limits, quoted
from ..language.printed import short
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables import mlperf

PROVIDE = """\
arms:
  server:
    runs:
      accuracy: {role: accuracy, record: {metrics: {tokens_per_sample: "291.9"}}}
"""


@rule(
    "Q15",
    "token-length-outside-band",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_inference and llm",
    origin="POL, MEAS",
    also=("L09",),
)
def token_length_outside_band(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result of a language model whose outputs are not as long as those of the reference.

    ## What it does
    Compares the tokens per sample, or the length of all outputs, that the accuracy record gives with the band that the
    round allows around the reference.

    ## Why it misleads
    Shorter answers are sooner done; longer ones are cheap tokens in a rate of tokens.

    ## Branches
    - (a) undermines, C3: the length lies outside the band.
    - not shown: the record gives no length.
    - not applicable: the round has no limit for the benchmark, or the result is one of the open division.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"claims": {"offline": {"work": "tokens", "suite_result": {"benchmark": "llama2-70b-99"}}},
     "arms": {"offline": {"runs": {"accuracy": {"record": {"metrics": {"tokens_per_sample": "249.7"}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`:
    ```json
    {"claims": {"offline": {"work": "tokens", "suite_result": {"benchmark": "llama2-70b-99"}}},
     "arms": {"offline": {"runs": {"accuracy": {"record": {"metrics": {"tokens_per_sample": "291.9"}}}}}}}
    ```

    ## How to fix
    Restore the conditions under which an answer ends.

    ## References
    MLPerf Inference rules, section on the length of outputs.
    """
    result = quoted(claim)
    if result.division == "open":
        yield Inapplicable("the open division sets no length")
        return
    lengths = mlperf.inference().length_metrics
    limits = {name: limit for name, limit in accuracy_limits(result).items() if name in lengths}
    if not limits:
        yield result.no_figure("the length of outputs")
    for name, (least, greatest) in limits.items():
        found = recorded(claim, case, name, least or greatest or 1.0)
        if found is None:
            yield NotShown(f"no accuracy record gives {name}", claim.at, provide=PROVIDE)
        elif least is not None and below(found, least):
            yield _violation(name, found, "at least", least)
        elif greatest is not None and above(found, greatest):
            yield _violation(name, found, "at most", greatest)


def _violation(name: str, found: Recorded, sign: str, limit: float) -> Violation:
    message = f"{name} is {found.text}; the round asks for {sign} {short(limit)}"
    return Violation("a", UNDERMINES, C3, message, found.at, f"{sign} {short(limit)}", found.text)
