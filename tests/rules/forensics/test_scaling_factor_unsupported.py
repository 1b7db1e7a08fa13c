"""F53, scaling-factor-unsupported."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        ({"value": "1"}, PASS),
        ({"value": "1.024", "numerator": "43.008", "denominator": "42.000"}, PASS),
        ({"value": "1.100", "numerator": "43.008", "denominator": "42.000"}, ("a", REFUTES)),
        ({"value": "0.960", "numerator": "0.960", "denominator": "1.000"}, ("a", REFUTES)),  # it improves the time
        ({"value": "0.960"}, ("a", REFUTES)),
        ({"value": "0.9999", "numerator": "0.9999", "denominator": "1.0000"}, ("a", CAVEAT)),  # the score stays 85.0
        ({"value": "1.024"}, NOT_SHOWN),
        ({"value": "1.024", "numerator": "43.008", "denominator": "42.000", "reference_exists": False},
         ("a", REFUTES)),
        ({"value": "1.024", "numerator": "43.008", "denominator": "0"}, NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_a_factor_is_its_quotient(judged, factor, expected):
    assert answer(judged("time-to-accuracy", "F53", "time", {"claims": {"time": {"factor": factor}}})) == expected


def test_the_score_without_the_factor_is_printed(judged):
    result = judged("time-to-accuracy", "F53", "time", {"claims": {"time": {"factor": {"value": "1.0625"}}}})
    assert "80 s without it" in result.branch.message
