"""F01, F04, F07, F09, F10, F20, F24: numbers of a document against each other and against their raw data."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def effect(result):
    return getattr(result.branch, "effect", None)


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({}, PASS),
        ({"value": "43", "unit": "%"}, PASS),
        ({"value": "143", "unit": "%"}, PASS),
        ({"value": "1.4"}, PASS),
        ({"value": "1.5", "qualifier": "up_to"}, PASS),
        ({"value": "1.4", "qualifier": "over"}, PASS),
        ({"value": "1.5", "qualifier": "about"}, PASS),
        ({"value": "1.53"}, VIOLATION),
        ({"value": "30", "unit": "%"}, VIOLATION),
        ({"value": "1.5", "qualifier": "at_least"}, VIOLATION),
        ({"value": "0.70"}, VIOLATION),
        ({"value": "0.70", "statement": "Without it, training is slower by 0.70x."}, PASS),
    ],
)
def test_a_ratio_and_its_two_numbers(judged, claim, outcome):
    result = judged("training-pair", "F04", "speedup", {"claims": {"speedup": claim}})
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.at) == (REFUTES, "/claims/speedup/value")


@pytest.mark.parametrize(
    ("value", "outcome"), [("1.43", PASS), ("0.70", PASS), ("30", PASS), ("1.6", VIOLATION), ("60", VIOLATION)]
)
def test_a_ratio_of_times_reads_both_ways(judged, value, outcome):
    patch = {
        "claims": {"speedup": {"value": value, "quantity": "time", "unit": "%" if "." not in value else "x"}},
        "arms": {
            "fused": {"performance": {"rate": {"quantity": "time", "unit": "s", "value": "70.0", "digits": None}}},
            "plain": {"performance": {"rate": {"quantity": "time", "unit": "s", "value": "100.0", "digits": None}}},
        },
    }
    assert judged("training-pair", "F04", "speedup", patch).outcome is outcome


def test_a_slip_of_one_percent_is_a_caveat_and_a_cause_is_named(judged):
    assert effect(judged("training-pair", "F04", "speedup", {"claims": {"speedup": {"value": "1.438"}}})) is CAVEAT
    swapped = judged("training-pair", "F04", "speedup", {"claims": {"speedup": {"value": "0.700"}}})
    assert "inverse" in swapped.branch.message


def test_numbers_in_other_units_are_not_divided(judged):
    patch = {"claims": {"speedup": {"value": "9"}}, "arms": {"plain": {"performance": {"rate": {"unit": "samples/s"}}}}}
    assert judged("training-pair", "F04", "speedup", patch).outcome is NOT_APPLICABLE
    patch = {"claims": {"speedup": {"value": "9", "quantity": "time", "scope": "training_run"}}}
    assert judged("training-pair", "F04", "speedup", patch).outcome is NOT_APPLICABLE


def table(rows, base="one", columns=None):
    return {
        "claims": {"speedup": {"value": "7.0", "measured": None, "base": None, "row": {"table": "t", "row": "eight"}}},
        "tables": {
            "t": {
                "columns": columns or {"rate": {"quantity": "rate", "unit": "images/s"}},
                "rows": rows,
                "base_row": base,
            }
        },
    }


ONE = {"devices": 1, "values": {"rate": "100"}}


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        ({"devices": 8, "values": {"rate": "700"}, "speedup": "7.0"}, PASS),
        ({"devices": 8, "values": {"rate": "700"}, "speedup": "700"}, PASS),
        ({"devices": 8, "values": {"rate": "700"}, "speedup": "7.6"}, VIOLATION),
        ({"devices": 8, "values": {"rate": "760"}, "speedup": "7.6"}, VIOLATION),  # the claim's own 7.0
        ({"devices": 8, "values": {}, "speedup": "7.6"}, NOT_APPLICABLE),
    ],
)
def test_a_row_against_its_base_row(judged, row, outcome):
    assert judged("training-pair", "F04", "speedup", table({"one": ONE, "eight": row})).outcome is outcome


def test_a_column_of_whole_numbers_may_be_cut_off(judged):
    rows = {"one": {**ONE, "speedup": "1"}, "eight": {"devices": 8, "values": {"rate": "790"}, "speedup": "7"}}
    claim = {"claims": {"speedup": {"value": "7.9"}}}
    patch = table(rows)
    patch["claims"]["speedup"].update(claim["claims"]["speedup"])
    assert judged("training-pair", "F04", "speedup", patch).outcome is PASS


def test_the_base_row_is_one_that_differs_in_one_option(judged):
    """Two models below each other, one base row declared: the second model's ratio is against its own row."""

    def row(model, devices, rate, speedup=None):
        return {"devices": devices, "options": {"model": model}, "values": {"rate": rate}, "speedup": speedup}

    rows = {
        "one": row("a", 1, "100", "1.0"),
        "one-b": row("b", 1, "50", "1.0"),
        "eight": row("b", 8, "350", "7.0"),
    }
    assert judged("training-pair", "F04", "speedup", table(rows)).outcome is PASS
    del rows["one-b"]
    assert judged("training-pair", "F04", "speedup", table(rows)).outcome is NOT_APPLICABLE


