"""Q31, published-before-date: A publication that quotes results of a round before their date."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("day", "authors", "verified", "outcome"),
    [
        ("2024-10-31", "Example Lab", True, VIOLATION),
        ("2024-11-30", "Example Lab", True, PASS),
        ("2024-11-10", "A journal", True, VIOLATION),
        ("2024-11-30", "A journal", True, PASS),
        ("2024-01-30", "A journal", False, VIOLATION),  # the dates hold for unverified results, too
        ("2024-11-30", "A journal", False, PASS),
    ],
)
def test_results_have_a_date(quoted, day, authors, verified, outcome):
    claim = {"suite_result": {"verified": verified, "round": "v4.1"}}
    found = quoted("Q31", claim, publication={"date": day, "authors": authors})
    assert found == (outcome, CAVEAT if outcome is VIOLATION else None)


def test_a_publication_without_a_day(quoted):
    assert quoted("Q31", {"suite_result": {"verified": True}}, publication={"date": None})[0] is NOT_APPLICABLE
