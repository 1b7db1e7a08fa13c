"""W0602, W0603 and W0604: data stalls, storage links and the clock during evaluation."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, REFUTES, UNDERMINES, Outcome

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


PHASES = {"forward": 0.26, "backward": 0.51, "optimizer": 0.02}


class TestDataStall:
    def judge(self, judged, wall, more=None, **measurement):
        """Five trials of 30 timed steps (23.6 to 23.9 s) after 5 of warm-up."""
        patch = arm("fused", measurement={"phases_s": PHASES, "wall_s": wall, **measurement})
        return judged("training-pair", "W0602", "rate", with_(patch, more or {}))

    @pytest.mark.parametrize(
        ("wall", "outcome"),
        [(24, PASS), (25, PASS), (28, PASS), (31, FLAW), (119, PASS), (140, PASS), (152, FLAW), (160, OPEN)],
        ids=["one", "a little", "with warm-up", "stalled", "all", "all with warm-up", "all stalled", "all, compiled"],
    )
    def test_every_reading_of_the_wall_time(self, judged, wall, outcome):
        result = self.judge(judged, wall)
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)

    def test_without_raw_values(self, judged):
        gone = arm("fused", trials=None)
        assert self.judge(judged, 24.0, gone).outcome is PASS
        assert self.judge(judged, 31.0, gone).outcome is FLAW

    @pytest.mark.parametrize(
        ("measurement", "outcome"),
        [
            ({"exclusions": {"evaluation": {"recurs": "per_run", "duration_s": 3.0, "stated": True}}}, PASS),
            ({"exclusions": {"evaluation": {"recurs": "per_run", "duration_s": 1.0, "stated": True}}}, FLAW),
            ({"exclusions": {"checkpoint": {"recurs": "per_run", "stated": True}}}, OPEN),
            ({"excluded_phases": ["evaluation"]}, OPEN),
            ({"phases_s": {"forward": 0.8, "evaluation": 0.1}}, PASS),
            ({"pipeline": {"kind": "synthetic"}}, OUTSIDE),
        ],
        ids=["a pause", "too short a pause", "of unknown length", "excluded", "in every step", "no real data"],
    )
    def test_declared_pauses(self, judged, measurement, outcome):
        assert self.judge(judged, 31.0, **measurement).outcome is outcome

    def test_nothing_to_compare(self, judged):
        assert self.judge(judged, None).outcome is OUTSIDE
        assert self.judge(judged, 0.1).outcome is OUTSIDE
        whole = arm("fused", performance={"rate": {"scope": "pipeline"}})
        assert self.judge(judged, 31.0, whole).outcome is OUTSIDE

    def test_warm_up_beside_a_declared_rate(self, judged):
        """30 steps of 0.793 s in 29 s are a stall, unless 5 of warm-up lie in the window."""
        gone = arm("fused", trials=None, performance={"rate": {"trials": None}})
        assert self.judge(judged, 28.0, gone, raw_count=None, used_count=None).outcome is PASS
        assert self.judge(judged, 28.0, gone, raw_count=None, used_count=None, warmup=None).outcome is FLAW

    @pytest.mark.parametrize("metric", [{"work_per_iteration": None}, {"unit": "tokens/s/GPU"}, {"value": "0"}])
    def test_no_step_time_follows(self, judged, metric):
        gone = arm("fused", trials=None, performance={"rate": metric})
        assert self.judge(judged, 31.0, gone).outcome is OUTSIDE

    @pytest.mark.parametrize(
        ("declared", "waited", "outcome"),
        [
            (0.01, 0.2, FLAW),
            (0.01, 0.04, OUTSIDE),
            (0.2, 0.2, OUTSIDE),
            (0.3, 0.0, OUTSIDE),
            (None, 0.2, OUTSIDE),
        ],
        ids=["understated", "nearly", "as recorded", "overstated", "not declared"],
    )
    def test_a_declared_share_beside_the_recorded_one(self, judged, declared, waited, outcome):
        columns = {"step_time_s": [0.8] * 30, "data_wait_s": [0.8 * waited] * 30}
        more = arm("fused", trials={"t1": {"samples": columns}})
        result = self.judge(judged, None, more, pipeline={"kind": "real", "data_wait_share": declared})
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.effect, result.branch.claimed, result.branch.recomputed) == (CAVEAT, "1 %", "20 %")

    def test_recorded_waits_outside_the_clock(self, judged):
        columns = {"step_time_s": [0.8] * 30, "data_wait_s": [0.16] * 30}
        trials = {"t1": {"samples": columns}, "t2": None, "t3": None, "t4": None, "t5": None}
        left_out = {"excluded_phases": ["data"], "pipeline": {"kind": "real", "data_wait_share": None}}
        result = self.judge(judged, None, arm("fused", trials=trials), **left_out)
        assert (result.outcome, result.branch.effect) == (FLAW, UNDERMINES)


class TestUnaccountedSteps:
    """Steps of 0.793 s whose clock runs over the whole."""

    def judge(self, judged, phases, more=None):
        return judged(
            "training-pair", "W0502", "rate", with_(arm("fused", measurement={"phases_s": phases}), more or {})
        )

    @pytest.mark.parametrize(
        ("phases", "outcome"),
        [
            (PHASES, PASS),
            ({"forward": 0.20, "backward": 0.40}, OPEN),
            ({"fwd": 0.20, "bwd": 0.40, "comm": 0.12}, PASS),
            ({"forward": 0.20, "backward": 0.40, "evaluation": 0.2}, OPEN),
            ({"data": 0.01}, PASS),
            ({"forward": 0.5, "backward": 0.9}, PASS),
        ],
        ids=["whole", "a rest", "whole by short names", "a pause is no phase", "one phase of many", "overlap"],
    )
    def test_listed_phases_beside_whole_steps(self, judged, phases, outcome):
        assert self.judge(judged, phases).outcome is outcome

    def test_the_step_follows_from_the_rate(self, judged):
        gone = arm("fused", trials=None)
        assert self.judge(judged, {"forward": 0.20, "backward": 0.40}, gone).outcome is OPEN
        unknown = arm("fused", trials=None, performance={"rate": {"work_per_iteration": None}})
        assert self.judge(judged, {"forward": 0.20, "backward": 0.40}, unknown).outcome is PASS


FAR = {"bytes_per_sample": 600000, "dataset_bytes": 9 * 10**12, "cache_bytes": 4 * 10**11, "link_bytes_per_s": 1e9}


class TestStorageBandwidth:
    def judge(self, judged, more=None, **pipeline):
        patch = arm("a", measurement={"pipeline": {"kind": "real", **FAR, **pipeline}})
        return judged("rate", "W0603", "rate", with_(patch, more or {}))

    def test_more_than_the_link_carries(self, judged):
        result = self.judge(judged)
        assert (result.branch.effect, result.branch.confidence) == (REFUTES, C3)

    @pytest.mark.parametrize(
        ("pipeline", "outcome"),
        [
            ({"link_bytes_per_s": 1.25e9}, FLAW),
            ({"link_bytes_per_s": 1.4e9}, PASS),
            ({"dataset_bytes": 5 * 10**11}, PASS),
            ({"cache_bytes": 4 * 10**12}, PASS),
            ({"cache_bytes": 2 * 10**12}, FLAW),
            ({"dataset_bytes": None}, OPEN),
            ({"kind": "synthetic"}, OUTSIDE),
            ({"kind": "cached_device"}, OUTSIDE),
            ({"bytes_per_sample": None}, OUTSIDE),
        ],
        ids=[
            *("just above", "within rounding", "fits the host", "half is cached", "little is cached"),
            *("size unknown", "generated", "resident", "no bytes"),
        ],
    )
    def test_links_and_caches(self, judged, pipeline, outcome):
        assert self.judge(judged, **pipeline).outcome is outcome

    def test_no_cache_is_known(self, judged):
        no_memory = {"systems": {"node": {"host_memory_gib": None}}}
        assert self.judge(judged, no_memory, cache_bytes=None).outcome is OPEN

    def test_compressed_files_grow_when_they_are_read(self, judged):
        splits = arm("a", splits={"train": {"examples": 9 * 10**7}})
        assert self.judge(judged, splits).outcome is PASS

    def test_every_device_may_have_a_link(self, judged):
        assert self.judge(judged, arm("a", devices=8)).outcome is OPEN

    @pytest.mark.parametrize(
        ("unit", "value", "outcome"),
        [("tokens/s", "2500", OUTSIDE), ("steps/s", "2500", OUTSIDE), ("kimages/s", "2.50", FLAW)],
    )
    def test_units(self, judged, unit, value, outcome):
        assert self.judge(judged, claim("rate", unit=unit, value=value)).outcome is outcome

    def test_tokens_with_a_length(self, judged):
        tokens = claim("rate", unit="tokens/s", value="2560000") | arm("a", options={"input_length": 1024})
        assert self.judge(judged, tokens).outcome is FLAW

    def test_up_to_tells_no_least_rate(self, judged):
        assert self.judge(judged, claim("rate", qualifier="up_to")).outcome is OUTSIDE

    def test_projections_are_not_measured(self, judged):
        assert self.judge(judged, claim("rate", basis="projected")).outcome is OUTSIDE

    def test_a_ratio_stands_on_its_metric(self, judged):
        ratio = claim("rate", form="ratio", unit="x", value="1.4")
        assert self.judge(judged, ratio).outcome is FLAW
        assert self.judge(judged, with_(ratio, claim("rate", measured={"metric": "none"}))).outcome is OUTSIDE

    def test_rates_per_device(self, judged):
        """2500 images/s on each of eight devices need eight times the bytes, whoever has a link."""
        more = with_(claim("rate", unit="images/s/GPU"), arm("a", devices=8))
        assert self.judge(judged, more).outcome is FLAW

    def test_the_memory_of_all_nodes_counts(self, judged):
        system = {"systems": {"node": {"nodes": 20}}}
        assert self.judge(judged, system, cache_bytes=None).outcome is PASS


OUT = {"recurs": "per_run", "duration_s": 11.0, "stated": False}
QUIET = claim("time", statement="94 % in 85.0 s.")


class TestCheckpointEvaluation:
    def judge(self, judged, more=None, **measurement):
        patch = arm("trained", measurement=measurement)
        return judged("time-to-accuracy", "W0604", "time", with_(patch, more or {}))

    @pytest.mark.parametrize("name", ["evaluation", "checkpoint", "eval"])
    def test_left_out_unsaid(self, judged, name):
        result = self.judge(judged, exclusions={name: OUT})
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C3)

    def test_an_excluded_phase(self, judged):
        assert self.judge(judged, excluded_phases=["validation"]).outcome is FLAW

    @pytest.mark.parametrize(
        ("measurement", "more"),
        [
            ({"exclusions": {"evaluation": OUT | {"stated": True}}}, {}),
            ({"exclusions": {"evaluation": OUT | {"recurs": "once_per_machine"}}}, {}),
            ({"exclusions": {"evaluation": OUT | {"duration_s": 0}}}, {}),
            ({"exclusions": {"evaluation": OUT}}, claim("time", statement="85.0 s without validation")),
            (
                {"exclusions": {"evaluation": OUT}},
                {"disclosures": [{"topic": "clock_exclusions", "quote": "The clock stops while we evaluate."}]},
            ),
        ],
        ids=["stated", "once", "no time", "in the sentence", "disclosed"],
    )
    def test_what_is_fine(self, judged, measurement, more):
        assert self.judge(judged, more, **measurement).outcome is PASS

    def test_another_disclosure_does_not_excuse(self, judged):
        more = {"disclosures": [{"topic": "clock_exclusions", "quote": "Compilation is left out."}]}
        assert self.judge(judged, more, exclusions={"evaluation": OUT}).outcome is FLAW

    def test_a_suites_rules(self, judged):
        result = self.judge(judged, claim("time", suite="training"), exclusions={"evaluation": OUT})
        assert result.outcome is PASS
        assert len(result.notes) == 1

    def test_not_stated(self, judged):
        assert self.judge(judged, exclusions_complete=None).outcome is OPEN
        assert self.judge(judged, exclusions_complete=None, phases_s={"eval": 1, "ckpt": 1}).outcome is PASS
        assert judged("time-to-accuracy", "W0604", "time", arm("trained", measurement=None)).outcome is OPEN
