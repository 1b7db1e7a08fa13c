"""Q29, power-not-measured-by-suite."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.patches import both

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN
ENERGY = {"claims": {"offline": {"quantity": "energy", "unit": "samples/J"}}}


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("read from the management controller of the chassis", VIOLATION),
        ("the suite's power tool, analyser at the wall, beside the management controller", PASS),
        ("the analyser at the wall, in a later run", VIOLATION),
        ("the analyser at the wall", PASS),
    ],
)
def test_a_power_that_the_suite_did_not_measure(inference, source, outcome):
    energy = {"method": "sampled", "boundary": "node", "mean_power_w": 5918, "source": source}
    patch = {
        "claims": {"offline": {"quantity": "energy", "unit": "samples/J"}},
        "arms": {"offline": {"energy": energy}},
    }
    assert inference("Q29", patch)[0] is outcome


READINGS = {"count": 620, "mean_power_w": 6512.2, "unread": 1, "contradictory": 2, "copied": 0, "longest_repeat": 3}
SESSION = {
    "identities": ["session a, client 1, server 2"],
    "printed_readings": 621,
    "printed_mean_power_w": 6511.87,
    "in_phase": True,
    "files": {"run_1/spl.txt": {"recorded": "0" * 40, "found": "0" * 40, "record": "power/server.json"}},
}


@pytest.mark.parametrize(
    ("session", "readings", "found"),
    [
        ({}, {}, (PASS, None)),
        ({"identities": ["session a", "session b"]}, {}, (VIOLATION, REFUTES)),
        ({"files": {"run_1/spl.txt": {"recorded": "0" * 40, "found": "1" * 40}}}, {}, (VIOLATION, UNDERMINES)),
        ({"files": {"run_1/spl.txt": {"recorded": "0" * 40}}}, {}, (PASS, None)),
        ({"in_phase": False}, {}, (VIOLATION, UNDERMINES)),
        ({"debug": True}, {}, (VIOLATION, UNDERMINES)),
        ({"lacking": ["the readings of the run, spl.txt"]}, {}, (NOT_SHOWN, None)),
        ({}, {"mean_power_w": 6440.1}, (VIOLATION, UNDERMINES)),
        ({}, {"count": 610}, (VIOLATION, UNDERMINES)),
        ({"printed_mean_power_w": None}, {"mean_power_w": 6440.1}, (PASS, None)),
        ({}, {"copied": 300}, (VIOLATION, REFUTES)),
        ({}, {"contradictory": 40}, (VIOLATION, UNDERMINES)),
        ({}, {"longest_repeat": 300}, (VIOLATION, UNDERMINES)),
    ],
)
def test_the_records_of_a_measurement_agree(inference, session, readings, found):
    energy = {"method": "meter", "boundary": "node", "session": SESSION | session, "readings": READINGS | readings}
    assert inference("Q29", both(ENERGY, {"arms": {"offline": {"energy": energy}}})) == found


@pytest.mark.parametrize(
    ("statement", "energy", "outcome"),
    [
        ("12 kWh.", {"method": "meter", "boundary": "node"}, PASS),
        ("12 kWh, on boards of 700 W TDP.", {"method": "meter", "boundary": "node"}, PASS),
        ("12 kWh by the TDP of the boards.", None, VIOLATION),
        ("12 kWh, measured, not the TDP.", None, NOT_SHOWN),
        ("12 kWh.", {"method": "modelled", "boundary": "node"}, VIOLATION),
        ("12 kWh.", {"method": "counter", "boundary": "device"}, VIOLATION),
        ("12 kWh.", {"source": "rated power of the supply"}, VIOLATION),
        ("12 kWh.", {"mean_power_w": 5000}, NOT_SHOWN),
        ("12 kWh.", {"method": "sampled", "boundary": "node", "source": "another run of the same day"}, VIOLATION),
        ("12 kWh.", {"method": "sampled", "boundary": "node", "source": "IPMI of the node"}, PASS),  # training may
    ],
)
def test_where_the_power_is_from(quoted, statement, energy, outcome):
    claim = {"quantity": "energy", "unit": "kWh", "statement": statement}
    assert quoted("Q29", claim, arms={"retinanet": {"energy": energy}})[0] is outcome
