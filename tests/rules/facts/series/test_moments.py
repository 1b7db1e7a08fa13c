"""The fact `series.moments`: Instants of a document, and when the trials and runs of an arm took place."""

import pytest
from dlaudit.rules.facts.series.moments import instant_s


@pytest.mark.parametrize("text", [None, "2026-02-31T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T00:00:60Z"])
def test_an_instant_that_is_in_no_calendar(text):
    assert instant_s(text) is None


def test_instants_keep_their_fractions():
    assert instant_s("1970-01-02T00:00:00.25Z") == 86400.25
    assert instant_s("1970-01-02T00:00:00.123456789Z") == pytest.approx(86400.123456789)
