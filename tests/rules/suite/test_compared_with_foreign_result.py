"""Q26, compared-with-foreign-result."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.suite_results import against

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        (against(suite="none"), VIOLATION),
        (against({}), PASS),
        ({"compares": "other_system", "comparator": {"name": "theirs", "suite": None}}, NOT_SHOWN),
        ({"compares": "other_system", "comparator": {"name": "theirs", "result_id": "5.0-0007"}}, PASS),
        ({"compares": "none"}, NOT_APPLICABLE),
    ],
)
def test_where_the_other_side_is_from(quoted, claim, outcome):
    assert quoted("Q26", claim)[0] is outcome