def test_a_ratio_between_two_columns(judged):
    columns = {name: {"quantity": "rate", "unit": "images/s"} for name in ("tf32", "mixed")}
    rows = {
        "one": {"devices": 1, "values": {"tf32": "100", "mixed": "200"}, "speedup": "2.0"},
        "eight": {"devices": 8, "values": {"tf32": "700", "mixed": "1330"}, "speedup": "1.9"},
    }
    patch = table(rows, columns=columns)
    patch["claims"]["speedup"]["value"] = "1.9"
    assert judged("training-pair", "F04", "speedup", patch).outcome is PASS


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


@pytest.mark.parametrize("bad", [[], [0.1, 0.0], [0.0, 0.0]])
def test_series_that_hold_no_times_are_not_judged(judged, bad):
    patch = {"arms": {"a": {"trials": {f"t{i}": {"samples": {"step_time_s": bad}} for i in range(1, 6)}}}}
    for code in ("F07", "M01"):
        assert judged("rate", code, "rate", patch).outcome in {PASS, NOT_APPLICABLE}


def summary(**changes):
    return {"arms": {"server": {"performance": {"latency": {"summary": changes}}}}}


@pytest.mark.parametrize(
    ("changes", "outcome", "strength"),
    [
        ({}, PASS, None),
        ({"median": "3.2"}, VIOLATION, REFUTES),  # above the maximum
        ({"mean": "2.0"}, VIOLATION, REFUTES),  # below the minimum
        ({"sd": "0.60"}, VIOLATION, REFUTES),  # above half the range
        ({"sd": "0.008"}, VIOLATION, REFUTES),  # too small for the extremes
        ({"sd": "15.1"}, VIOLATION, CAVEAT),  # a percentage beside fractions
        ({"sd": "0.00151"}, VIOLATION, CAVEAT),
        ({"min": "3.1", "max": "2.9"}, VIOLATION, REFUTES),
        ({"mean": "2.9", "median": "2.5", "sd": "0.15"}, VIOLATION, REFUTES),
        ({"max": None}, NOT_APPLICABLE, None),
        ({"mean": None, "max": None, "min": None, "sd": "0.2"}, NOT_APPLICABLE, None),
    ],
)
def test_summaries(judged, changes, outcome, strength):
    result = judged("serving", "F09", "latency", summary(**changes))
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_golden_dispersion_beside_a_percentage(judged):
    changes = {"mean": "77.150", "median": "77.150", "sd": "0.00098", "min": "77.05", "max": "77.25"}
    result = judged("serving", "F09", "latency", summary(**changes))
    assert (result.branch.branch, effect(result)) == ("b", CAVEAT)
    result = judged("serving", "F09", "latency", summary(**{**changes, "mean": "71.0", "min": None, "max": None}))
    assert (result.branch.branch, effect(result)) == ("a", REFUTES)


def test_a_harmonic_mean_of_rates_is_not_accused(judged):
    changes = {"mean": "2.0", "median": "3.0", "sd": "0.5", "min": "1.5", "max": "4.0"}
    patch = summary(**changes)
    patch["arms"]["server"]["performance"]["latency"]["quantity"] = "rate"
    assert judged("serving", "F09", "latency", patch).outcome is not VIOLATION


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, PASS),
        ({"percentiles": {"50": "2.9"}}, VIOLATION),
        ({"percentiles": {"99": "3.2"}}, VIOLATION),  # above the maximum
        ({"percentiles": {"90": "2.857"}}, PASS),
        ({"mean": "3.2"}, VIOLATION),
        ({"percentiles": {"90": None}}, NOT_APPLICABLE),
        ({"percentiles": {"fast": "9"}}, PASS),
    ],
)
def test_percentiles(judged, changes, outcome):
    assert judged("serving", "F10", "latency", summary(**changes)).outcome is outcome


