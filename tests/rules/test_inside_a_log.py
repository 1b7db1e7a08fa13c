"""F39, F40, F43, F52: what a log must say of itself."""

import math

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.facts.runs.evaluation_events import deciding, of_metric
from dlaudit.rules.facts.runs.log_clock import resolution_ms
from dlaudit.rules.outcome import Outcome
from dlaudit.rules.trace import Event, Logged, Trace
from dlaudit.schemas.evidence import Target
from dlaudit.schemas.runs import Run, RunClock

CLAIM = "retinanet"
EVENTS = base("suite-training")["arms"]["retinanet"]["runs"]["result_1"]["events"]
START, STOP = EVENTS["23"]["time_ms"], EVENTS["90"]["time_ms"]


REFUTED = ("a", "refutes")


def of_run(lines, **fields):
    return {"arms": {CLAIM: {"runs": {"result_1": {"events": lines, **fields}}}}}


def found(result):
    if result.outcome is Outcome.VIOLATION:
        return result.branch.branch, result.branch.effect.word
    return result.outcome.value


# F39


@pytest.mark.parametrize(
    ("late_ms", "processes", "expected"),
    [
        (900, 1, "pass"),
        (1_100, 1, ("a", "refutes")),
        (4_000, 8, "pass"),
        (4_000, None, "pass"),
        (6_000, 8, ("a", "refutes")),
    ],
)
def test_a_start_after_the_first_epoch(judged, late_ms, processes, expected):
    patch = of_run({"23": {"time_ms": EVENTS["24"]["time_ms"] + late_ms}}, processes=processes)
    assert found(judged("suite-training", "F39", CLAIM, patch)) == expected


def test_a_late_start_gives_the_corrected_time(judged):
    result = judged("suite-training", "F39", CLAIM, of_run({"23": {"time_ms": START + 10_000}}))
    assert (result.branch.claimed, result.branch.recomputed) == ("2273.268 s", "2283.266 s")
    assert result.branch.at.endswith("/events/24")


def test_a_declared_warm_up_trains_and_does_not_evaluate(judged):
    warm = {"arms": {CLAIM: {"measurement": {"warmup": {"policy": "three steps on synthetic data before the clock"}}}}}
    early = of_run({"120": {"time_ms": START - 9_000, "key": "epoch_start"}})
    early["arms"][CLAIM] |= warm["arms"][CLAIM]
    result = judged("suite-training", "F39", CLAIM, early)
    assert result.outcome is Outcome.PASS
    assert "a warm-up is declared" in result.notes[0]
    early["arms"][CLAIM]["runs"]["result_1"]["events"] = {
        "120": {"time_ms": START - 9_000, "key": "eval_accuracy", "value": 0.1}
    }
    assert found(judged("suite-training", "F39", CLAIM, early)) == ("a", "refutes")


def blocks(*counters):
    """Blocks of training by what their starts and stops count, from line 200 on."""
    keys = ("block_start", "block_stop")
    return {
        str(200 + index): {"time_ms": START + 1_000 * index, "key": keys[index % 2], "samples": samples}
        for index, samples in enumerate(counters)
    } | {line: None for line, event in EVENTS.items() if event["key"].startswith("epoch_")}


def test_a_first_block_with_samples_behind_it_needs_a_checkpoint(judged):
    resumed = blocks(512, 1024, 1024, 1536)
    assert found(judged("suite-training", "F39", CLAIM, of_run(resumed))) == ("a", "refutes")
    logged = {**resumed, "150": {"key": "init_checkpoint_step", "value": 512, "kind": "option"}}
    assert found(judged("suite-training", "F39", CLAIM, of_run(logged))) == "pass"
    words = [{"topic": "checkpoint_rule", "quote": "Training continues from a pretrained model."}]
    said = {**of_run(resumed), "claims": {CLAIM: {"said": words}}}
    assert found(judged("suite-training", "F39", CLAIM, said)) == "pass"


