"""P13, superlinear-unexplained: A speed-up larger than the growth in devices, without a word on why."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import C1, C2, UNDERMINES, Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def speedup(value, low=None, **claim):
    """Eight times the devices."""
    interval = {"low": low, "high": "20"} if low is not None else None
    fields = {"value": value, "interval": interval, **claim}
    no_intervals = {name: {"performance": {"rate": {"interval": None}}} for name in ("n1", "n8")}
    return {"claims": {"speedup": fields}, "arms": no_intervals}


@pytest.mark.parametrize(
    ("patch", "outcome", "branch"),
    [
        (speedup("8.30", "8.10"), PASS, None),
        (speedup("8.30", "8.20"), VIOLATION, "a"),
        (speedup("8.30", "8.20", explanation="the shard fits into the cache"), PASS, None),
        (speedup("8.30", "8.20", statement="8.30x: each shard now fits in the L2 cache."), PASS, None),
        (speedup("8.30"), PASS, None),  # up to 1.05 without interval
        (speedup("8.50"), VIOLATION, "c"),
        (speedup("9.0"), VIOLATION, "c"),
        (speedup("10.2"), VIOLATION, "b"),
        (speedup("10.2", qualifier="up_to"), PASS, None),
        (speedup("10.2", base={"arm": "n1", "metric": "rate", "devices": 8}), VIOLATION, "b"),
        (speedup("130", unit="%", form="efficiency"), VIOLATION, "b"),
        (speedup("104", unit="%", form="efficiency"), PASS, None),
        (speedup("1.30", unit="", form="efficiency"), VIOLATION, "b"),
        (speedup("9.0", label="weak"), VIOLATION, "c"),
    ],
)
def test_superlinear(judged, patch, outcome, branch):
    if patch["claims"]["speedup"].get("unit") == "":
        patch["claims"]["speedup"]["unit"] = "fraction"
    result = judged("strong-scaling", "P13", "speedup", patch)
    assert (result.outcome, getattr(result.branch, "branch", None)) == (outcome, branch), result
    if branch:
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C1 if branch == "c" else C2)


def test_intervals_of_both_metrics_stand_in_for_that_of_the_ratio(judged):
    def rate(value, low, high):
        return {"performance": {"rate": {"value": value, "interval": {"low": low, "high": high}}}}

    patch = {"claims": {"speedup": {"value": "8.5", "interval": None}}}
    patch["arms"] = {"n1": rate("19600", "19500", "19700"), "n8": rate("166600", "166500", "166700")}
    assert judged("strong-scaling", "P13", "speedup", patch).branch.branch == "a"
    patch["arms"] = {"n1": rate("19600", "18000", "21000"), "n8": rate("166600", "150000", "170000")}
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is PASS


def test_another_base_or_problem_is_no_growth(judged):
    other = {"arms": {"n1": {"options": {"precision": {"compute": "fp32"}}}}}
    assert judged("strong-scaling", "P13", "speedup", speedup("12") | other).outcome is NOT_APPLICABLE
    rows = {"r1": {"parameters": 1e7}, "r8": {"parameters": 1e8}}
    sizes = {"tables": {"nodes": {"rows": rows}}}
    assert judged("strong-scaling", "P13", "speedup", speedup("12") | sizes).outcome is NOT_APPLICABLE


def test_rows_of_a_table_are_held_against_its_base_row(judged):
    words = {"form": "words", "value": None, "unit": None, "base": None, "interval": None}
    patch = {"claims": {"speedup": {**words, "row": {"table": "nodes"}}}}
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is PASS
    patch["tables"] = {"nodes": {"rows": {"r4": {"values": {"rate": "104000"}}}}}
    result = judged("strong-scaling", "P13", "speedup", patch)
    assert (result.branch.branch, result.branch.at) == ("b", "/tables/nodes/rows/r4/values/rate")
    patch["tables"] = {"nodes": {"rows": {"r4": {"values": {"rate": None}}, "r8": {"values": {"rate": "0"}}}}}
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is PASS


def slowed_down(factor, intervals=True, explanation=None):
    """One device that runs at a part of its rate, so that the rows between it and the claimed one are superlinear."""
    arms, rows = {}, {}
    for name, arm in submission("strong-scaling")["arms"].items():
        metric = arm["performance"]["rate"]
        value = float(metric["value"]) * (factor if name == "n1" else 1)
        near = {"low": f"{value * 0.998:.0f}", "high": f"{value * 1.002:.0f}", "level": 0.95, "method": "t"}
        arms[name] = {"performance": {"rate": {"value": f"{value:.0f}", "interval": near if intervals else None}}}
        rows[f"r{name[1:]}"] = {"values": {"rate": f"{value:.0f}"}}
    claim = {"explanation": explanation} if explanation else {}
    return {"claims": {"speedup": claim}, "arms": arms, "tables": {"nodes": {"rows": rows}}}


@pytest.mark.parametrize(
    ("patch", "branch"),
    [
        (slowed_down(1), None),
        (slowed_down(0.92), "a"),
        (slowed_down(0.96), None),  # above linear by less than the digits and 2 % cover
        (slowed_down(0.90, intervals=False), None),  # said by the claims about those rows
        (slowed_down(0.90, explanation="one device spills to the host"), None),
    ],
)
def test_a_slow_base_shows_in_the_rows_beside_the_claimed_one(judged, patch, branch):
    result = judged("strong-scaling", "P13", "speedup", patch)
    assert getattr(result.branch, "branch", None) == branch, result
    if branch:
        assert result.branch.effect is UNDERMINES
        assert result.branch.at == "/tables/nodes/rows/r2/values/rate"


def test_rows_that_print_their_speedup_alone(judged):
    words = {"form": "words", "value": None, "unit": None, "base": None, "interval": None, "row": {"table": "nodes"}}
    rows = {"r2": {"values": {"rate": None}, "speedup": "2.30"}}
    patch = {"claims": {"speedup": words}, "tables": {"nodes": {"rows": rows}}}
    result = judged("strong-scaling", "P13", "speedup", patch)
    assert (result.branch.branch, result.branch.at) == ("c", "/tables/nodes/rows/r2/speedup")


def pair_of_arms(value, interval):
    """Two of one's own studies: one node and eight, and no table."""
    document = submission("strong-scaling")
    claim = {"value": value, "interval": interval, "row": None, "statement": f"Eight nodes train {value}x faster."}
    return {
        "claims": {name: claim if name == "speedup" else None for name in document["claims"]},
        "tables": None,
        "arms": {"n2": None, "n4": None, **speedup(value)["arms"]},
    }