def test_percentiles_of_rates_may_fall(judged):
    changes = {"mean": None, "median": None, "sd": None, "min": None, "max": None}
    patch = summary(**changes, percentiles={"50": "10", "90": "8", "99": "5"})
    patch["arms"]["server"]["performance"]["latency"]["quantity"] = "rate"
    assert judged("serving", "F10", "latency", patch).outcome is not VIOLATION


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, PASS),
        ({"work": 1600}, VIOLATION),
        ({"work": 600}, VIOLATION),
        ({"work": 600, "statistic": "median"}, NOT_APPLICABLE),
        ({"work": 940}, NOT_APPLICABLE),  # a mean of rates that vary
        ({"work": 943, "statistic": "total"}, VIOLATION),
        ({"work": 1600, "statistic": "median"}, VIOLATION),
        ({"work": 1600, "unit": "requests/s/GPU"}, VIOLATION),
        ({"work": 60000, "unit": "requests/min"}, VIOLATION),
        ({"unit": "things"}, NOT_APPLICABLE),
        ({"work": None}, NOT_APPLICABLE),
    ],
)
def test_rate_time_and_work(judged, changes, outcome):
    patch = {"arms": {"server": {"performance": {"rate": changes}}}}
    result = judged("serving", "F01", "rate", patch)
    assert result.outcome is outcome


def test_a_steady_rate_beside_a_wall_time_with_more_in_it(judged):
    def patch(samples, rate="100"):
        return {
            "claims": {"rate": {"row": {"table": "t", "row": "r"}}},
            "tables": {
                "t": {
                    "columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
                    "rows": {"r": {"wall_s": 1003.2, "samples": samples, "values": {"rate": rate}}},
                }
            },
        }

    assert judged("rate", "F01", "rate", patch(90_123)).outcome is NOT_APPLICABLE
    assert judged("rate", "F01", "rate", patch(100_321)).outcome is PASS
    assert judged("rate", "F01", "rate", patch(123_456)).outcome is VIOLATION


def each(value, unit="images/s/GPU", devices=8, **more):
    metric = {"quantity": "rate", "value": value, "unit": unit, "statistic": "median", **more}
    return {"arms": {"a": {"devices": devices, "performance": {"each": metric}}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (each("312.5"), PASS, None),
        (each("313"), PASS, None),
        (each("310"), VIOLATION, CAVEAT),
        (each("250"), VIOLATION, REFUTES),
        (each("250", unit="images/s"), NOT_APPLICABLE, None),
        (each("250", devices=None), NOT_APPLICABLE, None),
        (each("250", statistic="max"), NOT_APPLICABLE, None),
        (each("250", scope="pipeline"), NOT_APPLICABLE, None),
    ],
)
def test_totals_and_values_per_device(judged, patch, outcome, strength):
    result = judged("rate", "F20", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_golden_total_beside_a_single_device_baseline(judged):
    columns = {"total": {"quantity": "rate", "unit": "images/s"}, "base": {"quantity": "rate", "unit": "images/s"}}
    rows = {"r": {"devices": 512, "values": {"total": "150000", "base": "400"}}}
    patch = {
        "claims": {"rate": {"row": {"table": "t", "row": "r"}}},
        "tables": {"t": {"columns": columns, "rows": rows}},
    }
    assert judged("rate", "F20", "rate", patch).outcome is NOT_APPLICABLE
    columns["base"]["unit"] = "images/s/GPU"
    assert judged("rate", "F20", "rate", patch).outcome is VIOLATION


def to_target(value, unit="s", **more):
    statement = f"Loss 3.30 is reached after {value} {unit}."
    claim = {"quantity": "time", "scope": "training_run", "value": value, "digits": None, "unit": unit}
    return {"claims": {"rate": {**claim, "statement": statement, "purpose": "time_to_accuracy", **more}}}


@pytest.mark.parametrize(
    ("value", "unit", "outcome"),
    [
        ("1986", "s", PASS),
        ("33.1", "min", PASS),
        ("1500", "s", PASS),  # between the evaluation before and the crossing
        ("2020", "s", PASS),  # with the declared compile time
        ("890", "s", VIOLATION),
        ("2400", "s", VIOLATION),
        ("890", "parsecs", NOT_APPLICABLE),
    ],
)
def test_time_to_target(judged, value, unit, outcome):
    result = judged("training-pair", "F24", "rate", to_target(value, unit))
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


def test_samples_to_target(judged):
    assert judged("training-pair", "F24", "rate", to_target("1986", crossing_samples=80000)).outcome is PASS
    assert judged("training-pair", "F24", "rate", to_target("1986", crossing_samples=30000)).outcome is VIOLATION


def test_a_target_that_is_never_met_is_another_rule(judged):
    patch = {**to_target("890"), "arms": {"fused": {"target": {"value": "1.0"}}}}
    assert judged("training-pair", "F24", "rate", patch).outcome is NOT_APPLICABLE


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
