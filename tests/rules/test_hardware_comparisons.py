"""W0402, W0403 and W0405: classes of devices, stale stacks and weak bases."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome

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


OTHER = claim("speedup", statement="1.34x faster than OtherLM.", comparator={"device": None}) | {
    "systems": {"theirs": {"device": "T4", "power_limit_w": 70}}
}
CPU = claim("speedup", statement="1.34x faster than OtherLM.", comparator={"device": None}) | {
    "systems": {"theirs": {"device": "EPYC 7763", "device_kind": "processor", "threads_used": 8, "power_limit_w": 280}}
}


class TestDeviceClassMismatch:
    @staticmethod
    def peaks(ours, theirs, kind="dense", compute="bf16"):
        there = {
            "operations": {"peak_flops": theirs, "peak_kind": kind},
            "options": {"precision": {"compute": compute}},
        }
        here = {"peak_flops": ours, "peak_kind": "dense"}
        return {"arms": {"ours": {"operations": here}, "theirs": there}}

    @pytest.fixture
    def judge(self, judged):
        # The arm states a power limit in force, which would come before the one of its system.
        def run(patch, **kept):
            freed = {"arms": {"theirs": {"environment": {"power_limit_w": None}}}}
            return judged("comparison", "W0402", "speedup", with_(patch, with_(freed, kept)))

        return run

    def test_a_power_ratio_above_four(self, judge):
        result = judge(OTHER)
        assert (result.outcome, result.branch.effect, result.branch.confidence) == (FLAW, UNDERMINES, C1)
        assert "power envelope" in result.branch.message

    @pytest.mark.parametrize(("theirs", "outcome"), [(60e12, FLAW), (80e12, PASS), (312e12, PASS)])
    def test_peaks_at_one_format(self, judge, theirs, outcome):
        patch = with_(with_(OTHER, self.peaks(312e12, theirs)), {"systems": {"theirs": {"power_limit_w": 300}}})
        assert judge(patch).outcome is outcome

    def test_a_sparse_peak_counts_half(self, judge):
        patch = with_(OTHER, {"systems": {"theirs": {"power_limit_w": 300}}})
        assert judge(with_(patch, self.peaks(312e12, 130e12, kind="sparse_2_4"))).outcome is FLAW
        assert judge(with_(patch, self.peaks(312e12, 130e12))).outcome is PASS

    def test_peaks_at_two_formats_tell_nothing(self, judge):
        patch = with_(OTHER, {"systems": {"theirs": {"power_limit_w": 300}}})
        assert judge(with_(patch, self.peaks(312e12, 30e12, compute="fp32"))).outcome is OPEN

    def test_many_small_devices_are_no_small_system(self, judge):
        counts = {"theirs": {"devices": 64, "options": {"devices": 64}}}
        patch = with_(with_(OTHER, {"arms": counts}), self.peaks(312e12, 65e12))
        assert judge(patch).outcome is PASS

    def test_unknown_counts_leave_it_open(self, judge):
        patch = with_(OTHER, {"arms": {"theirs": {"devices": None, "options": {"devices": None}}}})
        patch = with_(patch, {"systems": {"theirs": {"nodes": None}}})
        patch = with_(patch, claim("speedup", base={"devices": None}, comparator={"devices": None}))
        assert judge(patch).outcome is OPEN

    def test_a_larger_baseline_misleads_nobody(self, judge):
        patch = with_(OTHER, {"systems": {"theirs": {"power_limit_w": 4000}}})
        assert judge(with_(patch, self.peaks(312e12, 4e15))).outcome is PASS

    @pytest.mark.parametrize(
        "more",
        [
            claim("speedup", statement="1.34x the tokens per joule of OtherLM."),
            claim("speedup", unit="x tokens/J"),
            claim("speedup", said=[{"topic": "hardware_normalisation", "quote": "per watt 0.9x"}]),
            {"disclosures": [{"topic": "hardware_normalisation", "quote": "per watt 0.9x"}]},
            {"tables": {"systems": {"columns": {"mfu": {"quantity": "mfu", "unit": "%"}}}}},
            {"arms": {"ours": {"energy": {"energy_j": 5.0}}, "theirs": {"energy": {"energy_j": 2.0}}}},
        ],
        ids=["statement", "unit", "said", "disclosed", "column", "energy of both"],
    )
    def test_a_number_without_the_size_settles_it(self, judge, more):
        assert judge(with_(OTHER, more)).outcome is PASS

    @pytest.mark.parametrize(
        ("system", "outcome"),
        [
            ({}, FLAW),
            ({"threads_used": 63}, FLAW),
            ({"threads_used": 64}, OPEN),
            ({"threads_used": 128, "vectorised": False}, FLAW),
            ({"threads_used": 128, "vectorised": True}, OPEN),
            ({"host_cores": None}, OPEN),
        ],
        ids=["few threads", "just below half", "half", "scalar", "vectors", "cores not stated"],
    )
    def test_a_processor_baseline(self, judge, system, outcome):
        assert judge(with_(CPU, {"systems": {"theirs": system}})).outcome is outcome

    def test_a_full_processor_with_a_normalised_value_passes(self, judge):
        more = {
            "systems": {"theirs": {"threads_used": 128}},
            **claim("speedup", statement="Per watt 1.34x of OtherLM."),
        }
        assert judge(with_(CPU, more)).outcome is PASS

    @pytest.mark.parametrize(
        ("more", "outcome"),
        [
            (claim("speedup", base={"definition": "the original serial code"}), OUTSIDE),
            (claim("speedup", statement="1.34x faster than the single-threaded code."), OUTSIDE),
            (claim("speedup", treatment=["threads"]), OPEN),
        ],
        ids=["serial code", "single thread", "threads are studied"],
    )
    def test_what_may_run_on_few_threads(self, judge, more, outcome):
        assert judge(with_(CPU, more)).outcome is outcome

    def test_two_processors_with_equal_threads(self, judge):
        ours = {"device": "EPYC 7763", "device_kind": "processor", "threads_used": 8}
        assert judge(with_(CPU, {"systems": {"ours": ours}})).outcome is PASS
        assert judge(with_(CPU, {"systems": {"ours": ours | {"threads_used": 128}}})).outcome is FLAW

    def test_no_ratio_between_rows(self, judged):
        assert judged("comparison", "W0402", "best").outcome is OUTSIDE

    @pytest.mark.parametrize("quantity", ["cost", "accuracy"])
    def test_no_speed(self, judge, quantity):
        assert judge(with_(OTHER, claim("speedup", quantity=quantity, unit="x"))).outcome is OUTSIDE

    def test_no_other_side(self, judged):
        patch = claim("speedup", base=None, comparator=None)
        assert judged("comparison", "W0402", "speedup", patch).outcome is OPEN


class TestBaselineSoftwareStale:
    @staticmethod
    def days(ours, theirs, **more):
        return {
            "arms": {"ours": {"software": {"released": ours}}, "theirs": {"software": {"released": theirs, **more}}}
        }

    @pytest.mark.parametrize(
        ("ours", "theirs", "outcome"),
        [
            ("2026-01-02", "2025-01-01", FLAW),
            ("2026-01-01", "2025-01-01", PASS),
            ("2024-01-01", "2026-01-01", PASS),
            ("2026-02-31", "2020-01-01", OUTSIDE),
            (None, "2020-01-01", OUTSIDE),
        ],
        ids=["a year and a day", "a year", "younger", "no such day", "not stated"],
    )
    def test_age(self, judged, ours, theirs, outcome):
        result = judged("comparison", "W0403", "speedup", self.days(ours, theirs))
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C1)

    def test_the_day_of_the_result_bounds_the_stack(self, judged):
        patch = with_(self.days("2026-01-02", None), claim("speedup", comparator={"date": "2024-06-01"}))
        assert judged("comparison", "W0403", "speedup", patch).outcome is FLAW

    @pytest.mark.parametrize("where", ["said", "disclosed"])
    def test_a_pinned_stack_is_excused(self, judged, where):
        pinned = [{"topic": "software_pinned", "quote": "the V100 needs CUDA 11"}]
        more = claim("speedup", said=pinned) if where == "said" else {"disclosures": pinned}
        assert (
            judged("comparison", "W0403", "speedup", with_(self.days("2026-01-02", "2020-01-01"), more)).outcome is PASS
        )

    @pytest.mark.parametrize(
        ("theirs", "statement", "outcome"),
        [
            ("off", "1.34x faster.", FLAW),
            ("9.1.0", "1.34x faster.", OUTSIDE),
            ("none", "1.34x faster with cuDNN.", OUTSIDE),
        ],
        ids=["off", "on", "studied"],
    )
    def test_a_library_that_is_off(self, judged, theirs, statement, outcome):
        patch = arm("theirs", software={"libraries": {"cudnn": theirs, "cuDNN": None}}) | claim(
            "speedup", statement=statement
        )
        assert judged("comparison", "W0403", "speedup", patch).outcome is outcome

    def test_own_variants(self, judged):
        assert judged("training-pair", "W0403", "speedup").outcome is PASS
        old = {
            "arms": {
                "plain": {"software": {"released": "2023-01-01"}},
                "fused": {"software": {"released": "2026-01-01"}},
            }
        }
        assert judged("training-pair", "W0403", "speedup", old).outcome is FLAW
        studied = with_(old, claim("speedup", treatment=["framework version"]))
        assert judged("training-pair", "W0403", "speedup", studied).outcome is OUTSIDE

    def test_the_day_of_a_result_acquits_nobody(self, judged):
        """A result of this year may rest on a stack of any year before."""
        patch = with_(self.days("2026-01-02", None), claim("speedup", comparator={"date": "2025-12-01"}))
        assert judged("comparison", "W0403", "speedup", patch).outcome is OUTSIDE

    def test_a_quoted_result_has_no_arm(self, judged):
        patch = claim("speedup", base=None, comparator={"date": "2024-06-01"})
        dated = with_(patch, arm("ours", software={"released": "2026-01-02"}))
        assert judged("comparison", "W0403", "speedup", dated).outcome is FLAW
        assert judged("comparison", "W0403", "speedup", patch).outcome is OUTSIDE


WEAK = {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": "14000"}}}}}}


class TestDegenerateBaseline:
    @pytest.mark.parametrize(("rate", "outcome"), [("14000", FLAW), ("15270", FLAW), ("15290", PASS)])
    def test_the_rate_per_device_at_the_base(self, judged, rate, outcome):
        patch = {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": rate}}}}}}
        result = judged("strong-scaling", "W0405", "speedup", patch)
        assert result.outcome is outcome
        if outcome is FLAW:
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
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is OUTSIDE

    def test_absolute_claims_have_no_base(self, judged):
        patch = with_(WEAK, claim("speedup", form="absolute", unit="images/s", value="129600"))
        assert judged("strong-scaling", "W0405", "speedup", patch).outcome is OUTSIDE

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
