"""F02, samples-contradict-batch-and-steps."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer
from support.work import runs

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def trained(**arm):
    return {"arms": {"trained": arm}}


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ({}, PASS),
        ({"options": {"global_batch": 512}}, ("a", REFUTES)),
        ({"options": {"global_batch": None}}, NOT_APPLICABLE),
        ({"trials": runs({"samples": 102000, "step": 100, "epoch": 2})}, PASS),  # a last batch dropped twice
        ({"trials": runs({"samples": 99000, "step": 100, "epoch": 2})}, ("a", REFUTES)),
        ({"trials": runs({"samples": 99000, "step": 100})}, ("a", REFUTES)),  # epochs from the size of the set
        ({"splits": None, "trials": runs({"samples": 99000, "step": 100})}, PASS),  # epochs unknown
        ({"splits": None, "trials": runs({"samples": 204800, "step": 100})}, ("a", REFUTES)),
        ({"trials": runs({"samples": 102400}, {"step": 200})}, NOT_APPLICABLE),
        (
            {"trials": runs(
                *({"samples": 1024 * step, "step": step + 50000, "epoch": 40} for step in (48000, 49000, 50000))
            )},
            NOT_APPLICABLE,  # continued from a checkpoint: the step counter begins elsewhere
        ),
        (
            {
                "options": {"batch_schedule": [{"from_samples": 102400, "global_batch": 2048}]},
                "trials": runs({"samples": 307200, "step": 200, "epoch": 6}),
            },
            PASS,
        ),
    ],
)  # fmt: skip
def test_samples_against_steps(judged, arm, expected):
    assert answer(judged("time-to-accuracy", "F02", "time", trained(**arm))) == expected


@pytest.mark.parametrize(
    ("samples", "words", "arm", "expected"),
    [
        (1376256, "", {}, PASS),
        (1320001, "", {}, NOT_SHOWN),  # between two evaluations
        (1320001, "Interpolated between two evaluations.", {}, PASS),
        (700000, "", {}, ("a", REFUTES)),
        (2752512, "", {}, ("a", REFUTES)),
        (700000, "", {"options": {"global_batch": None}}, NOT_APPLICABLE),
    ],
)
def test_claimed_samples_against_the_steps_to_the_target(judged, samples, words, arm, expected):
    evaluations = [
        {"split": "test", "samples": 1024 * step, "step": step, "metrics": {"accuracy": value}}
        for step, value in ((1248, 0.92), (1344, 0.945))
    ]
    one = {"evaluations": evaluations, "crossing": {"reached": True, "samples": 1376256, "step": 1344}}
    claim = {"crossing_samples": samples, "statement": f"94 % after {samples} samples. {words}"}
    patch = {"claims": {"time": claim}, **trained(trials={**runs(), "s1": one}, **arm)}
    assert answer(judged("time-to-accuracy", "F02", "time", patch)) == expected
    continued = {**one["crossing"], "step": 51344}
    patch["arms"]["trained"]["trials"]["s1"] = {"evaluations": [], "crossing": continued}
    result = judged("time-to-accuracy", "F02", "time", patch)
    assert "are claimed" not in getattr(result.branch, "message", "")  # its steps began elsewhere


def test_samples_against_steps_names_the_slip(judged):
    result = judged("time-to-accuracy", "F02", "time", trained(options={"global_batch": 512}))
    assert "factor 2" in result.branch.message
    assert result.branch.related[0].at == "/arms/trained/options/global_batch"
