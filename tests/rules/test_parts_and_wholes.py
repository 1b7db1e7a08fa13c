"""W0502, W0504, W0505 and W0506: phases, subsets, small configurations and parts."""

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


class TestProxyConfiguration:
    RATE = "129600"

    @pytest.mark.parametrize(
        ("observed", "outcome"),
        [
            ({"devices": 8}, FLAW),
            ({"devices": 64}, PASS),
            ({"devices": 128}, PASS),
            ({"data_parallel": 1}, FLAW),
            ({"data_parallel": 8}, PASS),
        ],
        ids=["fewer", "equal", "more", "a parallel size of 1", "other layout"],
    )
    def test_what_ran_against_what_is_declared(self, judged, observed, outcome):
        result = judged("strong-scaling", "W0505", "speedup", arm("n8", observed=observed))
        assert result.outcome is outcome
        if outcome is FLAW:
            assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("a", UNDERMINES, C3)

    @pytest.mark.parametrize(
        "more",
        [
            claim("speedup", said=[{"topic": "proxy_configuration", "quote": "measured on one node"}]),
            claim("speedup", said=[{"topic": "projection", "quote": "scaled up"}]),
            claim("speedup", statement="6.62x faster (measured on 8 GPUs)."),
        ],
    )
    def test_it_is_said(self, judged, more):
        result = judged("strong-scaling", "W0505", "speedup", with_(arm("n8", observed={"devices": 8}), more))
        assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)

    @staticmethod
    def rows(devices, value, **row):
        fields = {"label": "large", "arm": "a", "devices": devices, "values": {"rate": value}, **row}
        table = {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": {"large": fields}}
        return {"tables": {"scale": table}} | claim("rate", row={"table": "scale", "row": "large"})

    @pytest.mark.parametrize(
        ("devices", "value", "outcome"),
        [(512, "2500", FLAW), (512, "1280000", FLAW), (512, "1150000", OUTSIDE), (1, "2500", PASS)],
        ids=["the arm's number", "times the devices", "another number", "the arm's size"],
    )
    def test_a_row_that_rests_on_a_smaller_arm(self, judged, devices, value, outcome):
        assert judged("rate", "W0505", "rate", self.rows(devices, value)).outcome is outcome

    @pytest.mark.parametrize(
        ("row", "model", "scope", "outcome"),
        [
            ({"parameters": 175e9}, "decoder 13B", "step", FLAW),
            ({"parameters": 6.7e9}, "decoder 7B", "step", PASS),
            ({"options": {"extra": {"layers": 96}}}, "decoder", "step", FLAW),
            ({"options": {"extra": {"layers": 96}}}, "decoder", "layer", PASS),
            ({"options": {"tensor_parallel": 8}}, "decoder", "step", FLAW),
            ({"options": {"model": "decoder 70B"}}, "decoder trained on 13B tokens", "step", PASS),
        ],
        ids=["parameters", "a rounded name", "layers", "one layer", "tensor parallel", "tokens are no parameters"],
    )
    def test_a_smaller_model(self, judged, row, model, scope, outcome):
        options = {"model": model, "tensor_parallel": 1, "extra": {"layers": 4}}
        patch = with_(self.rows(1, "2500", **row), arm("a", options=options) | claim("rate", scope=scope))
        assert judged("rate", "W0505", "rate", patch).outcome is outcome

    @pytest.mark.parametrize(
        ("statement", "outcome"),
        [
            ("ResNet-50 trains at 2500 images/s on 1,024 H100 GPUs.", FLAW),
            ("ResNet-50 trains at 2500 images/s on 1 A100 GPU.", PASS),
            ("ResNet-50 trains at 2500 images/s per device of 8 GPUs.", OUTSIDE),
            ("From 1 to 8 GPUs ResNet-50 gains nothing: 2500 images/s.", OUTSIDE),
            ("It took 300 GPU hours at 2500 images/s.", OUTSIDE),
            ("On a node of 8 GPUs: 2500 images/s.", OUTSIDE),
        ],
    )
    def test_a_count_in_the_sentence(self, judged, statement, outcome):
        assert judged("rate", "W0505", "rate", claim("rate", statement=statement)).outcome is outcome

    def test_sizes_that_are_not_known(self, judged):
        gone = {"arms": {"a": {"devices": None}}, "systems": {"node": {"nodes": None}}}
        assert judged("rate", "W0505", "rate", with_(gone, self.rows(512, "2500"))).outcome is OPEN
        assert judged("rate", "W0505", "rate", gone).outcome is OUTSIDE
        assert judged("rate", "W0505", "rate", claim("rate", measured=None)).outcome is OUTSIDE
        stated = claim("rate", measured=None, statement="2500 images/s on 512 GPUs")
        assert judged("rate", "W0505", "rate", stated).outcome is OPEN

    @pytest.mark.parametrize("basis", ["projected", "simulated"])
    def test_projections_are_no_measurements(self, judged, basis):
        patch = with_(self.rows(512, "2500"), claim("rate", basis=basis))
        assert judged("rate", "W0505", "rate", patch).outcome is OUTSIDE

    @pytest.mark.parametrize(
        ("statements", "outcome"),
        [
            (("6.62x faster", "efficient"), FLAW),
            (("6.62x faster on eight nodes", "efficient on one node"), OUTSIDE),
            (("6.62x faster on 64 GPUs", "efficient"), FLAW),
        ],
        ids=["no sizes", "both sizes", "one size"],
    )
    def test_one_headline_of_two_runs(self, judged, statements, outcome):
        shared = {"group": "headline", "row": None}
        patch = {
            "claims": {
                "speedup": {"statement": statements[0], **shared},
                "efficiency": {"statement": statements[1], "measured": {"arm": "n1"}, **shared},
            }
        }
        assert judged("strong-scaling", "W0505", "efficiency", patch).outcome is outcome
        assert judged("strong-scaling", "W0505", "speedup", patch).outcome is OUTSIDE

    def test_a_row_without_the_arms_number(self, judged):
        row = self.rows(512, "2500")
        row["tables"]["scale"]["columns"]["rate"]["unit"] = "batches/s"
        assert judged("rate", "W0505", "rate", row).outcome is OUTSIDE
        unnamed = with_(self.rows(512, "2500"), claim("rate", measured=None))
        assert judged("rate", "W0505", "rate", unnamed).outcome is OUTSIDE
        only = with_(unnamed, arm("a", performance={"end-to-end": None}))
        assert judged("rate", "W0505", "rate", only).outcome is FLAW


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
