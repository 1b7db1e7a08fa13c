"""F02, F03, F05, F06, F15, F16, F17, F21: work, time and device counts of a document against each other."""

import pytest
from dlaudit.rules.case import Study
from dlaudit.rules.facts.quantities.discrepancy import separates, weighed
from dlaudit.rules.facts.quantities.likely_cause import common_factor, likely_cause, repair, swapped
from dlaudit.rules.facts.quantities.numbers import Span, span
from dlaudit.rules.outcome import C1, CAVEAT, REFUTES, UNDERMINES, Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from hypothesis import given
from hypothesis import strategies as st

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def answer(result):
    """The outcome, or of a violation its branch and effect."""
    if result.outcome is not VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


def exact(value):
    return Span(span(str(value)).low, span(str(value)).high)


# Likely causes and decisions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claimed", "recomputed", "clause"),
    [
        ("2.000", "1.000", "factor 2"),
        ("8.00", "1.00", "factor 8"),
        ("1024", "1.000", "factor 1024"),
        ("1000", "1.000", "factor 1000"),
        ("1.000", "60.0", "factor 60"),
        ("0.500", "50.0", "factor 100"),
        ("0.250", "4.00", "inverse"),
        ("48.0", "1.00", "number of devices"),
        ("3.70", "1.00", ""),
        ("0.0", "1.00", ""),
    ],
)
def test_a_slip_has_a_name(claimed, recomputed, clause):
    found = likely_cause(span(claimed), span(recomputed), {"devices": 48, "samples in a batch": None})
    assert (clause in found) if clause else not found


def test_a_count_of_the_document_explains_more_than_a_factor_of_its_size():
    assert "number of devices" in likely_cause(span("800"), span("100"), {"devices": 8})


def test_a_value_may_be_that_of_another_row():
    assert likely_cause(span("3.76"), span("6.61"), None, {"row `r4`": span("3.757")}) == "; it is that of row `r4`"


@given(st.lists(st.integers(2, 10_000), min_size=3, max_size=8), st.sampled_from([0.5, 2, 3, 7.5]))
def test_one_factor_runs_through_a_table(values, factor):
    pairs = [
        (Span(span(str(v)).low * int(factor * 2), span(str(v)).high * int(factor * 2)), span(str(v))) for v in values
    ]
    assert "one factor" in common_factor(pairs)
    assert common_factor(pairs[:2]) == ""


def test_factors_that_differ_are_no_common_cause():
    assert common_factor([(span("20"), span("10")), (span("30"), span("10")), (span("20"), span("10"))]) == ""


def test_two_values_may_be_swapped():
    assert swapped((span("0.83"), span("6.6")), (span("6.6"), span("0.83")))
    assert not swapped((span("6.6"), span("0.83")), (span("6.6"), span("0.83")))
    values = {"min": span("9"), "mean": span("5"), "max": span("1")}
    assert repair(values, lambda v: v["min"].low < v["mean"].low < v["max"].low) == "; min and max look swapped"
    values = {"p50": span("2.0"), "p90": span("3.0"), "p99": span("3500")}
    assert "p99" in repair(values, lambda v: v["p50"].low < v["p90"].low < v["p99"].low < 4)


def test_one_percent_counts_where_it_decides():
    assert weighed(REFUTES, span("0.01").low) is CAVEAT
    assert weighed(REFUTES, span("0.01").low, True) is REFUTES
    assert separates(Span(span("2").low, span("2").high), exact(0), (span("1").high,))
    assert not separates(exact(3), exact(4), (span("1").high,))


def two_rates(new, base, **claim):
    changes = {"digits": None, "interval": None}
    return {
        "claims": {"speedup": claim},
        "arms": {
            "fused": {"performance": {"rate": {"value": new, **changes}}},
            "plain": {"performance": {"rate": {"value": base, **changes}}},
        },
    }


def test_a_small_slip_that_turns_a_loss_into_a_gain_is_no_small_one(judged):
    assert answer(judged("training-pair", "F04", "speedup", two_rates("1000.0", "1000.5", value="1.005"))) == (
        "a",
        REFUTES,
    )
    assert answer(judged("training-pair", "F04", "speedup", two_rates("1040.0", "1000.0", value="1.045"))) == (
        "a",
        CAVEAT,
    )


