"""What transcribers could not say: values as printed, months, losses, and what may be read in two ways."""

import pytest
from dlaudit.schemas.printed_forms import readings
from dlaudit.schemas.spelling import parts
from dlaudit.schemas.validation import validate

CLAIM = {
    "statement": "It is faster.", "value": "2", "unit": "x", "quantity": "rate", "form": "ratio", "scope": "step",
    "mode": "training", "compares": "own_variants",
}  # fmt: skip


def submission(**fields):
    value = {"dlaudit": "submission/1", "title": "t", "claims": {"c": {**CLAIM, **fields}}}
    return {**value, "claims": {"c": {k: v for k, v in value["claims"]["c"].items() if v is not None}}}


def read(**fields):
    (own, *_) = readings(submission(**fields))
    assert not validate("submission", own)
    return own["claims"]["c"]


@pytest.mark.parametrize(
    ("printed", "unit", "told"),
    [
        ("1,200", "images/s", {"value": "1200"}),
        ("34.08M", "x", {"value": "34.08e6"}),
        ("~2", "x", {"value": "2", "qualifier": "about"}),
        ("over 3x", None, {"value": "3", "qualifier": "over", "unit": "x"}),
        ("33 hr 13 min", None, {"value": "1993", "unit": "min"}),
        ("47-48 %", None, {"value": "48", "unit": "%", "qualifier": "up_to",
                           "range": {"low": "47", "high": "48", "where": "same_place"}}),
        ("2.40", "x", {"value": "2.40"}),
    ],
)  # fmt: skip
def test_a_value_is_read_as_it_is_printed(printed, unit, told):
    claim = read(value=printed, unit=unit)
    assert {name: claim[name] for name in told} == told


def test_what_contradicts_its_unit_is_left_to_validation():
    (own,) = readings(submission(value="3-5 ms", unit="s"))
    assert validate("submission", own)


def test_numbers_of_arms_are_read_too():
    value = submission()
    value["arms"] = {
        "a": {
            "performance": {"rate": {"quantity": "rate", "value": "57,200", "unit": "tokens/s"}},
            "quality": {"top1": {"metric": "top-1", "value": "77.02 ± 0.04"}},
        }
    }
    (own,) = readings(value)
    assert not validate("submission", own)
    assert own["arms"]["a"]["performance"]["rate"]["value"] == "57200"
    assert own["arms"]["a"]["quality"]["top1"]["plus_minus"] == {"value": "0.04"}


def test_a_loss_is_a_quality():
    claim = read(quantity="loss", form="absolute", unit=None)
    assert (claim["quantity"], claim["metric"]) == ("accuracy", "loss")


def test_a_month_stands_for_each_of_its_days():
    value = submission(comparator={"name": "b", "date": "2024-02"})
    value["publication"] = {"date": "2025-01"}
    one, other = readings(value)
    assert not validate("submission", one)
    assert (one["publication"]["date"], one["claims"]["c"]["comparator"]["date"]) == ("2025-01-01", "2024-02-29")
    assert (other["publication"]["date"], other["claims"]["c"]["comparator"]["date"]) == ("2025-01-31", "2024-02-01")


def test_what_is_compared_and_not_said_is_read_in_both_ways():
    found = readings(submission(compares="not_stated"))
    assert [each["claims"]["c"]["compares"] for each in found] == ["own_variants", "other_system"]


def test_the_first_of_several_comparators_stands_for_them():
    claim = read(comparators=[{"name": "a"}, {"name": "b"}])
    assert claim["comparator"] == {"name": "a"}
    assert len(claim["comparators"]) == 2


@pytest.mark.parametrize("value", [None, [], {}, {"claims": 3}, {"claims": {"c": 3}, "arms": {"a": {"quality": []}}}])
def test_what_has_another_form_stays_as_it_is(value):
    assert readings(value)


@pytest.mark.parametrize("plain", ["0.6", "-1.5", "10.2", "3", "1e-5", "2.40"])
def test_a_plain_number_says_nothing_else(plain):
    assert parts(plain) is None


def test_a_number_of_which_nothing_says_what_it_covers_is_judged_like_that_of_a_step():
    assert not validate("submission", submission(scope="not_stated"))
    assert read(scope="not_stated")["scope"] == "step"


def test_an_error_is_a_quality_of_which_less_is_better():
    claim = read(quantity="error", form="absolute", unit="%", metric="word error rate", compares="none")
    assert (claim["quantity"], claim["metric"]) == ("accuracy", "word error rate")
