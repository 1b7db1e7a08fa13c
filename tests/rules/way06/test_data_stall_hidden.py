"""W0602, data-stall-hidden: The steps are fast, and the training stands still between them."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, UNDERMINES, Outcome
from support.patches import arm, measured, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
PHASES = {"forward": 0.26, "backward": 0.51, "optimizer": 0.02}


class TestDataStall:
    def judge(self, judged, wall, more=None, **measurement):
        """Five trials of 30 timed steps (23.6 to 23.9 s) after 5 of warm-up."""
        patch = arm("fused", measurement={"phases_s": PHASES, "wall_s": wall, **measurement})
        return judged("training-pair", "W0602", "rate", with_(patch, more or {}))

    @pytest.mark.parametrize(
        ("wall", "outcome"),
        [
            (24, PASS),
            (25, PASS),
            (28, PASS),
            (31, VIOLATION),
            (119, PASS),
            (140, PASS),
            (152, VIOLATION),
            (160, NOT_SHOWN),
        ],
        ids=["one", "a little", "with warm-up", "stalled", "all", "all with warm-up", "all stalled", "all, compiled"],
    )
    def test_every_reading_of_the_wall_time(self, judged, wall, outcome):
        result = self.judge(judged, wall)
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)

    def test_without_raw_values(self, judged):
        gone = arm("fused", trials=None)
        assert self.judge(judged, 24.0, gone).outcome is PASS
        assert self.judge(judged, 31.0, gone).outcome is VIOLATION

    @pytest.mark.parametrize(
        ("measurement", "outcome"),
        [
            ({"exclusions": {"evaluation": {"recurs": "per_run", "duration_s": 3.0, "stated": True}}}, PASS),
            ({"exclusions": {"evaluation": {"recurs": "per_run", "duration_s": 1.0, "stated": True}}}, VIOLATION),
            ({"exclusions": {"checkpoint": {"recurs": "per_run", "stated": True}}}, NOT_SHOWN),
            ({"excluded_phases": ["evaluation"]}, NOT_SHOWN),
            ({"phases_s": {"forward": 0.8, "evaluation": 0.1}}, PASS),
            ({"pipeline": {"kind": "synthetic"}}, NOT_APPLICABLE),
        ],
        ids=["a pause", "too short a pause", "of unknown length", "excluded", "in every step", "no real data"],
    )
    def test_declared_pauses(self, judged, measurement, outcome):
        assert self.judge(judged, 31.0, **measurement).outcome is outcome

    def test_nothing_to_compare(self, judged):
        assert self.judge(judged, None).outcome is NOT_APPLICABLE
        assert self.judge(judged, 0.1).outcome is NOT_APPLICABLE
        whole = arm("fused", performance={"rate": {"scope": "pipeline"}})
        assert self.judge(judged, 31.0, whole).outcome is NOT_APPLICABLE

    def test_warm_up_beside_a_declared_rate(self, judged):
        """30 steps of 0.793 s in 29 s are a stall, unless 5 of warm-up lie in the window."""
        gone = arm("fused", trials=None, performance={"rate": {"trials": None}})
        assert self.judge(judged, 28.0, gone, raw_count=None, used_count=None).outcome is PASS
        assert self.judge(judged, 28.0, gone, raw_count=None, used_count=None, warmup=None).outcome is VIOLATION

    @pytest.mark.parametrize("metric", [{"work_per_iteration": None}, {"unit": "tokens/s/GPU"}, {"value": "0"}])
    def test_no_step_time_follows(self, judged, metric):
        gone = arm("fused", trials=None, performance={"rate": metric})
        assert self.judge(judged, 31.0, gone).outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(
        ("declared", "waited", "outcome"),
        [
            (0.01, 0.2, VIOLATION),
            (0.01, 0.04, NOT_APPLICABLE),
            (0.2, 0.2, NOT_APPLICABLE),
            (0.3, 0.0, NOT_APPLICABLE),
            (None, 0.2, NOT_APPLICABLE),
        ],
        ids=["understated", "nearly", "as recorded", "overstated", "not declared"],
    )
    def test_a_declared_share_beside_the_recorded_one(self, judged, declared, waited, outcome):
        columns = {"step_time_s": [0.8] * 30, "data_wait_s": [0.8 * waited] * 30}
        more = arm("fused", trials={"t1": {"samples": columns}})
        result = self.judge(judged, None, more, pipeline={"kind": "real", "data_wait_share": declared})
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.effect, result.branch.claimed, result.branch.recomputed) == (CAVEAT, "1 %", "20 %")

    def test_recorded_waits_outside_the_clock(self, judged):
        columns = {"step_time_s": [0.8] * 30, "data_wait_s": [0.16] * 30}
        trials = {"t1": {"samples": columns}, "t2": None, "t3": None, "t4": None, "t5": None}
        left_out = {"excluded_phases": ["data"], "pipeline": {"kind": "real", "data_wait_share": None}}
        result = self.judge(judged, None, arm("fused", trials=trials), **left_out)
        assert (result.outcome, result.branch.effect) == (VIOLATION, UNDERMINES)


def waits(share, **fields):
    pipeline = {"kind": "real", "label": None, "data_wait_share": share}
    return measured(pipeline=pipeline, excluded_phases=["data"], **fields)


@pytest.mark.parametrize(("share", "outcome"), [(0.28, Outcome.VIOLATION), (0.04, PASS), (None, NOT_SHOWN)])
def test_waits_that_the_clock_leaves_out(judged, share, outcome):
    assert judged("rate", "W0602", "rate", waits(share)).outcome is outcome


def test_waits_that_are_said_to_be_left_out_are_a_caveat(judged):
    said = [{"topic": "phases_excluded", "quote": "without the wait for data"}]
    patch = {**waits(0.28), "claims": {"rate": {"said": said}}}
    assert judged("rate", "W0602", "rate", patch).branch.effect is CAVEAT


@pytest.mark.parametrize(("wall_s", "outcome"), [(9.0, Outcome.VIOLATION), (6.15, PASS)])
def test_the_window_of_a_metric_holds_its_own_work(judged, wall_s, outcome):
    patch = measured(pipeline={"kind": "real", "label": None, "data_wait_share": None})
    patch["arms"]["a"]["performance"] = {"rate": {"wall_s": wall_s, "work": 15360}}
    assert judged("rate", "W0602", "rate", patch).outcome is outcome
