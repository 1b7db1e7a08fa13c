"""`dlaudit compare` over services whose requests are recorded one by one."""

import json

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from support.recorded import document


@pytest.fixture
def compared(tmp_path):
    def run(new, *arguments):
        paths = []
        for name, value in (("old.json", document()), ("new.json", new)):
            (tmp_path / name).write_text(json.dumps(value))
            paths.append(f"{tmp_path / name}@server")
        done = CliRunner().invoke(cli, ["compare", *paths, *arguments, "--format", "json"], standalone_mode=False)
        (found,) = json.loads(done.output)["comparisons"]
        return found

    return run


def other_seeds(**how):
    return document(first=100, **how)


def test_the_same_service_is_equivalent_in_rates_goodput_and_every_percentile(compared):
    found = compared(other_seeds())
    assert not found["different_work"]
    assert {"rate", "request_rate", "goodput", "ttft", "ttft_p90", "ttft_p99", "tpot", "latency_p99"} <= set(
        found["metrics"]
    )
    assert {row["outcome"] for row in found["metrics"].values()} == {"equivalent"}
    rate = found["metrics"]["rate"]
    assert len(rate["old"]) == 5
    assert rate["interval"][0] < rate["change"] < rate["interval"][1]


def test_a_stall_in_each_trial_is_worse_in_the_slow_end_and_not_in_the_median(compared):
    found = compared(other_seeds(stalls=(5.0, 6.0)))
    assert found["metrics"]["ttft_p99"]["outcome"] == "worse"
    assert found["metrics"]["ttft_p99"]["change"] > 3
    assert found["metrics"]["ttft"]["outcome"] == "equivalent"


def test_requests_that_fail_lower_goodput_and_are_said(compared):
    found = compared(other_seeds(lost=0.1))
    assert found["metrics"]["goodput"]["outcome"] == "worse"
    assert found["metrics"]["goodput"]["change"] == pytest.approx(0.9, abs=0.02)
    answered = [item for item in found["different_conditions"] if item["what"] == "requests answered"]
    assert [item["old"] for item in answered] == ["1250 of 1250"]


def another_objective():
    value = other_seeds()
    for metric in value["arms"]["server"]["performance"].values():
        if "objective" in metric:
            metric["objective"] = {"ttft_s": 1.0, "tpot_s": 0.05}
    return value


def test_goodput_under_another_objective_is_not_compared(compared):
    found = compared(another_objective())
    assert found["unlike_metrics"] == {"goodput": [{"what": "ttft_s", "old": "0.5", "new": "1"}]}
    assert "goodput" not in found["metrics"]
    assert found["metrics"]["ttft"]["outcome"] == "equivalent"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"load": {"request_rate": 24.0}}, "request_rate"),
        ({"load": {"loop": "closed", "concurrency": 4}}, "loop"),
        ({"tokens": 16}, "output_tokens"),
        ({"load": {"duplicate_prompts": 0.5}}, "duplicate_prompts"),
    ],
)
def test_another_load_or_length_is_not_the_same_work_unless_it_is_what_varies(compared, change, what):
    found = compared(other_seeds(**change))
    assert found["outcome"] == "not comparable"
    assert what in [item["what"] for item in found["different_work"]]
    if len(found["different_work"]) == 1:
        assert compared(other_seeds(**change), "--vary", what)["metrics"]
