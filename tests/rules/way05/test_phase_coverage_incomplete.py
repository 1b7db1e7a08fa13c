"""W0502, phase-coverage-incomplete: A rate or time of steps whose clock stops before the step is over."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, UNDERMINES, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


class TestPhaseCoverage:
    @staticmethod
    def patch(*excluded, said=(), **measurement):
        fields = {"excluded_phases": list(excluded), **measurement}
        return arm("fused", measurement=fields) | claim("rate", said=[{"topic": t, "quote": "..."} for t in said])

    @pytest.mark.parametrize("phase", ["optimizer", "opt", "weight update", "data", "data loading"])
    def test_a_needed_phase_is_excluded(self, judged, phase):
        result = judged("training-pair", "W0502", "rate", self.patch(phase))
        assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("b", UNDERMINES, C3)

    @pytest.mark.parametrize("topic", ["phases_excluded", "scope_narrower"])
    def test_it_is_said(self, judged, topic):
        result = judged("training-pair", "W0502", "rate", self.patch("optimizer", said=[topic]))
        assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)

    def test_synthetic_inputs_explain_only_the_data_phase(self, judged):
        said = ["synthetic_input"]
        assert judged("training-pair", "W0502", "rate", self.patch("data", said=said)).branch.branch == "c"
        assert judged("training-pair", "W0502", "rate", self.patch("data", "opt", said=said)).branch.branch == "b"

    def test_one_device_does_not_communicate(self, judged):
        assert judged("training-pair", "W0502", "rate", self.patch("communication")).outcome is PASS
        many = with_(self.patch("comm"), arm("fused", devices=8))
        assert judged("training-pair", "W0502", "rate", many).branch.branch == "b"

    @pytest.mark.parametrize("phase", ["evaluation", "ckpt"])
    def test_pauses_are_no_part_of_a_step(self, judged, phase):
        patch = self.patch(phase, phases_s={"forward": 0.3, "backward": 0.5, phase: 0.4})
        assert judged("training-pair", "W0502", "rate", patch).outcome is PASS

    @pytest.mark.parametrize("statement", ["Forward + backward: 41300 tokens/s.", "41300 tokens/s, fwd and bwd only"])
    def test_a_statement_about_passes(self, judged, statement):
        patch = with_(self.patch("optimizer"), claim("rate", statement=statement))
        assert judged("training-pair", "W0502", "rate", patch).outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(
        ("pre", "outcome"),
        [(0.30, VIOLATION), (0.279, VIOLATION), (0.277, PASS)],
        ids=["much", "more than a tenth", "a tenth"],
    )
    def test_an_excluded_phase_of_a_request(self, judged, pre, outcome):
        measurement = {"phases_s": {"forward": 2.5, "pre_process": pre}, "excluded_phases": ["preprocessing"]}
        result = judged("serving", "W0502", "rate", arm("server", measurement=measurement))
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)

    @pytest.mark.parametrize(
        ("wall", "outcome"),
        [
            (30.0, PASS),
            (36.0, PASS),
            (41.0, VIOLATION),
            (0.8, PASS),
            (1.2, VIOLATION),
            (150.0, PASS),
            (16.0, PASS),
            (9.0, PASS),
        ],
        ids=[
            "30 iterations",
            "35 fit",
            "too long",
            "one",
            "one too long",
            "all trials",
            "overlapping",
            "overlapping much",
        ],
    )
    def test_phases_against_every_reading_of_a_wall_time(self, judged, wall, outcome):
        """Without a clock over the whole; 30 of 35 iterations are used in each of five trials."""
        measurement = {"scope": None, "phases_s": {"forward": 0.4, "backward": 0.6}, "wall_s": wall}
        assert judged("training-pair", "W0502", "rate", self.patch(**measurement)).outcome is outcome

    def test_nothing_tells(self, judged):
        gone = arm("fused", measurement={"scope": None})
        assert judged("training-pair", "W0502", "rate", gone).outcome is NOT_SHOWN
        gone = self.patch(scope=None, phases_s={"forward": 0.4})
        assert judged("training-pair", "W0502", "rate", gone).outcome is NOT_SHOWN
        assert (
            judged("training-pair", "W0502", "rate", self.patch("other", phases_s={"forward": 0.0})).outcome
            is NOT_SHOWN
        )

    @pytest.mark.parametrize(("duration", "stated", "branch"), [(100, False, "a"), (100, True, "c"), (20, False, None)])
    def test_evaluation_outside_whole_trainings(self, judged, duration, stated, branch):
        out = {"evaluation": {"recurs": "per_run", "duration_s": duration, "stated": stated}}
        time = {"quantity": "time", "unit": "s", "value": "600", "scope": "training_run"}
        patch = arm("fused", measurement={"exclusions": out}, performance={"run": time})
        patch |= claim("speedup", scope="training_run", quantity="time", measured={"metric": "run"})
        result = judged("training-pair", "W0502", "speedup", patch)
        assert (result.branch.branch if result.branch else None) == branch

    def test_the_pipelines_label_says_so(self, judged):
        patch = self.patch("data", pipeline={"kind": "synthetic", "label": "compute only"})
        assert judged("training-pair", "W0502", "rate", patch).branch.branch == "c"

    def test_a_suite_leaves_evaluation_out_for_everybody(self, judged):
        out = {"evaluation": {"recurs": "per_run", "duration_s": 100, "stated": False}}
        time = {"quantity": "time", "unit": "s", "value": "600", "scope": "training_run"}
        patch = arm("fused", measurement={"exclusions": out}, performance={"run": time})
        run = {"scope": "training_run", "quantity": "time", "measured": {"metric": "run"}}
        assert judged("training-pair", "W0502", "speedup", patch | claim("speedup", **run)).outcome is VIOLATION
        run["suite"] = "training"
        assert judged("training-pair", "W0502", "speedup", patch | claim("speedup", **run)).outcome is PASS

    @pytest.mark.parametrize(
        "more",
        [
            arm("fused", performance={"rate": {"scope": "step"}}),
            arm("fused", performance={"rate": {"wall_s": 23.8}}),
        ],
        ids=["the number's scope", "its wall time"],
    )
    def test_other_clocks_over_the_whole(self, judged, more):
        patch = with_(arm("fused", measurement={"scope": None}), more)
        assert judged("training-pair", "W0502", "rate", patch).outcome is PASS


PHASES = {"forward": 0.26, "backward": 0.51, "optimizer": 0.02}


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
            ({"forward": 0.20, "backward": 0.40}, NOT_SHOWN),
            ({"fwd": 0.20, "bwd": 0.40, "comm": 0.12}, PASS),
            ({"forward": 0.20, "backward": 0.40, "evaluation": 0.2}, NOT_SHOWN),
            ({"data": 0.01}, PASS),
            ({"forward": 0.5, "backward": 0.9}, PASS),
        ],
        ids=["whole", "a rest", "whole by short names", "a pause is no phase", "one phase of many", "overlap"],
    )
    def test_listed_phases_beside_whole_steps(self, judged, phases, outcome):
        assert self.judge(judged, phases).outcome is outcome

    def test_the_step_follows_from_the_rate(self, judged):
        gone = arm("fused", trials=None)
        assert self.judge(judged, {"forward": 0.20, "backward": 0.40}, gone).outcome is NOT_SHOWN
        unknown = arm("fused", trials=None, performance={"rate": {"work_per_iteration": None}})
        assert self.judge(judged, {"forward": 0.20, "backward": 0.40}, unknown).outcome is PASS


STEP_TIME = {
    "value": "0.79",
    "digits": None,
    "unit": "s",
    "quantity": "time",
    "work": None,
    "measured": {"arm": "fused"},
}


@pytest.mark.parametrize(
    ("statement", "excluded", "found"),
    [
        ("One training step takes 0.79 s.", ["data", "optimizer"], ("b", UNDERMINES)),
        ("A step of the decoder lasts 0.79 s on one GPU.", ["weight update"], ("b", UNDERMINES)),
        ("We cut the step to 0.79 s.", ["input_pipeline"], ("b", UNDERMINES)),
        ("One training step takes 0.79 s, not counting data loading and the optimizer.", ["io", "opt"], ("c", CAVEAT)),
        ("0.79 s a step, without the optimizer.", ["optimizer"], ("c", CAVEAT)),
        ("0.79 s a step, without the optimizer.", ["optimizer", "data"], ("b", UNDERMINES)),
        ("One training step takes 0.79 s.", [], None),
    ],
)
def test_the_time_of_a_step_covers_the_step(judged, statement, excluded, found):
    patch = arm("fused", measurement={"excluded_phases": excluded}) | claim("rate", statement=statement, **STEP_TIME)
    result = judged("training-pair", "W0502", "rate", patch)
    assert (result.branch and (result.branch.branch, result.branch.effect)) == found, result
