"""S04, difference-not-supported: A ratio or rank that the trials of its own arms do not support."""

import pytest
from dlaudit.rules.outcome import C2, REFUTES, Outcome
from support.series import series, two

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def test_a_ratio_wholly_below_the_claim_is_refuted(judged):
    result = judged("training-pair", "S04", "speedup", two(series(1.0), series(1.05), {"value": "1.5"}))
    assert (result.outcome, result.branch.effect, result.branch.confidence) == (VIOLATION, REFUTES, C2)
    assert result.branch.claimed == "1.5"


def test_an_interval_around_no_difference_shows_nothing(judged):
    result = judged("training-pair", "S04", "speedup", two(series(1.0, spread=0.2), series(1.02, spread=0.2)))
    assert result.outcome is NOT_SHOWN or result.branch.effect is REFUTES
    result = judged(
        "training-pair", "S04", "speedup", two(series(1.0, spread=0.2), series(1.02, spread=0.2), {"value": "1.1"})
    )
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "interval that excludes no difference")


def test_a_slower_subject_is_on_the_wrong_side(judged):
    result = judged("training-pair", "S04", "speedup", two(series(1.1), series(1.0), {"value": "1.1"}))
    assert result.outcome is VIOLATION  # 0.91 lies wholly below the claimed 1.1
    rank = {"form": "rank", "value": None, "unit": None}
    assert judged("training-pair", "S04", "speedup", two(series(1.1), series(1.0), rank)).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    "claim",
    [
        {"value": "5", "unit": "%"},
        {"value": "1.05", "qualifier": "about"},
        {"value": "1.2", "qualifier": "up_to"},
        {"value": "105", "unit": "%"},
    ],
)
def test_readings_of_a_ratio_are_not_accused(judged, claim):
    patch = two(series(1.0, spread=0.001), series(1.05, spread=0.001), claim)
    assert judged("training-pair", "S04", "speedup", patch).outcome is PASS


def test_an_overhead_is_a_ratio_below_one(judged):
    times = {"quantity": "time", "unit": "s", "value": "1.0", "work_per_iteration": None, "interval": None}
    patch = two(series(1.1), series(1.0), {"value": "1.1", "quantity": "time"})
    for arm in ("fused", "plain"):
        patch["arms"][arm]["performance"] = {"rate": times}
    assert judged("training-pair", "S04", "speedup", patch).outcome is PASS


def test_too_few_or_incomplete_trials(judged):
    one = {f"t{i}": None for i in range(3, 6)}
    result = judged("training-pair", "S04", "speedup", {"arms": {"plain": {"trials": one}}})
    assert (result.outcome, "fewer than 3" in result.reason) == (NOT_APPLICABLE, True)
    gap = {"t2": {"samples": {"step_time_s": []}}}
    result = judged("training-pair", "S04", "speedup", {"arms": {"plain": {"trials": gap}}})
    assert (result.outcome, "incomplete" in result.reason) == (NOT_APPLICABLE, True)


NO_NUMBERS = {arm: {"trials": {f"t{i}": {"samples": None} for i in range(1, 6)}} for arm in ("fused", "plain")}


@pytest.mark.parametrize(
    ("interval", "outcome"),
    [(None, NOT_SHOWN), ({"low": "0.98", "high": "1.44"}, NOT_SHOWN), ({"low": "1.42", "high": "1.44"}, PASS)],
)
def test_a_printed_interval_stands_in_for_trials_without_numbers(judged, interval, outcome):
    patch = {"claims": {"speedup": {"interval": interval}}, "arms": NO_NUMBERS}
    assert judged("training-pair", "S04", "speedup", patch).outcome is outcome


def test_printed_medians_count_as_trials(judged):
    def medians(level):
        return {f"t{i}": {"samples": None, "medians": {"step_time_s": f"{level + i / 1000:.4f}"}} for i in range(1, 6)}

    patch = {"arms": {"fused": {"trials": medians(0.79)}, "plain": {"trials": medians(1.13)}}}
    assert judged("training-pair", "S04", "speedup", patch).outcome is PASS
    assert (
        judged("training-pair", "S04", "speedup", {**patch, "claims": {"speedup": {"value": "1.6"}}}).branch.branch
        == "a"
    )


