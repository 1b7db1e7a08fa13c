"""W0402 and W0403: classes of devices and stale stacks."""

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

    def test_two_variants_of_one_author(self, judge):
        """The baseline may be one's own code: on one thread of a processor it is no baseline."""
        own = claim("speedup", compares="own_variants", base={"arm": "theirs"})
        result = judge(with_(CPU, own))
        assert (result.outcome, "8 threads" in result.branch.message) == (FLAW, True)
        assert judge(with_(CPU, with_(own, {"systems": {"theirs": {"host_cores": None}}}))).outcome is not OPEN
        assert judge(claim("speedup", compares="own_variants")).outcome is OUTSIDE

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

    def test_vectors_on_both_processors(self, judge):
        ours = {"device": "EPYC 7763", "device_kind": "processor", "threads_used": 128, "vectorised": True}
        theirs = {"threads_used": 128, "vectorised": False}
        assert judge(with_(CPU, {"systems": {"ours": ours, "theirs": theirs}})).outcome is FLAW
        assert judge(with_(CPU, {"systems": {"ours": ours | {"vectorised": False}, "theirs": theirs}})).outcome is PASS

    def test_the_configuration_calls_the_code_serial(self, judge):
        assert judge(with_(CPU, claim("speedup", comparator={"configuration": "serial, -O3"}))).outcome is OUTSIDE

    @pytest.mark.parametrize(
        ("energy", "outcome"),
        [({"mean_power_w": 300}, PASS), ({"boundary": "device"}, FLAW)],
        ids=["power", "no number"],
    )
    def test_energy_must_be_a_number(self, judge, energy, outcome):
        arms = {name: {"energy": energy} for name in ("ours", "theirs")}
        assert judge(with_(OTHER, {"arms": arms})).outcome is outcome

    def test_one_sides_energy_is_no_comparison(self, judge):
        assert judge(with_(OTHER, arm("ours", energy={"mean_power_w": 300}))).outcome is FLAW

    @pytest.mark.parametrize("metric", [{"quantity": "mfu", "unit": "%"}, {"quantity": "rate", "unit": "tokens/J"}])
    def test_a_normalised_metric_of_both(self, judge, metric):
        arms = {name: {"performance": {"other": metric}} for name in ("ours", "theirs")}
        assert judge(with_(OTHER, {"arms": arms})).outcome is PASS


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