@pytest.mark.parametrize(
    "counters", [(0, 512, 512, 1024), (512, 512, 512, 512), (1920, 1920, 384, 384), (512, 512, 1024, 1024)]
)
def test_counts_of_blocks_and_counts_at_their_end_begin_above_zero(judged, counters):
    assert found(judged("suite-training", "F39", CLAIM, of_run(blocks(*counters)))) == "pass"


def test_a_log_without_start_is_not_judged(judged):
    assert found(judged("suite-training", "F39", CLAIM, of_run({"23": None}))) == "not-applicable"


# F40


def test_training_that_goes_on_after_the_stop_refutes(judged):
    stop = EVENTS["57"]["time_ms"]
    result = judged("suite-training", "F40", CLAIM, of_run({"90": {"time_ms": stop}}))
    assert found(result) == ("a", "refutes")
    assert "after the stop" in result.branch.message


def test_checkpoints_evaluated_after_the_clock_pass_with_a_note(judged):
    stop = EVENTS["83"]["time_ms"] + 5
    result = judged("suite-training", "F40", CLAIM, of_run({"90": {"time_ms": stop}}))
    assert result.outcome is Outcome.PASS
    assert "evaluated after the clock" in result.notes[0]


def test_a_stop_within_the_deciding_evaluation_leaves_it_out(judged):
    """The evaluations before it lie within the clock: the last one is no offline evaluation."""
    stop = {
        "time_ms": EVENTS["83"]["time_ms"] + 5,
        "key": "run_stop",
        "value": "success",
        "epoch": EVENTS["88"].get("epoch"),
    }
    lines = {"90": None, "84": stop}
    result = judged("suite-training", "F40", CLAIM, of_run(lines))
    assert found(result) == ("b", "caveat")
    assert "before it count" in result.branch.message


def test_a_block_whose_end_bears_the_deciding_counter_is_training_towards_it(judged):
    ends = [line for line, event in EVENTS.items() if event["key"] == "epoch_stop"]
    begins = [line for line, event in EVENTS.items() if event["key"] == "epoch_start"]
    from_zero = {line: {"epoch": EVENTS[line]["epoch"] - 1} for line in begins}
    last = max(int(line) for line in ends)
    patch = of_run(from_zero | {"90": {"time_ms": EVENTS[str(last)]["time_ms"] - 60_000}})
    assert found(judged("suite-training", "F40", CLAIM, patch)) == ("a", "refutes")


def test_a_stop_written_last_with_the_time_of_the_first_passing_checkpoint_is_honest(judged):
    """Training runs on beyond it, and its checkpoints are evaluated after all of it."""
    later = {
        "83": {"time_ms": START + 600_000},
        "84": None,
        "85": {"time_ms": STOP + 60_000, "key": "eval_start", "epoch": 6},
        "88": {"time_ms": STOP + 90_000},
        "89": {"time_ms": STOP + 91_000},
        "86": {"time_ms": STOP + 30_000, "key": "epoch_start", "epoch": 6},
        "87": {"time_ms": STOP + 50_000, "key": "epoch_stop", "epoch": 7},
        "90": {"time_ms": EVENTS["79"]["time_ms"] + 500},
    }
    for code in ("F39", "F40"):
        assert found(judged("suite-training", code, CLAIM, of_run(later))) == "pass"


@pytest.mark.parametrize(
    "patch",
    [
        {"claims": {CLAIM: {"target": None}}, "arms": {CLAIM: {"target": None}}},
        of_run({"90": None}),
        of_run({line: {"epoch": None} for line, event in EVENTS.items() if "epoch" in event}),
        of_run({line: None for line, event in EVENTS.items() if event["key"].startswith("epoch_")}),
    ],
    ids=["no target", "no stop", "no counter", "no train event"],
)
def test_what_a_stop_cannot_be_held_against(judged, patch):
    assert found(judged("suite-training", "F40", CLAIM, patch)) == "not-applicable"


def logged(*events):
    return Logged("r", Run(at="/r"), Trace(tuple(events), (), "", "/r"))


