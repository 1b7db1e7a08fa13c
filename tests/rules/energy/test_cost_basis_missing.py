"""E06, cost-basis-missing."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, Outcome

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


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


@pytest.mark.parametrize(("value", "outcome"), [("0.2826", PASS), ("0.40", VIOLATION)])
def test_the_cost_of_an_epoch_is_that_of_its_time(judged, value, outcome):
    price = {"amount": 27.2, "currency": "EUR", "date": "2025-01-15", "kind": "on_demand"}
    patch = {
        "claims": {"per-joule": {"quantity": "cost", "unit": "EUR", "value": value, "scope": "epoch"}},
        "arms": {
            "limited": {
                "cost": {"hours": 0.1562, "price": price, "utilisation": 1.0, "kind": "operating"},
                "performance": {"epoch": {"quantity": "time", "value": "37.41", "unit": "s", "scope": "epoch"}},
            }
        },
    }
    assert judged("energy", "E06", "per-joule", patch).outcome is outcome
    del patch["arms"]["limited"]["performance"]
    assert judged("energy", "E06", "per-joule", patch).outcome is NOT_APPLICABLE
