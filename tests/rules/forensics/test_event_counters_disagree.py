"""F43, event-counters-disagree: Samples that are not steps times the batch, or a count that goes back."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import found, in_words
from support.descriptions import ARM, arm
from support.training_logs import CLAIM, EVENTS, START, of_run

PASS, VIOLATION = Outcome.PASS, Outcome.VIOLATION


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


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([4571, 4571, 4571], PASS),
        ([4572, 4572, 4572], PASS),
        ([4000, 4000, 4000], PASS),  # a part was left out
        ([2286, 2286, 2286], ("c", "caveat")),  # an epoch may be a part of a pass
        ([9144, 9144, 9144], ("c", "undermines")),
        ([7000, 7000, 7000], ("c", "caveat")),
        ([2286, 2290, 2286], PASS),  # epochs of the program's own
        ([2286, 2286], PASS),  # too few
    ],
)
def test_an_epoch_passes_the_training_set_once(judged, steps, expected):
    ends = [sum(steps[: index + 1]) for index in range(len(steps))]
    marks = {
        str(800 + index): {"key": "epoch_stop", "value": None, "epoch": index + 1, "step": end, "kind": "train"}
        for index, end in enumerate(ends)
    }
    result = judged("suite-training", "F43", ARM, arm(runs={"result_1": {"events": marks}}))
    assert (in_words(result) if result.outcome is VIOLATION else PASS) == expected


def blocks(*counters):
    lines = {}
    for index, (begin, end) in enumerate(counters):
        time = START + 60_000 * index
        lines[str(200 + 2 * index)] = {"time_ms": time, "key": "block_start", "samples": begin}
        lines[str(201 + 2 * index)] = {"time_ms": time + 50_000, "key": "block_stop", "samples": end}
    return of_run(lines)


@pytest.mark.parametrize(
    ("counters", "accused"),
    [
        (((0, 10), (10, 20), (20, 30), (30, 40)), None),
        (((40, 10), (10, 20), (20, 30), (30, 40)), "caveat"),  # the first count may be a checkpoint's
        (((0, 10), (10, 20), (70, 30), (30, 40)), "undermines"),
        # a checkpoint, blocks that count their own samples, starts that count something else
        (((40, 50), (50, 60), (60, 70), (70, 80)), None),
        (((0, 10), (10, 10), (20, 10), (30, 10)), None),
        (((40, 10), (80, 20), (120, 30), (160, 40)), None),
        (((40, 10), (10, 20)), None),
    ],
)
def test_a_block_does_not_begin_above_its_own_end(logged_training, counters, accused):
    result = logged_training("F43", blocks(*counters))
    assert (result.outcome is Outcome.VIOLATION) is (accused is not None)
    assert accused is None or found(result) == ("b", accused)
