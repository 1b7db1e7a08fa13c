"""Q15, token-length-outside-band: Outputs that are shorter or longer than the round allows."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def outputs(benchmark="llama2-70b-99", **metrics):
    """A language model whose accuracy record holds lengths; the reference has 294.45 tokens a sample, +-10 %."""
    claim = {"work": "tokens", "suite_result": {"benchmark": benchmark}}
    runs = {"accuracy": {"record": {"metrics": metrics}}}
    return {"claims": {"offline": claim}, "arms": {"offline": {"runs": runs}}}


@pytest.mark.parametrize(
    ("length", "expected"),
    [("291.9", PASS), ("266", PASS), ("323", PASS), ("249.7", ("a", UNDERMINES)), ("340", ("a", UNDERMINES))],
)
def test_the_tokens_of_a_sample(judged, length, expected):
    assert answer(judged("suite-inference", "Q15", "offline", outputs(tokens_per_sample=length))) == expected


def test_a_record_without_a_length(judged):
    assert answer(judged("suite-inference", "Q15", "offline", outputs())) is NOT_SHOWN


def test_the_open_division_sets_no_length(judged):
    patch = outputs(tokens_per_sample="164.6")
    patch["claims"]["offline"]["suite_result"] |= {"division": "open"}
    assert answer(judged("suite-inference", "Q15", "offline", patch)) is NOT_APPLICABLE


def test_a_benchmark_without_a_limit(judged):
    assert answer(judged("suite-inference", "Q15", "offline", outputs("resnet"))) is NOT_APPLICABLE
