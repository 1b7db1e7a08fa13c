"""W0704, W0705 and W0706: what is counted, what it takes to the target, and mixed counts."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import C2, C3, CAVEAT, UNDERMINES, Outcome

PASS = Outcome.PASS
FLAW = Outcome.VIOLATION
OPEN = Outcome.NOT_SHOWN
OUTSIDE = Outcome.NOT_APPLICABLE


def with_(patch, more):
    merged = dict(patch)
    for key, value in more.items():
        merged[key] = with_(merged.get(key) or {}, value) if isinstance(value, dict) else value
    return merged


def claim(name, **fields):
    return {"claims": {name: fields}}


def arm(name, **fields):
    return {"arms": {name: fields}}


class TestHardwareFlops:
    def judge(self, judged, name="mfu", recompute=True, statement=None, more=None, **operations):
        patch = arm("a", options={"activation_checkpointing": recompute}, operations=operations)
        patch |= claim(name, statement=statement) if statement else {}
        return judged("training-flops", "W0704", name, with_(patch, more or {}))

    @pytest.mark.parametrize(
        ("statement", "operations", "outcome"),
        [
            ("48.0 % MFU", {"counted": "hardware"}, FLAW),
            ("48.0 % of the peak, counting the operations of the model", {"counted": "hardware"}, FLAW),
            ("48.0 % HFU", {"counted": "hardware"}, PASS),
            ("48.0 % of the peak", {"counted": "hardware"}, PASS),
            ("48.0 % MFU", {"counted": "model"}, PASS),
            ("48.0 % MFU", {"counted": None, "method": "8N per token"}, FLAW),
            ("48.0 % of the peak", {"counted": "model", "method": "8 N per token"}, FLAW),
            ("48.0 % MFU", {"counted": None, "method": "6N per token"}, PASS),
            ("48.0 % MFU", {"counted": None, "method": None}, OPEN),
            ("48.0 % MFU, excluding recomputation", {"counted": None, "method": None}, PASS),
        ],
    )
    def test_words_against_counts(self, judged, statement, operations, outcome):
        result = self.judge(judged, statement=statement, **operations)
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)

    @pytest.mark.parametrize(
        ("operations", "outcome"),
        [({"counted": "hardware"}, OPEN), ({"counted": None, "method": "8N"}, FLAW), ({"counted": "model"}, PASS)],
    )
    def test_whether_anything_is_recomputed_is_not_stated(self, judged, operations, outcome):
        assert self.judge(judged, recompute=None, statement="48.0 % MFU", **operations).outcome is outcome

    def test_a_second_forward_pass_that_nobody_does(self, judged):
        found = self.judge(judged, recompute=False, statement="48.0 % MFU", counted=None, method="8N")
        assert found.outcome is PASS

    def test_without_recomputation_both_are_equal(self, judged):
        assert self.judge(judged, recompute=False, statement="48.0 % MFU", counted="hardware").outcome is PASS

    @pytest.mark.parametrize(("value", "outcome"), [("50.0", PASS), ("50.1", OPEN), ("60", OPEN)])
    def test_a_high_utilisation_without_a_label(self, judged, value, outcome):
        more = claim("mfu", value=value)
        found = self.judge(judged, recompute=None, statement="MFU", more=more, counted=None, method=None)
        assert found.outcome is outcome

    @pytest.mark.parametrize(("value", "unit", "outcome"), [("1.20", "PFLOP/s", PASS), ("1.40", "PFLOP/s", OPEN)])
    def test_flops_imply_a_utilisation(self, judged, value, unit, outcome):
        more = claim("flops", value=value, unit=unit)
        found = self.judge(judged, "flops", None, f"{value} {unit}", more, counted=None, method=None)
        assert found.outcome is outcome

    def test_kernels_are_outside(self, judged):
        assert judged("kernel", "W0704", "gemm").outcome is OUTSIDE

    @pytest.mark.parametrize("fields", [{"mode": "inference"}, {"mode": "none"}, {"scope": "layer"}])
    def test_what_does_not_train_is_outside(self, judged, fields):
        more = claim("mfu", **fields)
        assert self.judge(judged, statement="48.0 % MFU", more=more, counted="hardware").outcome is OUTSIDE

    @pytest.mark.parametrize(("form", "outcome"), [("absolute", OPEN), ("ratio", PASS)])
    def test_a_ratio_of_utilisations_is_none(self, judged, form, outcome):
        more = claim("mfu", value="60", form=form)
        found = self.judge(judged, recompute=None, statement="MFU", more=more, counted=None, method=None)
        assert found.outcome is outcome


class TestOpsToSolution:
    ITEM = "convergence at the lower precision"

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
        assert (result.outcome, result.branch.item) == (OPEN, "")
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
        assert (result.outcome, result.branch.item) == (OPEN, self.ITEM)
        assert self.judge(judged, self.runs(), purpose="attribution").outcome is OUTSIDE

    def test_runs_of_another_precision_tell_nothing(self, judged):
        fused = {"options": {"precision": {"compute": "e4m3"}}}
        moved = claim("speedup", measured={"arm": "fast"}) | arm(
            "fast", options={"model": "decoder 124M", "precision": {"compute": "e4m3"}, "global_batch": 32}
        )
        assert self.judge(judged, fused | {"options": None}, moved).outcome is OPEN

    def test_declared_rates(self, judged):
        more = {"arms": {"plain": {"trials": {f"t{i}": None for i in range(1, 6)}}}}
        assert self.judge(judged, self.runs(161000, 158000, 164000), more).outcome is FLAW
        assert self.judge(judged, self.runs(101000, 102000, 103000), more).outcome is PASS

    def test_throughput_of_hardware_is_outside(self, judged):
        lost = self.runs(161000, 158000, 164000)
        assert self.judge(judged, lost, purpose="hardware_throughput").outcome is OUTSIDE

    def test_other_attributions_are_outside(self, judged):
        assert judged("training-pair", "W0705", "speedup").outcome is OUTSIDE

    @pytest.mark.parametrize(
        ("fields", "outcome"),
        [
            ({"value": "1.43"}, FLAW),
            ({"value": "1.43", "qualifier": "over"}, OUTSIDE),
            ({"value": "2.5"}, PASS),
        ],
        ids=["as claimed", "no upper end", "kept"],
    )
    def test_only_the_ratio_is_stated(self, judged, fields, outcome):
        unnamed = {"measured": {"arm": "fused", "metric": "none"}}
        assert self.judge(judged, self.runs(161000, 158000, 164000), **unnamed, **fields).outcome is outcome

    def test_the_higher_precision_is_not_shown(self, judged):
        more = arm("plain", trials=None, quality=None)
        assert self.judge(judged, self.runs(81000, 82000, 83000), more).outcome is OUTSIDE

    def test_a_first_evaluation_tells_no_least(self, judged):
        """A run that meets its target at the first evaluation may have met it at any sample before."""
        log = [{"split": "test", "samples": 160000, "step": 5000, "metrics": {"loss": 3.2}}]
        runs = {f"s{i}": {"evaluations": log, "crossing": {"samples": 160000, "step": 5000}} for i in range(1, 6)}
        assert self.judge(judged, self.runs() | {"trials": runs}).outcome is PASS

    def test_the_arms_own_runs_come_first(self, judged):
        """Another arm of equal options crossed earlier; the arm behind the claim did not."""
        fused = self.runs(161000, 158000, 164000)
        options = {"model": "decoder 124M", "precision": {"compute": "e4m3"}}
        assert self.judge(judged, fused).outcome is FLAW
        others = {
            f"s{i}": {"kind": "convergence", "outcome": "completed", "crossing": {"reached": True, "samples": 1000}}
            for i in range(1, 4)
        }
        target = {"metric": "loss", "value": "3.30", "direction": "lower"}
        more = arm("twin", options=options, option_set="sha256:" + "1" * 64, trials=others, target=target)
        assert self.judge(judged, fused | {"option_set": "sha256:" + "1" * 64}, more).outcome is FLAW

    def test_rates_in_two_units_give_no_ratio(self, judged):
        more = arm("plain", trials={f"t{i}": None for i in range(1, 6)}, performance={"rate": {"unit": "ktokens/s"}})
        assert self.judge(judged, self.runs(161000, 158000, 164000), more).outcome is FLAW
        assert self.judge(judged, self.runs(161000, 158000, 164000), more, qualifier="over").outcome is OUTSIDE


COLUMNS = {
    "flops": {"quantity": "flops", "unit": "TFLOP/s"},
    "rate": {"quantity": "rate", "unit": "tokens/s"},
}


class TestMixedFlopAccounting:
    def judge(self, judged, rows, said=(), more=None, **columns):
        columns = columns or {"flops": {"quantity": "flops", "unit": "TFLOP/s"}}
        table = {"columns": columns, "rows": {f"r{i}": row for i, row in enumerate(rows)}}
        patch = {"tables": {"models": table}} | claim(
            "flops", row={"table": "models", "row": "r0"}, said=[{"topic": t, "quote": "..."} for t in said]
        )
        return judged("training-flops", "W0706", "flops", with_(patch, more or {}))

    @staticmethod
    def methods(*texts):
        return [{"flop_method": text, "values": {"flops": "150.0"}} for text in texts]

    @pytest.mark.parametrize(
        ("texts", "outcome"),
        [
            (("6N", "8N"), FLAW),
            (("6 N per token", "6*params per token"), PASS),
            (("6ND", "6N, FMA = 2"), PASS),
            (("6N", "6N + 12Lds"), FLAW),
            (("6N + 12 L d s", "6N + 6Lds, causal"), FLAW),
            (("MACs", "FMA = 2"), FLAW),
            (("m·n·k, one operation per multiply-add", "2·m·n·k, multiply-add = 2"), FLAW),
            (("mnk", "2 mnk"), FLAW),
            (("multiply-adds count once", "two FLOPs per MAC"), FLAW),
            (("2 m n k", "2 x MACs"), PASS),
            (("size m·n·k; multiply-add = 2", "MACs"), OUTSIDE),
            (("model FLOPs", "HFU"), FLAW),
            (("as in [7]", "as in [7]"), PASS),
            (("as in [7]", "as in [8]"), OUTSIDE),
            (("6N", None), OUTSIDE),
            (("6N, with recomputation 8N", "6N"), OUTSIDE),
        ],
    )
    def test_stated_rules(self, judged, texts, outcome):
        result = self.judge(judged, self.methods(*texts))
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("a", UNDERMINES, C3)

    def test_it_is_said(self, judged):
        result = self.judge(judged, self.methods("6N", "8N"), said=["mixed_flop_accounting"])
        assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)

    def test_columns_of_their_own(self, judged):
        rows = [
            {"flop_method": "6N", "values": {"mfu": "50", "hfu": "62"}},
            {"flop_method": "8N", "values": {"hfu": "61"}},
        ]
        columns = {name: {"quantity": "mfu", "unit": "%"} for name in ("mfu", "hfu")}
        assert self.judge(judged, rows, **columns).outcome is OUTSIDE

    @pytest.mark.parametrize(("recomputes", "outcome"), [(True, FLAW), (False, OUTSIDE)])
    def test_executed_operations_are_the_models_without_recomputation(self, judged, recomputes, outcome):
        other = {"operations": {"counted": "hardware"}, "options": {"activation_checkpointing": recomputes}}
        own = {"options": {"activation_checkpointing": True}, "operations": {"method": None}}
        rows = [{"arm": "a", "values": {"flops": "150"}}, {"arm": "b", "values": {"flops": "160"}}]
        assert self.judge(judged, rows, more={"arms": {"a": own, "b": other}}).outcome is outcome

    @staticmethod
    def implied(*per_token, known=True):
        """Rows of a model with N = 1e9 and L d s = 1e8: 6e9, 7.2e9, 6.6e9 or 8e9 operations per token."""
        sizes = {"layers": 25, "hidden": 2000} if known else {}
        arms = {f"m{i}": {"operations": {"dimensions": sizes}} for i in range(len(per_token))}
        rows = [
            {
                "arm": f"m{i}",
                "parameters": 1.0e9,
                "options": {"input_length": 2000},
                "values": {"flops": f"{flop / 1e7:.1f}", "rate": "100000"},
            }
            for i, flop in enumerate(per_token)
        ]
        return rows, {"arms": arms}

    @pytest.mark.parametrize(
        ("per_token", "outcome"),
        [
            ((6.0e9, 8.0e9), FLAW),
            ((6.0e9, 7.2e9), FLAW),
            ((6.05e9, 5.95e9), PASS),
            ((7.2e9, 7.3e9), PASS),
            ((6.0e9, 9.9e9), OUTSIDE),
        ],
    )
    def test_operations_per_token(self, judged, per_token, outcome):
        rows, arms = self.implied(*per_token)
        assert self.judge(judged, rows, more=arms, **COLUMNS).outcome is outcome

    def test_unknown_sizes_decide_nothing(self, judged):
        rows, arms = self.implied(6.0e9, 8.0e9, known=False)
        assert self.judge(judged, rows, more=arms, **COLUMNS).outcome is OUTSIDE

    def test_two_sides_of_a_ratio(self, judged):
        other = arm("b", operations={"method": "8N per token", "counted": "model"})
        more = with_(other, claim("flops", form="ratio", unit="x", value="1.2", base={"arm": "b"}))
        more = with_(more, arm("a", operations={"method": "6N per token"}))
        rows = [{"values": {"flops": "150"}}]
        assert self.judge(judged, [*rows, *rows], more=more).outcome is FLAW

    @pytest.mark.parametrize(
        ("theirs", "options", "outcome"),
        [
            ({"flop_per_sample": 2.7e13}, {}, FLAW),
            ({"flop_per_sample": 1.2e13}, {}, OUTSIDE),
            ({"flop_per_sample": 2.7e13, "counted": "hardware"}, {}, OUTSIDE),
            ({"flop_per_sample": 2.7e13}, {"input_length": 4096}, OUTSIDE),
            ({"flop_per_sample": 2.7e13}, {"sparsity": "2:4"}, OUTSIDE),
            ({"flop_per_sample": 2.7e13}, {"activation_checkpointing": True}, OUTSIDE),
            ({"flop_per_sample": 2.7e13}, {"precision": {"compute": "fp16"}}, FLAW),
        ],
    )
    def test_one_example_of_one_model(self, judged, theirs, options, outcome):
        more = {"sparsity": "none", "activation_checkpointing": False}
        own = base("training-flops")["arms"]["a"]["options"] | more
        patch = arm("a", options=more, operations={"flop_per_sample": 1.35e13, "method": None, "counted": None})
        ours = with_(patch, arm("b", options=own | options, operations=theirs))
        more = with_(ours, claim("flops", form="ratio", unit="x", value="1.2", base={"arm": "b"}))
        assert judged("training-flops", "W0706", "flops", more).outcome is outcome

    def test_two_sides_that_count_alike(self, judged):
        other = arm("b", operations={"method": "6 N per token", "counted": "model"})
        more = with_(other, claim("flops", form="ratio", unit="x", value="1.2", base={"arm": "b"}))
        more = with_(more, arm("a", operations={"method": "6N per token"}))
        rows = [{"values": {"flops": "150"}}]
        assert self.judge(judged, [*rows, *rows], more=more).outcome is PASS

    def test_rates_per_device_meet_totals(self, judged):
        rows, arms = self.implied(6.0e9, 8.0e9)
        columns = COLUMNS | {"rate": {"quantity": "rate", "unit": "tokens/s/GPU"}}
        for row in rows:
            row["devices"] = 8
            row["values"]["rate"] = "12500"
        assert self.judge(judged, rows, more=arms, **columns).outcome is FLAW
        for row in rows:
            del row["devices"]
        assert self.judge(judged, rows, more=arms, **columns).outcome is OUTSIDE
