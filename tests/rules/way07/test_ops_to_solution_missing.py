"""W0705, ops-to-solution-missing."""

import pytest
from dlaudit.rules.outcome import C2, UNDERMINES, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


class TestOpsToSolution:
    @staticmethod
    def runs(*samples):
        trials = {f"s{i}": None for i in range(1, 6)}
        for i, count in enumerate(samples, start=1):
            trials[f"s{i}"] = {"evaluations": [], "crossing": {"samples": count}}
        return {"options": {"precision": {"compute": "e4m3"}}, "trials": trials}

    def judge(self, judged, fused, more=None, **fields):
        patch = claim("speedup", attribution="precision", **fields) | arm("fused", **fused)
        return judged("training-pair", "W0705", "speedup", with_(patch, more or {}))

    def test_the_gain_is_lost(self, judged):
        result = self.judge(judged, self.runs(161000, 158000, 164000))
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C2)

    @pytest.mark.parametrize(
        "samples", [(100000, 101000, 99000), (110000, 117000, 103000)], ids=["kept", "not surely lost"]
    )
    def test_the_gain_may_be_real(self, judged, samples):
        result = self.judge(judged, self.runs(*samples))
        assert result.outcome is PASS
        assert len(result.notes) == 1

    def test_two_runs_do_not_decide(self, judged):
        result = self.judge(judged, self.runs(161000, 158000))
        assert (result.outcome, result.branch.item) == (NOT_SHOWN, "")
        assert self.judge(judged, self.runs(81000)).outcome is PASS

    def test_the_evaluation_before_may_be_the_crossing(self, judged):
        """Runs that are judged every 40000 samples and cross at 120000 may have needed 80001."""
        log = [
            {"split": "test", "samples": count, "step": count // 32, "metrics": {"loss": loss}}
            for count, loss in ((40000, 3.6), (80000, 3.4), (120000, 3.2))
        ]
        run = {"evaluations": log, "crossing": {"samples": 120000, "step": 3750}}
        assert self.judge(judged, self.runs() | {"trials": {f"s{i}": run for i in range(1, 6)}}).outcome is PASS

    def test_no_run_at_the_lower_precision(self, judged):
        result = self.judge(judged, self.runs())
        assert result.outcome is NOT_SHOWN
        assert "no run at the lower precision" in result.branch.message
        assert self.judge(judged, self.runs(), purpose="attribution").outcome is NOT_APPLICABLE

    def test_runs_of_another_precision_tell_nothing(self, judged):
        fused = {"options": {"precision": {"compute": "e4m3"}}}
        moved = claim("speedup", measured={"arm": "fast"}) | arm(
            "fast", options={"model": "decoder 124M", "precision": {"compute": "e4m3"}, "global_batch": 32}
        )
        assert self.judge(judged, fused | {"options": None}, moved).outcome is NOT_SHOWN

    def test_declared_rates(self, judged):
        more = {"arms": {"plain": {"trials": {f"t{i}": None for i in range(1, 6)}}}}
        assert self.judge(judged, self.runs(161000, 158000, 164000), more).outcome is VIOLATION
        assert self.judge(judged, self.runs(101000, 102000, 103000), more).outcome is PASS

    def test_throughput_of_hardware_is_outside(self, judged):
        lost = self.runs(161000, 158000, 164000)
        assert self.judge(judged, lost, purpose="hardware_throughput").outcome is NOT_APPLICABLE

    def test_other_attributions_are_outside(self, judged):
        assert judged("training-pair", "W0705", "speedup").outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(
        ("fields", "outcome"),
        [
            ({"value": "1.43"}, VIOLATION),
            ({"value": "1.43", "qualifier": "over"}, NOT_APPLICABLE),
            ({"value": "2.5"}, PASS),
        ],
        ids=["as claimed", "no upper end", "kept"],
    )
    def test_only_the_ratio_is_stated(self, judged, fields, outcome):
        unnamed = {"measured": {"arm": "fused", "metric": "none"}}
        assert self.judge(judged, self.runs(161000, 158000, 164000), **unnamed, **fields).outcome is outcome

    def test_the_higher_precision_is_not_shown(self, judged):
        more = arm("plain", trials=None, quality=None)
        assert self.judge(judged, self.runs(81000, 82000, 83000), more).outcome is NOT_APPLICABLE

    def test_a_first_evaluation_tells_no_least(self, judged):
        """A run that meets its target at the first evaluation may have met it at any sample before."""
        log = [{"split": "test", "samples": 160000, "step": 5000, "metrics": {"loss": 3.2}}]
        runs = {f"s{i}": {"evaluations": log, "crossing": {"samples": 160000, "step": 5000}} for i in range(1, 6)}
        assert self.judge(judged, self.runs() | {"trials": runs}).outcome is PASS

    def test_the_arms_own_runs_come_first(self, judged):
        """Another arm of equal options crossed earlier; the arm behind the claim did not."""
        fused = self.runs(161000, 158000, 164000)
        options = {"model": "decoder 124M", "precision": {"compute": "e4m3"}}
        assert self.judge(judged, fused).outcome is VIOLATION
        others = {
            f"s{i}": {"kind": "convergence", "outcome": "completed", "crossing": {"reached": True, "samples": 1000}}
            for i in range(1, 4)
        }
        target = {"metric": "loss", "value": "3.30", "direction": "lower"}
        more = arm("twin", options=options, option_set="sha256:" + "1" * 64, trials=others, target=target)
        assert self.judge(judged, fused | {"option_set": "sha256:" + "1" * 64}, more).outcome is VIOLATION

    def test_rates_in_two_units_give_no_ratio(self, judged):
        more = arm("plain", trials={f"t{i}": None for i in range(1, 6)}, performance={"rate": {"unit": "ktokens/s"}})
        assert self.judge(judged, self.runs(161000, 158000, 164000), more).outcome is VIOLATION
        assert self.judge(judged, self.runs(161000, 158000, 164000), more, qualifier="over").outcome is NOT_APPLICABLE


def test_operations_per_second_of_a_training_that_shows_nothing_of_it(judged):
    bare = {"quality": None, "target": None, "trials": None}
    patch = {"arms": {"a": bare}, "claims": {"flops": {"quality": None}, "mfu": {"quality": None}}}
    assert judged("training-flops", "W0705", "flops", patch).outcome is NOT_SHOWN
    quality = {"loss": {"metric": "loss", "value": "3.1", "direction": "lower"}}
    patch["arms"]["a"]["quality"] = quality
    assert judged("training-flops", "W0705", "flops", patch).outcome is PASS
