"""W0405, degenerate-baseline: A ratio grows by a weak base as well as by a strong subject."""

import pytest
from dlaudit.rules.outcome import C1, UNDERMINES, Effect, Outcome
from support.patches import claim, with_

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE
WEAK = {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": "14000"}}}}}}


class TestDegenerateBaseline:
    @pytest.mark.parametrize(("rate", "outcome"), [("14000", VIOLATION), ("15270", VIOLATION), ("15290", PASS)])
    def test_the_rate_per_device_at_the_base(self, judged, rate, outcome):
        patch = {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": rate}}}}}}
        result = judged("strong-scaling", "W0405", "speedup", patch)
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("c", UNDERMINES, C1)

    @pytest.mark.parametrize(
        "more",
        [
            claim("speedup", statement="6.62x faster; one node is limited by memory."),
            claim("speedup", explanation="out of memory at one node"),
            claim("speedup", base={"definition": "one node, paging to the host"}),
        ],
    )
    def test_memory_is_named(self, judged, more):
        assert judged("strong-scaling", "W0405", "speedup", with_(WEAK, more)).outcome is PASS

    @pytest.mark.parametrize(
        "options",
        [{"precision": {"compute": "fp32"}}, {"tensor_parallel": 8}, {"global_batch": None, "micro_batch": 64}],
    )
    def test_only_points_with_equal_options_count(self, judged, options):
        options = {"global_batch": 4096, "data_parallel": None, "accumulation": None} | options
        patch = with_(WEAK, {"tables": {"nodes": {"rows": {"r1": {"options": options}}}}})
        patch = with_(patch, {"arms": {"n1": {"options": {"global_batch": None, "accumulation": None}}}})
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is NOT_APPLICABLE

    def test_absolute_claims_have_no_base(self, judged):
        patch = with_(WEAK, claim("speedup", form="absolute", unit="images/s", value="129600"))
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is NOT_APPLICABLE

    @staticmethod
    def lengths(base, subject, setting="input_length"):
        """Two methods by sequence length: the base collapses at the last one."""
        rows = {}
        for index, (plain, fused) in enumerate(zip(base, subject, strict=True)):
            options = {setting: 1024 * 2**index} if setting == "input_length" else {setting: f"kind {index}"}
            rows[f"p{index}"] = {"values": {"rate": plain}, "options": {"attention": "plain", **options}}
            rows[f"f{index}"] = {"values": {"rate": fused}, "options": {"attention": "fused", **options}}
        last = len(base) - 1
        columns = {"rate": {"quantity": "rate", "unit": "tokens/s"}}
        table = {"columns": columns, "rows": rows, "varies": ["attention", setting]}
        return {"tables": {"lengths": table}} | claim(
            "speedup", row={"table": "lengths", "row": f"f{last}", "base_row": f"p{last}"}
        )

    @pytest.mark.parametrize(
        ("base", "subject", "setting", "branch"),
        [
            (("3000", "2900", "700"), ("4000", "3900", "3600"), "input_length", "b"),
            (("3000", "2000", "700"), ("4000", "3900", "3600"), "input_length", None),
            (("3000", "2900", "700"), ("4000", "3900", "3000"), "input_length", None),
            (("3000", "2900", "700"), ("4000", "3900", "3600"), "dataset", None),
        ],
        ids=["collapse", "2.9 times", "the subject changes, too", "no setting but kinds"],
    )
    def test_a_collapsed_point(self, judged, base, subject, setting, branch):
        result = judged("training-pair", "W0405", "speedup", self.lengths(base, subject, setting))
        assert (result.branch.branch if result.branch else None) == branch

    def test_paging_is_the_treatment(self, judged):
        patch = self.lengths(("3000", "2900", "700"), ("4000", "3900", "3600"))
        patch["claims"]["speedup"]["treatment"] = ["paging"]
        assert judged("training-pair", "W0405", "speedup", patch).outcome is PASS

    def test_a_collapsed_point_in_two_columns(self, judged):
        columns = {name: {"quantity": "time", "unit": "ms"} for name in ("plain", "fused")}
        columns["batch"] = {"quantity": "count", "unit": "samples"}
        values = (("8", "10.0", "8.0"), ("16", "10.5", "8.1"), ("32", "41.0", "8.9"))
        rows = {f"b{b}": {"values": {"batch": b, "plain": plain, "fused": fused}} for b, plain, fused in values}
        patch = {"tables": {"batches": {"columns": columns, "rows": rows, "varies": ["batch"]}}}
        fields = {"row": {"table": "batches", "row": "b32"}, "quantity": "time", "base": {"arm": None, "metric": None}}
        result = judged("training-pair", "W0405", "speedup", patch | claim("speedup", **fields))
        assert result.branch.branch == "b"
        fields["row"] = {"table": "batches", "row": "b16"}
        assert judged("training-pair", "W0405", "speedup", patch | claim("speedup", **fields)).outcome is PASS

    @staticmethod
    def sibling(base, largest, memory=80, batch=8192):
        options = {"model": "ResNet-50 v1.5", "precision": {"compute": "bf16"}, "global_batch": batch}
        system = {"name": "nodes", "device": "A100", "device_memory_gib": memory}
        rows = {
            "s1": {"system": "other", "devices": 8, "options": options, "values": {"rate": base}},
            "s8": {"system": "other", "devices": 64, "options": options, "values": {"rate": largest}},
        }
        columns = {"rate": {"quantity": "rate", "unit": "images/s"}}
        return {
            "tables": {"sibling": {"columns": columns, "rows": rows, "varies": ["devices"]}},
            "systems": {"other": system},
        }

    @pytest.mark.parametrize(
        ("patch", "branch"),
        [
            (("26000", "130000"), "a"),
            (("25000", "130000"), None),
            (("26000", "170000"), None),
            (("26000", "130000", 40), "a"),
            (("26000", "130000", 96), None),
            (("26000", "130000", 80, 4096), None),
        ],
        ids=["weak", "less than 1.3", "they do not agree", "smaller memory", "larger memory", "another batch"],
    )
    def test_a_sibling_series(self, judged, patch, branch):
        result = judged("strong-scaling", "W0405", "speedup", self.sibling(*patch))
        assert (result.branch.branch if result.branch else None) == branch

    @pytest.mark.parametrize(("peak", "branch"), [(125e12, "a"), (400e12, None), (None, None)])
    def test_a_smaller_device_in_the_same_table(self, judged, peak, branch):
        """The base on A100 is beaten by a V100 with less memory and, where it is stated, a smaller peak."""
        options = {"model": "ResNet-50 v1.5", "precision": {"compute": "bf16"}, "global_batch": 8192}
        rows = {
            f"v{devices}": {"arm": f"v{devices}", "devices": devices, "options": options, "values": {"rate": rate}}
            for devices, rate in ((8, "26000"), (64, "130000"))
        }
        operations = {"operations": {"peak_flops": peak}} if peak is not None else {}
        arms = {name: {"system": "v100", **operations} for name in rows}
        patch = {
            "tables": {"nodes": {"rows": rows}},
            "arms": {**arms, "n1": {"operations": {"peak_flops": 312e12}}},
            "systems": {"v100": {"name": "V100", "device": "V100", "device_memory_gib": 32}},
        }
        result = judged("strong-scaling", "W0405", "speedup", patch)
        assert (result.branch.branch if result.branch else None) == branch

    @pytest.mark.parametrize(
        ("row", "base", "rate"),
        [
            ({"row": None, "base_row": "r1"}, {}, "14000"),
            ({"row": None, "base_row": None}, {}, "14000"),
        ],
        ids=["named by the claim", "named by the table"],
    )
    def test_a_claim_about_the_whole_table(self, judged, row, base, rate):
        patch = with_(self.weak(rate), claim("speedup", row=row, base=base))
        assert judged("strong-scaling", "W0405", "speedup", patch).branch.branch == "c"

    @staticmethod
    def weak(rate, **table):
        return {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": rate}}}, **table}}}

    def test_the_base_is_the_row_of_its_arm(self, judged):
        patch = with_(self.weak("14000", base_row=None), claim("speedup", row={"base_row": None}))
        assert judged("strong-scaling", "W0405", "speedup", patch).branch.branch == "c"

    def test_devices_as_a_setting(self, judged):
        """Two methods by device count: at eight devices one of them collapses."""
        rows = {}
        for devices, plain, fused in ((2, "2000", "2100"), (4, "3900", "4200"), (8, "1200", "4500")):
            rows[f"p{devices}"] = {"devices": devices, "options": {"attention": "plain"}, "values": {"rate": plain}}
            rows[f"f{devices}"] = {"devices": devices, "options": {"attention": "fused"}, "values": {"rate": fused}}
        table = {"columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}}, "rows": rows, "varies": ["devices"]}
        row = {"table": "devices", "row": "f8", "base_row": "p8"}
        result = judged("training-pair", "W0405", "speedup", {"tables": {"devices": table}} | claim("speedup", row=row))
        assert result.branch.branch == "b"
        assert "size 4" in result.branch.message

    @pytest.mark.parametrize(("batches", "outcome"), [((1024, 2048), VIOLATION), ((1024, 1536), NOT_APPLICABLE)])
    def test_equal_work_per_device_is_equal(self, judged, batches, outcome):
        """Weak scaling: the batch grows with the devices."""
        options = {"model": "ResNet-50", "precision": {"compute": "bf16"}}
        rows = {
            f"d{devices}": {
                "devices": devices,
                "options": options | {"global_batch": batch},
                "values": {"rate": rate},
            }
            for devices, batch, rate in zip((8, 16), batches, ("1000", "2700"), strict=True)
        }
        rows["other"] = {"devices": 32, "options": {"model": "VGG-16"}, "values": {"rate": "90000"}}
        columns = {"rate": {"quantity": "rate", "unit": "images/s"}}
        table = {"columns": columns, "rows": rows, "varies": ["devices"], "base_row": "d8"}
        patch = {"tables": {"weak": table}} | claim("speedup", row={"table": "weak", "row": "d16", "base_row": "d8"})
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is outcome

    @pytest.mark.parametrize("key", ["model", "precision"])
    def test_a_sibling_of_another_workload(self, judged, key):
        patch = self.sibling("26000", "130000")
        for row in patch["tables"]["sibling"]["rows"].values():
            row["options"] = row["options"] | {key: "VGG-16" if key == "model" else {"compute": "fp16"}}
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is PASS

    def test_a_sibling_in_another_unit(self, judged):
        patch = self.sibling("26000", "130000")
        patch["tables"]["sibling"]["columns"]["rate"]["unit"] = "kimages/s"
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is PASS


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ({"options": {"activation_checkpointing": True}}, "twice"),
        ({"options": {"offload": "optimizer state to host memory"}}, "host memory"),
        ({"measurement": {"pipeline": {"data_wait_share": 0.45}}}, "waits 45 %"),
        ({"environment": {"co_tenants": "another job"}}, "shares its device"),
    ],
)
def test_a_burden_of_the_base_alone(judged, base, words):
    free = {
        "options": {"activation_checkpointing": False, "offload": "none"},
        "measurement": {"pipeline": {"kind": "real", "data_wait_share": 0.01}},
        "environment": {"co_tenants": "none"},
    }
    patch = {"arms": {"ours": free, "theirs": with_(free, base)}}
    result = judged("comparison", "W0405", "speedup", patch)
    assert (result.branch.branch, result.branch.effect, words in result.branch.message) == (
        "d",
        Effect.UNDERMINES,
        True,
    )
    both = {"arms": {"ours": with_(free, base), "theirs": with_(free, base)}}
    assert judged("comparison", "W0405", "speedup", both).outcome is not Outcome.VIOLATION
    studied = ["activation_checkpointing", "offload", "input pipeline", "co_tenants"]
    said = with_(patch, {"claims": {"speedup": {"treatment": studied}}})
    assert judged("comparison", "W0405", "speedup", said).outcome is not Outcome.VIOLATION


def held_back(ours, theirs, statement="It serves 1.6x the tokens of the other server."):
    """Return a patch: options of both sides of a served comparison."""
    arms = {"ours": {"options": ours}, "theirs": {"options": theirs}}
    return {"claims": {"speedup": {"statement": statement}}, "arms": arms}


SMALL = {"global_batch": 1, "per_device_batch": 1}
LARGE = {"global_batch": 8, "per_device_batch": 8}
FP16, FP32 = ({"precision": {"compute": name}} for name in ("fp16", "fp32"))


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (held_back(LARGE, SMALL), Outcome.VIOLATION),
        (held_back(SMALL, LARGE), Outcome.NOT_APPLICABLE),
        (held_back(LARGE, SMALL, "At a batch of 8 it is 1.6x as fast as one by one."), Outcome.NOT_APPLICABLE),
        (held_back(FP16, FP32), Outcome.VIOLATION),
        (held_back(FP32, FP16), Outcome.NOT_APPLICABLE),
        (held_back(FP16, FP32, "FP16 is 1.6x as fast as the other server's FP32."), Outcome.NOT_APPLICABLE),
    ],
    ids=["small batch", "large batch", "batch is named", "wide format", "narrow format", "format is named"],
)
def test_an_inference_that_was_held_back(judged, patch, outcome):
    assert judged("serving-comparison", "W0405", "speedup", patch).outcome is outcome
