"""Honest campaigns of training runs, drawn at random, are not accused by the rules that compare runs and logs."""

import math
import random

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.forensics.headline_not_in_trace import trimmed
from dlaudit.rules.outcome import Outcome
from dlaudit.rules.trace import Event, Trace
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from hypothesis import given, settings
from hypothesis import strategies as st

CODES = [f"F{number}" for number in (*range(32, 41), 43, 44, 46, 50, 51, 52, 55)] + ["M30"]
RULES = [by_code(code) for code in CODES]
ARM = "retinanet"
START = 1_744_000_000_000
IDENTITY = {"submission_benchmark": "retinanet", "submission_org": "Example Lab", "submission_division": "closed"}
OPTIONS = {"global_batch_size": 256, "opt_name": "adam", "opt_base_learning_rate": 0.000135}


class Log:
    """Events by line, each with a time that only grows."""

    def __init__(self, draw, at):
        self.draw, self.at, self.events = draw, at, {}

    def add(self, key, value=None, wait=0.0, **counters):
        self.at += int(1000 * wait) + self.draw.randrange(1, 9)
        event = {"time_ms": self.at, "key": key, **counters} | ({"value": value} if value is not None else {})
        self.events[str(len(self.events) + 1)] = event
        return self.at


def honest_run(draw, shape, start, seed):
    """One run: `epochs` to the target, each an epoch of training with a statistic and an evaluation."""
    log = Log(draw, start)
    if shape["cache"]:
        log.add("cache_clear", True)
    log.add("init_start", wait=draw.uniform(1, 5))
    log.add("seed", seed)
    for key, value in (IDENTITY | OPTIONS).items():
        log.add(key, value)
    log.add("init_stop", wait=draw.uniform(20, 60))
    begun = log.add("run_start", wait=draw.uniform(0, 2))
    epochs = shape["epochs"] + draw.randrange(3)
    for epoch in range(1, epochs + 1):
        counters = {"samples": 25_600 * epoch, "step": 100 * epoch} if shape["samples"] else {"epoch": epoch}
        log.add("epoch_start", **{name: count - count // epoch for name, count in counters.items()})
        log.add("epoch_stop", wait=shape["epoch_s"] * draw.uniform(0.97, 1.03), **counters)
        log.add("tracked_stats", {"throughput": draw.gauss(3150, 5), "lr": 0.000135 / epoch}, **counters)
        log.add("eval_start", **counters)
        value = 0.34 + 0.001 * draw.random() if epoch == epochs else 0.33 - 0.1 / epoch + 0.001 * draw.random()
        log.add("eval_accuracy", round(value, 7), wait=shape["epoch_s"] / 30 * draw.uniform(0.9, 1.1), **counters)
        log.add("eval_stop", **counters)
    ended = log.add("run_stop", "success")
    return log.events, begun, ended


def campaign(seed, shape):
    draw = random.Random(seed)
    value = dict(base("suite-training"))
    arm = {key: item for key, item in value["arms"][ARM].items() if key not in {"trials", "runs", "plan"}}
    runs, times, at = {}, [], START + draw.randrange(10**9)
    for index in range(shape["runs"]):
        events, begun, ended = honest_run(draw, shape, at, draw.randrange(2**31))
        host = f"node-{index}" if shape["parallel"] else "node-17"
        clock = {"kind": "unix", "resolution_ms": 1}
        runs[f"r{index}"] = {"role": "training", "host": host, "exclusive": True, "clock": clock, "events": events}
        times.append((ended - begun) / 1000)
        at = at + draw.randrange(500, 5_000) if shape["parallel"] else ended + draw.randrange(60_000, 4 * 3_600_000)
    value["arms"] = {ARM: arm | {"runs": runs}}
    value["claims"] = {ARM: value["claims"][ARM] | {"value": f"{trimmed(times) / 60:.{shape['digits']}f}"}}
    return value


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32),
    st.fixed_dictionaries(
        {
            "runs": st.sampled_from([3, 5, 10, 40]),
            "epochs": st.integers(3, 8),
            "epoch_s": st.sampled_from([2.0, 40.0, 400.0, 4000.0]),
            "samples": st.booleans(),
            "parallel": st.booleans(),
            "cache": st.booleans(),
            "digits": st.integers(0, 4),
        }
    ),
)
def test_honest_campaigns_are_not_accused(seed, shape):
    for result in judge(Case(to_model(campaign(seed, shape), Submission)), RULES, [ARM]):
        assert result.outcome not in {Outcome.VIOLATION, Outcome.ERROR}, (result.code, result.branch or result.reason)


SHAPE = {"runs": 5, "epochs": 5, "epoch_s": 400.0, "samples": True, "parallel": False, "cache": True, "digits": 3}


