"""Counts of operations: what holds for many of their rules."""

import pytest
from dlaudit.rules.outcome import Outcome


@pytest.mark.parametrize("claim", ["flops", "mfu"])
def test_the_base_passes(judged, claim):
    for code in ("W0701", "W0702", "W0703"):
        assert judged("training-flops", code, claim).outcome is Outcome.PASS
