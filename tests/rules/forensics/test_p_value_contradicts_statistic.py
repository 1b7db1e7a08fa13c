"""F23, p-value-contradicts-statistic: A p that its own statistic does not give."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer

PASS, OUTSIDE = Outcome.PASS, Outcome.NOT_APPLICABLE


def printed_test(**test):
    return {"claims": {"speedup": {"test": test}}}


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ({"kind": "t", "statistic": "2.31", "degrees_of_freedom": "8", "p": "0.050"}, PASS),
        ({"kind": "t", "statistic": "-2.31", "degrees_of_freedom": "8", "p": "0.050"}, PASS),
        ({"kind": "t", "statistic": "2.31", "degrees_of_freedom": "8", "p": "0.025"}, PASS),
        ({"kind": "t", "statistic": "2.31", "degrees_of_freedom": "8", "p": "0.025", "sided": "two"}, CAVEAT),
        ({"kind": "t", "statistic": "1.52", "degrees_of_freedom": "8", "p": "0.017"}, REFUTES),
        (
            {"kind": "t", "statistic": "1.52", "degrees_of_freedom": "8", "p": "0.05", "p_qualifier": "less_than"},
            REFUTES,
        ),
        ({"kind": "t", "statistic": "5.2", "degrees_of_freedom": "8", "p": "0.01", "p_qualifier": "less_than"}, PASS),
        (
            {
                "kind": "t",
                "statistic": "5.2",
                "degrees_of_freedom": "8",
                "p": "0.05",
                "p_qualifier": "at_least",
                "sided": "two",
            },
            REFUTES,
        ),
        ({"kind": "t", "statistic": "2.31", "degrees_of_freedom": "8", "p": "0.030", "alpha": 0.04}, CAVEAT),
        (
            {
                "kind": "t",
                "statistic": "2.31",
                "degrees_of_freedom": "8",
                "p": "0.030",
                "alpha": 0.04,
                "sided": "two",
            },
            REFUTES,
        ),
        ({"kind": "z", "statistic": "1.96", "p": "0.050"}, PASS),
        ({"kind": "z", "statistic": "0.0", "p": "1.0"}, PASS),
        ({"kind": "chi2", "statistic": "3.84", "degrees_of_freedom": "1", "p": "0.050"}, PASS),
        ({"kind": "chi2", "statistic": "5.84", "degrees_of_freedom": "1", "p": "0.5"}, REFUTES),
        (
            {
                "kind": "f",
                "statistic": "4.26",
                "degrees_of_freedom": "2",
                "denominator_degrees_of_freedom": "9",
                "p": "0.05",
            },
            PASS,
        ),
        ({"kind": "r", "statistic": "0.632", "degrees_of_freedom": "8", "p": "0.050"}, PASS),
        ({"kind": "r", "statistic": "1.2", "degrees_of_freedom": "8", "p": "0.050"}, OUTSIDE),
        ({"kind": "f", "statistic": "4.26", "degrees_of_freedom": "2", "p": "0.05"}, OUTSIDE),
        ({"kind": "t", "statistic": "2.31", "p": "0.5"}, OUTSIDE),
        ({"kind": "t", "statistic": "2.31", "degrees_of_freedom": "0", "p": "0.5"}, OUTSIDE),
        ({"name": "some test", "p": "0.5"}, OUTSIDE),
        (
            {"kind": "t", "statistic": "9e59", "degrees_of_freedom": "8", "p": "0.0001", "p_qualifier": "less_than"},
            PASS,
        ),
    ],
)
def test_a_printed_p(judged, test, outcome):
    branch = {REFUTES: "a", CAVEAT: "b"}.get(outcome)
    found = judged("training-pair", "F23", "speedup", printed_test(**test))
    assert answer(found) == ((branch, outcome) if branch else outcome)
