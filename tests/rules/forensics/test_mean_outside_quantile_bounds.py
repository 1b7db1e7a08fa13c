"""F27, mean-outside-quantile-bounds: A mean that no values have which have these percentiles."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("told", "outcome"),
    [("at a time to first token of 0.251 s", VIOLATION), ("at a low time to first token", NOT_APPLICABLE)],
)
def test_a_mean_of_another_number_in_the_sentence(judged, told, outcome):
    summary = {"mean": "0.110", "min": "0.090", "max": "0.300", "percentiles": {"50": "0.200", "99": "0.251"}}
    number = {"quantity": "latency", "value": "0.251", "unit": "s", "statistic": "percentile", "summary": summary}
    number["n"] = {"unit": "request", "completed": 1000}
    patch = {
        "claims": {"rate": {"statement": f"The server answers 6.27 requests/s {told}."}},
        "arms": {"server": {"performance": {"ttft": number}}},
    }
    assert judged("serving", "F27", "rate", patch).outcome is outcome


@pytest.mark.parametrize(("mean", "outcome"), [("15.72", VIOLATION), ("15.93", PASS)])
def test_a_mean_of_few_values_is_bounded_by_whole_numbers_of_them(judged, mean, outcome):
    summary = {
        "mean": mean, "median": "15.89", "sd": None, "min": "15.64", "max": "17.19",
        "percentiles": {"10": "15.68", "25": "15.86", "75": "15.93", "90": "16.03", "50": None, "99": None},
    }  # fmt: skip
    metric = {"summary": summary, "column": None, "n": {"unit": "request", "planned": 20, "completed": 20}}
    patch = {"arms": {"server": {"performance": {"latency": metric}}}}
    assert judged("serving", "F27", "latency", patch).outcome is outcome
