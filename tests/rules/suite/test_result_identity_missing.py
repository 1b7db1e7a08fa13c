"""Q22, result-identity-missing: A result of a benchmark suite without who, what, when and on which system."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
FULL = {"organisation": "Example Lab", "benchmark": "ResNet-50", "round": "v4.1", "system": "8x A100"}


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ({"suite_result": FULL}, ""),
        ({"suite_result": {**FULL, "organisation": None}}, "organisation"),
        ({"suite_result": {**FULL, "round": None}}, "version or round"),
        ({"suite_result": {**FULL, "benchmark": None}}, "benchmark"),
        ({"suite_result": {**FULL, "benchmark": None, "division": "closed"}}, ""),
        ({"suite_result": {**FULL, "benchmark": None}, "division": "closed"}, ""),
        ({}, "organisation, benchmark, version or round, system"),
    ],
)
def test_quoted_suite_results(judged, claim, missing):
    result = judged("rate", "Q22", "rate", {"claims": {"rate": {"suite": "training", **claim}}})
    assert result.outcome is (NOT_SHOWN if missing else PASS)
    assert not missing or missing in result.branch.message
