"""M17, isolation-missing: A timing that shared its device, or wandered between the sockets of its host."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer
from support.conditions import arm, both_arms

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
TWO_SOCKETS = {"systems": {"node": {"host_sockets": 2}}}
FREE = {"affinity": None, "numa": None, "controls": {"affinity": {"verified": "not_requested", "found": "0-127"}}}


@pytest.mark.parametrize(
    ("environment", "more", "expected"),
    [
        ({"co_tenants": "2 other processes on the device"}, {}, ("a", CAVEAT)),
        ({"co_tenants": "shared with other users"}, {}, ("a", CAVEAT)),
        ({"co_tenants": "none, exclusive node"}, {}, PASS),
        ({"co_tenants": "no other processes"}, {}, PASS),
        ({"co_tenants": "0 other processes"}, {}, PASS),
        ({"co_tenants": "exclusive, not shared"}, {}, PASS),
        ({"co_tenants": None}, {}, NOT_SHOWN),
        ({"co_tenants": "unknown"}, {}, NOT_SHOWN),
        ({"co_tenants": {"not_applicable": "a chip of our own"}}, {}, PASS),
        ({"affinity": None, "numa": None}, {}, NOT_SHOWN),
        ({"affinity": None, "numa": "node 0"}, TWO_SOCKETS, PASS),
        ({"affinity": "none", "numa": None}, TWO_SOCKETS, ("a", CAVEAT)),
        ({"affinity": "not pinned", "numa": None}, {}, PASS),  # one socket
        (FREE, TWO_SOCKETS, ("a", CAVEAT)),
        (FREE, {"systems": {"node": {"host_sockets": None}}}, NOT_SHOWN),
        (
            {"affinity": None, "numa": None, "controls": {"affinity": {"verified": "not_permitted"}}},
            TWO_SOCKETS,
            NOT_SHOWN,
        ),
        (
            {"affinity": None, "numa": None, "controls": {"affinity": {"verified": "verified", "applied": "0-15"}}},
            TWO_SOCKETS,
            PASS,
        ),
    ],
)
def test_isolation(judged, environment, more, expected):
    assert answer(judged("rate", "M17", "rate", arm(environment=environment) | more)) == expected


def test_neighbours_may_be_the_treatment(judged):
    shared = {"environment": {"co_tenants": "4 other processes on the device"}}
    patch = both_arms(shared, {}, {"treatment": ["co_tenants"]})
    assert answer(judged("training-pair", "M17", "speedup", patch)) is PASS
