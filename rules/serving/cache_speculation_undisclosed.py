"""L08: prompts that were answered before."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Load
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_in
from ..facts.serving.records import records
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, NotShown, Violation
from ..registry import Threshold, rule

ITEM = "cache and speculation"
PROVIDE = """\
arms:
  server:
    performance:
      rate:
        load: {prefix_cache: false, speculation: "draft of 1B, 4 tokens, acceptance 0.71", duplicate_prompts: 0}
"""
NONE = frozenset({"none", "no", "off"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    duplicates: float = Threshold(0.05, "share of the prompts", "judgement")


@rule(
    "L08",
    "cache-speculation-undisclosed",
    effect=UNDERMINES,
    confidence=C3,
    applies="serving and (llm or has(tokens))",
    origin="S0",
    thresholds=Thresholds,
)
def cache_speculation_undisclosed(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Serving numbers helped by a cache of earlier prompts or by a draft model, without saying so.

    ## What it does
    Reads whether a prefix cache was on, how many prompts repeat another, and whether a draft model wrote ahead and how
    many of its tokens were accepted. Where requests are recorded one by one, repeated prompts and cached tokens count.

    ## Why it misleads
    A benchmark that sends one prompt a thousand times measures a cache. Speculation helps on easy text and hurts on
    hard text; without its acceptance no reader can tell what it does on his own.

    ## Branches
    - (a) undermines, C3: more than 5 % of the prompts repeat another, the prefix cache was on, and the sentence does
      not say so; by the load, or by the requests that are recorded. Not for a workload that is declared to share
      prefixes.
    - (b) undermines, C3: the load says that no prefix cache was on, and by the record of the requests a cache held more
      than 5 % of the tokens of their prompts.
    - not shown: whether cache or speculation were on, the repeated prompts beside a cache that was on, or the
      acceptance under speculation, are not stated. Required (cache and speculation) from the publication profile on.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"performance": {"rate": {"load": {"prefix_cache": true, "duplicate_prompts": 0.4}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, without either.

    ## How to fix
    Say what was cached and what was accepted, and measure on prompts that differ.

    ## References
    Serving benchmarks of open-source inference servers; MLPerf inference rules on caching.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    load = metric.load if metric is not None else None
    if load is None:
        yield NotShown("neither cache nor speculation are stated", claim.at, ITEM, PROVIDE)
        return
    found = records(case, side) if side is not None else ()
    cached = max((one.cached or 0.0 for one in found), default=0.0)
    known = max((one.repeated or 0.0 for one in found), default=0.0)
    lacking = _lacking(load)
    if lacking:
        yield NotShown(f"not stated: {', '.join(lacking)}", load.at, ITEM, PROVIDE)
    repeated = max(load.duplicate_prompts or 0.0, known)
    helped = (load.prefix_cache is True or cached > thresholds.duplicates) and repeated > thresholds.duplicates
    if load.prefix_cache is False and cached > thresholds.duplicates:
        message = f"by the record a cache held {cached:.0%} of the prompts' tokens; the load says that there was none"
        yield Violation("b", UNDERMINES, C3, message, load.place("prefix_cache"), "false", f"{cached:.0%}")
    elif helped and not _said(claim) and not _declared(side, load):
        message = f"{repeated:.0%} of the prompts repeat another, the prefix cache was on, and the claim is silent"
        yield Violation("a", UNDERMINES, C3, message, load.place("duplicate_prompts"), recomputed=f"{repeated:.0%}")


def _lacking(load: Load) -> list[str]:
    found = []
    if load.prefix_cache is None:
        found.append("whether a prefix cache was on")
    elif load.prefix_cache and load.duplicate_prompts is None:
        found.append("how many prompts repeat another")
    if load.speculation is None:
        found.append("whether there was speculation")
    elif load.speculation.strip().casefold() not in NONE and not read(load.speculation).has("acceptance_stated"):
        found.append("the acceptance under speculation")
    return found


def _said(claim: Claim) -> bool:
    topics = {item.topic for item in claim.said}
    return "cache_or_speculation" in topics or read(claim.statement).has("shared_prefixes")


def _declared(side: Side | None, load: Load) -> bool:
    """Whether the workload is described as one that shares prefixes."""
    options = side.arm.options if side is not None else None
    dataset = options.dataset if options is not None else None
    return words_in(load.prompt_length, load.arrival, dataset).has("shared_prefixes")
