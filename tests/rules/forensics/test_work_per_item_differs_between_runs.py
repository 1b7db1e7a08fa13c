"""F54, work-per-item-differs-between-runs."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("work", "load", "outcome"),
    [
        (261800, {"tokens_counted": "output"}, VIOLATION),
        (293700, {"tokens_counted": "output"}, PASS),
        (261800, {"tokens_counted": "total"}, NOT_APPLICABLE),
        (261800, {}, NOT_APPLICABLE),  # with or without prompts, it does not say
    ],
)
def test_the_tokens_that_a_rate_counts_over_its_requests(judged, work, load, outcome):
    number = {"quantity": "rate", "value": "34791", "unit": "tokens/s", "statistic": "mean", "work": work, "load": load}
    number["n"] = {"unit": "request", "completed": 1000}
    quality = {"metric": "ROUGE1", "value": "44.4", "split": "test"}
    quality["output_length"] = {"generated": "293.71", "reference": "294.45"}
    trials = {f"t{i}": None for i in range(1, 6)}
    arm = {"performance": {"rate": None, "latency": None, "tokens": number}, "quality": {"rouge1": quality}}
    patch = {
        "arms": {"server": {**arm, "trials": trials}},
        "claims": {"rate": {"measured": {"arm": "server", "metric": "tokens"}, "work": "tokens"}, "latency": None},
    }
    assert judged("serving", "F54", "rate", patch).outcome is outcome


def outputs(generated, **server):
    quality = {"metric": "ROUGE-1", "value": "38.72", "split": "test", "examples": 1000}
    if generated is not None:
        quality["output_length"] = {"generated": generated, "reference": generated}
    return {"arms": {"server": {"quality": {"rouge": quality}, **server}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (outputs("128.6"), PASS),
        (outputs("139"), ("b", CAVEAT)),
        (outputs("214"), ("a", UNDERMINES)),
        (outputs("100"), ("a", UNDERMINES)),
        (outputs("0"), NOT_APPLICABLE),
        (outputs(None), NOT_APPLICABLE),
    ],
)
def test_outputs_are_as_long_in_both_runs(judged, patch, expected):
    assert answer(judged("serving", "F54", "rate", patch)) == expected


def test_sampling_explains_a_difference(judged):
    tokens = {"output_tokens": [20.0, 400.0, 30.0, 70.0] * 3}
    trials = {f"t{i}": {"samples": tokens} for i in range(1, 6)}
    assert answer(judged("serving", "F54", "rate", outputs("150", trials=trials))) is PASS
    assert answer(judged("serving", "F54", "rate", outputs("900", trials=trials))) == ("a", UNDERMINES)


def answers(tokens, requests=24576, recorded="294.1"):
    score = {"unit": "tokens/s", "work": tokens, "n": {"unit": "request", "completed": requests}}
    arm = {
        "performance": {"rate": score},
        "runs": {"accuracy": {"record": {"metrics": {"tokens_per_sample": recorded}}}},
    }
    return {"arms": {"offline": arm}, "claims": {"offline": {"unit": "tokens/s"}}}


@pytest.mark.parametrize(
    ("patch", "effect"),
    [
        (answers(294.1 * 24576), None),
        (answers(303.0 * 24576), None),
        (answers(315.0 * 24576), CAVEAT),
        (answers(360.2 * 24576), UNDERMINES),
        (answers(230.0 * 24576), UNDERMINES),
        (answers(360.2 * 1000, 1000), None),
        (answers(360.2 * 24576, recorded="0"), None),
    ],
)
def test_answers_of_the_timed_run_are_as_long_as_those_of_the_accuracy_run(inference, patch, effect):
    assert inference("F54", patch)[1] == effect


@pytest.mark.parametrize(
    ("metric", "outcome"), [("ROUGE-1", VIOLATION), ("GSM8K exact match", NOT_APPLICABLE), ("exact match", VIOLATION)]
)
def test_a_benchmark_of_its_own_has_samples_of_its_own(judged, metric, outcome):
    quality = {
        "metric": metric, "value": "38.72", "split": "test", "examples": 1000,
        "output_length": {"generated": "214", "reference": "213"},
    }  # fmt: skip
    patch = {"arms": {"server": {"quality": {"own": quality}}}}
    assert judged("serving", "F54", "rate", patch).outcome is outcome