@pytest.mark.parametrize(
    ("value", "interval", "outcome"),
    [
        ("6.61", {"low": "6.60", "high": "6.65"}, PASS),
        ("9.61", {"low": "9.50", "high": "9.70"}, VIOLATION),
        ("11.4", None, VIOLATION),
    ],
)
def test_two_studies_without_a_table(judged, value, interval, outcome):
    assert judged("strong-scaling", "P13", "speedup", pair_of_arms(value, interval)).outcome is outcome


@pytest.mark.parametrize(("rate", "value", "outcome"), [("203840", "10.4", VIOLATION), ("129600", "6.61", PASS)])
def test_a_table_of_two_rows(judged, rate, value, outcome):
    rows = {"r2": None, "r4": None, "r8": {"values": {"rate": rate}, "speedup": None, "efficiency": None}}
    patch = speedup(value) | {"tables": {"nodes": {"rows": rows}}}
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is outcome


def test_two_arms_that_differ_in_more_than_devices_are_no_pair(judged):
    patch = pair_of_arms("11.4", None)
    patch["arms"]["n8"] = {"options": {"precision": {"compute": "e4m3"}}}
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_faster_device_is_no_superlinear_growth(judged):
    """Two machines set side by side, the newer with more devices: what it gains is not of their number alone."""
    document = submission("strong-scaling")
    system = document["arms"]["n8"]["system"]
    patch = pair_of_arms("11.4", None)
    patch["systems"] = {"old": {**document["systems"][system], "device": "MI300X", "name": "the old machine"}}
    patch["arms"]["n1"] = {**patch["arms"].get("n1", {}), "system": "old"}
    patch["claims"]["speedup"] |= {"treatment": ["devices"], "attribution": "system", "compares": "other_system"}
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is NOT_APPLICABLE
