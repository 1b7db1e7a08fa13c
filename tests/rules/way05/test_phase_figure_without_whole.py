"""W0506, phase-figure-without-whole."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
PART = {
    "statement": "Fused attention is 3.5x faster.",
    "value": "3.5",
    "unit": "x",
    "quantity": "rate",
    "form": "ratio",
    "scope": "layer",
    "mode": "training",
    "compares": "own_variants",
    "measured": {"arm": "fused"},
    "base": {"arm": "plain"},
}


class TestPhaseWithoutWhole:
    def judge(self, judged, more=None, **fields):
        patch = {"claims": {"part": PART | fields}}
        return judged("training-pair", "W0506", "part", with_(patch, more or {}))

    def test_the_whole_stands_elsewhere(self, judged):
        result = self.judge(judged)
        assert (result.branch.effect, result.branch.confidence, result.branch.recomputed) == (CAVEAT, C3, "1.43")

    def test_a_measured_whole_without_a_claim(self, judged):
        assert self.judge(judged, {"claims": {"speedup": None}}).outcome is VIOLATION

    @pytest.mark.parametrize(
        "fields",
        [
            {"statement": "Fused attention is 3.5x faster, the step 1.43x."},
            {"said": [{"topic": "scope_narrower", "quote": "the whole step gains 1.43x"}]},
            {"value": "1.3", "statement": "Fused attention is 1.3x faster."},
        ],
        ids=["in the sentence", "said", "no larger"],
    )
    def test_nothing_is_hidden(self, judged, fields):
        outcome = self.judge(judged, **fields).outcome
        assert outcome is PASS

    def test_no_whole_anywhere(self, judged):
        none = {"measurement": {"scope": "layer"}}
        more = {"claims": {"speedup": None, "rate": None}, "arms": {"fused": none, "plain": none}}
        assert self.judge(judged, more).outcome is NOT_SHOWN
        assert self.judge(judged, more, measured=None).outcome is NOT_SHOWN

    def test_kernel_benchmarks_are_outside(self, judged):
        assert self.judge(judged, purpose="kernel_benchmark").outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(("scope", "outcome"), [("step", PASS), ("layer", VIOLATION)])
    def test_the_whole_stands_in_the_row(self, judged, scope, outcome):
        columns = {
            "kernel": {"quantity": "time", "unit": "ms", "scope": "layer"},
            "whole": {"quantity": "time", "unit": "ms", "scope": scope},
        }
        rows = {"a": {"values": {"kernel": "2.0", "whole": "790"}}}
        row = {"row": {"table": "parts", "row": "a"}}
        more = {"tables": {"parts": {"columns": columns, "rows": rows}}}
        assert self.judge(judged, more, **row).outcome is outcome

    def test_a_slower_part_claims_no_gain(self, judged):
        assert self.judge(judged, value="0.9", statement="0.9x").outcome is NOT_APPLICABLE

    def test_arms_without_a_common_unit(self, judged):
        more = {"claims": {"speedup": None}} | arm("plain", performance={"rate": {"unit": "samples/s"}})
        assert self.judge(judged, more).outcome is PASS

    @pytest.mark.parametrize("side", ["measured", "base"])
    def test_the_whole_of_other_arms_is_another(self, judged, side):
        """The small gain of another pair of arms says nothing about this part."""
        none = {"measurement": {"scope": "layer"}}
        more = with_(
            claim("speedup", **{side: {"arm": "third"}}), {"arms": {"fused": none, "plain": none, "third": none}}
        )
        assert self.judge(judged, more).outcome is NOT_SHOWN

    def test_a_metric_of_the_whole(self, judged):
        more = {"claims": {"speedup": None}}
        for name in ("fused", "plain"):
            more = with_(more, arm(name, measurement={"scope": "layer"}, performance={"rate": {"scope": "step"}}))
        assert self.judge(judged, more).outcome is VIOLATION


def test_a_part_of_a_training_alone(judged):
    metric = {"quantity": "rate", "value": "43300", "unit": "images/s", "scope": "phase", "statistic": "median"}
    performance = {"rate": None, "end-to-end": None, "decode": metric}
    claim = {
        "scope": "phase",
        "value": "43300",
        "measured": {"metric": "decode"},
        "statement": "It decodes 43300 images/s.",
    }
    patch = {"arms": {"a": {"performance": performance}}, "claims": {"rate": claim}}
    assert judged("rate", "W0506", "rate", patch).outcome is NOT_SHOWN
    performance.pop("end-to-end")
    assert judged("rate", "W0506", "rate", patch).outcome is PASS
