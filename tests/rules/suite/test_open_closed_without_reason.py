"""Q28, open-closed-without-reason."""

from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.suite_results import against

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def test_open_against_closed(quoted):
    other = {"division": "open"}
    assert quoted("Q28", against(other)) == (VIOLATION, UNDERMINES)
    assert (
        quoted("Q28", against(other, statement="The open one prunes, since that is not allowed in closed."))[0] is PASS
    )
    plain = "The closed box is 1.06x as fast as the open one."
    assert quoted("Q28", against(other, statement=plain)) == (VIOLATION, UNDERMINES)
    assert quoted("Q28", against({})) == (PASS, None)
    assert quoted("Q28", against(suite="none"))[0] is NOT_APPLICABLE
