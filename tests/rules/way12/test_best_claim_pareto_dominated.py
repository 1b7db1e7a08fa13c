"""W1204, best-claim-pareto-dominated."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome


def table(rate, loss, interval=None, row=None, claim=None, **rows):
    theirs = {"values": {"rate": rate, "loss": loss}, **(row or {})}
    low_high = {"low": interval[0], "high": interval[1]} if interval else None
    return {
        "claims": {"best": claim or {}},
        "tables": {"systems": {"rows": {"theirs": theirs, **rows}}},
        "arms": {"theirs": {"performance": {"rate": {"value": rate, "interval": low_high}}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (table("325000", "3.05", ("324000", "326000")), Outcome.VIOLATION),
        (table("325000", "3.00", ("324000", "326000")), Outcome.VIOLATION),
        (table("325000", "3.06", ("324000", "326000")), Outcome.PASS),
        (table("311900", "3.05", ("311000", "312000")), Outcome.PASS),
        (table("312000", "3.05", ("311000", "313000")), Outcome.NOT_SHOWN),
        (table("325000", "3.05"), Outcome.NOT_SHOWN),
        (table("325000", None, ("324000", "326000")), Outcome.NOT_SHOWN),
        (table("311900", None), Outcome.NOT_SHOWN),
        (table("200000", None), Outcome.PASS),
        (table("311900", "3.05", row={"devices": None, "arm": None}), Outcome.PASS),
        (table("325000", "3.05", ("324000", "326000"), {"devices": 16}), Outcome.PASS),
        (table("325000", "3.05", ("324000", "326000"), {"nodes": None}), Outcome.NOT_SHOWN),
        (table("325000", "3.05", ("324000", "326000"), {"options": {"dataset": "C4"}}), Outcome.PASS),
        (
            table("325000", "3.05", ("324000", "326000"), {"options": {"precision": {"compute": "fp16"}}}),
            Outcome.VIOLATION,
        ),
        (
            table(
                "325000",
                "3.05",
                ("324000", "326000"),
                {"options": {"precision": {"compute": "fp16"}}},
                {"statement": "The fastest in BF16."},
            ),
            Outcome.PASS,
        ),
        (table("325000", "3.05", ("324000", "326000"), {"arm": "ours"}), Outcome.PASS),
        (table("325000", "3.05", ("324000", "326000"), claim={"row": {"row": None}}), Outcome.NOT_APPLICABLE),
    ],
)
def test_a_row_that_beats_the_best(judged, patch, outcome):
    result = judged("comparison", "W1204", "best", patch)
    assert result.outcome is outcome, result
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is REFUTES


def test_three_times_faster_at_a_tenth_of_a_point_less_is_on_the_front(judged):
    patch = table("935700", "3.06", ("930000", "940000"))
    assert judged("comparison", "W1204", "best", patch).outcome is Outcome.PASS


def test_an_interval_over_iterations_separates_nothing(judged):
    patch = table("325000", "3.05", ("324000", "326000"))
    patch["arms"]["theirs"]["performance"]["rate"]["interval"]["varies"] = "iterations"
    assert judged("comparison", "W1204", "best", patch).outcome is Outcome.NOT_SHOWN


def test_a_metric_of_unknown_direction_decides_nothing(judged):
    patch = table("325000", "3.05", ("324000", "326000"))
    patch["tables"]["systems"] |= {"columns": {"quirk": {"quantity": "accuracy", "unit": "points"}}}
    patch["tables"]["systems"]["rows"]["theirs"]["values"]["quirk"] = "2"
    patch["tables"]["systems"]["rows"]["ours"] = {"values": {"quirk": "1"}}
    assert judged("comparison", "W1204", "best", patch).outcome is Outcome.NOT_SHOWN


def test_seeds_give_the_interval_of_a_quality(judged):
    patch = table("311900", "2.90")
    patch["arms"]["theirs"]["quality"] = {
        "loss": {"seeds": {"11": "2.90", "12": "2.91", "13": "2.89", "14": None, "15": None}}
    }
    assert judged("comparison", "W1204", "best", patch).outcome is Outcome.VIOLATION
    patch["arms"]["theirs"]["quality"]["loss"]["seeds"] |= {"13": "4.50"}
    assert judged("comparison", "W1204", "best", patch).outcome is Outcome.NOT_SHOWN
