"""P15, lower-precision-slower: A lower number format that is slower than one that holds all its values."""

import time

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import C1, CAVEAT, Outcome
from support import pace
from support.answers import answer

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


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
    start = time.process_time()
    assert judged("kernel", "P15", "gemm", patch).outcome is VIOLATION
    assert time.process_time() - start < pace.seconds(5)


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


def in_formats(low, high, claim="fused", **plain):
    """A claim about one arm alone; the other arm differs from it in its format."""
    names = {"fused": "bf16", "plain": "fp32"}
    arms = {
        name: {
            "options": {"precision": {"compute": names[name], "tf32": None}},
            "performance": {"rate": {"value": value, "digits": None}},
        }
        for name, value in (("fused", low), ("plain", high))
    }
    fused, own = (submission("training-pair")["arms"][name]["options"] for name in ("fused", "plain"))
    alike = {key: fused.get(key) for key in fused | own if key != "precision"}
    arms["plain"]["options"] |= alike | plain
    alone = {"form": "absolute", "compares": "none", "base": None, "value": low, "unit": "tokens/s"}
    return {
        "claims": {"speedup": {**alone, "measured": {"arm": claim, "metric": "rate"}}},
        "arms": arms,
        "systems": {"node": {"device": "A100"}},
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (in_formats("20000", "30000"), ("a", CAVEAT)),
        (in_formats("30000", "20000"), NOT_APPLICABLE),
        (in_formats("29500", "30000"), NOT_APPLICABLE),  # 2 %
        (in_formats("20000", "30000", global_batch=64), NOT_APPLICABLE),
        (in_formats("20000", "30000", model="another"), NOT_APPLICABLE),
        (in_formats("20000", "30000", claim="plain"), NOT_APPLICABLE),  # said of the lower format
    ],
)
def test_an_arm_beside_another_in_a_higher_format(judged, patch, expected):
    assert answer(judged("training-pair", "P15", "speedup", patch)) == expected


def kernels(shape):
    def row(compute, rate):
        options = {"model": "g", "precision": {"compute": compute}, "input_shape": shape}
        return {"arm": None, "options": options, "values": {"m": "8", "n": "8", "k": "8", "time": None, "rate": rate}}

    rows = {"n2048": row("tf32", "120"), "n4096": row("bf16", "88"), "n8192": None, "n16384": None}
    return {
        "claims": {"gemm": {"row": {"table": "gemm", "row": "n4096"}}},
        "tables": {"gemm": {"columns": {"rate": {"format": None}}, "rows": rows}},
    }


def test_a_kernel_has_a_shape_and_no_batch(judged):
    assert answer(judged("kernel", "P15", "gemm", kernels([8, 8]))) == ("a", CAVEAT)
    assert answer(judged("kernel", "P15", "gemm", kernels(None))) is NOT_APPLICABLE
