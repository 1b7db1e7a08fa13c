"""Q13, random-seed-not-official."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.patches import both
from support.suite_results import run, stated

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(("seed", "outcome"), [("3066443479025735752", PASS), ("7741", VIOLATION)])
def test_seeds_of_earlier_rounds(inference, seed, outcome):
    others = {"10": {"value": "10688027786191513374"}, "11": {"value": "14962580496156340209"}}
    runs = {name: {"events": {"9": {"value": seed}} | others} for name in ("performance", "accuracy")}
    patch = both(stated("offline", round="v4.1"), {"arms": {"offline": {"runs": runs}}})
    assert inference("Q13", patch)[0] is outcome


def test_compliance_runs_have_their_own_seeds(inference):
    assert inference("Q13", run(name="TEST01", events={"9": {"value": "1"}})) == (PASS, None)
    assert inference("Q13", run(events={"9": {"value": "1"}})) == (VIOLATION, UNDERMINES)
    assert inference("Q13", run(events={"9": None}))[0] is NOT_APPLICABLE


def test_the_order_of_an_accuracy_run_is_a_caveat(inference):
    assert inference("Q13", run(name="accuracy", events={"9": {"value": "1"}})) == (VIOLATION, CAVEAT)
