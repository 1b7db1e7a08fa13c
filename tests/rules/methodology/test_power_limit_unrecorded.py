"""M15, power-limit-unrecorded: A timing or an energy on an accelerator without the power limit in force."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer
from support.conditions import arm

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
NO_LIMIT = {"systems": {"node": {"power_limit_w": None, "design_power_w": 400}}}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"power_limit_w": None}, NOT_SHOWN),
        ({"power_limit_w": 300}, PASS),
        ({"power_limit_w": None, "controls": {"gpu_power_limit_w": {"verified": "verified", "applied": 300}}}, PASS),
        (
            {"power_limit_w": None, "controls": {"gpu_power_limit_w": {"verified": "unverifiable", "requested": 300}}},
            NOT_SHOWN,
        ),
    ],
)
def test_power_limit(judged, environment, expected):
    assert answer(judged("rate", "M15", "rate", arm(environment=environment) | NO_LIMIT)) is expected
