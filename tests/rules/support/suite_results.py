"""Patches of results of the inference and the training suite."""


def record(arm="offline", **fields):
    return {"arms": {arm: {"runs": {"accuracy": {"record": fields}}}}}


def performance(arm="offline", **fields):
    return {"arms": {arm: {"runs": {"performance": fields}}}}


def stated(claim, **fields):
    return {"claims": {claim: {"suite_result": fields}}}


def relative(name, began, events=(), **fields):
    """Return a run of the base with a log that counts from its start, of ten minutes."""
    lines = {
        "1": {"time_ms": 0.01, "key": "test_datetime", "value": began, "kind": "mark"},
        "2": {"time_ms": 600000.0, "key": "num_errors", "value": 0, "kind": "stat"},
        **dict(events),
    }
    lines |= {str(line): None for line in range(3, 25)}
    other = {"host": None, "exclusive": None, "clock": {"kind": "relative"}, "window": None}
    return {name: {"role": "performance", "events": lines} | other | fields}


def document(*runs):
    found = {name: entry for each in runs for name, entry in each.items()}
    return {
        "publication": None,
        "arms": {"server": {"runs": {"accuracy": None, "TEST01": None, "TEST04": None, **found}}},
    }


def run(arm="offline", name="performance", **fields):
    return {"arms": {arm: {"runs": {name: fields}}}}


def result(claim, **fields):
    return {"claims": {claim: {"suite_result": fields}}}


def fields(arm="offline", **values):
    return {"arms": {arm: {"description": {"fields": values}}}}


def against(other=None, *, statement=None, suite="training", own=None):
    claim = {"compares": "other_system", "comparator": {"suite": suite}}
    if other is not None:
        claim["comparator"]["suite_result"] = {"benchmark": "retinanet", "round": "v5.0", "division": "closed"} | other
    if statement is not None:
        claim["statement"] = statement
    if own is not None:
        claim["suite_result"] = own
    return claim


def training_result(**fields):
    return {"claims": {"retinanet": {"suite_result": fields}}}


def runs(**patches):
    return {"arms": {"retinanet": {"runs": patches}}}


def events(run, **patches):
    return runs(**{run: {"events": {line.removeprefix("line"): patch for line, patch in patches.items()}}})


def without(*names):
    return {"arms": {"retinanet": {"runs": dict.fromkeys(names), "trials": dict.fromkeys(names)}}}
