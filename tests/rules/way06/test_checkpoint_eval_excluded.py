"""W0604, checkpoint-eval-excluded: A time to accuracy without the time in which accuracy was measured."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, Outcome
from support.patches import arm, claim, measured, with_

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN
OUT = {"recurs": "per_run", "duration_s": 11.0, "stated": False}


class TestCheckpointEvaluation:
    def judge(self, judged, more=None, **measurement):
        patch = arm("trained", measurement=measurement)
        return judged("time-to-accuracy", "W0604", "time", with_(patch, more or {}))

    @pytest.mark.parametrize("name", ["evaluation", "checkpoint", "eval"])
    def test_left_out_unsaid(self, judged, name):
        result = self.judge(judged, exclusions={name: OUT})
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C3)

    def test_another_clause_leaves_out_something_else(self, judged):
        words = "85.0 s without compilation, while validation runs every epoch"
        assert self.judge(judged, claim("time", statement=words), exclusions={"evaluation": OUT}).outcome is VIOLATION

    def test_an_excluded_phase(self, judged):
        assert self.judge(judged, excluded_phases=["validation"]).outcome is VIOLATION

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
        assert self.judge(judged, more, exclusions={"evaluation": OUT}).outcome is VIOLATION

    def test_a_suites_rules(self, judged):
        result = self.judge(judged, claim("time", suite="training"), exclusions={"evaluation": OUT})
        assert result.outcome is PASS
        assert len(result.notes) == 1

    def test_not_stated(self, judged):
        assert self.judge(judged, exclusions_complete=None).outcome is NOT_SHOWN
        assert self.judge(judged, exclusions_complete=None, phases_s={"eval": 1, "ckpt": 1}).outcome is PASS
        assert judged("time-to-accuracy", "W0604", "time", arm("trained", measurement=None)).outcome is NOT_SHOWN


def test_a_pause_outside_the_clock_of_a_rate_is_a_caveat_where_it_is_not_stated(judged):
    for stated in (False, True):
        patch = measured(exclusions={"evaluation": {"recurs": "per_run", "duration_s": 66.0, "stated": stated}})
        branch = judged("rate", "W0604", "rate", patch).branch
        assert (branch is None) is stated


@pytest.mark.parametrize("code", ["W0604", "W0605"])
def test_a_rate_of_which_nothing_is_said_to_be_left_out_is_not_judged(judged, code):
    patch = measured(exclusions=None, exclusions_complete=None)
    assert judged("rate", code, "rate", patch).outcome is Outcome.NOT_APPLICABLE
