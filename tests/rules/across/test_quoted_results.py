"""Quoted results of a suite: what holds for many of their rules."""

import pytest
from dlaudit.rules.outcome import Outcome

NOT_APPLICABLE = Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("code", ["Q23", "Q24"])
def test_a_result_as_it_was_handed_in_is_no_quotation(quoted, code):
    assert quoted(code, {"statement": "38.1 min"}, publication=None) == (NOT_APPLICABLE, None)
