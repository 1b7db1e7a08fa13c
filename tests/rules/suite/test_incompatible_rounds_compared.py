"""Q25, incompatible-rounds-compared."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.suite_results import against

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("own", "other", "outcome"),
    [
        ({}, {"round": "v2.0"}, PASS),
        ({}, {"benchmark": "ssd", "round": "v4.1"}, PASS),
        ({}, {"benchmark": "ssd", "round": "v1.1"}, NOT_APPLICABLE),
        ({"benchmark": "rnnt", "round": "v1.1"}, {"benchmark": "rnnt", "round": "v1.0"}, VIOLATION),
        ({"benchmark": "maskrcnn", "round": "v0.6"}, {"benchmark": "maskrcnn", "round": "v0.5"}, VIOLATION),
        ({"benchmark": "rgat"}, {"benchmark": "gnn", "round": "v4.1"}, PASS),
        ({}, {"round": None}, NOT_APPLICABLE),
        ({}, {"round": "v9.0"}, NOT_APPLICABLE),
        ({}, {"benchmark": "bert"}, NOT_APPLICABLE),
    ],
)
def test_rounds_that_go_together(quoted, own, other, outcome):
    assert quoted("Q25", against(other, own=own))[0] is outcome


def test_scenarios_and_the_benchmarks_of_one_document(judged):
    claim = {"compares": "own_variants", "base": {"arm": "offline", "metric": "rate"}}
    found = judged("suite-inference", "Q25", "server", {"claims": {"server": claim}})
    assert (found.outcome, found.branch.effect) == (VIOLATION, REFUTES)
    assert "Server" in found.branch.message
