"""W1201, one-sided-comparison: A comparison of methods that shows speed or quality, but not both of both."""

import copy

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, Outcome

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


def over_oneself(numbers=False, **claim):
    """A speed-up over one's own variant in a document of nothing else; its arms hold rates where `numbers`."""
    arms = {} if numbers else {"ours": {"performance": None}, "theirs": {"performance": None}}
    base = {"value": None, "metric": None if not numbers else "rate"}
    own = {"compares": "own_variants", "comparator": None, "base": base, "row": None}
    measured = {"arm": "ours", "metric": "rate" if numbers else None}
    return {"claims": {"best": None, "speedup": {**own, "measured": measured, **claim}}, "arms": arms, "tables": None}


def test_a_factor_over_oneself_needs_a_number_behind_it(judged):
    result = judged("comparison", "W1201", "speedup", over_oneself())
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "values behind a gain")


@pytest.mark.parametrize(
    "patch",
    [
        over_oneself(numbers=True),
        over_oneself(purpose="hardware_throughput"),
        {**over_oneself(), "claims": {**over_oneself()["claims"], "best": {}}},
    ],
    ids=["numbers", "no method", "another system beside it"],
)
def test_otherwise_nothing_is_asked(judged, patch):
    assert judged("comparison", "W1201", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def two(cpu, gpu):
    """Return the numbers of an arm on a processor and on an accelerator, in seconds."""
    return {
        f"time-{name}": {"quantity": "time", "value": value, "unit": "s"}
        for name, value in (("cpu", cpu), ("gpu", gpu))
    }


def on_both(statement, **claim):
    """Return a patch: twice as fast on one kind of device, 1.2 times on the other."""
    told = {"statement": statement, "value": "2.0", "quantity": "time", "row": None, "interval": None, **claim}
    return {
        "claims": {"speedup": {**told, "measured": {"metric": None}, "base": {"metric": None, "value": None}}},
        "arms": {"ours": {"performance": two("0.41", "0.0040")}, "theirs": {"performance": two("0.49", "0.0080")}},
    }


def test_a_general_factor_of_the_best_of_two_numbers_is_a_caveat(judged):
    result = judged("comparison", "W1201", "speedup", on_both("FastLM is twice as fast as OtherLM."))
    assert (result.outcome, result.branch.branch, result.branch.effect) == (Outcome.VIOLATION, "a", CAVEAT)
    assert "time-cpu" in result.branch.message


@pytest.mark.parametrize(
    "patch",
    [
        on_both("FastLM is twice as fast as OtherLM on the GPU."),
        on_both("FastLM is up to twice as fast as OtherLM.", qualifier="up_to"),
        on_both("FastLM is 1.2x as fast as OtherLM.", value="1.2"),
    ],
    ids=["the case is named", "an upper end", "the least gain"],
)
def test_a_factor_of_a_named_case_is_none_in_general(judged, patch):
    assert judged("comparison", "W1201", "speedup", patch).outcome is not Outcome.VIOLATION


def of_batches(value):
    """Return a patch: both systems at a second batch, where the gain is small."""
    rate = {"quantity": "rate", "unit": "tokens/s"}
    more = {name: copy.deepcopy(base("comparison")["arms"][name]) for name in ("ours", "theirs")}
    for arm, number in zip(more.values(), ("11000", value), strict=True):
        arm["options"] |= {"global_batch": 16, "micro_batch": 2}
        arm |= {"trials": {}, "performance": {"rate": rate | {"value": number}}}
    told = {"statement": "FastLM 0.9 trains 1.34x faster than OtherLM 2.1."}
    return {"claims": {"speedup": told}, "arms": {f"{name}-16": arm for name, arm in more.items()}}


@pytest.mark.parametrize(("value", "outcome"), [("10800", Outcome.VIOLATION), ("8300", Outcome.PASS)])
def test_another_batch_of_both_systems_is_another_case(judged, value, outcome):
    assert judged("comparison", "W1201", "speedup", of_batches(value)).outcome is outcome


def kernel(**claim):
    return {
        "claims": {"speedup": {"scope": "kernel", "purpose": "kernel_benchmark", "row": None, **claim}},
        "arms": {"ours": {"options": {"input_shape": [4096, 4096]}}},
        "tables": None,
    }


def test_a_kernel_at_one_size_owes_others(judged):
    said = "The product is 1.34x faster than OtherLM's."
    result = judged("comparison", "W1201", "speedup", kernel(statement=said))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "other sizes of the kernel")
    sized = "The product of 4096 by 4096 is 1.34x faster than OtherLM's."
    assert judged("comparison", "W1201", "speedup", kernel(statement=sized)).outcome is not Outcome.NOT_SHOWN


def best_of(value, qualifier="up_to"):
    """Return a patch: a factor between two devices that names no arm, beside arms on both at one batch."""
    told = {"statement": f"H100 is up to {value}x as fast as A100.", "value": value, "qualifier": qualifier}
    gone = {"measured": None, "row": None, "interval": None, "quality": None, "treatment": [], "attribution": "system"}
    sides = {"base": {"definition": "A100", "arm": None, "metric": None, "value": None, "unit": None}}
    other = {"comparator": {"name": "A100", "device": "A100"}}
    return {
        "claims": {"speedup": {**told, **gone, **sides, **other}},
        "systems": {"ours": {"device": "H100", "name": "8x H100"}},
        "tables": None,
    }


@pytest.mark.parametrize(("value", "outcome"), [("4.6", True), ("1.34", False)])
def test_up_to_more_than_any_case_shows_is_a_caveat(judged, value, outcome):
    result = judged("comparison", "W1201", "speedup", best_of(value))
    assert (result.outcome is Outcome.VIOLATION) is outcome
