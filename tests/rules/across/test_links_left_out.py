"""A link that an author leaves out takes no evidence away: claims are about the numbers that their words print."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.completion.links import linked
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

FP8 = {"precision": {"compute": "e4m3"}}
BARE = {"quality": None, "trials": {f"s{i}": None for i in range(1, 6)}}
"""An arm that was timed and never trained."""


def read_by_a_stranger(patch):
    value = merge_patch(base("training-pair"), patch)
    assert not validate("submission", value), validate("submission", value)
    return linked(Case(to_model(value, Submission)))


def said(code, claim, patch):
    (result,) = judge(read_by_a_stranger(patch), [by_code(code)], [claim])
    return result.outcome, getattr(result.branch, "effect", None)


def unlinked(sentence, title=None, claim="speedup", **arm):
    changed = {"claims": {claim: {"quality": None, "statement": sentence}}, "arms": {"fused": {**arm}}}
    return {**changed, "title": title} if title else changed


@pytest.mark.parametrize(
    ("claim", "sentence", "title"),
    [
        ("speedup", "Training is 1.43x faster with fused attention, at a test loss of 3.22.", None),
        ("speedup", "Training is 1.43x faster with fused attention. The test loss is 3.22.", None),
        ("speedup", "Training is 1.43x faster with fused attention.", "1.43x faster at a test loss of 3.22"),
        ("rate", "One GPU processes 41300 tokens per second.", "41300 tokens per second, test loss 3.22"),
    ],
    ids=["one sentence", "two sentences", "title", "title of a rate"],
)
def test_a_printed_quality_is_paired_with_the_number_beside_it(claim, sentence, title):
    patch = unlinked(sentence, title, claim, options=FP8, **BARE)
    assert said("W0801", claim, patch) == (Outcome.VIOLATION, REFUTES)


def test_the_quality_of_the_own_arm_comes_first():
    patch = unlinked("Training is 1.43x faster at a test loss of 3.22.", options=FP8)
    assert said("W0801", "speedup", patch) == (Outcome.PASS, None)
    assert read_by_a_stranger(patch).submission.claims["speedup"].quality.arm == "fused"


def test_what_an_arm_is_compared_with_is_not_its_own():
    """An arm that states its own loss may print that of the base beside it."""
    quality = {"loss": {"value": "3.05", "seeds": None}}
    patch = unlinked("Training is 1.43x faster, and the test loss is below 3.22.", options=FP8, quality=quality)
    assert read_by_a_stranger(patch).submission.claims["speedup"].quality is None


def test_the_quality_of_other_options_is_none_of_the_claims_arm():
    patch = {"claims": {"speedup": {"quality": None}}, "arms": {"fused": {"options": FP8, **BARE}}}
    assert said("W0201", "speedup", patch)[0] is Outcome.NOT_SHOWN
    patch["arms"]["fused"]["options"] = {"attention": "exact", "micro_batch": 16, "accumulation": 2}
    assert said("W0201", "speedup", patch)[0] is Outcome.PASS


def test_a_number_is_measured_where_it_stands():
    patch = {
        "claims": {"rate": {"measured": None, "value": "60100"}},
        "arms": {"fused": {"performance": {"rate": {"value": "60100"}}}},
    }
    assert said("F07", "rate", patch) == (Outcome.VIOLATION, REFUTES)
    assert said("I03", "rate", patch)[0] is Outcome.NOT_SHOWN


def test_a_number_that_no_arm_states_is_linked_to_none():
    patch = {"claims": {"rate": {"measured": None, "value": "41900"}}}
    assert read_by_a_stranger(patch).submission.claims["rate"].measured is None
    quoted = {"claims": {"rate": {"measured": None, "basis": "quoted"}}}
    assert read_by_a_stranger(quoted).submission.claims["rate"].measured is None


def test_words_are_about_what_the_number_beside_them_is_about():
    words = {
        "statement": "So the whole training is 1.43x faster.",
        "quantity": "rate",
        "form": "words",
        "scope": "training_run",
        "mode": "training",
        "compares": "own_variants",
    }
    layers = {name: {"measurement": {"scope": "layer"}, **BARE} for name in ("fused", "plain")}
    patch = {"claims": {"whole": words}, "arms": layers}
    assert said("W0501", "whole", patch) == (Outcome.VIOLATION, UNDERMINES)


def test_a_bare_number_is_no_other_base_than_the_arm_of_that_variant():
    bare = {"arm": None, "metric": None, "value": "20000", "unit": "tokens/s", "definition": "without fused attention"}
    claim = {"value": "2.06", "statement": "Training is 2.06x faster.", "base": bare, "interval": None}
    patch = {"claims": {"speedup": claim}}
    assert said("S04", "speedup", patch)[0] is Outcome.VIOLATION
    other = {**patch, "arms": {"plain": {"options": {"model": "decoder 350M"}}}}
    assert read_by_a_stranger(other).submission.claims["speedup"].base.arm is None


def test_a_base_that_was_found_is_still_asked_for():
    assert said("S13", "speedup", {"claims": {"speedup": {"base": None}}})[0] is Outcome.NOT_SHOWN


def test_what_is_linked_stays_as_it_is():
    case = Case(to_model(base("training-pair"), Submission))
    assert linked(case) is case


def test_a_number_that_is_called_the_same_is_a_claim_of_parity():
    words = {"statement": "It ends at 3.42, the same loss.", "value": "3.42", "quantity": "accuracy", "metric": "loss"}
    claim = {**words, "form": "absolute", "unit": None, "compares": "none", "base": None, "interval": None}
    quality = {"loss": {"value": "3.42", "seeds": None}}
    trials = {f"s{i}": None for i in range(1, 6)}
    patch = {"claims": {"speedup": claim}, "arms": {"fused": {"quality": quality, "trials": trials}}}
    found = read_by_a_stranger(patch).submission.claims["speedup"]
    assert (found.form, found.base.arm) == ("parity", "plain")
    assert said("S06", "speedup", patch) == (Outcome.VIOLATION, UNDERMINES)
    patch["claims"]["speedup"]["statement"] = "It ends at a loss of 3.42."
    assert read_by_a_stranger(patch).submission.claims["speedup"].form == "absolute"


@pytest.mark.parametrize(
    ("sentence", "suite"), [("In MLPerf Training 41300 tokens/s.", "training"), ("41300 tokens/s on one GPU.", None)]
)
def test_a_result_belongs_to_the_suite_that_its_sentence_names(sentence, suite):
    claim = {"statement": sentence, "suite": "none" if suite else None, "suite_result": {"organisation": "Example"}}
    assert read_by_a_stranger({"claims": {"rate": claim}}).submission.claims["rate"].suite == suite
