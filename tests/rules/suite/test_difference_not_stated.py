"""Q27, difference-not-stated."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.suite_results import against

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN
ALIKE = {"verified": False}


@pytest.mark.parametrize(
    ("own", "other", "statement", "outcome"),
    [
        ({}, {}, "Faster.", PASS),
        ({}, {"round": "v4.1"}, "Faster.", VIOLATION),
        ({}, {"round": "v4.1"}, "Faster than in the previous round.", PASS),
        ({}, {"round": "v4.1"}, "v5.0 is faster than v4.1.", PASS),
        ({"devices": 8}, {"devices": 16}, "Faster.", VIOLATION),
        ({"devices": 8}, {"devices": 16}, "8 devices are faster than 16.", PASS),
        ({"devices": 8}, {"devices": 16}, "8.16 times faster.", VIOLATION),
        ({"devices": 8}, {"devices": 16}, "Faster per chip.", PASS),
        ({"devices": 8}, {}, "Faster.", NOT_SHOWN),
        ({}, {"verified": True}, "Faster.", VIOLATION),
        ({}, {"verified": True}, "Faster (unverified).", PASS),
        ({"category": "Available"}, {"category": "available"}, "Faster.", PASS),
        ({"category": "preview"}, {"category": "available"}, "Faster.", VIOLATION),
    ],
)
def test_differences(quoted, own, other, statement, outcome):
    assert quoted("Q27", against(ALIKE | other, own=own, statement=statement))[0] is outcome