def test_a_small_slip_that_changes_how_the_headline_is_rounded_is_no_small_one(judged):
    metric = {"arms": {"a": {"performance": {"rate": {"value": "2512", "digits": 4}}}}}
    assert answer(judged("rate", "F07", "rate", metric)) == ("a", CAVEAT)
    headline = {"claims": {"rate": {"value": "2510", "digits": 3}}}
    assert answer(judged("rate", "F07", "rate", {**metric, **headline})) == ("a", REFUTES)


def test_summaries_that_one_percent_of_room_repairs_are_a_caveat(judged):
    def summary(**changes):
        return {"arms": {"server": {"performance": {"latency": {"summary": changes}}}}}

    assert answer(judged("serving", "F09", "latency", summary(max="2.49", mean="2.503"))) == ("a", CAVEAT)
    assert answer(judged("serving", "F09", "latency", summary(max="2.10", mean="2.503"))) == ("a", REFUTES)
    assert answer(judged("serving", "F10", "latency", summary(percentiles={"90": "2.87"}))) == ("a", CAVEAT)
    assert answer(judged("serving", "F10", "latency", summary(percentiles={"90": "2.95"}))) == ("a", REFUTES)


def test_the_slip_behind_a_summary_is_named(judged):
    swapped = {"arms": {"server": {"performance": {"latency": {"summary": {"min": "3.066", "max": "2.071"}}}}}}
    assert "min and max look swapped" in judged("serving", "F09", "latency", swapped).branch.message
    slip = {"arms": {"server": {"performance": {"latency": {"summary": {"percentiles": {"90": "0.002699"}}}}}}}
    assert "a factor 1000 in the 90th" in judged("serving", "F10", "latency", slip).branch.message


def test_the_row_whose_ratio_it_is_is_named(judged):
    rows = {"r8": {"speedup": "3.76"}}
    result = judged("strong-scaling", "F04", "speedup", {"tables": {"nodes": {"rows": rows}}})
    assert "it is that of row `r4`" in result.branch.message


def test_the_median_of_an_even_number_of_rates(judged):
    """Between the two middle ones, and no rate of the median time."""
    steps = {"t1": 0.0160, "t2": 0.0268, "t3": 0.0662, "t4": 0.1623}
    trials = {name: {"samples": {"step_time_s": [step] * 50}} for name, step in steps.items()} | {"t5": None}
    metric = {"value": "6711", "digits": None, "interval": None, "trials": 4, "n": None}  # 256 / .0268, 256 / .0662
    patch = {"arms": {"a": {"trials": trials, "performance": {"rate": metric}}}, "claims": {"rate": {"value": "6711"}}}
    assert answer(judged("rate", "F07", "rate", patch)) is PASS
    patch["arms"]["a"]["performance"]["rate"]["value"] = "16711"
    assert answer(judged("rate", "F07", "rate", patch)) == ("a", REFUTES)


def test_a_run_without_a_log_counts_as_infinitely_slow_in_a_median(judged):
    gone = {"kind": "convergence", "outcome": "not_run", "reason": "the study ended", "evaluations": None,
            "crossing": {"reached": False, "samples": None, "step": None, "time_s": None}, "final": None}  # fmt: skip
    patch = {"arms": {"trained": {"trials": {"s2": gone}}}, "claims": {"time": {"value": "85.0"}}}
    before = judged("time-to-accuracy", "F24", "time", patch)
    assert before.outcome is not VIOLATION
    patch["claims"]["time"]["value"] = "20.0"
    assert answer(judged("time-to-accuracy", "F24", "time", patch)) == ("a", REFUTES)


