"""Parity: what holds for all of its rules."""

import pytest
from dlaudit.rules.outcome import Outcome

NOT_SHOWN = Outcome.NOT_SHOWN


@pytest.mark.parametrize("code", ["S06", "S12", "S14"])
def test_nothing_but_a_sentence_is_not_shown(judged, code):
    form = "absolute" if code == "S14" else "parity"
    claim = {"form": form, "quantity": "accuracy", "value": "76", "unit": "%", "measured": None, "base": None}
    result = judged("training-pair", code, "speedup", {"claims": {"speedup": {**claim, "quality": None}}, "arms": {}})
    assert result.outcome is NOT_SHOWN