def test_the_deciding_evaluation_is_the_first_by_its_counter():
    target = Target(at="", metric="accuracy", value="0.9", direction="higher")
    at_two, at_one = (Event(i, i * 1e3, "eval_accuracy", "eval", 0.95, epoch=e) for i, e in ((1, 2.0), (2, 1.0)))
    missed = Event(3, 3e3, "eval_accuracy", "eval", math.nan, epoch=0.5)
    assert deciding(logged(at_two, at_one, missed), target) is at_one
    assert deciding(logged(missed), target) is None
    assert deciding(logged(), target) is None


def test_two_metrics_under_one_key_are_no_metric():
    two = [Event(i, 0.0, "eval_accuracy", "eval", value, samples=8.0) for i, value in enumerate((88.2, 0.19))]
    assert of_metric(logged(*two), "FID") == ()
    other = [Event(1, 0.0, "eval_loss", "eval", 0.1), Event(2, 0.0, "eval_accuracy", "eval", 0.9)]
    assert of_metric(logged(*other), "mAP") == ()
    assert of_metric(logged(*other), "eval_loss") == (other[0],)


# F43


def counted(*pairs, **options):
    """Ends of epochs that count samples and steps."""
    lines = [line for line, event in EVENTS.items() if event["key"] == "epoch_stop"]
    events = {line: {"samples": samples, "step": step} for line, (samples, step) in zip(lines, pairs, strict=False)}
    return of_run({**events, **options})


