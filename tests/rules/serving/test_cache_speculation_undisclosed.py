"""L08, cache-speculation-undisclosed."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.serving import server

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def cached(prefix_cache=True, duplicate_prompts=0.4, speculation="none", claim=None, **arm):
    load = {"prefix_cache": prefix_cache, "duplicate_prompts": duplicate_prompts, "speculation": speculation}
    return server(rate={"load": load}, claims={"rate": claim or {}}, **arm)


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (cached(), VIOLATION),
        (cached(duplicate_prompts=0.05), PASS),
        (cached(prefix_cache=False), PASS),
        (cached(prefix_cache=None), NOT_SHOWN),
        (cached(duplicate_prompts=None), NOT_SHOWN),
        (cached(prefix_cache=False, speculation=None), NOT_SHOWN),
        (cached(prefix_cache=False, speculation="draft model of 1B"), NOT_SHOWN),
        (cached(prefix_cache=False, speculation="draft of 1B, acceptance 0.71"), PASS),
        (cached(speculation=None), VIOLATION),  # what is missing hides nothing
        (cached(claim={"statement": "With the prefix cache on, 6.27 requests per second."}), PASS),
        (cached(claim={"said": [{"topic": "cache_or_speculation", "quote": "40 % of the prompts repeat"}]}), PASS),
        (cached(options={"dataset": "1004 turns of multi-turn conversations"}), PASS),
        (server(rate={"load": None}), NOT_SHOWN),
    ],
)
def test_caches_and_speculation(judged, patch, outcome):
    result = judged("serving", "L08", "rate", patch)
    assert result.outcome is outcome
    assert outcome is not NOT_SHOWN or result.branch.item == "cache and speculation"
