"""F40, clock-stopped-early: A run whose clock stops before the training that its target was reached with."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import found
from support.training_logs import CLAIM, EVENTS, of_run


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
