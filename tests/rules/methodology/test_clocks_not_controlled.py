"""M13, clocks-not-controlled: A timing on an accelerator whose clocks were neither locked nor logged."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer
from support.conditions import arm

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
CLOCK = {"t1": {"telemetry": {"columns": {"sm_clock_mhz": [1410, 1395, 1410]}}}}
NONE = {"policy": "none", "low_mhz": None, "high_mhz": None}
LOGGED_ONLY = {"policy": "logged", "low_mhz": None, "high_mhz": None}


def every(period_s, **samples):
    """Trials whose clocks were read once in so many seconds, and perhaps in every iteration as well."""
    telemetry = {"period_s": period_s, "columns": {"sm_clock_mhz": [1410]}}
    return {f"t{index}": {"telemetry": telemetry, "samples": samples} for index in range(1, 6)}


def lock(verified, **fields):
    return {"environment": {"clocks": NONE, "controls": {"gpu_sm_clock_mhz": {"verified": verified, **fields}}}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"environment": {"clocks": NONE}}, ("a", CAVEAT)),
        ({"environment": {"clocks": None}}, NOT_SHOWN),
        ({"environment": None}, NOT_SHOWN),
        ({"environment": {"clocks": {"policy": "logged"}}}, PASS),
        ({"environment": {"clocks": NONE}, "trials": CLOCK}, PASS),
        (lock("verified", applied=1410), PASS),
        (lock("not_permitted", requested=1410), NOT_SHOWN),
        (lock("unverifiable", requested=1410), NOT_SHOWN),
        (lock("not_requested"), ("a", CAVEAT)),
        ({"environment": {"clocks": LOGGED_ONLY}, "trials": every(10.0)}, ("a", CAVEAT)),
        ({"environment": {"clocks": LOGGED_ONLY}, "trials": every(1.0)}, PASS),
        ({"environment": {"clocks": LOGGED_ONLY}, "trials": every(10.0, clock_mhz=[1410] * 60)}, PASS),
        ({"trials": every(10.0)}, PASS),  # locked
    ],
)
def test_clock_policy(judged, fields, expected):
    assert answer(judged("rate", "M13", "rate", arm(**fields))) == expected


def test_a_customer_has_no_hand_on_the_clocks_of_a_service(judged):
    patch = arm(environment={"clocks": NONE}) | {"claims": {"rate": {"site": "hosted"}}}
    assert answer(judged("rate", "M13", "rate", patch)) is PASS


def polled(clocks, use=None):
    columns = {"sm_clock_mhz": clocks} | ({"utilisation": use} if use is not None else {})
    return {"t1": {"telemetry": {"columns": columns}}}


def test_a_device_without_a_known_variant_shows_its_knob_alone(judged):
    knobs = {"clocks": NONE, "controls": {"gpu_sm_clock_lock": {"verified": "verified", "applied": True}}}
    assert answer(judged("rate", "M13", "rate", arm(environment=knobs))) is PASS
    assert (
        answer(judged("rate", "F18", "rate", arm(environment=knobs, trials=polled([300] * 9, [1.0] * 9))))
        is NOT_APPLICABLE
    )
