"""Q32, accuracy-not-on-full-set: An accuracy on a part of the set that the round prescribes."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.patches import both
from support.suite_results import stated

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("examples", "division", "expected"),
    [
        (24781, "closed", (PASS, None)),
        (24600, "closed", (PASS, None)),
        (12000, "closed", (VIOLATION, REFUTES)),
        (12000, "open", (NOT_APPLICABLE, None)),
    ],
)
def test_a_closed_result_evaluates_its_whole_set(training, examples, division, expected):
    claim = {"claims": {"retinanet": {"division": division, "suite_result": {"division": division}}}}
    patch = both(claim, {"arms": {"retinanet": {"quality": {"mAP": {"examples": examples}}}}})
    assert training("Q32", patch) == expected


def test_the_whole_set(inference):
    assert inference("Q32", {"arms": {"offline": {"quality": {"accuracy": {"examples": 49999}}}}}) == (
        VIOLATION,
        REFUTES,
    )
    more = {"arms": {"offline": {"quality": {"accuracy": {"examples": 50001}}}}}
    assert inference("Q32", more) == (PASS, None)


@pytest.mark.parametrize(("examples", "outcome"), [(5000, VIOLATION), (50000, PASS)])
def test_the_full_set_of_an_earlier_round(inference, examples, outcome):
    quality = {"arms": {"offline": {"quality": {"accuracy": {"examples": examples}}}}}
    assert inference("Q32", both(stated("offline", round="v3.1"), quality))[0] is outcome
