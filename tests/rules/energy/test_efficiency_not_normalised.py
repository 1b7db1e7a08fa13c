"""E04, efficiency-not-normalised: A ratio, a rank or a word about energy without the work per joule of both sides."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def arm(unit="images/J", work=1920000, per_iteration=12800, **energy):
    metric = {"unit": unit, "work_per_iteration": per_iteration}
    return {"energy": {"work": work, **energy}, "performance": {"per-joule": metric}}


BARE = arm("J", None, None)


@pytest.mark.parametrize(
    ("full", "claim", "outcome"),
    [
        ({}, {}, PASS),
        (BARE, {}, NOT_SHOWN),
        (arm("J", 1920000, None), {}, PASS),  # energy with its work
        (arm("J/image", None, None), {}, PASS),
        (arm("tokens per kWh", None, None), {}, PASS),
        (arm("J", None), {}, PASS),  # raw joules of known work
        (BARE, {"base": {"value": "6.58", "unit": "images/J"}}, PASS),
        (BARE, {"base": {"value": "380", "unit": "W"}}, NOT_SHOWN),  # half the power is no saving of energy
        (BARE, {"form": "absolute", "statement": "It is 1.28."}, NOT_APPLICABLE),
        (BARE, {"form": "words", "value": None}, NOT_SHOWN),
        ({}, {"form": "absolute", "value": "0.43", "unit": "points/kJ"}, NOT_SHOWN),  # a quality is no work
        ({}, {"form": "absolute", "value": "332", "unit": "kJ per device"}, NOT_SHOWN),
        ({}, {"form": "absolute", "value": "8.41", "unit": "point clouds/J"}, NOT_APPLICABLE),
        ({}, {"form": "absolute", "value": "8.41", "unit": "data points/J"}, NOT_APPLICABLE),
        ({}, {"form": "absolute", "value": "0.12", "unit": "J per token per device"}, NOT_APPLICABLE),
        ({}, {"measured": None, "base": None}, NOT_SHOWN),
    ],
)
def test_work_per_joule(judged, full, claim, outcome):
    result = judged("energy", "E04", "gain", {"claims": {"gain": claim}, "arms": {"full": full}})
    assert result.outcome is outcome
    assert outcome is not NOT_SHOWN or result.branch.item == "work per joule"


def test_work_per_joule_in_a_table(judged):
    columns = {"eff": {"quantity": "energy", "unit": "images/J"}}
    rows = {name: {"values": {"eff": "8.41"}} for name in ("a", "b", "c")}
    claim = {"form": "rank", "measured": None, "base": None, "row": {"table": "t", "row": "a"}}
    patch = {"claims": {"gain": claim}, "tables": {"t": {"columns": columns, "rows": rows}}}
    assert judged("energy", "E04", "gain", patch).outcome is PASS
    rows["c"]["values"] = {}
    assert judged("energy", "E04", "gain", patch).outcome is NOT_SHOWN
