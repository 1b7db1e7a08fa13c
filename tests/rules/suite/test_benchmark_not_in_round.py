"""Q06, benchmark-not-in-round: A result of a benchmark that the named round of the suite did not hold."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.patches import both
from support.suite_results import result, training_result

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("llama2-7b-99", (VIOLATION, UNDERMINES)),
        ("Llama 2 7B LoRA", (VIOLATION, UNDERMINES)),
        ("Llama 3.1 70B", (VIOLATION, UNDERMINES)),
        ("Llama 2 70B", (NOT_APPLICABLE, None)),
        ("Falcon 7B", (NOT_APPLICABLE, None)),
        ("7B", (NOT_APPLICABLE, None)),
    ],
)
def test_a_size_of_which_no_round_has_a_model(training, named, expected):
    patch = both(training_result(benchmark=named, round="v5.0"), {"publication": {"where": "https://blog.example.org"}})
    assert training("Q06", patch) == expected


def test_a_name_that_no_round_has_is_only_a_name_where_it_is_quoted(training):
    odd = training_result(benchmark="object detection")
    assert training("Q06", odd) == (NOT_APPLICABLE, None)
    assert training("Q06", both(odd, {"publication": None})) == (VIOLATION, UNDERMINES)


def test_an_open_result_may_stand_for_a_benchmark(training):
    mine = {
        "claims": {"retinanet": {"division": "open", "suite_result": {"benchmark": "my-detector", "division": "open"}}}
    }
    assert training("Q06", mine) == (PASS, None)
    unknown = both(mine, {"claims": {"retinanet": {"division": None, "suite_result": {"division": None}}}})
    assert training("Q06", unknown) == (NOT_APPLICABLE, None)


def test_a_folder_that_extends_the_name_of_a_benchmark_is_an_implementation_of_it(training):
    own = {"publication": None}
    assert training("Q06", both(training_result(benchmark="retinanet-int8-tuned"), own)) == (NOT_APPLICABLE, None)
    assert training("Q06", both(training_result(benchmark="my-retinanet"), own)) == (VIOLATION, UNDERMINES)


def test_a_folder_that_extends_another_name_of_a_benchmark_is_an_implementation_of_it(inference):
    own = {"publication": None}
    named = result("offline", benchmark="ssd-mobilenet-non-quantized", round="v0.7")
    assert inference("Q06", both(named, own)) == (NOT_APPLICABLE, None)
    other = result("offline", benchmark="my-detector", round="v0.7")
    assert inference("Q06", both(other, own)) == (VIOLATION, UNDERMINES)
