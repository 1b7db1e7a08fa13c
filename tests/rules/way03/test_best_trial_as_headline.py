"""W0302, best-trial-as-headline: The value of the best run stands where a reader expects the usual one."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome


def time(**claim):
    return {"claims": {"time": claim}}


def runs(**changes):
    return {"arms": {"trained": {"trials": changes}}}


@pytest.mark.parametrize("statistic", ["mean", "median", "unspecified", None])
def test_the_best_run_called_otherwise_undermines(judged, statistic):
    result = judged("time-to-accuracy", "W0302", "time", time(value="84.4", statistic=statistic))
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("a", UNDERMINES, "85")


@pytest.mark.parametrize("value", ["85.0", "86.7", "87"])
def test_mean_and_median_pass(judged, value):
    """The five times are 84.4, 84.5, 85.0, 89.8 and 90.0: median 85.0, mean 86.74."""
    assert judged("time-to-accuracy", "W0302", "time", time(value=value)).outcome is Outcome.PASS


def test_coarse_digits_hold_the_best_and_the_usual_alike(judged):
    assert judged("time-to-accuracy", "W0302", "time", time(value="85")).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("value", "qualifier", "outcome"),
    [
        ("84.4", "about", Outcome.PASS),
        ("84.4", "over", Outcome.PASS),
        ("84.4", "less_than", Outcome.VIOLATION),
        ("84.8", "less_than", Outcome.PASS),
        ("85.0", "less_than", Outcome.PASS),
    ],
)
def test_qualified_numbers_are_read_as_they_say(judged, value, qualifier, outcome):
    """Less than 84.4 s is the best run's; nothing but a median above it speaks against less than 84.8 s."""
    assert judged("time-to-accuracy", "W0302", "time", time(value=value, qualifier=qualifier)).outcome is outcome


def test_a_best_of_that_says_so_is_a_caveat(judged):
    words = "The best of five runs reaches the target after 84.4 s."
    result = judged("time-to-accuracy", "W0302", "time", time(value="84.4", statistic="best_of", statement=words))
    assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)


@pytest.mark.parametrize("statistic", ["best_of", "min"])
def test_a_field_that_no_word_repeats_says_nothing(judged, statistic):
    """The reader of the sentence is told nothing of the other runs."""
    result = judged("time-to-accuracy", "W0302", "time", time(value="84.4", statistic=statistic))
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


@pytest.mark.parametrize("statistic", ["percentile", "total"])
def test_other_declared_statistics_are_outside(judged, statistic):
    patch = time(value="84.4", statistic=statistic)
    assert judged("time-to-accuracy", "W0302", "time", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_minimum_is_the_best_of_its_trials(judged):
    words = "The target is reached after 84.4 s (minimum of five runs)."
    result = judged("time-to-accuracy", "W0302", "time", time(value="84.4", statistic="min", statement=words))
    assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)
    other = judged("time-to-accuracy", "W0302", "time", time(value="80.0", statistic="min"))
    assert other.outcome is Outcome.NOT_APPLICABLE


def test_two_trials_decide_nothing(judged):
    patch = {**runs(s1=None, s3=None, s5=None), **time(value="84.4")}
    assert judged("time-to-accuracy", "W0302", "time", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_best_accuracy_beside_the_value_of_every_seed_is_a_caveat(judged):
    accuracy = {"quantity": "accuracy", "unit": "fraction", "target": None, "value": "0.9456"}
    result = judged("time-to-accuracy", "W0302", "time", time(**accuracy))
    assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)
    hidden = {"arms": {"trained": {"quality": {"accuracy": {"seeds": None}}}}}
    result = judged("time-to-accuracy", "W0302", "time", {**hidden, **time(**accuracy)})
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


def test_percent_beside_share_is_converted_where_the_unit_says_so(judged):
    accuracy = {"quantity": "accuracy", "unit": "%", "target": None, "value": "94.56"}
    assert judged("time-to-accuracy", "W0302", "time", time(**accuracy)).branch.branch == "c"
    unsaid = time(**accuracy | {"unit": None})
    assert judged("time-to-accuracy", "W0302", "time", unsaid).outcome is Outcome.NOT_APPLICABLE


def test_the_best_rate_of_raw_trials(judged):
    raw = {f"t{i}": {"samples": {"step_time_s": [value] * 30}} for i, value in enumerate((0.05, 0.052, 0.053), 1)}
    patch = {"arms": {"timed": {"trials": {**raw, "t4": None, "t5": None}}}}
    for value, outcome in (("20480", Outcome.VIOLATION), ("19692", Outcome.PASS), ("19836", Outcome.PASS)):
        patch["claims"] = {"rate": {"value": value, "digits": 5}}
        assert judged("time-to-accuracy", "W0302", "rate", patch).outcome is outcome, value


def test_a_trial_seen_under_other_options_is_left_alone(judged):
    raw = {f"t{i}": {"samples": {"step_time_s": [value] * 30}} for i, value in enumerate((0.05, 0.052, 0.053), 1)}
    raw["t1"]["observed"] = {"precision": {"compute": "fp32"}}
    patch = {"arms": {"timed": {"trials": {**raw, "t4": None, "t5": None}}}, "claims": {"rate": {"value": "20480"}}}
    assert judged("time-to-accuracy", "W0302", "rate", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("Time to 94 %, best of five runs.", Outcome.VIOLATION),
        ("Time to 94 %, fastest run.", Outcome.VIOLATION),
        ("Time to 94 %, median of five runs; best run in bold.", Outcome.PASS),
        ("Time to 94 % of the best configuration.", Outcome.PASS),
        ("Our best result: time to 94 %.", Outcome.PASS),
    ],
)
def test_words_that_contradict_the_statistic(judged, words, outcome):
    result = judged("time-to-accuracy", "W0302", "time", time(statement=words))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.at) == ("b", "/claims/time/statement")


def test_a_claim_that_calls_its_best_source_a_mean(judged):
    patch = {**time(statistic="mean"), "arms": {"trained": {"performance": {"time": {"statistic": "best_of"}}}}}
    assert judged("time-to-accuracy", "W0302", "time", patch).branch.branch == "b"
