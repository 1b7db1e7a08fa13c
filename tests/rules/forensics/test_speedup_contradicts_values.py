"""F04, speedup-contradicts-values: A ratio that does not follow from the two numbers it relates."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer, effect
from support.work import two_rates

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({}, PASS),
        ({"value": "43", "unit": "%"}, PASS),
        ({"value": "143", "unit": "%"}, PASS),
        ({"value": "1.4"}, PASS),
        ({"value": "1.4", "qualifier": "up_to"}, PASS),
        ({"value": "1.5", "qualifier": "up_to"}, VIOLATION),
        ({"value": "1.3", "qualifier": "up_to"}, VIOLATION),
        ({"value": "1.5", "qualifier": "up_to", "range": {"low": "1.1", "high": "1.5", "where": "elsewhere"}}, PASS),
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


def test_a_small_slip_that_turns_a_loss_into_a_gain_is_no_small_one(judged):
    assert answer(judged("training-pair", "F04", "speedup", two_rates("1000.0", "1000.5", value="1.005"))) == (
        "a",
        REFUTES,
    )
    assert answer(judged("training-pair", "F04", "speedup", two_rates("1040.0", "1000.0", value="1.045"))) == (
        "a",
        CAVEAT,
    )


def test_the_row_whose_ratio_it_is_is_named(judged):
    rows = {"r8": {"speedup": "3.76"}}
    result = judged("strong-scaling", "F04", "speedup", {"tables": {"nodes": {"rows": rows}}})
    assert "it is that of row `r4`" in result.branch.message
