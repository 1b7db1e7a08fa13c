"""I01, signature-invalid: A claim that stands on a study whose signature or digests do not hold."""

import pytest
from dlaudit.rules.case import Study
from dlaudit.rules.outcome import REFUTES, Outcome
from support.documents import CITED, signed

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def study(signature, *problems):
    return {"s": Study("s", None, signature, tuple(problems))}


@pytest.mark.parametrize(
    ("signature", "problems", "outcome"),
    [
        ("trusted", (), PASS),
        ("unlisted", (), PASS),
        ("absent", (), PASS),
        ("invalid", (), VIOLATION),
        ("invalid", ("the digest of trials/t1.samples.json differs",), VIOLATION),
        ("unread", ("no such file",), NOT_APPLICABLE),
    ],
)
def test_signatures(judged, signature, problems, outcome):
    result = judged("rate", "I01", "rate", signed("rate"), studies=study(signature, *problems))
    assert (result.outcome, getattr(result.branch, "effect", None)) == (
        outcome,
        REFUTES if outcome is VIOLATION else None,
    )
    if outcome is VIOLATION:
        assert result.branch.at == "/manifests/s"


def test_an_invalid_study_that_a_claim_does_not_cite(judged):
    assert judged("rate", "I01", "rate", CITED, studies=study("invalid")).outcome is NOT_APPLICABLE
