"""W1107, batch-growth-effect-unshown."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.quality import RUNS
from support.scaling import NAMES, batches, unknown

NO_RUNS = {"n8": {"target": None, "quality": None, "trials": RUNS}}
WEAK = (1024, 2048, 4096, 8192)


@pytest.mark.parametrize(
    ("sizes", "outcome"), [((8192, 8192, 8192, 8192), Outcome.PASS), ((4096, 5000, 6000, 8000), Outcome.PASS)]
)
def test_a_batch_that_does_not_double_needs_nothing(judged, sizes, outcome):
    patch = batches(*sizes, label="mixed")
    patch["arms"] = NO_RUNS
    assert judged("strong-scaling", "W1107", "speedup", patch).outcome is outcome


def test_a_doubled_batch_without_training_is_not_shown(judged):
    patch = batches(*WEAK, label="weak")
    patch["arms"] = NO_RUNS
    result = judged("strong-scaling", "W1107", "speedup", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "convergence at the largest batch")
    assert "1024 to 8192" in result.branch.message


def test_training_at_the_largest_batch_answers(judged):
    assert judged("strong-scaling", "W1107", "speedup", batches(*WEAK, label="weak")).outcome is Outcome.PASS


def test_training_of_another_problem_answers_nothing(judged):
    patch = batches(*WEAK, label="weak")
    patch["arms"] = {"n8": {"options": {"dataset": "ImageNet-21k"}}}
    patch["tables"]["nodes"]["rows"]["r8"]["options"]["dataset"] = "ImageNet-1k 2012"
    rest = {name: {"quality": None, "trials": RUNS} for name in ("n1", "n2", "n4")}
    patch["arms"] |= rest
    assert judged("strong-scaling", "W1107", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_convergence_that_turns_out_worse_is_shown_too(judged):
    patch = batches(*WEAK, label="weak")
    patch["arms"] = {"n8": {"target": {"value": "0.80"}}}
    assert judged("strong-scaling", "W1107", "speedup", patch).outcome is Outcome.PASS


def test_batches_that_are_not_stated(judged):
    weak = unknown(*NAMES)
    weak["tables"]["nodes"]["label"] = "weak"
    weak["claims"] = {"speedup": {"label": "weak"}}
    result = judged("strong-scaling", "W1107", "speedup", weak)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "convergence at the largest batch")
    strong = judged("strong-scaling", "W1107", "speedup", unknown(*NAMES))
    assert (strong.outcome, strong.branch.item) == (Outcome.NOT_SHOWN, "")


def test_throughput_only_is_told_so(judged):
    patch = batches(*WEAK, label="weak", purpose="hardware_throughput")
    patch["arms"] = NO_RUNS
    result = judged("strong-scaling", "W1107", "speedup", patch)
    assert result.branch.message.startswith("throughput only: says nothing about convergence")


def test_a_quality_of_no_named_split_at_the_largest_batch_is_asked_about(judged):
    patch = batches(*WEAK, label="weak")
    found = {"top1": {"metric": "top-1", "value": "0.76", "direction": "higher"}}
    patch["arms"] = {"n8": {"target": None, "trials": RUNS, "quality": {"accuracy": None, **found}}}
    result = judged("strong-scaling", "W1107", "speedup", patch)
    assert (result.outcome, result.branch.question) == (Outcome.NOT_SHOWN, True)
