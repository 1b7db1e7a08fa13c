"""Patches of the conditions under which arms were measured."""


def arm(**fields):
    return {"arms": {"a": fields}}


def both_arms(fused=None, plain=None, claim=None, **more):
    patch = {"arms": {"fused": fused or {}, "plain": plain or {}}}
    return patch | ({"claims": {"speedup": claim}} if claim else {}) | more


def knob(**measured):
    """Trials as the runner records them: numbers with the knob that locked the clock, in each."""
    record = {"verified": "verified", "requested": 1410, "applied": 1410, "measured": measured}
    return {"trials": {f"t{index}": {"controls": {"gpu_sm_clock_mhz": record}} for index in range(1, 6)}}


def in_table(columns, rows, claim=None, **table):
    own = {"row": {"table": "speed", "row": "new"}, "measured": None, "base": None, "quality": None, "interval": None}
    claim = own | {"statement": "1.43x faster", "attribution": None, "treatment": None} | (claim or {})
    return {
        "claims": {"speedup": claim, "rate": None},
        "tables": {"speed": {"columns": columns, "rows": rows, **table}},
    }


def energy(**fields):
    arm = {"energy": {key: value for key, value in fields.items() if key not in {"limit", "devices"}}}
    if "limit" in fields:
        arm["environment"] = {"power_limit_w": fields["limit"]}
    if "devices" in fields:
        arm["devices"] = fields["devices"]
    return {"arms": {"limited": arm}}
