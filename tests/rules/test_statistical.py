"""M01, M05, M23, S01, S04, S05, S13: raw numbers, trials, intervals and bases of a ratio."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def series(level, trials=5, spread=0.01):
    """Trials of six steps around a level, each with its own offset."""
    return {
        f"t{i + 1}": {
            "samples": {"step_time_s": [level * (1 + spread * (i - 2) / 2 + d) for d in (0, 0.001, -0.001) * 2]}
        }
        for i in range(trials)
    }


def two(fused, plain, claim=None):
    return {
        "claims": {"speedup": {"interval": None, **(claim or {})}},
        "arms": {"fused": {"trials": fused}, "plain": {"trials": plain}},
    }


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


def test_golden_one_percent_with_a_tight_interval_is_a_caveat(judged):
    patch = two(series(1.0, spread=0.001), series(1.01, spread=0.001), {"value": "1.01"})
    result = judged("training-pair", "S05", "speedup", patch)
    assert (result.outcome, result.branch.effect) == (VIOLATION, CAVEAT)
    assert judged("training-pair", "S04", "speedup", patch).outcome is PASS


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


def test_the_cautionary_tale(judged):
    """30 % from the best run against the average of the other, 4 % like for like, measured on synthetic input."""
    fast = series(1.0, spread=0.002)
    fast["t1"]["samples"]["step_time_s"] = [0.8, 0.99, 0.99, 0.99, 0.99, 0.99]
    slow = series(1.04, spread=0.002)
    slow["t1"]["samples"]["step_time_s"] = [1.0, 1.06, 1.04, 1.04, 1.05, 1.05]
    patch = two(fast, slow, {"value": "30", "unit": "%"})
    best = judged("training-pair", "M23", "speedup", patch)
    assert (best.outcome, best.branch.effect) == (VIOLATION, REFUTES)
    assert float(best.branch.recomputed) == pytest.approx(1.04, abs=0.01)
    small = judged("training-pair", "S05", "speedup", patch)
    assert (small.outcome, small.branch.effect) == (VIOLATION, CAVEAT)


@pytest.mark.parametrize(
    "claim",
    [{"value": "1.43"}, {"value": "43", "unit": "%"}, {"value": "1.5", "qualifier": "up_to"}, {"value": "1.4"}],
)
def test_like_for_like_passes(judged, claim):
    assert judged("training-pair", "M23", "speedup", {"claims": {"speedup": claim}}).outcome is PASS


def test_raw_numbers_that_give_the_ratio_in_no_way_are_no_cherry_picking(judged):
    result = judged("training-pair", "M23", "speedup", {"claims": {"speedup": {"value": "2.2"}}})
    assert result.outcome is NOT_APPLICABLE


@pytest.mark.parametrize("column", ["", "loss"])
def test_unlinked_raw_numbers_are_not_used(judged, column):
    patch = {"arms": {"fused": {"performance": {"rate": {"column": column or None}}}}}
    assert judged("training-pair", "M23", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("warmup", "trial", "outcome", "effect"),
    [
        ({"discarded": 0}, 10, VIOLATION, UNDERMINES),
        ({"discarded": 2}, 10, VIOLATION, CAVEAT),  # the series begins steady
        ({"discarded": 4}, 10, VIOLATION, CAVEAT),
        ({"discarded": 1, "unit": "run"}, 10, PASS, None),
        (None, None, NOT_SHOWN, None),
        (None, 10, PASS, None),
        (None, 0, VIOLATION, UNDERMINES),
    ],
)
def test_warm_up(judged, warmup, trial, outcome, effect):
    patch = {
        "arms": {
            "a": {"measurement": {"warmup": warmup}, "trials": {f"t{i}": {"warmup": trial} for i in range(1, 6)}},
        }
    }
    result = judged("rate", "M01", "rate", patch)
    assert (result.outcome, getattr(result.branch, "effect", None)) == (outcome, effect)


def test_two_discarded_before_a_slow_head_undermine(judged):
    slow = {
        f"t{i}": {"warmup": 2, "samples": {"step_time_s": [0.3, 0.2, 0.15] + [0.1, 0.101] * 10}} for i in range(1, 6)
    }
    patch = {"arms": {"a": {"measurement": {"warmup": {"discarded": 2}}, "trials": slow}}}
    assert judged("rate", "M01", "rate", patch).branch.effect is UNDERMINES


def test_two_discarded_without_a_series_undermine(judged):
    patch = {"arms": {"a": {"measurement": {"warmup": {"discarded": 2}}, "trials": None}}}
    assert judged("rate", "M01", "rate", patch).branch.effect is UNDERMINES


ONE_PROCESS = {"topic": "one_process", "quote": "in one process"}


@pytest.mark.parametrize(
    ("patch", "profile", "outcome"),
    [
        ({}, "gate", PASS),
        ({"arms": {"plain": {"trials": {"t4": None, "t5": None}}}}, "gate", PASS),
        ({"arms": {"plain": {"trials": {"t4": None, "t5": None}}}}, "publication", NOT_SHOWN),
        ({"arms": {"plain": {"trials": None, "performance": {"rate": {"trials": None}}}}}, "gate", NOT_SHOWN),
        ({"claims": {"speedup": {"base": None}}}, "gate", NOT_SHOWN),
        ({"claims": {"speedup": {"base": None, "said": [ONE_PROCESS]}}}, "gate", PASS),
    ],
)
def test_trials_per_arm(judged, patch, profile, outcome):
    assert judged("training-pair", "M05", "speedup", patch, profile=profile).outcome is outcome


BARE = {"trials": None, "performance": {"rate": {"interval": None}}}


def without_raw(**rate):
    return {"trials": None, "performance": {"rate": {"interval": None, **rate}}}


@pytest.mark.parametrize(
    ("claim", "arm", "outcome"),
    [
        ({}, BARE, PASS),
        ({"interval": None}, {}, PASS),
        ({"interval": None}, BARE, NOT_SHOWN),
        ({"interval": {"varies": None}}, BARE, NOT_SHOWN),
        ({"interval": None}, {"trials": None}, PASS),
        ({"interval": None}, without_raw(interval={"low": "1", "high": "2", "varies": None}, n=None), NOT_SHOWN),
        ({"interval": None}, without_raw(plus_minus={"value": "9", "label": "sd"}), PASS),
        ({"interval": None}, without_raw(plus_minus={"value": "9"}), NOT_SHOWN),
        ({"interval": None}, without_raw(summary={"percentiles": {"25": "1", "75": "2"}}), PASS),
    ],
)
def test_uncertainty(judged, claim, arm, outcome):
    result = judged("training-pair", "S01", "speedup", {"claims": {"speedup": claim}, "arms": {"plain": arm}})
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert result.branch.item == "interval of the difference"


def test_an_absolute_number_needs_its_own_interval(judged):
    result = judged("rate", "S01", "rate", {"arms": {"a": BARE}})
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "interval for every measured number")
    assert judged("rate", "S01", "rate", {"claims": {"rate": {"quantity": "memory"}}}).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("base", "outcome"),
    [
        ({"arm": None, "metric": None, "value": "28910", "definition": "one device"}, PASS),
        ({"arm": None, "metric": None, "value": "28910", "definition": None}, NOT_SHOWN),
        ({"arm": None, "metric": None, "definition": "one device"}, NOT_SHOWN),
    ],
)
def test_base_of_a_ratio(judged, base, outcome):
    assert judged("training-pair", "S13", "speedup", {"claims": {"speedup": {"base": base}}}).outcome is outcome


def test_a_labelled_row_with_a_number_is_a_base(judged):
    table = {
        "columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}},
        "rows": {"a": {"label": "one device", "values": {"rate": "28910"}}, "b": {"values": {"rate": "41300"}}},
        "base_row": "a",
    }
    claim = {"base": None, "measured": None, "row": {"table": "t", "row": "b"}}
    assert (
        judged("training-pair", "S13", "speedup", {"claims": {"speedup": claim}, "tables": {"t": table}}).outcome
        is PASS
    )


def test_a_best_against_an_average_by_their_own_words(judged):
    """The declared statistics alone show it, with or without raw numbers; best against best is like for like."""
    best = {"performance": {"rate": {"statistic": "best_of"}}}
    result = judged("training-pair", "M23", "speedup", {"arms": {"fused": best}})
    assert (result.branch.branch, result.branch.at) == ("b", "/arms/fused/performance/rate/statistic")
    no_raw = {name: {"trials": None} for name in ("fused", "plain")}
    result = judged("training-pair", "M23", "speedup", {"arms": {**no_raw, "fused": {**best, "trials": None}}})
    assert result.branch.branch == "b"
    both = judged("training-pair", "M23", "speedup", {"arms": {"fused": best, "plain": best}})
    assert not hasattr(both.branch, "branch")


# S01: the scatter of the number itself -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "outcome"),
    [
        ({}, PASS),
        ({"interval": None}, PASS),  # its own raw numbers
        ({"interval": None, "column": None}, NOT_SHOWN),
        ({"interval": None, "column": "step_time_s"}, NOT_SHOWN),
    ],
)
def test_the_scatter_of_an_energy_is_its_own(judged, metric, outcome):
    patch = {"arms": {"limited": {"performance": {"per-joule": metric}}}}
    assert judged("energy", "S01", "per-joule", patch).outcome is outcome


def test_step_times_are_no_scatter_of_a_whole_run(judged):
    steps = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.1, 0.11, 0.12]}}}
    alone = {f"s{number}": None for number in range(2, 6)}
    metric = {"performance": {"time": {"interval": None}}}
    patch = {"claims": {"time": {"interval": None}}, "arms": {"trained": {"trials": steps, **metric}}}
    assert judged("time-to-accuracy", "S01", "time", patch).outcome is PASS
    patch["arms"]["trained"]["trials"] = steps | alone
    assert judged("time-to-accuracy", "S01", "time", patch).outcome is NOT_SHOWN


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


def release(**patch):
    """A ratio over a table of models, each with its old and its new time."""
    unit = {"quantity": "latency", "unit": "ms", "statistic": "median"}
    columns = {"old": unit, "new": unit, "gain": {"quantity": "latency", "unit": "x"}, **patch.pop("columns", {})}
    rows = {
        "a": {"label": "ResNet-50", "values": {"old": "1.412", "new": "1.171", "gain": "1.21"}},
        "b": {"label": "ViT-B/16", "values": {"old": "3.853", "new": "3.568", "gain": "1.08"}},
    }
    rows["b"]["values"] |= patch.pop("values", {})
    base = {"arm": None, "metric": None, "value": None, "definition": "the release before, model by model"}
    claim = {"quantity": "latency", "scope": "request", "mode": "inference", "measured": None}
    claim |= {"base": base, "row": {"table": "models"}, **patch}
    return {"claims": {"speedup": claim}, "tables": {"models": {"columns": columns, "rows": rows}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        ({"columns": {"old": {"quantity": "latency", "unit": "%"}}}, NOT_SHOWN),
        ({"columns": {"old": {"quantity": "energy", "unit": "ms"}}}, NOT_SHOWN),
        ({"values": {"old": None}}, NOT_SHOWN),
        ({"row": None}, NOT_SHOWN),
        ({"base": None}, NOT_SHOWN),
    ],
)
def test_the_base_of_a_ratio_over_a_table_is_its_other_column(judged, patch, outcome):
    value = release(**patch)
    if value["tables"]["models"]["rows"]["b"]["values"]["old"] is None:
        del value["tables"]["models"]["rows"]["b"]["values"]["old"]
    assert judged("training-pair", "S13", "speedup", value).outcome is outcome


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