def test_a_column_of_rounded_whole_numbers_is_no_contradiction(judged):
    columns = {"total": {"quantity": "rate", "unit": "tokens/s"}, "each": {"quantity": "rate", "unit": "tokens/s/GPU"}}
    rows = {
        "a": {"devices": 512, "values": {"total": "25240000", "each": "49300"}},
        "b": {"devices": 128, "values": {"total": "6454000", "each": "50430"}},
        "c": {"devices": 32, "values": {"total": "1636000", "each": "51130"}},
    }
    claim = {"row": {"table": "t", "row": "a"}, "measured": None}
    patch = {"tables": {"t": {"columns": columns, "rows": rows}}, "claims": {"rate": claim}}
    assert answer(judged("rate", "F20", "rate", patch)) is PASS
    rows["a"]["values"]["total"] = "25280000"
    assert answer(judged("rate", "F20", "rate", patch)) == ("a", CAVEAT)
    rows["a"]["values"]["total"] = "25240000"
    rows["b"]["values"] = {"total": "6454321", "each": "50424"}
    assert answer(judged("rate", "F20", "rate", patch)) == ("a", CAVEAT)


def test_a_column_that_is_cut_off_throughout_is_no_contradiction(judged):
    """Tokens per second and device, as programs print them: cut off, not rounded."""
    columns = {"total": {"quantity": "rate", "unit": "tokens/s"}, "each": {"quantity": "rate", "unit": "tokens/s/GPU"}}
    rows = {
        "a": {"devices": 512, "values": {"total": "515636", "each": "1007"}},
        "b": {"devices": 256, "values": {"total": "265149", "each": "1035"}},
        "c": {"devices": 128, "values": {"total": "135490", "each": "1058"}},
    }
    claim = {"row": {"table": "t", "row": "b"}, "measured": None}
    patch = {"tables": {"t": {"columns": columns, "rows": rows}}, "claims": {"rate": claim}}
    assert answer(judged("rate", "F20", "rate", patch)) is PASS
    rows["a"]["values"]["each"] = "1008"
    assert answer(judged("rate", "F20", "rate", patch)) == ("a", CAVEAT)
    rows["b"]["values"]["each"] = "2070"
    assert "factor 2" in judged("rate", "F20", "rate", patch).branch.message


# F02 and F03 ----------------------------------------------------------------------------------------------------------


def trained(**arm):
    return {"arms": {"trained": arm}}


def runs(*evaluations, **trial):
    """One run instead of five."""
    one = {"evaluations": [{"split": "test", "metrics": {"accuracy": 0.9}, **item} for item in evaluations], **trial}
    return {"s1": {"crossing": None, **one}, **dict.fromkeys(("s2", "s3", "s4", "s5"))}


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ({}, PASS),
        ({"options": {"global_batch": 512}}, ("a", REFUTES)),
        ({"options": {"global_batch": None}}, NOT_APPLICABLE),
        ({"trials": runs({"samples": 102000, "step": 100, "epoch": 2})}, PASS),  # a last batch dropped twice
        ({"trials": runs({"samples": 99000, "step": 100, "epoch": 2})}, ("a", REFUTES)),
        ({"trials": runs({"samples": 99000, "step": 100})}, ("a", REFUTES)),  # epochs from the size of the set
        ({"splits": None, "trials": runs({"samples": 99000, "step": 100})}, PASS),  # epochs unknown
        ({"splits": None, "trials": runs({"samples": 204800, "step": 100})}, ("a", REFUTES)),
        ({"trials": runs({"samples": 102400}, {"step": 200})}, NOT_APPLICABLE),
        (
            {"trials": runs(
                *({"samples": 1024 * step, "step": step + 50000, "epoch": 40} for step in (48000, 49000, 50000))
            )},
            NOT_APPLICABLE,  # continued from a checkpoint: the step counter begins elsewhere
        ),
        (
            {
                "options": {"batch_schedule": [{"from_samples": 102400, "global_batch": 2048}]},
                "trials": runs({"samples": 307200, "step": 200, "epoch": 6}),
            },
            PASS,
        ),
    ],
)  # fmt: skip
def test_samples_against_steps(judged, arm, expected):
    assert answer(judged("time-to-accuracy", "F02", "time", trained(**arm))) == expected


