"""F07, statistic-contradicts-raw: A printed statistic that the raw numbers it is linked to do not give."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer, effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def rate(**changes):
    return {"arms": {"a": {"performance": {"rate": changes}}}}


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"value": "2500"}, PASS),
        ({"value": "2499", "digits": 4, "statistic": "mean"}, PASS),
        ({"value": "150000", "unit": "images/min"}, PASS),
        ({"value": "2500", "unit": "images/s/GPU"}, PASS),
        ({"value": "2710"}, VIOLATION),
        ({"value": "2.50", "digits": None}, VIOLATION),
        ({"value": "2546", "digits": None, "statistic": "best_of"}, PASS),
        ({"value": "2546", "digits": None, "statistic": "max"}, PASS),
        ({"value": "2546", "digits": None, "statistic": "median"}, VIOLATION),
        ({"value": "2710", "statistic": "unspecified"}, NOT_APPLICABLE),
        ({"value": "2710", "statistic": "trimmed_mean"}, NOT_APPLICABLE),
        ({"value": "2710", "column": None}, NOT_APPLICABLE),
        ({"value": "2710", "unit": "kimages/s"}, NOT_APPLICABLE),
        ({"value": "2710", "work_per_iteration": None}, NOT_APPLICABLE),
        ({"value": "2710", "n": {"excluded": 3}}, NOT_APPLICABLE),
    ],
)
def test_a_statistic_and_its_raw_numbers(judged, changes, outcome):
    result = judged("rate", "F07", "rate", rate(**changes))
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


@pytest.mark.parametrize("column", ["step_time", "step_times_s", "never"])
def test_a_column_that_no_trial_has_is_not_passed_in_silence(judged, column):
    result = judged("rate", "F07", "rate", rate(column=column, value="2710"))
    assert result.outcome is Outcome.NOT_SHOWN
    assert f"`{column}`" in result.branch.message
    assert result.branch.at.endswith("/performance/rate/column")


def test_off_by_one_percent_is_a_caveat(judged):
    assert effect(judged("rate", "F07", "rate", rate(value="2512", digits=4))) is CAVEAT


@pytest.mark.parametrize(
    ("median", "planned", "expected"),
    [
        ("0.3", 4, PASS),  # between the two middle values
        ("0.35", 4, UNDERMINES),
        ("0.19", 4, UNDERMINES),
        ("0.1995", 4, CAVEAT),
        ("0.35", 60, PASS),  # of more numbers than are there
    ],
)
def test_the_median_of_a_trial_and_its_raw_numbers(judged, median, planned, expected):
    trial = {"samples": {"step_time_s": [0.4, 0.2, 0.1, 0.3]}, "medians": {"step_time_s": median}, "warmup": 0}
    patch = {"arms": {"a": {"trials": {"t1": {**trial, "iterations_planned": planned}}}}}
    result = judged("rate", "F07", "rate", patch)
    found = [item for item in (result.branch, *result.others) if getattr(item, "branch", "") == "c"]
    assert [item.effect for item in found] == ([] if expected is PASS else [expected])


def test_fewer_raw_numbers_than_stated_undermine(judged):
    patch = {"arms": {"a": {"performance": {"rate": {"value": "2710"}}, "trials": {"t2": {"samples": None}}}}}
    assert effect(judged("rate", "F07", "rate", patch)) is UNDERMINES
    patch = {"arms": {"a": {"trials": {"t2": {"samples": None}}}}}
    assert judged("rate", "F07", "rate", patch).outcome is NOT_APPLICABLE


def test_warm_up_inside_the_series_may_be_cut(judged):
    trial = {"samples": {"step_time_s": [0.5] * 5 + [0.1] * 5}, "iterations_planned": 5, "warmup": 5}
    trials = {"t1": trial, "t2": trial, "t3": trial, "t4": trial, "t5": trial}
    patch = {
        "arms": {"a": {"performance": {"rate": {"value": "2560", "statistic": "mean", "n": None}}, "trials": trials}}
    }
    assert judged("rate", "F07", "rate", patch).outcome is PASS


@pytest.mark.parametrize(("key", "outcome"), [("99", PASS), ("p99", PASS), ("90", VIOLATION), ("slow", NOT_APPLICABLE)])
def test_a_percentile_by_any_definition(judged, key, outcome):
    metric = {
        "statistic": "percentile",
        "value": "2.857",
        "summary": {"percentiles": {"99": None, "90": None, key: "2.857"}},
    }
    patch = {"arms": {"server": {"performance": {"latency": metric}}}}
    assert judged("serving", "F07", "latency", patch).outcome is outcome


def test_stated_digits_never_sharpen_a_printed_number(judged):
    assert judged("rate", "F07", "rate", rate(value="2499", digits=9)).outcome is PASS


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"value": "7500"}, VIOLATION),
        ({"value": "2500", "digits": 2}, PASS),
        ({"value": "2600", "qualifier": "up_to"}, PASS),
        ({"value": "2700", "qualifier": "over"}, VIOLATION),
        ({"value": "7500", "unit": "images/s/GPU"}, PASS),
        ({"value": "7500", "statistic": "best_of"}, PASS),
    ],
)
def test_a_claim_that_prints_another_number_than_its_metric(judged, claim, outcome):
    result = judged("rate", "F07", "rate", {"claims": {"rate": claim}})
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.at == "/claims/rate/value"


@pytest.mark.parametrize(
    ("summary", "outcome"),
    [
        ({"sd": "0.147", "mean": "1.25", "min": "1.0", "max": "1.5"}, PASS),
        ({"sd": "0.09"}, VIOLATION),
        ({"mean": "1.15"}, VIOLATION),
        ({"max": "1.4"}, VIOLATION),
        ({"percentiles": {"90": "1.45"}}, PASS),
        ({"percentiles": {"p90": "1.20"}}, VIOLATION),
        ({"percentiles": {"most": "1.20"}}, PASS),
    ],
)
def test_what_is_printed_beside_a_value_comes_out_of_its_raw_numbers(judged, summary, outcome):
    steps = [1.0, 1.1, 1.2, 1.25, 1.25, 1.25, 1.3, 1.4, 1.5]
    trial = {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": steps}}
    number = {"quantity": "time", "value": "1.25", "unit": "s", "statistic": "median", "summary": summary}
    number |= {"column": "step_time_s", "n": None, "interval": None, "trials": None, "digits": None}
    number |= {"work_per_iteration": None, "plus_minus": None, "wall_s": None, "work": None}
    trials = {f"t{i}": None for i in range(2, 6)} | {"t1": {**trial, "iterations_planned": 9, "warmup": None}}
    patch = {
        "claims": {"rate": {"quantity": "time", "value": "1.25", "unit": "s", "digits": None}},
        "arms": {"a": {"performance": {"rate": number}, "trials": trials}},
    }
    assert judged("rate", "F07", "rate", patch).outcome is outcome


def test_a_small_slip_that_changes_how_the_headline_is_rounded_is_no_small_one(judged):
    metric = {"arms": {"a": {"performance": {"rate": {"value": "2512", "digits": 4}}}}}
    assert answer(judged("rate", "F07", "rate", metric)) == ("a", CAVEAT)
    headline = {"claims": {"rate": {"value": "2510", "digits": 3}}}
    assert answer(judged("rate", "F07", "rate", {**metric, **headline})) == ("a", REFUTES)


def test_the_median_of_an_even_number_of_rates(judged):
    """Between the two middle ones, and no rate of the median time."""
    steps = {"t1": 0.0160, "t2": 0.0268, "t3": 0.0662, "t4": 0.1623}
    trials = {name: {"samples": {"step_time_s": [step] * 50}} for name, step in steps.items()} | {"t5": None}
    metric = {"value": "6711", "digits": None, "interval": None, "trials": 4, "n": None}  # 256 / .0268, 256 / .0662
    patch = {"arms": {"a": {"trials": trials, "performance": {"rate": metric}}}, "claims": {"rate": {"value": "6711"}}}
    assert answer(judged("rate", "F07", "rate", patch)) is PASS
    patch["arms"]["a"]["performance"]["rate"]["value"] = "16711"
    assert answer(judged("rate", "F07", "rate", patch)) == ("a", REFUTES)


def test_the_base_of_a_ratio_is_held_against_its_own_raw_numbers(judged):
    metric = {"column": "step_time_s", "value": "9999"}
    result = judged("training-pair", "F07", "speedup", {"arms": {"plain": {"performance": {"rate": metric}}}})
    assert answer(result) == ("a", REFUTES)
    assert result.branch.at == "/arms/plain/performance/rate/value"


def timed_once(values, mean, n, **outcomes):
    """A mean over trials of one time each."""
    trials = {
        f"t{k}": {"kind": "throughput", "outcome": outcomes.get(f"t{k}", "completed"), "seed": k}
        | {"samples": {"step_time_s": [value]}, "iterations_planned": 1, "warmup": None}
        for k, value in enumerate(values, 1)
    }
    number = {"value": mean, "digits": None, "statistic": "mean", "interval": None, "n": n, "trials": None}
    number |= {"quantity": "time", "unit": "s", "work_per_iteration": None, "work": None, "wall_s": None}
    claim = {"quantity": "time", "value": mean, "unit": "s", "digits": None, "statistic": "mean"}
    return {"claims": {"rate": claim}, "arms": {"a": {"trials": trials, "performance": {"rate": number}}}}


TIMES = [1.0, 1.1, 1.2, 1.3, 3.9]
COUNT = {"unit": "trial", "planned": 5, "completed": 4, "failed": 1, "excluded": 0}


@pytest.mark.parametrize(
    ("mean", "n", "outcomes", "expected"),
    [
        ("1.15", COUNT, {"t5": "failed"}, PASS),  # without the one that failed
        ("1.70", COUNT, {"t5": "failed"}, PASS),  # with it, as a tool does that was told to ignore failures
        ("1.15", COUNT, {}, PASS),  # which of the five failed is not said
        ("2.6", COUNT, {}, ("a", REFUTES)),  # none of the five left out gives it
        ("2.6", COUNT, {"t5": "failed"}, ("a", REFUTES)),
        ("1.15", COUNT | {"completed": 5, "failed": 0}, {}, ("a", REFUTES)),
    ],
)
def test_what_failed_may_be_in_a_mean_or_not(judged, mean, n, outcomes, expected):
    assert answer(judged("rate", "F07", "rate", timed_once(TIMES, mean, n, **outcomes))) == expected
