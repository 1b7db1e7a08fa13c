"""Results of the inference suite: what holds for many of its rules."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.suite_results import result

NOT_APPLICABLE = Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("code", ["Q10", "Q11", "Q13", "Q14", "Q17", "Q32"])
@pytest.mark.parametrize("round_name", ["v9.9", None])
def test_what_the_tables_do_not_hold_is_not_decided(inference, code, round_name):
    assert inference(code, result("offline", round=round_name))[0] is NOT_APPLICABLE
