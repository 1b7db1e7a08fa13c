"""Q24, unverified-not-said: A quoted result that nobody verified, called verified, or not called unverified."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN
SENTENCE = "Result not verified by MLCommons Association."


@pytest.mark.parametrize(
    ("statement", "fields", "outcome"),
    [
        (f"38.1 min (unverified). {SENTENCE}", {}, PASS),
        (f"38.1 min. {SENTENCE}", {}, PASS),
        ("38.1 min (unverified).", {}, NOT_SHOWN),
        ("38.1 min.", {}, NOT_SHOWN),
        ("An official result: 38.1 min.", {}, VIOLATION),
        ("A verified result: 38.1 min.", {}, VIOLATION),
        ("This is not an official result; unverified.", {}, NOT_SHOWN),
        ("An official result: 38.1 min.", {"id": "5.0-0042"}, PASS),
        ("38.1 min.", {"verified": True}, VIOLATION),
    ],
)
def test_verified_or_not(quoted, statement, fields, outcome):
    claim = {"statement": statement, "suite_result": {"verified": None} | fields}
    assert quoted("Q24", claim)[0] is outcome
