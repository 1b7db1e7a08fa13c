"""F20, total-contradicts-per-device: A total and a value per device that the device count does not join."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer, effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def test_a_column_of_rounded_whole_numbers_is_no_contradiction(judged):
    columns = {"total": {"quantity": "rate", "unit": "tokens/s"}, "each": {"quantity": "rate", "unit": "tokens/s/GPU"}}
    rows = {
        "a": {"devices": 512, "values": {"total": "25240000", "each": "49300"}},
        "b": {"devices": 128, "values": {"total": "6454000", "each": "50430"}},
        "c": {"devices": 32, "values": {"total": "1636000", "each": "51130"}},
    }
    claim = {"row": {"table": "t", "row": "a"}, "measured": None}
    patch = {"tables": {"t": {"columns": columns, "rows": rows}}, "claims": {"rate": claim}}
    assert answer(judged("rate", "F20", "rate", patch)) is PASS
    rows["a"]["values"]["total"] = "25280000"
    assert answer(judged("rate", "F20", "rate", patch)) == ("a", CAVEAT)
    rows["a"]["values"]["total"] = "25240000"
    rows["b"]["values"] = {"total": "6454321", "each": "50424"}
    assert answer(judged("rate", "F20", "rate", patch)) == ("a", CAVEAT)


def test_a_column_that_is_cut_off_throughout_is_no_contradiction(judged):
    """Tokens per second and device, as programs print them: cut off, not rounded."""
    columns = {"total": {"quantity": "rate", "unit": "tokens/s"}, "each": {"quantity": "rate", "unit": "tokens/s/GPU"}}
    rows = {
        "a": {"devices": 512, "values": {"total": "515636", "each": "1007"}},
        "b": {"devices": 256, "values": {"total": "265149", "each": "1035"}},
        "c": {"devices": 128, "values": {"total": "135490", "each": "1058"}},
    }
    claim = {"row": {"table": "t", "row": "b"}, "measured": None}
    patch = {"tables": {"t": {"columns": columns, "rows": rows}}, "claims": {"rate": claim}}
    assert answer(judged("rate", "F20", "rate", patch)) is PASS
    rows["a"]["values"]["each"] = "1008"
    assert answer(judged("rate", "F20", "rate", patch)) == ("a", CAVEAT)
    rows["b"]["values"]["each"] = "2070"
    assert "factor 2" in judged("rate", "F20", "rate", patch).branch.message


def each(value, unit="images/s/GPU", devices=8, **more):
    metric = {"quantity": "rate", "value": value, "unit": unit, "statistic": "median", **more}
    return {"arms": {"a": {"devices": devices, "performance": {"each": metric}}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (each("312.5"), PASS, None),
        (each("313"), PASS, None),
        (each("310"), VIOLATION, CAVEAT),
        (each("250"), VIOLATION, REFUTES),
        (each("250", unit="images/s"), NOT_APPLICABLE, None),
        (each("250", devices=None), NOT_APPLICABLE, None),
        (each("250", statistic="max"), NOT_APPLICABLE, None),
        (each("250", scope="pipeline"), NOT_APPLICABLE, None),
    ],
)
def test_totals_and_values_per_device(judged, patch, outcome, strength):
    result = judged("rate", "F20", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_golden_total_beside_a_single_device_baseline(judged):
    columns = {"total": {"quantity": "rate", "unit": "images/s"}, "base": {"quantity": "rate", "unit": "images/s"}}
    rows = {"r": {"devices": 512, "values": {"total": "150000", "base": "400"}}}
    patch = {
        "claims": {"rate": {"row": {"table": "t", "row": "r"}}},
        "tables": {"t": {"columns": columns, "rows": rows}},
    }
    assert judged("rate", "F20", "rate", patch).outcome is NOT_APPLICABLE
    columns["base"]["unit"] = "images/s/GPU"
    assert judged("rate", "F20", "rate", patch).outcome is VIOLATION


@pytest.mark.parametrize(("value", "expected"), [("312.5", PASS), ("250", ("a", REFUTES))])
def test_a_value_per_device_may_be_spelled_out(judged, value, expected):
    each = {"quantity": "rate", "value": value, "unit": "images/s per device", "statistic": "median"}
    patch = {"arms": {"a": {"devices": 8, "performance": {"each": each}}}}
    assert answer(judged("rate", "F20", "rate", patch)) == expected
