"""W0504, suite-subset-unexplained: Results of a benchmark suite with members missing and no reason given."""

import pytest
from dlaudit.rules.outcome import C3, UNDERMINES, Outcome
from support.patches import claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
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
            ((), NOT_SHOWN),
            (("DLRM", "GPT-3"), NOT_APPLICABLE),
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
        assert judged("comparison", "W0504", "best", patch).outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(
        ("statement", "outcome"),
        [
            ("The MLPerf mean is 311900.", VIOLATION),
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


def test_a_suite_of_the_authors_own(judged):
    table = {"members": ["decoder 350M", "ResNet-50", "DLRM"], "rows": {"theirs": {"label": "ResNet-50"}}}
    table["rows"]["ours"] = {"label": "decoder 350M"}
    assert judged("comparison", "W0504", "best", {"tables": {"systems": table}}).branch.effect is UNDERMINES
    table["caption"] = "All but DLRM, which does not fit."
    assert judged("comparison", "W0504", "best", {"tables": {"systems": table}}).outcome is PASS
    assert judged("comparison", "W0504", "best", {}).outcome is NOT_APPLICABLE
