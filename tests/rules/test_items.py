"""`items`: What a document can hold, as `has(item)` asks: each item a test over a claim and its case."""

import pytest
from dlaudit.rules.items import ITEMS
from dlaudit.rules.predicate import predicate
from support.traces import case_of

HELD = {
    ("suite-training", "retinanet"): {"runs", "trace", "files", "times", "options", "curve", "description", "counted"},
    ("suite-inference", "offline"): {"pair", "trace", "files", "times", "harness_verdict", "window", "counted"},
    ("rate", "rate"): set(),
}


@pytest.mark.parametrize(("name", "claim"), HELD)
def test_items(name, claim):
    case = case_of(name)
    for item in ("trace", "files", "harness_verdict", "window", *HELD[name, claim]):
        assert ITEMS[item](case.submission.claims[claim], case) == (item in HELD[name, claim]), item
    assert predicate("folder")(case.submission.claims[claim], case) == (name != "rate")


def test_modified_tools_are_seen():
    patch = {"arms": {"offline": {"software": {"tool_dirty": None}}}}
    case = case_of("suite-inference", patch)
    assert not ITEMS["tool_state"](case.submission.claims["offline"], case)
    patch["arms"]["offline"]["runs"] = {"performance": {"tool": {"changed_files": ["loadgen/loadgen.cc"]}}}
    case = case_of("suite-inference", patch)
    assert ITEMS["tool_state"](case.submission.claims["offline"], case)


def test_two_arms_with_a_quality_are_needed_to_compare_them():
    claim, bare = "speedup", {"quality": None, "target": None, "trials": None}
    for patch, held in (({}, True), ({"arms": {"plain": bare}}, False), ({"arms": {"plain": None}}, False)):
        case = case_of("training-pair", patch)
        assert ITEMS["quality_arms"](case.submission.claims[claim], case) is held
