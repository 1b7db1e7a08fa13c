"""The fact `suite.result`."""

import pytest
from dlaudit.rules.facts.suite.result import canonical, of_result, required_tests
from dlaudit.schemas.submission import SuiteResult


@pytest.mark.parametrize(
    ("round_name", "benchmark", "scenario", "tests"),
    [
        ("v4.1", "resnet50", "MultiStream", ("TEST01", "TEST04", "TEST05")),
        ("v0.7", "resnet50", "MultiStream", None),
        ("v0.7", "resnet50", "Offline", ("TEST01", "TEST04", "TEST05")),
        ("v4.1", "bert-99", "Offline", ("TEST01", "TEST05")),
        ("v4.1", "llama2-70b-99", "Offline", None),
        ("v5.0", "resnet50", "MultiStream", ("TEST01", "TEST04")),
    ],
)
def test_compliance_tests_by_round(round_name, benchmark, scenario, tests):
    result = SuiteResult(round=round_name, benchmark=benchmark, scenario=scenario)
    assert required_tests(of_result("inference", result)) == tests


@pytest.mark.parametrize(
    ("part", "round_name", "name", "known"),
    [
        ("training", "5.1", "Llama2_70b_LoRA", "llama2_70b_lora"),
        ("training", "2.0", "DeepCAM", "deepcam"),
        ("training", "5.0", "flux1", None),
        ("inference", "0.7", "ssd-resnet34", "ssd-large"),
        ("inference", "3.0", "resnet50", "resnet"),
        ("inference", "5.1", "llama3_1-405b", "llama3.1-405b"),
        ("inference", "5.1", "", None),
    ],
)
def test_a_benchmark_by_any_of_its_names(part, round_name, name, known):
    assert canonical(part, round_name, name) == known
