"""W1203, baseline-copied-not-rerun: A ratio over a published number that was taken on other hardware."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome


def copied(comparator=None, base=None, arm=None, **claim):
    quoted = {"source": "published", **(comparator or {})}
    return {
        "claims": {"speedup": {"comparator": quoted, "base": {"arm": None, **(base or {})}, **claim}},
        "arms": {"theirs": {"trials": None, **(arm or {})}},
    }


@pytest.mark.parametrize(
    ("comparator", "base"),
    [({"device": "V100"}, {}), ({"devices": 16}, {"devices": 16}), ({"device": "V100"}, {"devices": 16})],
)
def test_a_published_number_from_other_hardware(judged, comparator, base):
    result = judged("comparison", "W1203", "speedup", copied(comparator, base))
    assert (result.outcome, result.branch.effect) == (Outcome.VIOLATION, CAVEAT)


@pytest.mark.parametrize(
    "patch",
    [
        copied(),
        copied({"device": "V100"}, said=[{"topic": "hardware_normalisation", "quote": "per peak FLOP/s"}]),
        copied({"devices": 16}, {"devices": 16, "unit": "tokens/s/GPU"}, measured={"metric": "each"}),
    ],
)
def test_the_same_hardware_or_a_normalised_number_is_a_note(judged, patch):
    each = {"quantity": "rate", "value": "38990", "unit": "tokens/s/GPU"}
    patch["arms"]["ours"] = {"performance": {"each": each}}
    result = judged("comparison", "W1203", "speedup", patch)
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (copied({"source": None}), Outcome.NOT_SHOWN),
        (copied({"device": None}), Outcome.NOT_SHOWN),
        (copied({"source": "audited"}), Outcome.PASS),
        (copied({"source": "audited", "device": None}), Outcome.NOT_SHOWN),
        (copied({"source": "audited", "device": None, "result_id": "5.0-0042"}), Outcome.PASS),
        (copied({"source": "rerun", "device": "V100"}), Outcome.PASS),
        ({"claims": {"speedup": {"comparator": {"source": None}}}}, Outcome.PASS),
        ({"claims": {"speedup": {"comparator": None, "base": None}}}, Outcome.NOT_SHOWN),
    ],
)
def test_where_the_number_comes_from(judged, patch, outcome):
    assert judged("comparison", "W1203", "speedup", patch).outcome is outcome


def test_a_gain_in_quality_over_a_published_value(judged):
    patch = copied(quantity="accuracy", metric="loss", measured={"metric": None}, statement="A loss of 3.02, not 3.06.")
    result = judged("comparison", "W1203", "speedup", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert "quality is a published one" in result.branch.message


def test_a_published_number_of_an_earlier_generation_is_a_note(judged):
    patch = copied({"device": "V100", "generational": True})
    result = judged("comparison", "W1203", "speedup", patch)
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)
