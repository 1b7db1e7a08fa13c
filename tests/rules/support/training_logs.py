"""Patches of the logs of a result of the training suite."""

from dlaudit.rules.bases import base

NAMES = [f"result_{number}" for number in range(5)]
CLAIM = "retinanet"
RUNS = base("suite-training")["arms"][CLAIM]["runs"]
HOUR, DAY = 3_600_000, 86_400_000
EVENTS = RUNS["result_1"]["events"]
START, STOP = EVENTS["23"]["time_ms"], EVENTS["90"]["time_ms"]
REFUTED, UNDERMINED, CAVEAT = ("a", "refutes"), ("b", "undermines"), ("b", "caveat")


def of_runs(**runs):
    return {"arms": {CLAIM: {"runs": runs}}}


def events(run, **lines):
    return of_runs(**{run: {"events": lines}})


def shifted(run, by_ms, **fields):
    """A run's events, later by some milliseconds."""
    times = {line: {"time_ms": event["time_ms"] + by_ms} for line, event in RUNS[run]["events"].items()}
    return {"events": times, **fields}


def copied(times, run="result_1"):
    """A run with the statistics of another, and with its times where wanted."""
    lines = {}
    for line, event in RUNS["result_0"]["events"].items():
        if event["key"] == "tracked_stats":
            value = dict(event["value"])
            value["imgs_sec"] += 0.0001 if float(value["imgs_sec"]).is_integer() else 0
            lines[line] = {"value": value}
        if times:
            lines.setdefault(line, {})["time_ms"] = event["time_ms"] + DAY
    return of_runs(**{run: {"events": lines}})


def of_run(lines, name="result_1", **fields):
    return {"arms": {CLAIM: {"runs": {name: {"events": lines, **fields}}}}}


def each_run(change, **arm):
    """Change the events of every run: (name, line, event) to a patch of the event."""
    runs = {
        name: {"events": {line: change(name, line, event) for line, event in run["events"].items()}}
        for name, run in RUNS.items()
    }
    return {"arms": {CLAIM: {"runs": runs, **arm}}}


def at_once(**starts_ms):
    """All runs as instances of a weak-scaling result, which start together but where told otherwise."""
    first = {name: run["events"]["23"]["time_ms"] for name, run in RUNS.items()}

    def change(name, line, event):
        return {"time_ms": event["time_ms"] - first[name] + START + starts_ms.get(name, 0)}

    return each_run(change, folder="results/box/weak/retinanet")


def trained(**fields):
    return {"arms": {CLAIM: fields}}


def training_arm(**arm):
    return {"arms": {"retinanet": arm}}
