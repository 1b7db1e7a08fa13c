"""W0706, mixed-flop-accounting: One column of operations per second, counted in two ways."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import C3, CAVEAT, UNDERMINES, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE
COLUMNS = {
    "flops": {"quantity": "flops", "unit": "TFLOP/s"},
    "rate": {"quantity": "rate", "unit": "tokens/s"},
}


class TestMixedFlopAccounting:
    def judge(self, judged, rows, said=(), more=None, **columns):
        columns = columns or {"flops": {"quantity": "flops", "unit": "TFLOP/s"}}
        table = {"columns": columns, "rows": {f"r{i}": row for i, row in enumerate(rows)}}
        patch = {"tables": {"models": table}} | claim(
            "flops",
            row={"table": "models", "row": "r0"},
            said=[{"topic": topic, "quote": "they count differently"} for topic in said],
        )
        return judged("training-flops", "W0706", "flops", with_(patch, more or {}))

    @staticmethod
    def methods(*texts):
        return [{"flop_method": text, "values": {"flops": "150.0"}} for text in texts]

    @pytest.mark.parametrize(
        ("texts", "outcome"),
        [
            (("6N", "8N"), VIOLATION),
            (("6 N per token", "6*params per token"), PASS),
            (("6ND", "6N, FMA = 2"), PASS),
            (("6N", "6N + 12Lds"), VIOLATION),
            (("6N + 12 L d s", "6N + 6Lds, causal"), VIOLATION),
            (("MACs", "FMA = 2"), VIOLATION),
            (("m·n·k, one operation per multiply-add", "2·m·n·k, multiply-add = 2"), VIOLATION),
            (("mnk", "2 mnk"), VIOLATION),
            (("multiply-adds count once", "two FLOPs per MAC"), VIOLATION),
            (("2 m n k", "2 x MACs"), PASS),
            (("size m·n·k; multiply-add = 2", "MACs"), NOT_APPLICABLE),
            (("model FLOPs", "HFU"), VIOLATION),
            (("as in [7]", "as in [7]"), PASS),
            (("as in [7]", "as in [8]"), NOT_APPLICABLE),
            (("6N", None), NOT_APPLICABLE),
            (("6N, with recomputation 8N", "6N"), NOT_APPLICABLE),
        ],
    )
    def test_stated_rules(self, judged, texts, outcome):
        result = self.judge(judged, self.methods(*texts))
        assert result.outcome is outcome
        if outcome is VIOLATION:
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
        assert self.judge(judged, rows, **columns).outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(("recomputes", "outcome"), [(True, VIOLATION), (False, NOT_APPLICABLE)])
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
            ((6.0e9, 8.0e9), VIOLATION),
            ((6.0e9, 7.2e9), VIOLATION),
            ((6.05e9, 5.95e9), PASS),
            ((7.2e9, 7.3e9), PASS),
            ((6.0e9, 9.9e9), NOT_APPLICABLE),
        ],
    )
    def test_operations_per_token(self, judged, per_token, outcome):
        rows, arms = self.implied(*per_token)
        assert self.judge(judged, rows, more=arms, **COLUMNS).outcome is outcome

    def test_unknown_sizes_decide_nothing(self, judged):
        rows, arms = self.implied(6.0e9, 8.0e9, known=False)
        assert self.judge(judged, rows, more=arms, **COLUMNS).outcome is NOT_APPLICABLE

    def test_two_sides_of_a_ratio(self, judged):
        other = arm("b", operations={"method": "8N per token", "counted": "model"})
        more = with_(other, claim("flops", form="ratio", unit="x", value="1.2", base={"arm": "b"}))
        more = with_(more, arm("a", operations={"method": "6N per token"}))
        rows = [{"values": {"flops": "150"}}]
        assert self.judge(judged, [*rows, *rows], more=more).outcome is VIOLATION

    @pytest.mark.parametrize(
        ("theirs", "options", "outcome"),
        [
            ({"flop_per_sample": 2.7e13}, {}, VIOLATION),
            ({"flop_per_sample": 1.2e13}, {}, NOT_APPLICABLE),
            ({"flop_per_sample": 2.7e13, "counted": "hardware"}, {}, NOT_APPLICABLE),
            ({"flop_per_sample": 2.7e13}, {"input_length": 4096}, NOT_APPLICABLE),
            ({"flop_per_sample": 2.7e13}, {"sparsity": "2:4"}, NOT_APPLICABLE),
            ({"flop_per_sample": 2.7e13}, {"activation_checkpointing": True}, NOT_APPLICABLE),
            ({"flop_per_sample": 2.7e13}, {"precision": {"compute": "fp16"}}, VIOLATION),
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
        assert self.judge(judged, rows, more=arms, **columns).outcome is VIOLATION
        for row in rows:
            del row["devices"]
        assert self.judge(judged, rows, more=arms, **columns).outcome is NOT_APPLICABLE
