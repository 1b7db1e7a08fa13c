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
    offered = load is not None and (
        load.concurrency is not None or load.request_rate is not None or load.arrival is not None
    )
    stated: dict[str, object] = {
        "prompt lengths": load.prompt_length if load is not None else None,
        "output lengths": load.output_length if load is not None else None,
        "concurrency or arrivals": offered or None,
    }
    if hosted:
        stated |= {
            "where the client ran": load.client if load is not None else None,
            "day of the measurement": load.date if load is not None else None,
        }
    else:
        stated["batching"] = load.batching if load is not None else None
    return [name for name, value in stated.items() if value is None]
