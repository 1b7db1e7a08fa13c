"""Patches of stated operations and of claims of utilisation."""

NO_PEAK = {"peak_flops": None, "peak_kind": None}


def golden(value, device, compute=None, flops="39", unit="TFLOP/s/GPU", counted="model"):
    """Golden: "sustains 39 TFLOP/s, 30 % of peak" of a family with several peaks."""
    bare = {"device_variant": None, "device_memory_gib": None, "design_power_w": None}
    metric = {"quantity": "flops", "value": flops, "unit": unit, "statistic": None}
    return {
        "claims": {"mfu": {"value": value, "unit": "%", "statistic": None, "statement": f"{value} % of peak"}},
        "systems": {"node": {"device": device, **bare}},
        "arms": {
            "a": {
                "label": None,
                "options": {"precision": {"compute": compute}, "activation_checkpointing": None},
                "operations": {**NO_PEAK, "fractions": None, "counters": None, "method": None, "counted": counted},
                "performance": {"rate": None, "flops": metric},
            }
        },
    }


def bare(**operations):
    """A FLOP/s claim with no words about its operations but those given."""
    removed = dict.fromkeys(("method", "fractions", "counters", "flop_per_sample", "counted", "counter_coverage"))
    return {
        "claims": {"flops": {"statement": "Training sustains 1.20 PFLOP/s."}},
        "arms": {"a": {"label": "decoder", "operations": {**removed, **operations}}},
    }
