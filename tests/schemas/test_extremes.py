"""Numbers and days that no rule can reckon with are refused where documents are read."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.validation import validate

ARM = {"a": {"trials": {"t1": {"samples": {"step_time_s": [0.1, 0.1]}}}}}


def problems(patch):
    return [problem.what for problem in validate("submission", merge_patch(base("rate"), patch))]


@pytest.mark.parametrize("number", [1.7e308, 5e-324, -1e61, 1e-61, 10**15 * 1.0e50])
def test_a_number_beyond_all_reckoning(number):
    patches = [
        {"arms": {"a": {"devices": None, "cost": {"hours": abs(number)}}}},
        {"arms": {"a": {"options": {"extra": {"x": number}}}}},
        {"arms": {"a": {"trials": {"t1": {"samples": {"step_time_s": [0.1, abs(number)]}}}}}},
    ]
    for patch in patches:
        assert any("too large, or too small" in what for what in problems(patch)), patch


@pytest.mark.parametrize("text", ["1.7e308", "5e-324", "1e999", "1e-999", "-2e61"])
def test_a_printed_number_likewise(text):
    assert any("too large, or too small" in what for what in problems({"claims": {"rate": {"value": text}}}))


@pytest.mark.parametrize("text", ["0", "-0", "0e999", "9" * 40, "0." + "0" * 37 + "1", "1e59", "1e-59"])
def test_what_can_be_reckoned_with_stays(text):
    assert problems({"claims": {"rate": {"value": text}}}) == []


@pytest.mark.parametrize("day", ["2026-02-29", "2025-02-30", "2026-04-31", "0000-01-01"])
def test_a_day_that_is_none(day):
    assert problems({"publication": {"date": day}}) == [f"there is no {day} in the calendar"]
    assert problems({"publication": {"date": "2024-02-29"}}) == []


def test_many_are_told_up_to_a_hundred():
    samples = {"step_time_s": [1e100] * 5_000}
    assert len(problems({"arms": {"a": {"trials": {"t1": {"samples": samples}}}}})) == 100
