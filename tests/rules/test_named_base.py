"""What a finding says of a comparison that names nothing to compare with."""

from __future__ import annotations

import pytest
from dlaudit.rules.outcome import Outcome

ALONE = {"base": None, "quantity": "accuracy", "metric": "loss", "form": "absolute", "value": "3.22", "unit": None}


@pytest.mark.parametrize("code", ["M18", "M19", "W0303", "W0806"])
def test_a_comparison_without_a_base_is_asked_for_it_first(judged, code):
    alone = {"base": None} if code == "M19" else ALONE
    patch = {"claims": {"speedup": alone}, "arms": {"fused": {"search": {"trials": 4}}}}
    result = judged("training-pair", code, "speedup", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert result.branch.message.startswith("the claim names no base (base: {arm: ...})")
    patch["claims"]["speedup"] = {**alone, "comparator": {"name": "another paper"}}
    assert "names no base" not in judged("training-pair", code, "speedup", patch).branch.message
