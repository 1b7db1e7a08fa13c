"""Reports with known answers, judged by every rule that they concern."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.serving import NEEDS_CORPUS, hosted, labelled

VIOLATION = Outcome.VIOLATION


@NEEDS_CORPUS
@pytest.mark.parametrize("code", ["S09", "L05", "L08", "L11", "L12", "L13", "S16", "S17"])
def test_the_clean_service_is_accused_of_nothing(judged, code):
    facts = labelled("llmperf-groq70b-2024")["facts"]
    assert judged("serving", code, "latency", hosted(facts, "ttft")).outcome is not VIOLATION