GROWN = [256 * 100, 256 * 200, 256 * 300, 256 * 400, 256 * 500]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(samples, samples // 256) for samples in GROWN], "pass"),
        ([(samples + 200, samples // 256) for samples in GROWN], "pass"),
        ([(samples + 25_600, samples // 256) for samples in GROWN], "pass"),
        ([(samples, samples // 128) for samples in GROWN], ("a", "refutes")),
        ([(samples, samples // 512) for samples in GROWN], ("a", "refutes")),
        ([(256, samples // 256) for samples in GROWN], "not-applicable"),
        ([(1920, 120), (384, 144), (384, 168)], "not-applicable"),
        ([(GROWN[0], 100)], "not-applicable"),
    ],
    ids=["exact", "rounded", "from a checkpoint", "half", "twice", "blocks", "first block longer", "one event"],
)
def test_samples_are_steps_times_the_batch(judged, pairs, expected):
    assert found(judged("suite-training", "F43", CLAIM, counted(*pairs))) == expected


def test_steps_may_be_parts_of_an_accumulated_one(judged):
    pairs = [(samples, samples // 64) for samples in GROWN]
    assert found(judged("suite-training", "F43", CLAIM, counted(*pairs))) == ("a", "refutes")
    parts = counted(*pairs, **{"18": {"value": 4}})
    assert found(judged("suite-training", "F43", CLAIM, parts)) == "pass"


def test_a_batch_that_grows_is_not_judged(judged):
    pairs = [(samples, samples // 512) for samples in GROWN]
    grown = counted(*pairs, **{"130": {"key": "global_batch_size", "value": 512, "kind": "option"}})
    assert found(judged("suite-training", "F43", CLAIM, grown)) == "not-applicable"


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((100, 200, 300, 400, 250, 350), ("a", "refutes")),
        ((100, 200, 300, 400, 100, 200), "not-applicable"),
        ((400, 400, 400, 400, 400, 112), "not-applicable"),
        ((100, 200, 100, 200, 100, 200), "not-applicable"),
    ],
    ids=["goes back", "begins again", "last block", "steps of an epoch"],
)
def test_a_cumulative_count_does_not_go_back(judged, counts, expected):
    lines = [line for line, event in EVENTS.items() if event["key"] == "epoch_stop"]
    events = {line: {"epoch": None, "step": step} for line, step in zip(lines, counts, strict=True)}
    assert found(judged("suite-training", "F43", CLAIM, of_run(events))) == expected


# F52


@pytest.mark.parametrize(
    ("event", "processes", "expected"),
    [
        ({"time_ms": START, "key": "run_start"}, 1, "pass"),
        ({"time_ms": START + 900, "key": "run_start"}, 1, "pass"),
        ({"time_ms": START + 1_500, "key": "run_start"}, 1, ("a", "refutes")),
        ({"time_ms": START + 4_500, "key": "run_start"}, 8, "pass"),
        ({"time_ms": STOP - 60_000, "key": "run_stop", "value": "success"}, 8, ("a", "refutes")),
        ({"time_ms": STOP, "key": "submission_benchmark", "value": "bert"}, 1, ("a", "refutes")),
        ({"time_ms": STOP, "key": "submission_benchmark", "value": "RetinaNet"}, 1, "pass"),
        ({"time_ms": STOP, "key": "init_start"}, 1, "pass"),
        ({"time_ms": STOP, "key": "seed", "value": 9}, 1, "pass"),
        ({"time_ms": STOP, "key": "global_batch_size", "value": 256, "kind": "option"}, 1, "pass"),
    ],
)
def test_what_stands_twice(judged, event, processes, expected):
    patch = of_run({"130": event}, processes=processes)
    assert found(judged("suite-training", "F52", CLAIM, patch)) == expected


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("seed", 7, ("b", "caveat")),
        ("opt_name", "lamb", ("b", "caveat")),
        ("global_batch_size", 512, ("c", "undermines")),
    ],
)
def test_one_log_that_states_twice_what_the_others_state_once(judged, key, value, expected):
    again = next(event for event in EVENTS.values() if event["key"] == key) | {"value": value}
    lines = EVENTS | {"22": again}
    patch = of_run(lines)
    assert found(judged("suite-training", "F52", CLAIM, patch)) == expected
    everywhere = {f"result_{number}": {"events": {"22": again}} for number in range(5)}
    assert found(judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": everywhere}}})) == "pass"


def counted_late(name):
    """The line of a run's start, and a line after it of what was consumed of a data set whose size stands before it."""
    events = base("suite-training")["arms"][CLAIM]["runs"][name]["events"]
    start = next(line for line, event in events.items() if event["key"] == "run_start")
    return start, {"1000": {"time_ms": events[start]["time_ms"], "key": "train_samples", "value": 90000}}


def test_a_log_without_a_start_does_not_tell_an_option_from_a_counter(judged):
    logs = {f"result_{number}": counted_late(f"result_{number}") for number in range(5)}
    runs = {name: {"events": events} for name, (_, events) in logs.items()}
    assert found(judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": runs}}})) == "pass"
    runs["result_1"]["events"] |= {logs["result_1"][0]: None}
    assert found(judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": runs}}})) == "pass"


def test_two_sizes_before_the_start_are_told_apart_from_the_counter_after_it(judged):
    runs = {f"result_{number}": {"events": counted_late(f"result_{number}")[1]} for number in range(5)}
    runs["result_1"]["events"] |= {"21": {"time_ms": START, "key": "train_samples", "value": 118000}}
    result = judged("suite-training", "F52", CLAIM, {"arms": {CLAIM: {"runs": runs}}})
    assert found(result) == ("b", "caveat")
    assert "and as 118000; 4 other runs log one value before the steps" in result.branch.message


def test_two_results_of_a_harness_refute_and_equal_ones_do_not(judged):
    def again(value):
        event = {"time_ms": 1744020661890, "key": "result_samples_per_second", "value": value, "kind": "stat"}
        return {"arms": {"offline": {"runs": {"performance": {"events": {"30": event}}}}}}

    assert found(judged("suite-inference", "F52", "offline", again(93945.806))) == "pass"
    assert found(judged("suite-inference", "F52", "offline", again(99945.806))) == ("a", "refutes")
    assert found(judged("suite-inference", "F52", "offline", again("NaN"))) == ("a", "refutes")


# the clock


@pytest.mark.parametrize(
    ("times", "stated", "expected"),
    [((1000.0, 3000.0), None, 1000), ((1000.0, 3500.0), 1, 100), ((1000.0, 3001.0), 0.001, 0.001), ((), 1, None)],
)
def test_the_coarser_of_stated_and_shown_resolution(times, stated, expected):
    clock = RunClock(at="", resolution_ms=stated) if stated is not None else None
    trace = Trace(tuple(Event(1, time, "seed", "identity") for time in times))
    assert resolution_ms(Logged("r", Run(at="", clock=clock), trace)) == expected
