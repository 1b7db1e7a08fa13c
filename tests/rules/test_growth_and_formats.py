"""P13 and P15: more than n times on n devices, and slower in fewer bits."""

import time

import pytest
from dlaudit.rules.outcome import C1, C2, CAVEAT, UNDERMINES, Outcome

PASS, NOT_APPLICABLE, VIOLATION = Outcome.PASS, Outcome.NOT_APPLICABLE, Outcome.VIOLATION


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


def rows(first, second, low="bf16", high="fp32", batch=1, device="A100", **more):
    def row(compute, rate, extra=None):
        values = {"m": "1", "n": "1", "k": "1", "time": None, "rate": rate}
        options = {"model": "g", "precision": {"compute": compute}, "global_batch": batch}
        return {"options": options, "values": values, **(extra or {})}

    gone = {"n8192": None, "n16384": None}
    table = {
        "columns": {"rate": {"format": None}},
        "rows": {"n2048": row(high, second), "n4096": row(low, first, more)},
    }
    bare = {"device": device, "device_variant": None, "device_memory_gib": None, "design_power_w": None}
    return {
        "claims": {"gemm": {"row": {"table": "gemm", "row": "n4096"}}},
        "systems": {"node": bare},
        "tables": {"gemm": {**table, "rows": {**table["rows"], **gone}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (rows("210", "300"), VIOLATION),
        (rows("300", "210"), PASS),
        (rows("290", "300"), PASS),  # 3 %
        (rows("9", "9.6"), PASS),  # the first may have been cut off
        (rows("210", "300", batch=None), NOT_APPLICABLE),
        (rows("210", "300", "bf16", "fp16"), NOT_APPLICABLE),  # neither holds the other
        (rows("210", "300", "e4m3", "bf16"), NOT_APPLICABLE),  # an A100 has no such units
        (rows("210", "300", "e4m3", "bf16", device="H100"), VIOLATION),
        (rows("210", "300", device="Z9"), NOT_APPLICABLE),
        (rows("210", "300", devices=8), NOT_APPLICABLE),
        (rows("210", "300", "mixed"), NOT_APPLICABLE),
        (rows("0", "300"), NOT_APPLICABLE),
        (rows(None, "300"), NOT_APPLICABLE),
    ],
)
def test_fewer_bits(judged, patch, outcome):
    result = judged("kernel", "P15", "gemm", patch)
    assert result.outcome is outcome, result
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C1)


def test_a_table_of_thousands_of_rows_is_read_in_linear_time(judged):
    patch = rows("210", "300")
    table = patch["tables"]["gemm"]["rows"]
    for number in range(3000):
        table[f"x{number}"] = table["n2048" if number % 2 else "n4096"]
    start = time.perf_counter()
    assert judged("kernel", "P15", "gemm", patch).duration_ns < 2e9
    assert time.perf_counter() - start < 20


def columns(low, high, device="A100", batch=1, more=None):
    """One row with a column for each format."""
    rate = {"quantity": "rate", "unit": "images/s", "scope": "step", "mode": "training"}
    bare = {"device": device, "device_variant": None, "device_memory_gib": None, "design_power_w": None}
    values = {"m": None, "n": None, "k": None, "time": None, "rate": None, "low": low, "high": high}
    row = {"options": {"global_batch": batch}, "values": {**values, **({"more": "900"} if more else {})}}
    gone = {"n2048": None, "n4096": None, "n16384": None}
    named = {"low": {**rate, "format": "fp16"}, "high": {**rate, "format": "fp32"}}
    if more is not None:
        named["more"] = {**rate, "format": more}
    return {
        "systems": {"node": bare},
        "tables": {"gemm": {"columns": named, "rows": {"n8192": {**row, "arm": None}, **gone}, "base_row": None}},
        "claims": {"gemm": {"row": {"table": "gemm", "row": "n8192"}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (columns("210", "300"), VIOLATION),
        (columns("300", "210"), PASS),
        (columns("210", "300", batch=None), NOT_APPLICABLE),
        (columns("210", "300", "P40"), NOT_APPLICABLE),  # no such units
        (columns("210", "300", more="fp16"), NOT_APPLICABLE),  # which of the two?
        (columns("210", "300", more="bf16"), VIOLATION),
        (columns("400", None), NOT_APPLICABLE),
    ],
)
def test_columns_of_formats(judged, patch, outcome):
    patch["tables"]["gemm"]["rows"]["second"] = patch["tables"]["gemm"]["rows"]["n8192"]
    assert judged("kernel", "P15", "gemm", patch).outcome is outcome


def stated(first, second, quantity="flops", **options):
    """Two rows whose arms state intervals, each one percent wide."""

    def arm(value):
        ends = {"low": str(0.995 * value), "high": str(1.005 * value), "level": 0.95, "varies": "trials"}
        metric = {"quantity": quantity, "unit": UNITS[quantity], "value": str(value), "interval": ends}
        return {"system": "node", "devices": 1, "performance": {"rate": metric}}

    patch = rows(str(first), str(second), **options)
    patch["tables"]["gemm"]["columns"]["rate"] |= {"quantity": quantity, "unit": UNITS[quantity]}
    for key, name, value in (("n4096", "low", first), ("n2048", "high", second)):
        patch["tables"]["gemm"]["rows"][key]["arm"] = name
        patch.setdefault("arms", {})[name] = arm(value)
    return patch


UNITS = {"flops": "TFLOP/s", "time": "ms"}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (stated(96.0, 100.0), VIOLATION),  # 4 % slower, and no value of the one lies near one of the other
        (stated(98.0, 100.0), PASS),
        (stated(101.0, 100.0), PASS),
        (stated(104.0, 100.0, "time"), VIOLATION),
        (stated(96.0, 100.0, "time"), PASS),
        (rows("96.0", "100.0"), PASS),  # within the spread of what is printed without an interval
    ],
)
def test_fewer_bits_beside_stated_intervals(judged, patch, outcome):
    assert judged("kernel", "P15", "gemm", patch).outcome is outcome
