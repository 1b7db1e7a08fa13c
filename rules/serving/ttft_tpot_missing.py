"""L02: a language service described by its tokens per second alone."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.series.raw_numbers import samples
from ..facts.serving.latency_parts import COLUMNS, EACH, FIRST, WHOLE, part_of
from ..facts.serving.tails import states_tail
from ..outcome import Branch, NotShown
from ..registry import rule

MIDDLE = frozenset({"mean", "median"})


def parts_given(claim: Claim, case: Case) -> frozenset[str]:
    """Return which of the two token latencies a document gives for a claim's arm: as means, raw numbers or columns."""
    side, row, table = case.subject(claim), case.row(claim), case.table(claim)
    found = set(_of_arm(case, side)) if side is not None else set()
    if row is not None and table is not None:
        found |= {part_of(f"{key} {table.columns[key].unit}") for key in row.values if key in table.columns}
    return frozenset(found) - {WHOLE}


def _of_arm(case: Case, side: Side) -> list[str]:
    found = []
    for name, metric in side.arm.performance.items():
        times = metric.token_times
        if times is not None:
            found += [FIRST] * (times.first_token is not None) + [EACH] * (times.per_output_token is not None)
        if metric.quantity == "latency" and (metric.value is not None or metric.summary is not None):
            found.append(part_of(name))
    return found + [part for part, column in COLUMNS.items() if samples(case, side, column) is not None]


def parts_without_tail(claim: Claim, case: Case) -> frozenset[str]:
    """Return the token latencies that an arm gives only as a mean or median of their own, without a slow percentile."""
    side = case.subject(claim)
    if side is None:
        return frozenset()
    held = {
        part
        for name, metric in side.arm.performance.items()
        if metric.quantity == "latency" and (part := part_of(name)) != WHOLE and metric.statistic in MIDDLE
    }
    metrics = side.arm.performance.items()
    tails = {part_of(name) for name, metric in metrics if metric.quantity == "latency" and states_tail(metric)}
    for _, metric in metrics:
        if metric.token_times is not None:
            tails |= {FIRST, EACH}
    tails |= {part for part, column in COLUMNS.items() if samples(case, side, column) is not None}
    return frozenset(held - tails)


ITEM = "TTFT and TPOT"
PROVIDE = """\
arms:
  server:
    performance:
      latency:
        token_times: {unit: s, first_token: "0.180", per_output_token: "0.0182", definition: after_first}
"""
WORDS = {FIRST: "the time to the first token", EACH: "the time per output token"}


@rule("L02", "ttft-tpot-missing", applies="serving and llm and (purpose=serving_objective or comparison)", origin="S0")
def ttft_tpot_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A claim about serving a language model without the time to the first token or per output token.

    ## What it does
    Looks for both times of the claim's arm: as printed means or percentiles, as raw numbers per request, or as columns
    of the table.

    ## Why it misleads
    A server that makes every request wait for a large batch prints the most tokens per second. A person who
    reads along waits for the first word, and then for each of the others.

    ## Branches
    - not shown: one of the two is not given; or, for an objective, only a mean or median of its own stands for one:
      no percentile from the 90th on, no maximum and no raw numbers. Required (TTFT and TPOT) from the publication
      profile on.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"performance": {"latency": {"token_times": null}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, whose server states both times.

    ## How to fix
    Give the median and the 99th percentile of both.

    ## References
    MLPerf inference rules for language models.
    """
    given = parts_given(claim, case)
    lacking = [words for part, words in WORDS.items() if part not in given]
    if lacking:
        yield NotShown(f"not given: {' and '.join(lacking)}", claim.at, ITEM, PROVIDE)
        return
    bare = [WORDS[part] for part in sorted(parts_without_tail(claim, case))]
    if bare and claim.purpose == "serving_objective":
        yield NotShown(f"given by its middle alone, without its tail: {' and '.join(bare)}", claim.at, ITEM, PROVIDE)