@pytest.mark.parametrize(
    ("samples", "words", "arm", "expected"),
    [
        (1376256, "", {}, PASS),
        (1320001, "", {}, NOT_SHOWN),  # between two evaluations
        (1320001, "Interpolated between two evaluations.", {}, PASS),
        (700000, "", {}, ("a", REFUTES)),
        (2752512, "", {}, ("a", REFUTES)),
        (700000, "", {"options": {"global_batch": None}}, NOT_APPLICABLE),
    ],
)
def test_claimed_samples_against_the_steps_to_the_target(judged, samples, words, arm, expected):
    evaluations = [
        {"split": "test", "samples": 1024 * step, "step": step, "metrics": {"accuracy": value}}
        for step, value in ((1248, 0.92), (1344, 0.945))
    ]
    one = {"evaluations": evaluations, "crossing": {"reached": True, "samples": 1376256, "step": 1344}}
    claim = {"crossing_samples": samples, "statement": f"94 % after {samples} samples. {words}"}
    patch = {"claims": {"time": claim}, **trained(trials={**runs(), "s1": one}, **arm)}
    assert answer(judged("time-to-accuracy", "F02", "time", patch)) == expected
    continued = {**one["crossing"], "step": 51344}
    patch["arms"]["trained"]["trials"]["s1"] = {"evaluations": [], "crossing": continued}
    result = judged("time-to-accuracy", "F02", "time", patch)
    assert "are claimed" not in getattr(result.branch, "message", "")  # its steps began elsewhere


def test_samples_against_steps_names_the_slip(judged):
    result = judged("time-to-accuracy", "F02", "time", trained(options={"global_batch": 512}))
    assert "factor 2" in result.branch.message
    assert result.branch.related[0].at == "/arms/trained/options/global_batch"


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ({}, PASS),
        ({"splits": {"train": {"examples": 100000}}}, ("a", REFUTES)),
        ({"splits": {"train": None}}, NOT_APPLICABLE),
        ({"options": {"augmentation": "repeated augmentation, 3 times"}, "splits": {"train": {"examples": 9000}}},
         NOT_APPLICABLE),
        ({"options": {"dataset": "first 10 % of CIFAR-10"}, "splits": {"train": {"examples": 5}}}, NOT_APPLICABLE),
        ({"options": {"epochs": 80}}, ("a", REFUTES)),
        ({"options": {"epochs": None}}, NOT_APPLICABLE),
        # epochs counted from 0, or cut off, are one fewer than were seen
        ({"trials": runs({"samples": 196608, "step": 192, "epoch": 3}, planned_samples=1966080)}, PASS),
        ({"trials": runs({"samples": 393216, "step": 384, "epoch": 3}, planned_samples=1966080)}, ("a", REFUTES)),
        ({"trials": runs({"samples": 96000, "step": 94, "epoch": 1.95}, planned_samples=1966080)}, PASS),
    ],
)  # fmt: skip
def test_samples_against_epochs(judged, arm, expected):
    assert answer(judged("time-to-accuracy", "F03", "time", trained(**arm))) == expected


# F05 ------------------------------------------------------------------------------------------------------------------


