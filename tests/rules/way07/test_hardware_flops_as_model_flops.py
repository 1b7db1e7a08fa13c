"""W0704, hardware-flops-as-model-flops."""

import pytest
from dlaudit.rules.outcome import C3, UNDERMINES, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


class TestHardwareFlops:
    def judge(self, judged, name="mfu", recompute=True, statement=None, more=None, **operations):
        patch = arm("a", options={"activation_checkpointing": recompute}, operations=operations)
        patch |= claim(name, statement=statement) if statement else {}
        return judged("training-flops", "W0704", name, with_(patch, more or {}))

    @pytest.mark.parametrize(
        ("statement", "operations", "outcome"),
        [
            ("48.0 % MFU", {"counted": "hardware"}, VIOLATION),
            ("48.0 % of the peak, counting the operations of the model", {"counted": "hardware"}, VIOLATION),
            ("48.0 % HFU", {"counted": "hardware"}, PASS),
            ("48.0 % of the peak", {"counted": "hardware"}, PASS),
            ("48.0 % MFU", {"counted": "model"}, PASS),
            ("48.0 % MFU", {"counted": None, "method": "8N per token"}, VIOLATION),
            ("48.0 % of the peak", {"counted": "model", "method": "8 N per token"}, VIOLATION),
            ("48.0 % MFU", {"counted": None, "method": "6N per token"}, PASS),
            ("48.0 % MFU", {"counted": None, "method": None}, NOT_SHOWN),
            ("48.0 % MFU, excluding recomputation", {"counted": None, "method": None}, PASS),
        ],
    )
    def test_words_against_counts(self, judged, statement, operations, outcome):
        result = self.judge(judged, statement=statement, **operations)
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)

    @pytest.mark.parametrize(
        ("operations", "outcome"),
        [
            ({"counted": "hardware"}, NOT_SHOWN),
            ({"counted": None, "method": "8N"}, VIOLATION),
            ({"counted": "model"}, PASS),
        ],
    )
    def test_whether_anything_is_recomputed_is_not_stated(self, judged, operations, outcome):
        assert self.judge(judged, recompute=None, statement="48.0 % MFU", **operations).outcome is outcome

    def test_a_second_forward_pass_that_nobody_does(self, judged):
        found = self.judge(judged, recompute=False, statement="48.0 % MFU", counted=None, method="8N")
        assert found.outcome is PASS

    def test_without_recomputation_both_are_equal(self, judged):
        assert self.judge(judged, recompute=False, statement="48.0 % MFU", counted="hardware").outcome is PASS

    @pytest.mark.parametrize(("value", "outcome"), [("50.0", PASS), ("50.1", NOT_SHOWN), ("60", NOT_SHOWN)])
    def test_a_high_utilisation_without_a_label(self, judged, value, outcome):
        more = claim("mfu", value=value)
        found = self.judge(judged, recompute=None, statement="MFU", more=more, counted=None, method=None)
        assert found.outcome is outcome

    @pytest.mark.parametrize(("value", "unit", "outcome"), [("1.20", "PFLOP/s", PASS), ("1.40", "PFLOP/s", NOT_SHOWN)])
    def test_flops_imply_a_utilisation(self, judged, value, unit, outcome):
        more = claim("flops", value=value, unit=unit)
        found = self.judge(judged, "flops", None, f"{value} {unit}", more, counted=None, method=None)
        assert found.outcome is outcome

    def test_kernels_are_outside(self, judged):
        assert judged("kernel", "W0704", "gemm").outcome is NOT_APPLICABLE

    @pytest.mark.parametrize("fields", [{"mode": "inference"}, {"mode": "none"}, {"scope": "layer"}])
    def test_what_does_not_train_is_outside(self, judged, fields):
        more = claim("mfu", **fields)
        assert self.judge(judged, statement="48.0 % MFU", more=more, counted="hardware").outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(("form", "outcome"), [("absolute", NOT_SHOWN), ("ratio", PASS)])
    def test_a_ratio_of_utilisations_is_none(self, judged, form, outcome):
        more = claim("mfu", value="60", form=form)
        found = self.judge(judged, recompute=None, statement="MFU", more=more, counted=None, method=None)
        assert found.outcome is outcome
