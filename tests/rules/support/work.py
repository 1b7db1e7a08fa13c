"""Patches of two rates, and of the work behind a number."""


def two_rates(new, base, **claim):
    changes = {"digits": None, "interval": None}
    return {
        "claims": {"speedup": claim},
        "arms": {
            "fused": {"performance": {"rate": {"value": new, **changes}}},
            "plain": {"performance": {"rate": {"value": base, **changes}}},
        },
    }


def runs(*evaluations, **trial):
    """One run instead of five."""
    one = {"evaluations": [{"split": "test", "metrics": {"accuracy": 0.9}, **item} for item in evaluations], **trial}
    return {"s1": {"crossing": None, **one}, **dict.fromkeys(("s2", "s3", "s4", "s5"))}
