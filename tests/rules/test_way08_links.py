"""W0805: when the number of one claim stands in the sentence of another."""

import pytest
from dlaudit.rules.outcome import Outcome

ALONE = {"group": "headline", "form": "absolute", "compares": "none", "scope": "training_run", "mode": "training"}
GONE = {"base": None, "row": None, "comparator": None}


@pytest.mark.parametrize(
    ("statement", "value", "unit", "linked"),
    [
        ("133200 tokens/s at a loss of 3.02.", "3.02", "nat", True),
        ("133200 tokens/s at a loss of 3.020 nat.", "3.02", "nat", True),
        ("133200 tokens/s, and an epoch takes 3.02 h.", "3.02", "%", False),
        ("133200 tokens/s on a model of 13.02 B.", "3.02", "nat", False),
        ("133200 tokens/s.", "133200", "", False),  # its own number
    ],
)
def test_a_number_is_linked_by_value_and_unit(judged, statement, value, unit, linked):
    loss = {**ALONE, "statement": f"It ends at {value}.", "value": value, "quantity": "accuracy"}
    loss |= {"unit": unit} if unit else {}
    loss["quality"] = {"arm": "theirs", "quality": "loss"}
    patch = {"claims": {"speedup": {**ALONE, **GONE, "statement": statement, "value": "133200"}, "loss": loss}}
    patch["arms"] = {"ours": {"options": {"precision": {"compute": "e4m3"}}}}
    assert (judged("comparison", "W0805", "speedup", patch).outcome is Outcome.VIOLATION) is linked
