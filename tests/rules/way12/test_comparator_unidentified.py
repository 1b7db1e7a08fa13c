"""W1207, comparator-unidentified."""

import pytest
from dlaudit.rules.outcome import Outcome


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


@pytest.mark.parametrize(
    ("patch", "question"),
    [
        (identity({"device": None}, {"system": None}), True),
        (identity(NOTHING, {**NO_SOFTWARE, "label": "OtherLM"}), True),
        (identity(NOTHING, {**NO_SOFTWARE, "label": "OtherLM", "quality": None}), False),
        (identity({"name": "baseline"}, {"label": None}), False),
    ],
    ids=["which of the devices", "its quality is printed", "a name alone", "no name"],
)
def test_what_the_document_tells_elsewhere_is_asked_about(judged, patch, question):
    branch = judged("comparison", "W1207", "speedup", patch).branch
    assert branch.question is question


UNDATED = {"version": None, "date": None, "citation": None}


@pytest.mark.parametrize(
    ("name", "fields", "item"),
    [
        ("DeepSpeed", {}, "comparator's identity"),
        ("the old serving engine of Example", {}, "comparator's identity"),
        ("DeepSpeed 0.15", {}, ""),
        ("ResNet-101", {}, ""),
        ("Stable Diffusion v1.5", {}, ""),
        ("DeepSpeed", {"quantity": "count", "statement": "It trains 1.34 times as long sequences."}, ""),
        ("existing systems", {"quantity": "count"}, "comparator's identity"),
    ],
)
def test_only_a_program_behind_a_speed_owes_its_version(judged, name, fields, item):
    patch = identity({"name": name, **UNDATED}, {**NO_SOFTWARE, "label": None, "quality": None}, **fields)
    branch = judged("comparison", "W1207", "speedup", patch).branch
    assert branch.item == item


def test_what_is_cited_is_identified(judged):
    other = {"name": "DeepSpeed", **UNDATED, "citation": "https://arxiv.org/abs/2309.14509"}
    branch = judged("comparison", "W1207", "speedup", identity(other, {**NO_SOFTWARE, "label": None})).branch
    assert branch.item == ""


@pytest.mark.parametrize(("quantity", "item"), [("rate", "comparator's identity"), ("accuracy", "")])
def test_a_quality_owes_no_device(judged, quantity, item):
    patch = identity({"device": None, "name": "Third"}, {"system": None, "label": None}, quantity=quantity)
    assert judged("comparison", "W1207", "speedup", patch).branch.item == item