def test_more_comparisons_need_more_evidence(judged):
    """Five claims share the error: an interval that just excludes 1 alone no longer does."""
    one = two(series(1.0, 4, 0.04), series(1.055, 4, 0.04), {"value": "1.05"})
    for arm in ("fused", "plain"):
        one["arms"][arm]["trials"]["t5"] = None
    assert judged("training-pair", "S04", "speedup", one).outcome is PASS
    copy = {"statement": "x", "value": "1.05", "quantity": "rate", "form": "ratio", "scope": "step", "mode": "training"}
    more = {f"c{i}": copy | {"compares": "own_variants"} for i in range(9)}
    assert judged("training-pair", "S04", "speedup", {**one, "claims": one["claims"] | more}).outcome is NOT_SHOWN


def ratio(value, **claim):
    told = {
        "quantity": "memory",
        "value": value,
        "unit": "%",
        "interval": None,
        "statement": f"It takes {value} % less.",
    }
    return {"claims": {"speedup": {**told, **claim}}, "arms": NO_NUMBERS}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (ratio("23"), NOT_APPLICABLE),  # peak memory of one run a side
        (ratio("3"), NOT_SHOWN),  # may be the allocator
        (ratio("1.31", unit="x", statement="Peak memory is 1.31 times as large."), NOT_APPLICABLE),
        (ratio("3", quantity="count", basis="derived"), NOT_APPLICABLE),
        (ratio("3", quantity="count"), NOT_SHOWN),
        (ratio("31", quantity="count", crossing_samples=11_520_000), NOT_SHOWN),
        (ratio("31", quantity="count", target={"metric": "WER", "value": "8.5", "direction": "lower"}), NOT_SHOWN),
        (ratio("23", quantity="time"), NOT_SHOWN),
        (ratio("23", quantity="energy"), NOT_SHOWN),
    ],
)
def test_memory_and_counts_repeat(judged, patch, outcome):
    assert judged("training-pair", "S04", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ({"name": "exact Mann-Whitney", "p": "0.008", "values": "training_run"}, PASS),
        ({"name": "exact Mann-Whitney", "p": "0.008"}, PASS),
        ({"name": "Welch's t over 5000 steps", "p": "0.008", "values": "iteration"}, NOT_SHOWN),
        ({"name": "Welch's t", "p": "0.05", "p_qualifier": "less_than"}, PASS),
        ({"name": "Shapiro-Wilk, normality of the logs", "p": "0.008", "values": "training_run"}, NOT_SHOWN),
        ({"name": "Welch's t", "p": "0.08", "values": "training_run"}, NOT_SHOWN),
        ({"name": "Welch's t", "values": "training_run"}, NOT_SHOWN),
    ],
)
def test_a_stated_test_stands_in_for_trials_without_numbers(judged, test, outcome):
    patch = {"claims": {"speedup": {"interval": None, "test": test}}, "arms": NO_NUMBERS}
    assert judged("training-pair", "S04", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The two differ by 0.4 points, which five runs cannot tell from luck (p = 0.23).", NOT_APPLICABLE),
        ("The gain of 3 % lies within the scatter of the trials (p = 0.23).", NOT_APPLICABLE),
        ("The gain of 3 % is real (p = 0.23).", NOT_SHOWN),
    ],
)
def test_a_test_beside_a_sentence_that_denies_the_difference(judged, statement, outcome):
    claim = {"statement": statement, "form": "absolute", "test": {"name": "Welch's t", "p": "0.23"}}
    assert judged("training-pair", "S04", "speedup", {"claims": {"speedup": claim}}).outcome is outcome


def test_a_gain_that_the_trials_do_not_show_is_told_as_one_without_its_interval(judged):
    scattered = (series(1.0, spread=0.2), series(1.02, spread=0.2))
    told = judged(
        "training-pair", "S04", "speedup", two(*scattered, {"value": "1.1", "interval": {"low": "0.7", "high": "1.5"}})
    )
    bare = judged("training-pair", "S04", "speedup", two(*scattered, {"value": "1.1", "interval": None}))
    assert told.outcome is bare.outcome is NOT_SHOWN
    assert "prints no interval" in bare.branch.message
    assert "prints no interval" not in told.branch.message


def test_a_test_that_denies_the_claimed_difference(judged):
    test = {"name": "Welch's t", "kind": "t", "p": "0.16"}
    patch = {"claims": {"speedup": {"test": test}}}
    assert judged("serving-comparison", "S04", "speedup", patch).outcome is NOT_SHOWN
    patch["claims"]["speedup"]["test"] = {**test, "p": "0.001"}
    assert judged("serving-comparison", "S04", "speedup", patch).outcome is PASS