def tampered(kind):
    value = campaign(7, SHAPE)
    runs = value["arms"][ARM]["runs"]
    last = str(len(runs["r1"]["events"]))
    if kind == "copy under a new seed":
        by = runs["r1"]["events"]["1"]["time_ms"] - runs["r0"]["events"]["1"]["time_ms"]
        seeds = runs["r1"]["events"]["3"]
        runs["r1"]["events"] = {
            line: event | {"time_ms": event["time_ms"] + by} for line, event in runs["r0"]["events"].items()
        } | {"3": seeds}
    elif kind == "earlier stop":
        runs["r1"]["events"][last]["time_ms"] -= 600_000
    elif kind == "later start":
        next(event for event in runs["r1"]["events"].values() if event["key"] == "run_start")["time_ms"] += 60_000
    elif kind == "another batch":
        next(event for event in runs["r1"]["events"].values() if event["key"] == "global_batch_size")["value"] = 512
    elif kind == "better headline":
        value["claims"][ARM]["value"] = str(0.9 * float(value["claims"][ARM]["value"]))
    elif kind == "one seed":
        runs["r1"]["events"]["3"]["value"] = runs["r0"]["events"]["3"]["value"]
    elif kind == "fewer steps counted":
        for event in runs["r1"]["events"].values():
            event |= {"step": event["step"] // 2} if "step" in event else {}
    return value


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("copy under a new seed", "F33"),
        ("earlier stop", "F40"),
        ("later start", "F39"),
        ("another batch", "F32"),
        ("better headline", "F50"),
        ("one seed", "F55"),
        ("fewer steps counted", "F43"),
    ],
)
def test_a_tampered_campaign_is_found(kind, code):
    results = judge(Case(to_model(tampered(kind), Submission)), RULES, [ARM])
    assert code in {result.code for result in results if result.outcome is Outcome.VIOLATION}


def test_the_order_of_runs_changes_no_answer():
    value = campaign(3, SHAPE)
    runs = value["arms"][ARM]["runs"]
    turned = value | {"arms": {ARM: value["arms"][ARM] | {"runs": dict(reversed(runs.items()))}}}
    answers = [
        [(result.code, result.outcome) for result in judge(Case(to_model(each, Submission)), RULES, [ARM])]
        for each in (value, turned)
    ]
    assert answers[0] == answers[1]


KEYS = ["run_start", "run_stop", "epoch_start", "epoch_stop", "eval_accuracy", "eval_start", "seed", "opt_name"]
KEYS += ["global_batch_size", "submission_platform", "submission_division", "result_validity", "tracked_stats", "x"]
KINDS = ["option", "identity", "mark", "train", "eval", "stat", "error"]
NUMBERS = st.sampled_from([None, 0.0, -1.0, 1.0, 2.5, 1e308, math.nan, math.inf, -math.inf, 1.744e12, 1.744e12 + 1])
VALUES = st.one_of(NUMBERS, st.text(max_size=5), st.booleans(), st.just([1, [math.nan]]), st.just({"a": math.inf}))
EVENTS = st.lists(st.tuples(NUMBERS, st.sampled_from(KEYS), st.sampled_from(KINDS), VALUES, NUMBERS, NUMBERS, NUMBERS))


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, min_size=3, max_size=4))
def test_no_log_makes_a_rule_fail(logs):
    value = campaign(1, SHAPE | {"runs": len(logs)})
    traces = {
        (ARM, f"r{number}"): Trace(
            tuple(Event(line + 1, *event) for line, event in enumerate(log)), (), "", f"/r{number}"
        )
        for number, log in enumerate(logs)
    }
    for result in judge(Case(to_model(value, Submission), traces=traces), RULES, [ARM]):
        assert result.outcome is not Outcome.ERROR, (result.code, result.reason)


def test_counters_that_are_no_numbers_cost_nothing():
    value = campaign(1, SHAPE | {"runs": 40, "epochs": 3})
    odd = [
        Event(n + 1, float(n), "eval_accuracy", "eval", math.nan, samples=math.nan, step=math.inf) for n in range(500)
    ]
    traces = {(ARM, f"r{number}"): Trace(tuple(odd), (), "", f"/r{number}") for number in range(40)}
    results = judge(Case(to_model(value, Submission), traces=traces), RULES, [ARM])
    assert sum(result.duration_ns for result in results) < 5e9


SIZES = st.sampled_from([None, 0, 1e-300, 0.5, 600, 1e300])
WINDOW = dict.fromkeys(("configured_min_s", "configured_max_s", "trace_s", "wall_s", "largest_latency_s"), SIZES)
SCENARIOS = ["Offline", "Server", "SingleStream", "MultiStream", "", "?"]


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(WINDOW | {"work": SIZES, "rate_per_s": SIZES}),
    st.sampled_from(SCENARIOS),
    st.dictionaries(st.sampled_from(["mean_latency_ns", "result", "samples_per_second"]), VALUES),
)
def test_no_window_makes_a_rule_fail(window, scenario, summary):
    value = merge_patch(
        base("suite-inference"),
        {
            "claims": {"offline": {"suite_result": {"scenario": scenario}}},
            "arms": {"offline": {"runs": {"performance": {"window": window, "summary": summary}}}},
        },
    )
    rules = [by_code(code) for code in ("F47", "F48", "F49", "F50", "F51", "F52")]
    for result in judge(Case(to_model(value, Submission)), rules, ["offline"]):
        assert result.outcome is not Outcome.ERROR, (result.code, result.reason)
