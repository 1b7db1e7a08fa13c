"""L09, output-truncated."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def rouge(claim=None, **quality):
    return {"claims": {"quality": claim or {}}, "arms": {"int8": {"quality": {"rouge": quality}}}}


@pytest.mark.parametrize(
    ("length", "outcome"),
    [
        ({}, PASS),
        ({"generated": "100.1"}, PASS),
        ({"generated": "100.0"}, PASS),  # 90 % by its digits
        ({"generated": "99.9"}, VIOLATION),
        ({"generated": "130.0"}, PASS),
        ({"generated": "130.0", "bounded": True}, VIOLATION),
        ({"generated": "122.3", "bounded": True}, PASS),
        ({"reference": "0"}, NOT_APPLICABLE),
        ({"generated": "0"}, NOT_APPLICABLE),
    ],
)
def test_lengths_of_outputs(judged, length, outcome):
    assert judged("quantised", "L09", "quality", rouge(output_length=length)).outcome is outcome


def test_lengths_that_are_not_given(judged):
    assert judged("quantised", "L09", "quality", rouge(output_length=None)).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(("generated", "outcome"), [("147", PASS), ("112", VIOLATION)])
def test_a_speed_of_shorter_answers(judged, generated, outcome):
    length = {"generated": generated, "reference": "148"}
    patch = {"arms": {"ours": {"quality": {"accuracy": {"output_length": length}}}}}
    assert judged("serving-comparison", "L09", "speedup", patch).outcome is outcome
