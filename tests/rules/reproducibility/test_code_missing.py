"""R01, code-missing: A result whose code is not given, or only as a place that can change."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ({}, PASS),
        (None, NOT_SHOWN),
        ({"url": None}, NOT_SHOWN),
        ({"commit": None}, VIOLATION),
        ({"commit": "main"}, VIOLATION),
        ({"commit": None, "url": "https://git.example.org/rn50/tree/77aa9c2ab17d02c5d0a3f2b1e04c5d9f2a7b8c1d"}, PASS),
        ({"commit": None, "url": "https://doi.org/10.5281/zenodo.1"}, PASS),
        ({"commit": None, "url": "https://git.example.org/rn50/releases/tag/v1.2"}, PASS),
        ({"commit": None, "url": "https://git.example.org/rn50/tree/main"}, VIOLATION),
    ],
)
def test_code(judged, code, outcome):
    result = judged("rate", "R01", "rate", {"arms": {"a": {"software": {"code": code}}}})
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is CAVEAT
