"""Q23, result-footnote-incomplete: A quoted result of a suite whose footnote is missing, or names another round."""

import pytest
from dlaudit.rules.outcome import Outcome
from dlaudit.rules.required import PROFILES, SUITE_PROFILE, requirements, table

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def test_the_suites_profile_asks_for_the_reviewers_rows_and_all_of_the_suite(judged):
    from dlaudit.rules.bases import base
    from dlaudit.rules.case import Case
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    def asked(profile):
        submission = to_model(base("suite-inference"), Submission)
        case = Case(submission, profile=profile)
        codes = {row.rule for row in table()}
        return {row for code in codes for row in requirements(code, submission.claims["offline"], case)}

    reviewer, suite = asked("reviewer"), asked(SUITE_PROFILE)
    assert reviewer < suite
    assert {row.rule for row in suite - reviewer} == {"Q23"}
    assert SUITE_PROFILE not in PROFILES


FOOTNOTE = "MLPerf Training v5.0 closed, entry 5.0-0042, mlcommons.org, 1 July 2025; verified. A trademark."


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"id": "5.0-0042", "footnote": FOOTNOTE}, PASS),
        ({"id": "5.0-0042", "footnote": FOOTNOTE.replace(" A trademark.", "")}, NOT_SHOWN),
        ({"id": "5.0-0042", "footnote": FOOTNOTE.replace("5.0-0042", "the entry")}, NOT_SHOWN),
        ({"id": "5.0-0042"}, NOT_SHOWN),
        ({"id": "number 42", "footnote": FOOTNOTE}, VIOLATION),
        ({"id": "4.1-0042", "footnote": FOOTNOTE}, VIOLATION),
        ({"id": "5.0-0042.A", "footnote": FOOTNOTE.replace("5.0-0042", "5.0-0042.A")}, PASS),
        ({"verified": False, "footnote": FOOTNOTE.replace("entry 5.0-0042", "unverified")}, PASS),
    ],
)
def test_footnotes(quoted, result, outcome):
    assert quoted("Q23", {"suite_result": {"verified": None} | result})[0] is outcome
