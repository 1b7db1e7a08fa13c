"""I04, nonce-missing: A study that does not carry the nonce that its reader gave out."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case, Study
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import UNDERMINES, Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

CITED = {
    "manifests": {"study": {"path": "study/manifest.json", "sha256": "0" * 64}},
    "claims": {"rate": {"measured": {"manifest": "study"}}},
}


def fresh(wanted, carried, readable=True, cites=True, said=None):
    value = merge_patch(base("rate"), (CITED if cites else {}) | {"nonce": said})
    study = {"id": "s", "title": "s", "spec_sha256": "0" * 64, "spec": "", "complete": True,
             "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T01:00:00Z"}  # fmt: skip
    record = {
        "dlaudit": "study/1",
        "tool": {"name": "dlaudit", "version": "1"},
        "libraries": {},
        "study": study | ({"nonce": carried} if carried is not None else {}),
        "systems": value["systems"],
        "arms": value["arms"],
        "plan": [],
    }
    known = to_model(record, Predicate, "study:/predicate") if readable else None
    case = Case(to_model(value, Submission), {"study": Study("study", known, "trusted")} if cites else {}, nonce=wanted)
    (result,) = judge(case, [by_code("I04")])
    return result


@pytest.mark.parametrize(
    ("wanted", "carried", "outcome"),
    [
        ("2f1c", "2f1c", Outcome.PASS),
        ("2f1c", "8d04", Outcome.VIOLATION),
        ("2f1c", "2F1C", Outcome.VIOLATION),
        ("2f1c", None, Outcome.NOT_SHOWN),
        (None, "2f1c", Outcome.NOT_APPLICABLE),
    ],
)
def test_the_nonce_of_a_cited_study(wanted, carried, outcome):
    result = fresh(wanted, carried)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.effect, result.branch.at) == (UNDERMINES, "study:/predicate/study/nonce")
    elif outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == "the buyer's nonce"


def test_no_study_and_one_that_cannot_be_read():
    assert fresh("2f1c", None, cites=False).outcome is Outcome.NOT_SHOWN
    assert fresh("2f1c", "2f1c", readable=False).outcome is Outcome.NOT_SHOWN


def test_what_the_submission_says_of_a_nonce_counts_for_nothing(judged):
    assert judged("rate", "I04", "rate", {"nonce": "2f1c"}, nonce="2f1c").outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("wanted", "said", "outcome"),
    [
        (None, "8d04", Outcome.VIOLATION),  # another study than the one it speaks of
        (None, "2f1c", Outcome.NOT_APPLICABLE),
        ("2f1c", "8d04", Outcome.PASS),  # what the reader set decides
    ],
)
def test_a_submission_that_speaks_of_another_nonce_than_its_study(wanted, said, outcome):
    assert fresh(wanted, "2f1c", said=said).outcome is outcome
