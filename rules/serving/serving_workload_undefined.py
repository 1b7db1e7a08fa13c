"""L01: a serving number without its workload."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Load
from ...schemas.submission import Claim
from ..case import Case
from ..fields import field_of
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "serving workload"
PROVIDE = """\
arms:
  server:
    performance:
      rate:
        load: {concurrency: 16, prompt_length: "512 tokens", output_length: "129 tokens", batching: continuous}
"""


@rule("L01", "serving-workload-undefined", applies="serving and llm", origin="S0")
def serving_workload_undefined(claim: Claim, case: Case) -> Iterator[Branch]:
    """A serving number of a language model without lengths, load or batching.

    ## What it does
    Looks for prompt and output lengths, concurrency or arrivals, and the batching policy. Of a hosted service it asks
    where the client ran and on which day instead of batching.

    ## Why it misleads
    The same server gives ten times the tokens with long prompts and short answers, or with a hundred clients instead of
    one.

    ## Branches
    - not shown: one of them is not stated. Required (serving workload) in procurement.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"performance": {"rate": {"load": {"prompt_length": null}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, with lengths, concurrency and batching.

    ## How to fix
    State prompt and output lengths (with their spread), concurrency or arrivals, and the batching policy.

    ## References
    MLPerf inference rules; serving benchmarks of the open-source inference servers.
    """
    metric = case.metric(claim.measured)
    load = metric.load if metric is not None else None
    missing = _missing(load, field_of("site", claim, case) == "hosted")
    if missing:
        at = load.at if load is not None else claim.at
        yield NotShown(f"not stated: {', '.join(missing)}", at, ITEM, PROVIDE)


def _missing(load: Load | None, hosted: bool) -> list[str]:
    parts = {
        "prompt lengths": ("prompt_length",),
        "output lengths": ("output_length",),
        "concurrency or arrivals": ("concurrency", "request_rate", "arrival"),
    }
    parts |= {"where the client ran": ("client",), "day of the measurement": ("date",)} if hosted else {}
    parts |= {} if hosted else {"batching": ("batching",)}
    return [words for words, names in parts.items() if all(getattr(load, name, None) is None for name in names)]
