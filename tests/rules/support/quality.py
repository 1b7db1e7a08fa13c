"""Patches of qualities, of the runs behind them, and of parity."""

from dlaudit.rules.bases import base

RUNS = {f"s{i}": None for i in range(1, 6)}
QUALITY = {"metric": "accuracy", "value": "0.7648", "unit": "fraction", "direction": "higher", "split": "official_val"}
CURVE = {
    "kind": "convergence",
    "outcome": "completed",
    "evaluations": [{"split": "official_val", "step": 56250, "metrics": {"accuracy": 0.7648}}],
}
SPEEDUP = "At the same global batch, eight nodes train 6.61x faster than one (strong scaling)"


def untrained_at_the_top(statement, of="n1", **claim):
    """Return a patch: only the smallest, or the smallest three points were trained; the sentence speaks for all."""
    trained = {"quality": {"accuracy": QUALITY}}
    arms = dict.fromkeys(("n1", "n2", "n4")[: 1 if of == "n1" else 3], trained)
    if of != "n1":
        arms["n4"] = {**trained, "trials": {"c1": CURVE}}
    arms["n8"] = {"target": None, "quality": None, "trials": RUNS}
    change = {"statement": statement, "quality": {"arm": of, "quality": "accuracy"}, **claim}
    return {"claims": {"speedup": change}, "arms": arms}


def accuracy(value, claim=None, **quality):
    changes = {"value": value, "interval": None, "seeds": None, "averaging": None, **quality}
    return {
        "claims": {"accuracy": {"value": value, "interval": None, "unit": quality.get("unit", "%"), **(claim or {})}},
        "arms": {"trained": {"quality": {"accuracy": changes}, "trials": RUNS}},
    }


LOSS = {
    "statement": "It ends at a test loss of 3.22.",
    "value": "3.22",
    "quantity": "accuracy",
    "metric": "loss",
    "form": "absolute",
    "scope": "training_run",
    "mode": "training",
    "compares": "none",
}


def headline(quality_arm, group="headline", **options):
    """The rate of the fused arm, and in a claim of its own the loss of some arm."""
    return {
        "claims": {
            "speedup": None,
            "rate": {"group": "headline"},
            "loss": LOSS | {"group": group, "quality": {"arm": quality_arm, "quality": "loss"}},
        },
        "arms": {"fused": {"options": options}},
    }


def trials(*steps):
    kept = {f"t{i}": {"samples": {"step_time_s": [step]}} for i, step in enumerate(steps, 1)}
    return {**{f"t{i}": None for i in range(1, 6)}, **kept}


def parity(fused=None, plain=None, margin="5", statement="Both attentions are equally fast.", **claim):
    arms = {}
    if fused is not None:
        arms = {"fused": {"trials": trials(*fused)}, "plain": {"trials": trials(*plain)}}
    more = {"form": "parity", "value": None, "unit": None, "statement": statement, "interval": None, **claim}
    more["margin"] = {"value": margin} if margin is not None else None
    return {"claims": {"speedup": more}, "arms": arms}


def quality(value, margin="2"):
    seeds = None if value is None else {"value": value}
    return {
        "claims": {"parity": {"margin": {"value": margin} if margin else None}},
        "arms": {"int8": {"quality": {"accuracy": seeds or {}}}},
    }


def effort(ours, theirs, **claim):
    gone = dict.fromkeys(("trials", "device_hours", "method", "recipe", "defaults_changed"))
    arms = {"ours": {"search": gone | ours}, "theirs": {"search": gone | theirs if theirs is not None else None}}
    return {"arms": arms, "claims": {"speedup": claim}}


def seeds(values, examples=50000, unit="fraction", **quality):
    listed = dict.fromkeys(base("accuracy")["arms"]["trained"]["quality"]["accuracy"]["seeds"])
    listed |= {f"of run {number}": value for number, value in enumerate(values)}
    fields = {"seeds": listed, "examples": examples, "counted": True, "unit": unit, "plus_minus": None, **quality}
    return {"arms": {"trained": {"quality": {"accuracy": fields}}}}
