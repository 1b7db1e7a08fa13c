"""W0402, device-class-mismatch."""

import pytest
from dlaudit.rules.outcome import C1, UNDERMINES, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
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
        assert (result.outcome, result.branch.effect, result.branch.confidence) == (VIOLATION, UNDERMINES, C1)
        assert "power envelope" in result.branch.message

    @pytest.mark.parametrize(("theirs", "outcome"), [(60e12, VIOLATION), (80e12, PASS), (312e12, PASS)])
    def test_peaks_at_one_format(self, judge, theirs, outcome):
        patch = with_(with_(OTHER, self.peaks(312e12, theirs)), {"systems": {"theirs": {"power_limit_w": 300}}})
        assert judge(patch).outcome is outcome

    def test_a_sparse_peak_counts_half(self, judge):
        patch = with_(OTHER, {"systems": {"theirs": {"power_limit_w": 300}}})
        assert judge(with_(patch, self.peaks(312e12, 130e12, kind="sparse_2_4"))).outcome is VIOLATION
        assert judge(with_(patch, self.peaks(312e12, 130e12))).outcome is PASS

    def test_peaks_at_two_formats_tell_nothing(self, judge):
        patch = with_(OTHER, {"systems": {"theirs": {"power_limit_w": 300}}})
        assert judge(with_(patch, self.peaks(312e12, 30e12, compute="fp32"))).outcome is NOT_SHOWN

    def test_many_small_devices_are_no_small_system(self, judge):
        counts = {"theirs": {"devices": 64, "options": {"devices": 64}}}
        patch = with_(with_(OTHER, {"arms": counts}), self.peaks(312e12, 65e12))
        assert judge(patch).outcome is PASS

    def test_unknown_counts_leave_it_open(self, judge):
        patch = with_(OTHER, {"arms": {"theirs": {"devices": None, "options": {"devices": None}}}})
        patch = with_(patch, {"systems": {"theirs": {"nodes": None}}})
        patch = with_(patch, claim("speedup", base={"devices": None}, comparator={"devices": None}))
        assert judge(patch).outcome is NOT_SHOWN

    def test_a_larger_baseline_misleads_nobody(self, judge):
        patch = with_(OTHER, {"systems": {"theirs": {"power_limit_w": 4000}}})
        assert judge(with_(patch, self.peaks(312e12, 4e15))).outcome is PASS

    @pytest.mark.parametrize(
        "more",
        [
            claim("speedup", statement="1.34x the tokens per joule of OtherLM."),
            claim("speedup", unit="x tokens/J"),
            claim("speedup", statement="1.34x faster than OtherLM at 3 times the price."),
            claim("speedup", said=[{"topic": "hardware_normalisation", "quote": "per watt 0.9x"}]),
            {"disclosures": [{"topic": "hardware_normalisation", "quote": "per watt 0.9x"}]},
            {"tables": {"systems": {"columns": {"mfu": {"quantity": "mfu", "unit": "%"}}}}},
            {"arms": {"ours": {"energy": {"energy_j": 5.0}}, "theirs": {"energy": {"energy_j": 2.0}}}},
        ],
        ids=["statement", "unit", "price", "said", "disclosed", "column", "energy of both"],
    )
    def test_a_number_without_the_size_settles_it(self, judge, more):
        assert judge(with_(OTHER, more)).outcome is PASS

    @pytest.mark.parametrize(
        ("system", "outcome"),
        [
            ({}, VIOLATION),
            ({"threads_used": 63}, VIOLATION),
            ({"threads_used": 64}, NOT_SHOWN),
            ({"threads_used": 128, "vectorised": False}, VIOLATION),
            ({"threads_used": 128, "vectorised": True}, NOT_SHOWN),
            ({"host_cores": None}, NOT_SHOWN),
        ],
        ids=["few threads", "just below half", "half", "scalar", "vectors", "cores not stated"],
    )
    def test_a_processor_baseline(self, judge, system, outcome):
        assert judge(with_(CPU, {"systems": {"theirs": system}})).outcome is outcome

    def test_two_variants_of_one_author(self, judge):
        """The baseline may be one's own code: on one thread of a processor it is no baseline."""
        own = claim("speedup", compares="own_variants", base={"arm": "theirs"})
        result = judge(with_(CPU, own))
        assert (result.outcome, "8 threads" in result.branch.message) == (VIOLATION, True)
        assert judge(with_(CPU, with_(own, {"systems": {"theirs": {"host_cores": None}}}))).outcome is not NOT_SHOWN
        assert judge(claim("speedup", compares="own_variants")).outcome is NOT_APPLICABLE

    def test_a_full_processor_with_a_normalised_value_passes(self, judge):
        more = {
            "systems": {"theirs": {"threads_used": 128}},
            **claim("speedup", statement="Per watt 1.34x of OtherLM."),
        }
        assert judge(with_(CPU, more)).outcome is PASS

    @pytest.mark.parametrize(
        ("more", "outcome"),
        [
            (claim("speedup", base={"definition": "the original serial code"}), VIOLATION),
            (claim("speedup", statement="1.34x faster than the single-threaded code."), VIOLATION),
            (claim("speedup", treatment=["threads"]), NOT_SHOWN),
        ],
        ids=["serial code", "single thread", "threads are studied"],
    )
    def test_a_word_does_not_make_few_threads_a_baseline(self, judge, more, outcome):
        assert judge(with_(CPU, more)).outcome is outcome

    @pytest.mark.parametrize(
        ("more", "outcome"),
        [
            ({"base": {"definition": "the serial code on one core of an old Xeon"}}, VIOLATION),
            ({"statement": "1.34x faster than a single core of the host."}, VIOLATION),
            ({"statement": "1.34x faster than the sequential code on one thread of the host."}, VIOLATION),
            ({"statement": "1.34x faster than OtherLM on all cores."}, NOT_SHOWN),
            ({"statement": "1.34x faster than OtherLM; one core of the host feeds the device."}, NOT_SHOWN),
        ],
    )
    def test_one_core_is_no_baseline(self, judge, more, outcome):
        unsaid = {"systems": {"ours": {"device_kind": "accelerator"}, "theirs": {"threads_used": None}}}
        assert judge(with_(with_(CPU, unsaid), claim("speedup", **more))).outcome is outcome

    def test_two_processors_with_equal_threads(self, judge):
        ours = {"device": "EPYC 7763", "device_kind": "processor", "threads_used": 8}
        assert judge(with_(CPU, {"systems": {"ours": ours}})).outcome is PASS
        assert judge(with_(CPU, {"systems": {"ours": ours | {"threads_used": 128}}})).outcome is VIOLATION

    def test_no_ratio_between_rows(self, judged):
        assert judged("comparison", "W0402", "best").outcome is NOT_APPLICABLE

    @pytest.mark.parametrize("quantity", ["cost", "accuracy"])
    def test_no_speed(self, judge, quantity):
        other = claim("speedup", quantity=quantity, unit="x", statement="It is 1.34 times that of OtherLM.")
        assert judge(with_(OTHER, other)).outcome is NOT_APPLICABLE

    def test_no_other_side(self, judged):
        patch = claim("speedup", base=None, comparator=None)
        assert judged("comparison", "W0402", "speedup", patch).outcome is NOT_SHOWN

    def test_vectors_on_both_processors(self, judge):
        ours = {"device": "EPYC 7763", "device_kind": "processor", "threads_used": 128, "vectorised": True}
        theirs = {"threads_used": 128, "vectorised": False}
        assert judge(with_(CPU, {"systems": {"ours": ours, "theirs": theirs}})).outcome is VIOLATION
        assert judge(with_(CPU, {"systems": {"ours": ours | {"vectorised": False}, "theirs": theirs}})).outcome is PASS

    def test_a_configuration_that_calls_the_code_serial_excuses_nothing(self, judge):
        assert judge(with_(CPU, claim("speedup", comparator={"configuration": "serial, -O3"}))).outcome is VIOLATION

    @pytest.mark.parametrize(
        ("energy", "outcome"),
        [({"mean_power_w": 300}, PASS), ({"boundary": "device"}, VIOLATION)],
        ids=["power", "no number"],
    )
    def test_energy_must_be_a_number(self, judge, energy, outcome):
        arms = {name: {"energy": energy} for name in ("ours", "theirs")}
        assert judge(with_(OTHER, {"arms": arms})).outcome is outcome

    def test_one_sides_energy_is_no_comparison(self, judge):
        assert judge(with_(OTHER, arm("ours", energy={"mean_power_w": 300}))).outcome is VIOLATION

    @pytest.mark.parametrize("metric", [{"quantity": "mfu", "unit": "%"}, {"quantity": "rate", "unit": "tokens/J"}])
    def test_a_normalised_metric_of_both(self, judge, metric):
        arms = {name: {"performance": {"other": metric}} for name in ("ours", "theirs")}
        assert judge(with_(OTHER, {"arms": arms})).outcome is PASS


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("Our GPU code trains 85x faster than an old single-core CPU.", VIOLATION),
        ("The tuned kernel on one A100 is 85x faster than one core of a Xeon X5650.", VIOLATION),
        ("On a TPU the network is 85x faster than single-threaded execution on an Opteron.", VIOLATION),
        ("Our GPU code trains 85x faster than all 64 cores of an EPYC 7763.", NOT_SHOWN),
        ("The new compiler makes the code 1.3x faster than one core.", NOT_SHOWN),
    ],
)
def test_one_core_against_an_accelerator_in_words_alone(judged, statement, outcome):
    bare = {
        "statement": statement,
        "measured": None,
        "base": None,
        "comparator": {"device": None, "configuration": None},
    }
    result = judged("comparison", "W0402", "speedup", claim("speedup", **bare) | {"arms": None, "systems": None})
    assert result.outcome is outcome, result
