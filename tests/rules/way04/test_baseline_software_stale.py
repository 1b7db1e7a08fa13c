"""W0403, baseline-software-stale."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


class TestBaselineSoftwareStale:
    @staticmethod
    def days(ours, theirs, **more):
        return {
            "arms": {"ours": {"software": {"released": ours}}, "theirs": {"software": {"released": theirs, **more}}}
        }

    @pytest.mark.parametrize(
        ("ours", "theirs", "outcome"),
        [
            ("2026-01-02", "2025-01-01", VIOLATION),
            ("2026-01-01", "2025-01-01", PASS),
            ("2024-01-01", "2026-01-01", PASS),
            (None, "2020-01-01", NOT_APPLICABLE),
        ],
        ids=["a year and a day", "a year", "younger", "not stated"],
    )
    def test_age(self, judged, ours, theirs, outcome):
        result = judged("comparison", "W0403", "speedup", self.days(ours, theirs))
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C1)

    def test_the_day_of_the_result_bounds_the_stack(self, judged):
        patch = with_(self.days("2026-01-02", None), claim("speedup", comparator={"date": "2024-06-01"}))
        assert judged("comparison", "W0403", "speedup", patch).outcome is VIOLATION

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
            ("off", "1.34x faster.", VIOLATION),
            ("9.1.0", "1.34x faster.", NOT_APPLICABLE),
            ("none", "1.34x faster with cuDNN.", NOT_APPLICABLE),
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
        assert judged("training-pair", "W0403", "speedup", old).outcome is VIOLATION
        studied = with_(old, claim("speedup", treatment=["framework version"]))
        assert judged("training-pair", "W0403", "speedup", studied).outcome is NOT_APPLICABLE

    def test_the_day_of_a_result_acquits_nobody(self, judged):
        """A result of this year may rest on a stack of any year before."""
        patch = with_(self.days("2026-01-02", None), claim("speedup", comparator={"date": "2025-12-01"}))
        assert judged("comparison", "W0403", "speedup", patch).outcome is NOT_APPLICABLE

    def test_a_quoted_result_has_no_arm(self, judged):
        patch = claim("speedup", base=None, comparator={"date": "2024-06-01"})
        dated = with_(patch, arm("ours", software={"released": "2026-01-02"}))
        assert judged("comparison", "W0403", "speedup", dated).outcome is VIOLATION
        assert judged("comparison", "W0403", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        ("torch 2.7.1", "torch 2.0.1", Outcome.VIOLATION),
        ("PyTorch 2.2.1", "PyTorch 1.13.1", Outcome.VIOLATION),
        ("torch 2.4.0", "torch 2.3.1", Outcome.NOT_APPLICABLE),
        ("torch 2.6.0", "torch 2.4.1", Outcome.NOT_APPLICABLE),
        ("torch 2.7.1", "another 0.1", Outcome.NOT_APPLICABLE),
        ("torch 9.9", "torch 2.0.1", Outcome.NOT_APPLICABLE),
    ],
)
def test_versions_of_the_framework_tell_its_days(judged, ours, theirs, outcome):
    arms = {"ours": {"software": {"framework": ours, "released": None}}}
    arms["theirs"] = {"software": {"framework": theirs, "released": None}}
    patch = {"arms": arms, "claims": {"speedup": {"comparator": {"date": None}}}}
    assert judged("comparison", "W0403", "speedup", patch).outcome is outcome


NOTHING_STATED = {"systems": None, "arms": {"ours": {"software": None}, "theirs": {"software": None}}}
ALONE = {"base": None, "comparator": None, "row": None}
OVER_NOTHING = {"claims": {"speedup": {**ALONE, "statement": "Fusion makes training 1.34x faster."}}}
NAMED_IN_WORDS = {"claims": {"speedup": {**ALONE, "statement": "FastLM trains 1.34x faster than OtherLM."}}}
NO_COMPARATOR = {"claims": {"speedup": {"comparator": None, "row": None, "base": {"definition": "a plain loop"}}}}
RELEASE = {"claims": {"speedup": {"comparator": None, "row": None, "base": {"definition": "release 1.4"}}}}


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (OVER_NOTHING, "over what the gain was measured"),
        (NOTHING_STATED | NO_COMPARATOR, "neither software nor hardware"),
    ],
    ids=["no baseline", "nothing of how it ran"],
)
def test_a_baseline_that_nobody_can_judge_is_asked_for(judged, patch, words):
    result = judged("comparison", "W0403", "speedup", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "what the baseline is")
    assert words in result.branch.message


@pytest.mark.parametrize("patch", [NOTHING_STATED, NOTHING_STATED | RELEASE, NAMED_IN_WORDS])
def test_a_baseline_that_is_named_is_one(judged, patch):
    assert judged("comparison", "W0403", "speedup", patch).outcome is not Outcome.NOT_SHOWN

    def test_a_baseline_that_was_worked_out_from_other_numbers(self, judged):
        said = [{"topic": "projection", "quote": "its time is interpolated from the curves of its paper"}]
        result = judged("comparison", "W0403", "best", claim("best", said=said))
        assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "what the baseline is")
        unmeasured = claim("best", said=said, basis="projected")
        assert judged("comparison", "W0403", "best", unmeasured).outcome is not Outcome.NOT_SHOWN
