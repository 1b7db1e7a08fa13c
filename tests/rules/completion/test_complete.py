"""Claims completed by their words: what is stated, read and absent, and what a finding rests on."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.completion.complete import completed, without
from dlaudit.rules.completion.grounds import quoting
from dlaudit.rules.completion.precision import may_refute, measured
from dlaudit.rules.completion.reads import Read
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import C3, REFUTES, UNDERMINES, Outcome, Result, Violation
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission


def case_of(name, claim, **given):
    return Case(to_model(merge_patch(base(name), {"claims": {claim: given}}), Submission))


def read(name, claim, **given):
    case = completed(case_of(name, claim, **given))
    return {item.field: item.value for item in case.read(case.submission.claims[claim])}


BARE = {"statistic": None, "qualifier": None, "label": None, "basis": None, "superlative": None}


@pytest.mark.parametrize(
    ("statement", "field", "value"),
    [
        ("The median rate is 2500 images per second.", "statistic", "median"),
        ("The best of five runs is 2500 images per second.", "statistic", "best_of"),
        ("It reaches up to 2500 images per second.", "qualifier", "up_to"),
        ("It reaches at least 2500 images per second.", "qualifier", "at_least"),
        ("It reaches about 2500 images per second.", "qualifier", "about"),
        ("At 2500 images per second, ours is the fastest training system.", "superlative", "the fastest training"),
        ("The model is the fastest weather forecast: 2500 images/s.", "superlative", "the fastest weather forecast"),
        ("It sets a new world record of 2500 images per second.", "superlative", "world record"),
        ("In strong scaling it trains at 2500 images per second.", "label", "strong"),
    ],
)
def test_words_give_what_the_fields_leave_out(statement, field, value):
    assert read("rate", "rate", **BARE, statement=statement)[field] == value


@pytest.mark.parametrize(
    "statement",
    [
        "The rate is 2500 images per second, whose 99th percentile of latency is 3 ms.",
        "It trains at 2500 images per second on up to 64 GPUs.",
        "The median is 2400 and the mean 2500 images per second.",
        "Among the fastest training systems, it reaches 2500 images per second.",
        "It is not the fastest training system: 2500 images per second.",
        "Strong and weak scaling were measured at 2500 images per second.",
        "We project the keys to 64 dimensions at 2500 images per second.",
    ],
)
def test_what_words_leave_open_stays_absent(statement):
    assert set(read("rate", "rate", **BARE, statement=statement)) <= {"work"}


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("The p50 latency is 2.50 s.", "median"),
        ("The 50th percentile of the latency is 2.50 s.", "median"),
        ("The p99 latency is 2.50 s.", "percentile"),
        ("The mean is 2.50 s, its 99th percentile 2.86 s.", None),
    ],
)
def test_the_middle_percentile_is_the_median(statement, value):
    assert read("serving", "latency", **BARE, statement=statement, value="2.50").get("statistic") == value


def test_a_projection_is_one_by_its_words():
    given = {"statement": "We project 2500 images per second on 64 GPUs.", "measured": None}
    assert read("rate", "rate", **BARE, **given)["basis"] == "projected"


def test_a_stated_field_stays_as_stated():
    found = completed(case_of("rate", "rate", statement="The mean rate is 2500 images per second.", statistic="median"))
    assert found.submission.claims["rate"].statistic == "median"
    assert "statistic" not in {item.field for item in found.read(found.submission.claims["rate"])}


def test_a_case_is_completed_once():
    found = completed(case_of("rate", "rate", **BARE))
    assert completed(found) is found


def test_without_a_reading_the_field_is_absent_again():
    found = completed(case_of("rate", "rate", **BARE, statement="The mean rate is 2500 images per second."))
    assert found.submission.claims["rate"].statistic == "mean"
    assert without(found, "statistic").submission.claims["rate"].statistic is None


def test_a_finding_that_rests_on_a_reading_quotes_it():
    words = "The best of five runs is 2500 images per second."
    (result,) = judge(case_of("rate", "rate", **BARE, statement=words), [by_code("W0302")], ["rate"])
    assert (result.branch.branch, result.branch.related[-1].at) == ("c", "/claims/rate/statement")
    assert words in result.branch.message
    assert words in result.branch.related[-1].note


def test_a_finding_that_needs_no_reading_quotes_none():
    words = "The mean rate is 2500 images per second."
    (result,) = judge(case_of("rate", "rate", **BARE, statement=words, unit="s"), [by_code("F56")], ["rate"])
    assert "read from" not in result.branch.message


RESULT = Result("X01", "c", Outcome.VIOLATION, Violation("a", REFUTES, C3, "It is wrong", "/claims/c"))


def reading(kind):
    return Read("statistic", "mean", kind, "/claims/c/statement", "The mean is 3.")


def test_only_kinds_that_were_right_often_enough_refute():
    known = {kind for kind in measured() if may_refute(kind)}
    assert "quantity" in known
    assert not known & {"comparison", "name: format", "count: devices"}
    assert not may_refute("statistic")  # nobody measured it


def test_a_refutation_on_a_doubtful_reading_asks():
    found = quoting(RESULT, (reading("comparison"),))
    assert (found.outcome, found.branch.question) == (Outcome.NOT_SHOWN, True)
    assert 'is it so (statistic read from the statement: "The mean is 3.")?' in found.branch.message
    assert quoting(RESULT, (reading("quantity"),)).branch.effect is REFUTES


def test_other_effects_stay():
    branch = Violation("a", UNDERMINES, C3, "It is wrong", "/claims/c")
    found = quoting(Result("X01", "c", Outcome.VIOLATION, branch), (reading("comparison"),))
    assert found.branch.effect is UNDERMINES
