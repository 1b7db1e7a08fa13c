"""Q05, evaluation-schedule-off-policy."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.patches import both
from support.suite_results import runs, training_result, without
from support.training_logs import CLAIM, EVENTS, NAMES, RUNS, of_run

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def scheduled(*samples, benchmark="llama2_70b_lora", round="v6.0"):
    patch = {
        line: {"samples": count} for line, count in zip(("33", "44", "55", "66", "77", "88"), samples, strict=True)
    }
    return both(
        training_result(benchmark=benchmark, round=round),
        *(without(name) for name in NAMES[1:]),
        runs(result_0={"events": patch}),
    )


def test_evaluations_at_the_prescribed_distance(training):
    # global batch 256: ceil(384 / 256) x 256 = 512 samples; floor(0.125 x 256 + 2) = 34 evaluations may be left out
    first = 34 * 512
    assert training("Q05", scheduled(*(first + 512 * index for index in range(6)))) == (PASS, None)
    assert training("Q05", scheduled(*(first + 256 * index for index in range(6)))) == (PASS, None)
    irregular = [first + 512 * index for index in range(5)]
    assert training("Q05", scheduled(*irregular, irregular[-1] + 128)) == (VIOLATION, CAVEAT)
    assert training("Q05", scheduled(*(first + 1024 * index for index in range(6)))) == (VIOLATION, CAVEAT)
    assert training("Q05", scheduled(*(512 + 512 * index for index in range(6)))) == (VIOLATION, CAVEAT)


@pytest.mark.parametrize(
    ("distance", "round", "expected"),
    [
        (150016, "v5.0", (PASS, None)),  # 150,000, whole batches of 256
        (153088, "v5.0", (PASS, None)),  # 0.05 x (230.23 x 256 + 3,000,000), whole batches
        (153344, "v5.0", (VIOLATION, CAVEAT)),
        (3 * 153088, "v5.0", (VIOLATION, CAVEAT)),
        (3 * 153088, "v0.7", (NOT_APPLICABLE, None)),
    ],
)
def test_a_distance_that_grows_with_the_batch(training, distance, round, expected):
    samples = (distance * index for index in range(1, 7))
    assert training("Q05", scheduled(*samples, benchmark="bert", round=round)) == expected


@pytest.mark.parametrize(("step", "noted"), [(150_080, False), (149_632, False), (148_736, True)])
def test_evaluations_within_a_batch_of_the_prescribed_distance_are_on_time(logged_training, step, noted):
    """For a batch of 448: 155,157 samples, rounded down to 150,000, and up to whole batches."""
    evaluations = [line for line, event in EVENTS.items() if event["key"] == "eval_accuracy"]
    lines = {line: {"samples": step * (index + 2)} for index, line in enumerate(evaluations)}
    patch = of_run({**lines, "12": {"value": 448}})
    patch["arms"][CLAIM]["runs"] |= dict.fromkeys(name for name in RUNS if name != "result_1")
    patch["claims"] = {CLAIM: {"suite_result": {"benchmark": "bert", "round": "v5.0"}}}
    result = logged_training("Q05", patch)
    assert result.outcome is Outcome.PASS
    assert bool(result.notes) is noted
