"""Q33, power-log-too-sparse."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.patches import both
from support.suite_results import stated

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


@pytest.mark.parametrize(("updates", "outcome"), [(600, PASS), (240, VIOLATION), (5, VIOLATION)])
def test_a_meter_is_read_every_second(inference, updates, outcome):
    energy = {"updates": updates, "duration_s": 601.2, "boundary": "node", "method": "meter"}
    assert inference("Q33", both(ENERGY, {"arms": {"offline": {"energy": energy}}}))[0] is outcome


ENERGY = {"claims": {"offline": {"quantity": "energy", "unit": "samples/J"}}}


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({"updates": 600, "duration_s": 601}, PASS),
        ({"updates": 0, "duration_s": 601}, VIOLATION),
        ({"updates": 600, "duration_s": 601, "ranging_duration_s": 620}, PASS),
        ({"updates": 600, "duration_s": 601, "ranging_duration_s": 640}, VIOLATION),
        ({"updates": 600, "mean_power_w": 940, "ranging_power_w": 1000}, VIOLATION),
        ({"updates": 600, "mean_power_w": 960, "ranging_power_w": 1000}, PASS),
        ({"updates": 600, "uncertainty": 0.02}, VIOLATION),
        ({"duration_s": 601}, NOT_SHOWN),
    ],
)
def test_power_logs_of_inference(inference, energy, outcome):
    assert inference("Q33", both(ENERGY, {"arms": {"offline": {"energy": energy}}}))[0] is outcome


@pytest.mark.parametrize(
    ("ranging", "round_name", "effect"),
    [
        ({"duration_s": 601, "ranging_duration_s": 640}, "v5.0", CAVEAT),
        ({"duration_s": 601, "ranging_duration_s": 1300}, "v5.0", UNDERMINES),
        ({"mean_power_w": 940, "ranging_power_w": 1000}, "v3.1", UNDERMINES),
        ({"mean_power_w": 940, "ranging_power_w": 1000}, "v3.0", CAVEAT),
        ({"mean_power_w": 940, "ranging_power_w": 1000}, None, CAVEAT),
    ],
)
def test_what_the_suite_compared_in_that_round_accuses(inference, ranging, round_name, effect):
    energy = {"arms": {"offline": {"energy": {"updates": 600, **ranging}}}}
    patch = both(stated("offline", round=round_name), both(ENERGY, energy))
    assert inference("Q33", patch) == (VIOLATION, effect)


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({"updates": 601, "duration_s": 601, "nodes": 1}, PASS),
        ({"updates": 300, "duration_s": 601}, VIOLATION),
        ({"updates": 59, "duration_s": 59}, VIOLATION),
    ],
)
def test_power_logs_of_training(judged, energy, outcome):
    claim = {"claims": {"retinanet": {"quantity": "energy", "unit": "kWh"}}, "arms": {"retinanet": {"energy": energy}}}
    assert judged("suite-training", "Q33", "retinanet", claim).outcome is outcome


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({"session": {"clock_offset_s": 0.4, "interval_s": 1.0, "ranging_lead_s": 60}}, PASS),
        ({"session": {"clock_offset_s": 3.2}}, VIOLATION),
        ({"session": {"interval_s": 5.0}}, VIOLATION),
        ({"session": {"ranging_lead_s": -700}}, VIOLATION),
        ({"session": {"ranging_lead_s": 200000}}, VIOLATION),
        ({"readings": {"count": 620, "longest_gap_s": 2.0, "unread": 2, "disordered": 0}}, PASS),
        ({"readings": {"count": 620, "longest_gap_s": 31.0}}, VIOLATION),
        ({"readings": {"count": 620, "unread": 100}}, VIOLATION),
        ({"readings": {"count": 620, "disordered": 60}}, VIOLATION),
    ],
)
def test_the_clocks_and_the_log_of_a_meter(inference, energy, outcome):
    energy = {"updates": 600, "duration_s": 601} | energy
    assert inference("Q33", both(ENERGY, {"arms": {"offline": {"energy": energy}}}))[0] is outcome


def test_a_warning_of_the_meter_is_a_caveat(inference):
    patch = both(ENERGY, {"arms": {"offline": {"energy": {"updates": 600, "uncertainty": 0.0126}}}})
    assert inference("Q33", patch) == (VIOLATION, CAVEAT)
