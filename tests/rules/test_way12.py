"""W1201, W1204, W1207: with whom, in what, and whether the best is the best."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome

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


def identity(comparator=None, arm=None, **claim):
    statement = {"statement": "FastLM trains 1.34x faster."}
    return {
        "claims": {"speedup": {**statement, "comparator": comparator or {}, **claim}},
        "arms": {"theirs": arm or {}},
    }


@pytest.mark.parametrize(
    "name",
    ["existing systems", "baseline", "the baseline", "State of the art", "SOTA", "prior work", "other frameworks",
     "our strong baseline", "competitors", "the best existing method", "existing state-of-the-art systems"],
)  # fmt: skip
def test_generic_names(judged, name):
    result = judged("comparison", "W1207", "speedup", identity({"name": name}, {"label": None}))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "comparator's identity")
    assert name in result.branch.message


@pytest.mark.parametrize("name", ["DeepSpeed", "Megatron-LM", "System R", "Baseline Labs Trainer", "The Pile trainer"])
def test_names_that_name_something(judged, name):
    assert (
        judged("comparison", "W1207", "speedup", identity({"name": name}, {"label": "baseline"})).outcome
        is Outcome.PASS
    )


NOTHING = {"version": None, "date": None}
NO_SOFTWARE = {"software": None}


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (identity({"name": None}, {"label": None}), "the name is missing"),
        (identity(NOTHING, NO_SOFTWARE), "neither version nor date"),
        (identity({"device": None}, {"system": None}), "the device is not given"),
        (
            identity({"name": None, "device": None, **NOTHING}, {"label": None, "system": None, **NO_SOFTWARE}),
            "the name",
        ),
    ],
)
def test_what_is_missing_is_named(judged, patch, words):
    result = judged("comparison", "W1207", "speedup", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert words in result.branch.message


@pytest.mark.parametrize(
    "patch",
    [
        identity({"version": None}, NO_SOFTWARE),
        identity({"date": None}, NO_SOFTWARE),
        identity(NOTHING),
        identity({"name": None}),
        identity({"device": None}, {"system": None}, statement="1.34x faster on the same GPUs."),
        identity({"device": None}, {"system": None}, statement="1.34x faster on 8x A100."),
        identity({"name": None, "device": None, "result_id": "4.1-0042", **NOTHING}, {"label": None, **NO_SOFTWARE}),
    ],
    ids=["date", "version", "software of the arm", "label of the arm", "same hardware", "sentence", "result id"],
)
def test_where_an_identity_may_stand(judged, patch):
    assert judged("comparison", "W1207", "speedup", patch).outcome is Outcome.PASS


def test_no_comparator_at_all(judged):
    patch = {"claims": {"speedup": {"base": None, "comparator": None}}}
    assert judged("comparison", "W1207", "speedup", patch).outcome is Outcome.NOT_SHOWN


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
