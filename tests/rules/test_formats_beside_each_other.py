"""P01, P08, P10, P13, P15: sparse peaks, lower formats without a quality, silent references, rows beside the claim."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

VIOLATION, NOT_SHOWN, PASS, APART = Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.PASS, Outcome.NOT_APPLICABLE


def told(result):
    """The outcome, and of a violation its branch and effect."""
    if result.outcome is VIOLATION:
        return result.branch.branch, result.branch.effect
    return result.outcome


# P01: a sparse peak is no bound of dense work ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "sparsity", "expected"),
    [
        ("300", "none", PASS),
        ("350", "none", ("a", REFUTES)),
        ("500", "none", ("a", REFUTES)),
        ("500", "2:4", APART),
        ("500", None, ("b", UNDERMINES)),
    ],
)
def test_a_sparse_peak_counts_for_half(judged, value, sparsity, expected):
    patch = {
        "claims": {"gemm": {"value": value, "row": None}},
        "arms": {
            "n8192": {
                "options": {"sparsity": sparsity},
                "operations": {"peak_flops": 6.24e14, "peak_kind": "sparse_2_4"},
            }
        },
    }
    assert told(judged("kernel", "P01", "gemm", patch)) == expected


# P08: one format holds the other -----------------------------------------------------------------------------------

RUNS = {f"s{n}": None for n in range(1, 6)}


def lower(**more):
    """The fused arm in FP8, of which no quality is shown."""
    fused = {"options": {"precision": {"compute": "e4m3"}}, "quality": None, "trials": RUNS, "target": None}
    return {"claims": {"speedup": {"quality": None, **more.pop("claim", {})}}, "arms": {"fused": fused | more}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (lower(), NOT_SHOWN),
        (lower(quality={"loss": {"metric": "loss", "value": "3.22", "direction": "lower"}}), PASS),
        (lower(claim={"outputs": {"compared": 500, "identical": 480}}), PASS),
        (lower(claim={"scope": "kernel"}), PASS),
        (lower(claim={"quality": {"arm": "plain", "quality": "loss"}}), NOT_SHOWN),
    ],
)
def test_the_lower_of_two_formats_shows_a_quality(judged, patch, expected):
    assert told(judged("training-pair", "P08", "speedup", patch)) == expected


# P10: what the reference ran in ------------------------------------------------------------------------------------


def reference(**fields):
    options = {"precision": {"compute": "fp32", **fields.pop("precision", {})}}
    return {
        "claims": {"speedup": {"statement": "int8 is 1.9 times as fast.", "base": {"definition": "the same in fp32"}}},
        "arms": {"bf16": {"options": options, **fields}},
    }


FORCED = {"environment": {"variables": {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "1"}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (reference(precision={"tf32": False}), APART),
        (reference(precision={"tf32": True}), ("a", UNDERMINES)),
        (reference(precision={"tf32": False}, observed={"precision": {"tf32": True}}), ("a", UNDERMINES)),
        (reference(precision={"tf32": False}, observed={"precision": {"compute": "tf32"}}), ("a", UNDERMINES)),
        (reference(precision={"tf32": None}, **FORCED), ("a", UNDERMINES)),
        (reference(precision={"tf32": None}), NOT_SHOWN),
    ],
)
def test_a_quantised_model_has_a_reference_too(judged, patch, expected):
    assert told(judged("quantised", "P10", "speedup", patch)) == expected


# P13: the other rows of the table ----------------------------------------------------------------------------------


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


# P15: arms and kernels side by side --------------------------------------------------------------------------------


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
        (in_formats("30000", "20000"), APART),
        (in_formats("29500", "30000"), APART),  # 2 %
        (in_formats("20000", "30000", global_batch=64), APART),
        (in_formats("20000", "30000", model="another"), APART),
        (in_formats("20000", "30000", claim="plain"), APART),  # said of the lower format
    ],
)
def test_an_arm_beside_another_in_a_higher_format(judged, patch, expected):
    assert told(judged("training-pair", "P15", "speedup", patch)) == expected


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
    assert told(judged("kernel", "P15", "gemm", kernels([8, 8]))) == ("a", CAVEAT)
    assert told(judged("kernel", "P15", "gemm", kernels(None))) is APART


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("With fused attention one GPU processes 41300 tokens per second.", PASS),  # the options say both
        ("In FP32 one GPU processes 41300 tokens per second.", VIOLATION),
        ("In FP32 with TF32 products one GPU processes 41300 tokens per second.", APART),
    ],
)
def test_options_that_say_of_the_flag_are_not_silent(judged, statement, outcome):
    open_options = {"arms": {"fused": {"options": {"precision": {"compute": "fp32", "tf32": True}}}}}
    patch = open_options | {"claims": {"rate": {"statement": statement}}}
    assert judged("training-pair", "P10", "rate", patch).outcome is outcome