def efficiency(rows=None, **claim):
    return {"claims": {"efficiency": claim}, "tables": {"nodes": {"rows": rows or {}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (efficiency(), PASS),
        (efficiency(value="0.827", unit=None), PASS),
        (efficiency(value="83"), PASS),
        (efficiency(value="80", qualifier="over"), PASS),
        (efficiency(value="92.7"), ("a", REFUTES)),
        (efficiency(value="83.3"), ("a", CAVEAT)),
        (efficiency({"r8": {"efficiency": "0.945"}}), ("a", REFUTES)),
        (efficiency({"r8": {"efficiency": "82.7"}}), PASS),
        (efficiency({"r8": {"devices": None, "nodes": None, "arm": None}}, measured=None, base=None), NOT_APPLICABLE),
        (efficiency({"r4": {"efficiency": None}}), NOT_APPLICABLE),
    ],
)
def test_an_efficiency_and_its_speedup(judged, patch, expected):
    assert answer(judged("strong-scaling", "F05", "efficiency", patch)) == expected


@pytest.mark.parametrize(
    ("rows", "claims", "expected"),
    [
        ({}, {}, PASS),
        ({"r8": {"efficiency": "0.901"}}, {}, ("b", UNDERMINES)),
        ({"r8": {"efficiency": "0.831"}}, {}, ("b", CAVEAT)),
        ({"r8": {"speedup": None}}, {}, NOT_APPLICABLE),
        ({"r8": {"efficiency": "0.413"}}, {}, PASS),  # relative to four devices
        ({"r8": {"efficiency": "0.901"}}, {"efficiency": {}}, NOT_APPLICABLE),  # that claim has the finding
    ],
)
def test_an_efficiency_beside_the_speedup_of_another_claim(judged, rows, claims, expected):
    ratio = {"row": {"table": "nodes", "row": "r8"}, "form": "ratio", "scope": "step"}
    rows = {"r2": {"devices": 4}, **rows} if rows.get("r8", {}).get("efficiency") == "0.413" else rows
    patch = {"claims": {"speedup": ratio, "efficiency": None, **claims}, "tables": {"nodes": {"rows": rows}}}
    assert answer(judged("strong-scaling", "F05", "speedup", patch)) == expected


def test_swapped_columns_are_one_slip(judged):
    rows = {"r8": {"speedup": "0.827", "efficiency": "6.61"}}
    patch = efficiency(rows, row={"table": "nodes", "row": "r8"}, value="82.7")
    result = judged("strong-scaling", "F05", "efficiency", patch)
    assert result.outcome is VIOLATION
    assert "swapped" in " ".join(item.message for item in (result.branch, *result.others))


def test_an_efficiency_crosses_100_percent_by_no_small_slip(judged):
    rows = {"r8": {"values": {"rate": "156400"}, "efficiency": "1.004", "speedup": "7.98", "arm": None}}
    patch = efficiency(rows, value="100.4", measured=None, base=None)
    assert answer(judged("strong-scaling", "F05", "efficiency", patch)) == ("a", REFUTES)


WEAK = {
    "columns": {"time": {"quantity": "time", "unit": "s", "statistic": "median"}},
    "rows": {
        "one": {"devices": 8, "values": {"time": "0.400"}},
        "eight": {"devices": 64, "values": {"time": "0.440"}, "efficiency": "0.909"},
    },
    "base_row": "one",
    "label": "weak",
    "varies": ["devices"],
}


@pytest.mark.parametrize(("label", "expected"), [("weak", PASS), (None, PASS), ("strong", ("a", REFUTES))])
def test_in_weak_scaling_the_ratio_of_times_is_the_efficiency(judged, label, expected):
    claim = {"value": "90.9", "measured": None, "base": None, "label": label, "row": {"table": "w", "row": "eight",
             "base_row": None}}  # fmt: skip
    patch = {"claims": {"efficiency": claim}, "tables": {"w": WEAK | ({"label": label} if label else {})}}
    if label is None:
        del patch["tables"]["w"]["label"]
    assert answer(judged("strong-scaling", "F05", "efficiency", patch)) == expected


# F06 ------------------------------------------------------------------------------------------------------------------


def times(new, base, statement, value, **claim):
    metric = {"quantity": "time", "unit": "s", "digits": None, "interval": None}
    return {
        "claims": {"speedup": {"statement": statement, "value": value, "unit": "%", "quantity": "time", **claim}},
        "arms": {
            "fused": {"performance": {"rate": {"value": new, **metric}}},
            "plain": {"performance": {"rate": {"value": base, **metric}}},
        },
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (times("70.0", "100.0", "Steps are 43 % faster.", "43"), PASS),
        (times("70.0", "100.0", "Steps are 30 % faster.", "30"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Steps take 30 % less time.", "30"), PASS),
        (times("70.0", "100.0", "The time is reduced by 43 %.", "43"), ("b", CAVEAT)),  # counted from the new time
        (times("70.0", "100.0", "It shortens training, on the same devices, by 43 %.", "43"), PASS),
        (times("70.0", "100.0", "It shortens the training of both models by 43 %.", "43"), ("b", CAVEAT)),
        (times("70.0", "100.0", "It cuts the training time of the model by 30 %.", "30"), PASS),
        (times("70.0", "100.0", "Steps take 43 % less time.", "43"), ("b", CAVEAT)),
        (times("70.0", "100.0", "With 43 % less, it is done.", "43"), PASS),  # less of what, it does not say
        (times("70.0", "100.0", "At a lower precision time improves by 43 %.", "43"), PASS),
        (two_rates("1430", "1000", statement="It cuts step time by 43 %.", value="43", unit="%"), ("b", CAVEAT)),
        (two_rates("1430", "1000", statement="It cuts step time by 30 %.", value="30", unit="%"), PASS),
        (times("70.0", "100.0", "The time is reduced by 70 %.", "70"), ("a", UNDERMINES)),  # to 70 %, not by 70 %
        (times("142.9", "100.0", "Steps are 30 % faster.", "30"), ("a", UNDERMINES)),  # they are slower
        (times("70.0", "100.0", "Steps are 30 % better.", "30"), NOT_APPLICABLE),
        (times("70.0", "100.0", "30 % faster, at 20 % less energy.", "30"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Faster by a third (30 %), at 20 % less energy.", "30"), NOT_APPLICABLE),
        (times("70.0", "100.0", "Steps are 12 % faster.", "12"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Steps are a bit faster: 12 %.", "12"), NOT_APPLICABLE),  # fits nothing: F04 speaks
        (times("130.0", "100.0", "Steps take 30 % more time.", "30"), PASS),
        (times("70.0", "100.0", "Time is shortened by 12 %.", "12"), ("a", UNDERMINES)),
        (times("70.0", "100.0", "Steps are 1.30x faster.", "1.30", unit="x"), NOT_APPLICABLE),
        (two_rates("1430", "1000", statement="It is 43 % faster.", value="43", unit="%"), PASS),
        (two_rates("1430", "1000", statement="It is 143 % faster.", value="143", unit="%"), ("a", UNDERMINES)),
        (two_rates("1430", "1000", statement="It gives 48 % more.", value="48", unit="%"), ("a", UNDERMINES)),
        (two_rates("1430", "1000", statement="It raises the rate by 48 %.", value="48", unit="%"), ("a", UNDERMINES)),
        (two_rates("1430", "1000", statement="It is at 143 % of the base.", value="143", unit="%"), NOT_APPLICABLE),
        (two_rates("700", "1000", statement="It has 30 % less.", value="30", unit="%"), PASS),
    ],
)
def test_a_percentage_and_its_word(judged, patch, expected):
    assert answer(judged("training-pair", "F06", "speedup", patch)) == expected


# F15 and F16 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({}, PASS),
        ({"value": "42.5"}, ("a", REFUTES)),
        ({"value": "0.71", "unit": "min"}, ("a", REFUTES)),
        ({"value": "50", "qualifier": "at_least"}, PASS),
        ({"value": "1.42", "unit": "min"}, PASS),
        ({"value": "42.5", "crossing_samples": 700000}, PASS),
        ({"value": "42.5", "measured": {"arm": "timed"}}, NOT_APPLICABLE),
    ],
)
def test_a_time_holds_its_work(judged, claim, expected):
    assert answer(judged("time-to-accuracy", "F15", "time", {"claims": {"time": claim}})) == expected


def test_only_a_rate_of_the_same_options_bounds_a_time(judged):
    claim = {"claims": {"time": {"value": "42.5"}}}
    other = claim | {"arms": {"timed": {"options": {"precision": {"compute": "fp32"}}}}}
    assert answer(judged("time-to-accuracy", "F15", "time", other)) is NOT_APPLICABLE
    more = claim | {"arms": {"timed": {"devices": 8}}}
    assert answer(judged("time-to-accuracy", "F15", "time", more)) is NOT_APPLICABLE


def walls(trials):
    return {"arms": {"a": {"trials": {f"t{i}": {"wall_s": wall} for i, wall in enumerate(trials, 1)}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (walls([8.0] * 5), PASS),
        (walls([8.0, 8.0, 8.0, 8.0, 3.0]), ("a", REFUTES)),
        (walls([8.0, 8.0]), NOT_APPLICABLE),
        ({"arms": {"a": {"measurement": {"wall_s": 0.1025}}}}, NOT_APPLICABLE),  # of one step
        ({"arms": {"a": {"measurement": {"wall_s": 4.2}}}, "claims": {"rate": {"replicated": True}}}, NOT_APPLICABLE),
        ({"arms": {"a": {"measurement": {"wall_s": 4.2}, "performance": {"rate": {"column": None}}}}}, NOT_APPLICABLE),
        (
            {"arms": {"a": {"measurement": {"wall_s": 4.2}, "performance": {"rate": {"load": {"concurrency": 4}}}}}},
            NOT_APPLICABLE,
        ),
    ],
)
def test_steps_fit_into_the_wall_time(judged, patch, expected):
    assert answer(judged("rate", "F16", "rate", patch)) == expected


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ({"measurement": {"wall_s": 20.0}}, ("a", REFUTES)),  # longer than a trial, shorter than all their steps
        ({"measurement": {"wall_s": 45.0}}, PASS),
        ({"measurement": {"wall_s": 7.0}}, PASS),  # of one trial
        ({"performance": {"rate": {"wall_s": 20.0}}}, ("a", REFUTES)),
        ({"measurement": {"wall_s": 20.0}, "trials": {"t5": {"wall_s": None}}}, NOT_APPLICABLE),
    ],
)
def test_a_window_longer_than_every_trial_holds_all_of_them(judged, arm, expected):
    patch = walls([8.0] * 5)
    for key, value in arm.items():
        patch["arms"]["a"][key] = {**patch["arms"]["a"].get(key, {}), **value}
    assert answer(judged("rate", "F16", "rate", patch)) == expected


# F17 ------------------------------------------------------------------------------------------------------------------

GPU = "GPU-8d1f04c2a911"


def ran(*spans, devices=(GPU,), boot=None, **arm):
    trials = {
        f"t{i}": {
            "started": f"2026-02-03T10:{start:02}:00Z",
            "ended": f"2026-02-03T10:{end:02}:00Z",
            "device_ids": list(devices),
            "boot_id": boot,
        }
        for i, (start, end) in enumerate(spans, 1)
    }
    rest = {f"t{i}": None for i in range(len(spans) + 1, 6)}
    return {
        "systems": {"node": {"released": "2020-11-16"}},
        "arms": {"a": {"software": {"released": "2025-01-29"}, "trials": {**trials, **rest}, **arm}},
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (ran((0, 5), (5, 9)), PASS),
        (ran((0, 5), (4, 9)), ("a", REFUTES)),
        (ran((0, 30), (2, 3), (20, 25)), ("a", REFUTES)),
        (ran((5, 4)), ("a", REFUTES)),
        (ran((0, 5), (4, 9), devices=("0",)), PASS),  # an index is no identity
        (ran((0, 5), (4, 9), devices=("0",), boot="5f1c2d3e-1"), ("a", REFUTES)),
        (ran((0, 5), (4, 9), devices=("cpu",), boot="5f1c2d3e-1"), PASS),
        (ran((0, 5), (4, 9), devices=("00000000:3B:00.0",)), PASS),  # every machine has that slot
        (ran((0, 5), (4, 9), devices=("MIG-3f1e04c2a911",)), PASS),
        (ran((0, 5), (4, 9), environment={"partitioning": "7 slices"}), NOT_APPLICABLE),
        (ran((0, 5), (5, 9), devices=()), NOT_APPLICABLE),
    ],
)
def test_runs_of_one_device_follow_each_other(judged, patch, expected):
    assert answer(judged("rate", "F17", "rate", patch)) == expected


def clocked(*rows):
    evaluations = [
        {"split": "test", "step": step, "metrics": {"accuracy": 0.9}, **({"time_s": time_s} if time_s else {})}
        for step, time_s in rows
    ]
    trial = {"kind": "convergence", "outcome": "completed", "evaluations": evaluations}
    return {"arms": {"a": {"trials": {**{f"t{i}": None for i in range(1, 6)}, "c1": trial}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (clocked((1, 34.5), (2, 551.2), (3, 1068.1)), NOT_APPLICABLE),
        (clocked((1, 34.5), (2, 551.2), (3, 1068.1), (4, 2551.2), (5, 2101.9)), ("c", UNDERMINES)),
        (clocked((1, 500), (2, 1000), (3, 1500), (4, 600), (5, 2500)), ("c", UNDERMINES)),  # back at once
        (clocked((1, 500), (2, 1000), (3, 600), (4, 1100), (5, 3000), (6, 1600)), ("c", UNDERMINES)),
        (clocked((1, 610.2), (2, 1221.0), (3, 1832.1), (4, 655.4), (5, 1266.0)), ("d", CAVEAT)),  # a new process
        (clocked((1, 720), (2, 840), (3, 960), (4, 1080), (5, 740), (6, 860)), ("d", CAVEAT)),  # it loads for long
        (clocked((1, 610), (2, 1221), (3, 702), (4, 1310), (5, 655), (6, 1266)), ("d", CAVEAT)),
        (clocked((3, 1068.1), (1, 34.5), (2, 551.2)), NOT_APPLICABLE),  # not in the order of the run
        (clocked((1, 34.5), (2, 551.2), (2, 500.0)), NOT_APPLICABLE),  # the same step, evaluated again
        (clocked((1, 1000.0), (2, 998.0)), NOT_APPLICABLE),
        (clocked((1, 34.5), (2, None), (3, 0.5)), ("d", CAVEAT)),
    ],
)
def test_the_clock_of_a_run_goes_forward(judged, patch, expected):
    assert answer(judged("rate", "F17", "rate", patch)) == expected


def test_a_run_is_not_older_than_its_device_or_software(judged):
    for change in ({"systems": {"node": {"released": "2026-06-01"}}},):
        result = judged("rate", "F17", "rate", {**ran((0, 5)), **change})
        assert (answer(result), result.branch.confidence) == (("b", CAVEAT), C1)
    late = ran((0, 5))
    late["arms"]["a"]["software"]["released"] = "2026-02-04"
    assert answer(judged("rate", "F17", "rate", late)) == ("b", CAVEAT)


def test_no_run_is_longer_than_its_study(judged):
    record = {
        "dlaudit": "study/1",
        "tool": {"name": "dlaudit", "version": "1"},
        "libraries": {},
        "study": {
            **dict.fromkeys(("id", "title", "spec"), "s"),
            "started": "2026-02-03T10:00:00Z",
            "ended": "2026-02-03T10:20:00Z",
            "spec_sha256": "0" * 64,
            "complete": True,
        },
        "plan": [],
        "systems": {},
        "arms": {"a": {"trials": {"t1": {"kind": "throughput", "outcome": "completed",
                                          "started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:40:00Z"}}}},
    }  # fmt: skip
    study = Study("s", to_model(record, Predicate, "s:"), "trusted")
    patch = {
        "manifests": {"s": {"path": "m.json", "sha256": "0" * 64}},
        "claims": {"rate": {"measured": {"manifest": "s", "arm": "a", "metric": None}}},
    }
    assert answer(judged("rate", "F17", "rate", patch, studies={"s": study})) == ("a", REFUTES)


# F21 ------------------------------------------------------------------------------------------------------------------


def operations(count, arm=None, **claim):
    return {"claims": {"flops": claim}, "arms": {"a": {"operations": {"flop_per_sample": count}, **(arm or {})}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (operations(9.008e9), PASS),
        (operations(9.008e9 * 2048), PASS),  # of a whole sequence
        (operations(7.8e9), ("a", REFUTES)),
        (operations(3.003e9), NOT_APPLICABLE),  # of the forward pass alone
        (operations(6.756e9), ("a", REFUTES)),
        (operations(6.756e9, {"options": {"activation_checkpointing": True}}), NOT_APPLICABLE),  # recomputation
        (operations(9.008e9, value="150", unit="TFLOP/s/GPU"), PASS),
        (operations(9.008e9, value="300", unit="TFLOP/s/GPU"), ("a", REFUTES)),
        (operations(9.008e9, {"performance": {"rate": {"unit": "steps/s"}}}), NOT_APPLICABLE),
    ],
)
def test_flops_are_rate_times_operations(judged, patch, expected):
    assert answer(judged("training-flops", "F21", "flops", patch)) == expected
