"""W0502, W0504 and W0506: phases, subsets and parts."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, UNDERMINES, Outcome

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
        assert judged("training-pair", "W0502", "rate", patch).outcome is OUTSIDE

    @pytest.mark.parametrize(
        ("pre", "outcome"), [(0.30, FLAW), (0.279, FLAW), (0.277, PASS)], ids=["much", "more than a tenth", "a tenth"]
    )
    def test_an_excluded_phase_of_a_request(self, judged, pre, outcome):
        measurement = {"phases_s": {"forward": 2.5, "pre_process": pre}, "excluded_phases": ["preprocessing"]}
        result = judged("serving", "W0502", "rate", arm("server", measurement=measurement))
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)

    @pytest.mark.parametrize(
        ("wall", "outcome"),
        [(30.0, PASS), (36.0, PASS), (41.0, FLAW), (0.8, PASS), (1.2, FLAW), (150.0, PASS), (16.0, PASS), (9.0, PASS)],
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
        assert judged("training-pair", "W0502", "rate", gone).outcome is OPEN
        gone = self.patch(scope=None, phases_s={"forward": 0.4})
        assert judged("training-pair", "W0502", "rate", gone).outcome is OPEN
        assert judged("training-pair", "W0502", "rate", self.patch("other", phases_s={"forward": 0.0})).outcome is OPEN

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
        assert judged("training-pair", "W0502", "speedup", patch | claim("speedup", **run)).outcome is FLAW
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


ALL = ["ResNet", "BERT", "DLRM"]


class TestSuiteSubset:
    @staticmethod
    def patch(members, labels=("resnet", "bert"), row="ours", statement=None, **table):
        rows = {"ours": {"label": labels[0]}, "theirs": {"label": labels[1]}}
        fields = {"suite": "training", "row": {"table": "systems", "row": row}}
        fields |= {"statement": statement} if statement else {}
        return {"tables": {"systems": {"members": members, "rows": rows, **table}}} | claim("best", **fields)

    def test_missing_members(self, judged):
        result = judged("comparison", "W0504", "best", self.patch(ALL))
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)
        assert "DLRM" in result.branch.message

    @pytest.mark.parametrize(
        ("patch", "outcome"),
        [
            (("ResNet", "BERT"), PASS),
            ((), OPEN),
            (("DLRM", "GPT-3"), OUTSIDE),
        ],
        ids=["complete", "unknown", "no members in the rows"],
    )
    def test_what_is_no_subset(self, judged, patch, outcome):
        assert judged("comparison", "W0504", "best", self.patch(list(patch))).outcome is outcome

    @pytest.mark.parametrize(
        "more",
        [
            {"tables": {"systems": {"caption": "Training; DLRM does not fit."}}},
            {"disclosures": [{"topic": "problem_size", "quote": "We have no implementation of DLRM."}]},
            {"tables": {"dlrm": {"columns": {}, "rows": {"a": {"label": "DLRM v2"}}}}},
        ],
        ids=["caption", "disclosed", "another table"],
    )
    def test_the_others_are_accounted_for(self, judged, more):
        assert judged("comparison", "W0504", "best", with_(self.patch(ALL), more)).outcome is PASS

    def test_a_claim_about_one_member(self, judged):
        patch = self.patch(ALL, labels=("resnet on A", "resnet on B"))
        assert judged("comparison", "W0504", "best", patch).outcome is OUTSIDE

    @pytest.mark.parametrize(
        ("statement", "outcome"),
        [
            ("The MLPerf mean is 311900.", FLAW),
            ("The mean of 2 of 3 MLPerf benchmarks is 311900.", PASS),
            ("The mean over this subset of the suite is 311900.", PASS),
        ],
    )
    def test_a_mean_that_is_called_the_suites(self, judged, statement, outcome):
        patch = self.patch(
            ALL, row=None, statement=statement, subset_reason="DLRM does not fit", aggregator="geometric"
        )
        assert judged("comparison", "W0504", "best", patch).outcome is outcome

    def test_a_claim_quotes_the_missing_member(self, judged):
        quoted = {
            "statement": "DLRM trains in 5 minutes.",
            "quantity": "time",
            "form": "absolute",
            "scope": "training_run",
            "mode": "training",
            "compares": "none",
            "value": "5",
            "unit": "min",
            "suite_result": {"benchmark": "DLRM"},
        }
        assert judged("comparison", "W0504", "best", with_(self.patch(ALL), claim("dlrm", **quoted))).outcome is PASS

    def test_rows_are_known_by_their_arms_and_models(self, judged):
        patch = self.patch(ALL, labels=("first", "second"), row=None)
        arms = {"ours": {"label": "ResNet on A"}, "theirs": {"options": {"model": "BERT large"}}}
        result = judged("comparison", "W0504", "best", patch | {"arms": arms})
        assert "2 of 3" in result.branch.message


PART = {
    "statement": "Fused attention is 3.5x faster.",
    "value": "3.5",
    "unit": "x",
    "quantity": "rate",
    "form": "ratio",
    "scope": "layer",
    "mode": "training",
    "compares": "own_variants",
    "measured": {"arm": "fused"},
    "base": {"arm": "plain"},
}


class TestPhaseWithoutWhole:
    def judge(self, judged, more=None, **fields):
        patch = {"claims": {"part": PART | fields}}
        return judged("training-pair", "W0506", "part", with_(patch, more or {}))

    def test_the_whole_stands_elsewhere(self, judged):
        result = self.judge(judged)
        assert (result.branch.effect, result.branch.confidence, result.branch.recomputed) == (CAVEAT, C3, "1.43")

    def test_a_measured_whole_without_a_claim(self, judged):
        assert self.judge(judged, {"claims": {"speedup": None}}).outcome is FLAW

    @pytest.mark.parametrize(
        "fields",
        [
            {"statement": "Fused attention is 3.5x faster, the step 1.43x."},
            {"said": [{"topic": "scope_narrower", "quote": "the whole step gains 1.43x"}]},
            {"value": "1.3", "statement": "Fused attention is 1.3x faster."},
        ],
        ids=["in the sentence", "said", "no larger"],
    )
    def test_nothing_is_hidden(self, judged, fields):
        outcome = self.judge(judged, **fields).outcome
        assert outcome is PASS

    def test_no_whole_anywhere(self, judged):
        none = {"measurement": {"scope": "layer"}}
        more = {"claims": {"speedup": None, "rate": None}, "arms": {"fused": none, "plain": none}}
        assert self.judge(judged, more).outcome is OPEN
        assert self.judge(judged, more, measured=None).outcome is OPEN

    def test_kernel_benchmarks_are_outside(self, judged):
        assert self.judge(judged, purpose="kernel_benchmark").outcome is OUTSIDE

    @pytest.mark.parametrize(("scope", "outcome"), [("step", PASS), ("layer", FLAW)])
    def test_the_whole_stands_in_the_row(self, judged, scope, outcome):
        columns = {
            "kernel": {"quantity": "time", "unit": "ms", "scope": "layer"},
            "whole": {"quantity": "time", "unit": "ms", "scope": scope},
        }
        rows = {"a": {"values": {"kernel": "2.0", "whole": "790"}}}
        row = {"row": {"table": "parts", "row": "a"}}
        more = {"tables": {"parts": {"columns": columns, "rows": rows}}}
        assert self.judge(judged, more, **row).outcome is outcome

    def test_a_slower_part_claims_no_gain(self, judged):
        assert self.judge(judged, value="0.9", statement="0.9x").outcome is OUTSIDE

    def test_arms_without_a_common_unit(self, judged):
        more = {"claims": {"speedup": None}} | arm("plain", performance={"rate": {"unit": "samples/s"}})
        assert self.judge(judged, more).outcome is PASS

    @pytest.mark.parametrize("side", ["measured", "base"])
    def test_the_whole_of_other_arms_is_another(self, judged, side):
        """The small gain of another pair of arms says nothing about this part."""
        none = {"measurement": {"scope": "layer"}}
        more = with_(
            claim("speedup", **{side: {"arm": "third"}}), {"arms": {"fused": none, "plain": none, "third": none}}
        )
        assert self.judge(judged, more).outcome is OPEN

    def test_a_metric_of_the_whole(self, judged):
        more = {"claims": {"speedup": None}}
        for name in ("fused", "plain"):
            more = with_(more, arm(name, measurement={"scope": "layer"}, performance={"rate": {"scope": "step"}}))
        assert self.judge(judged, more).outcome is FLAW
