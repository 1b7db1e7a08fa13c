"""E04, E06: energy for work, and what a cost is made of."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


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
        (BARE, {"form": "absolute"}, NOT_APPLICABLE),
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


def cost(value="11.70", unit="USD", form="absolute", claim=None, **basis):
    price = {"amount": 1.80, "currency": "USD", "date": "2026-03-01", "kind": "on_demand", **basis.pop("price", {})}
    held = {"hours": 6.5, "utilisation": 1, "kind": "operating", **basis}
    changed = {"quantity": "cost", "unit": unit, "value": value, "form": form, "target": None, "interval": None}
    changed |= {"statement": f"The run costs {value} {unit}.", **(claim or {})}
    return {"claims": {"time": changed}, "arms": {"trained": {"cost": {**held, "price": price}}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (cost(), PASS),
        (cost("11.7"), PASS),
        (cost("12"), PASS),  # rounded
        (cost("11.70", "$"), PASS),
        (cost("23.40"), VIOLATION),
        (cost("23.40", utilisation=0.5), PASS),  # idle hours charged
        (cost("5.85", utilisation=0.5), PASS),  # only busy hours charged
        (cost("23.40", "EUR"), NOT_APPLICABLE),
        (cost("0.02", "USD/image"), NOT_APPLICABLE),
        (cost("23.40", kind="capital"), NOT_APPLICABLE),
        (cost("23.40", hours=0), NOT_APPLICABLE),
        (cost(hours=None), NOT_SHOWN),
        (cost(utilisation=None), NOT_SHOWN),
        (cost(kind=None), NOT_SHOWN),
        (cost(price={"date": None}), NOT_SHOWN),
        (cost("23.40", price={"date": None}), VIOLATION),  # what is missing hides nothing
        (cost("2.0", "x", "ratio"), NOT_SHOWN),  # the base's basis
    ],
)
def test_costs(judged, patch, outcome):
    result = judged("time-to-accuracy", "E06", "time", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (CAVEAT, C3)
    assert outcome is not NOT_SHOWN or result.branch.item == "cost basis"


def test_a_cost_without_any_basis(judged):
    patch = cost()
    patch["arms"]["trained"]["cost"] = None
    assert judged("time-to-accuracy", "E06", "time", patch).outcome is NOT_SHOWN
