"""W1201, one-sided-comparison: A comparison of methods that shows speed or quality, but not both of both."""

import pytest
from dlaudit.rules.outcome import Outcome

NO_LOSS = {"columns": {"loss": None}, "rows": {name: {"values": {"loss": None}} for name in ("ours", "theirs")}}
NO_RATE = {"columns": {"rate": None}, "rows": {name: {"values": {"rate": None}} for name in ("ours", "theirs")}}


def one_sided(ours=None, theirs=None, claim=None, table=None):
    return {
        "claims": {"best": {"comparator": {"quality": None}, **(claim or {})}},
        "arms": {"ours": ours or {}, "theirs": theirs or {}},
        "tables": {"systems": table or {}},
    }


OTHER_RECIPE = {"options": {"optimizer": "SGD"}}


@pytest.mark.parametrize(
    ("patch", "missing"),
    [
        (one_sided(theirs={"quality": None, **OTHER_RECIPE}, table=NO_LOSS), "quality of the other side is"),
        (
            one_sided(ours={"quality": None}, theirs=OTHER_RECIPE, claim={"quality": None}, table=NO_LOSS),
            "quality of the subject is",
        ),
        (
            one_sided(
                theirs={"performance": None, **OTHER_RECIPE},
                claim={"base": {"value": None}, "comparator": {"performance": None}},
                table=NO_RATE,
            ),
            "performance of the other side is",
        ),
        (
            one_sided(
                ours={"performance": None},
                theirs=OTHER_RECIPE,
                claim={"quantity": "accuracy", "metric": "loss", "measured": None},
                table=NO_RATE,
            ),
            "performance of the subject",
        ),
    ],
)  # fmt: skip
def test_one_of_four_values_is_missing(judged, patch, missing):
    result = judged("comparison", "W1201", "best", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "quality and performance of both sides")
    assert missing in result.branch.message


def test_no_other_side_at_all(judged):
    patch = {"claims": {"speedup": {"base": None, "comparator": None}}}
    assert judged("comparison", "W1201", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_equal_statistics_replace_the_quality_of_the_other_side(judged):
    result = judged("comparison", "W1201", "best", one_sided(theirs={"quality": None}, table=NO_LOSS))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


def test_equal_weights_and_formats_replace_the_quality_of_an_inference(judged):
    served = {"weights": "meta-llama/Llama-3.1-8B", "optimizer": None}
    patch = one_sided(
        ours={"options": served},
        theirs={"quality": None, "options": {**served, "global_batch": 7}},
        claim={"mode": "inference"},
        table=NO_LOSS,
    )
    result = judged("comparison", "W1201", "best", patch)
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)
    patch["arms"]["theirs"]["options"]["weights"] = "mistralai/Mistral-7B-v0.3"
    assert judged("comparison", "W1201", "best", patch).outcome is Outcome.NOT_SHOWN


def test_values_in_the_rows_count(judged):
    assert judged("comparison", "W1201", "best", one_sided(theirs={"quality": None})).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "claim",
    [
        {"purpose": "hardware_throughput"},
        {"attribution": "system", "comparator": {"device": "MI300X", "quality": None}},
        {"scope": "kernel"},
    ],
)
def test_hardware_and_libraries_are_outside(judged, claim):
    patch = one_sided(theirs={"quality": None, **OTHER_RECIPE}, claim=claim, table=NO_LOSS)
    assert judged("comparison", "W1201", "best", patch).outcome is Outcome.NOT_APPLICABLE


def test_two_programs_on_one_device_are_methods_whatever_the_gain_is_credited_to(judged):
    patch = one_sided(theirs={"quality": None, **OTHER_RECIPE}, claim={"attribution": "system"}, table=NO_LOSS)
    assert judged("comparison", "W1201", "best", patch).outcome is Outcome.NOT_SHOWN


LATENCY = {"quantity": "latency", "value": "0.195", "unit": "s", "statistic": "percentile", "scope": "request"}


@pytest.mark.parametrize(
    ("words", "theirs", "outcome"),
    [
        (", at a p99 latency of 0.195 s", {}, Outcome.NOT_SHOWN),
        (", at a p99 latency of 0.195 s", {"tail": {**LATENCY, "value": "0.214"}}, Outcome.NOT_APPLICABLE),
        (", at a p99 latency of 1.195 s", {}, Outcome.NOT_APPLICABLE),
        ("", {}, Outcome.NOT_APPLICABLE),
    ],
)
def test_what_is_printed_of_the_subject_alone(judged, words, theirs, outcome):
    """Of hardware, too: a latency or an energy of one side is no advantage."""
    patch = {
        "claims": {"speedup": {"statement": f"A is 1.34x as fast as B{words}.", "purpose": "hardware_throughput"}},
        "arms": {"ours": {"performance": {"tail": LATENCY}}, "theirs": {"performance": theirs}},
    }
    result = judged("comparison", "W1201", "speedup", patch)
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert "tail of the subject is printed" in result.branch.message


def test_a_purpose_that_is_left_out_silences_nothing(judged):
    patch = one_sided(theirs={"quality": None, **OTHER_RECIPE}, claim={"purpose": None}, table=NO_LOSS)
    assert judged("comparison", "W1201", "best", patch).outcome is Outcome.NOT_SHOWN
