"""Q30, derived-metric-called-official."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"unit": "min"}, NOT_APPLICABLE),
        ({"unit": "samples/s/GPU", "statement": "384 samples/s per GPU."}, VIOLATION),
        ({"unit": "samples/s/GPU", "statement": "384 samples/s per GPU, derived from entry 5.0-0042."}, PASS),
        ({"unit": "samples/s/W", "statement": "A derived, official 0.4 samples/s/W."}, VIOLATION),
        ({"unit": "samples/s/W", "statement": "Derived: 0.4 samples/s/W, not an official metric."}, PASS),
        ({"unit": "samples/J", "statement": "MLPerf score: 5 samples/J, verified."}, VIOLATION),
        ({"unit": "samples/J", "statement": "5 samples/J, derived by us (result verified by MLCommons)."}, PASS),
        (
            {"form": "ratio", "basis": "derived", "unit": "x", "statement": "2x; both results verified by MLCommons."},
            PASS,
        ),
        ({"basis": "derived", "unit": "min", "statement": "Interpolated 40 min, not official."}, PASS),
        (
            {"form": "ratio", "basis": "derived", "statement": "Our MLPerf score is 1.09x that of the verified T4."},
            PASS,
        ),
        ({"form": "ratio", "basis": "derived", "statement": "It beats the official time by factor 1.09."}, PASS),
        ({"form": "ratio", "basis": "derived", "statement": "The factor of 1.09 is itself official."}, VIOLATION),
        ({"unit": "samples/J", "statement": "A derived MLPerf score of 5 samples/J."}, VIOLATION),
    ],
)
def test_derived_figures(quoted, claim, outcome):
    assert quoted("Q30", claim)[0] is outcome
