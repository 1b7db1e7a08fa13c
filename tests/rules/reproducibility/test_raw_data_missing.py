"""R04, raw-data-missing: A measured number whose raw values are not given."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Study
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from support.documents import signed

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        ({"arms": {"plain": {"trials": None}}}, NOT_SHOWN),
        ({"arms": {"fused": {"trials": None}}}, NOT_SHOWN),
        ({"claims": {"speedup": {"base": None}}}, NOT_SHOWN),
    ],
)
def test_raw_values_of_both_sides(judged, patch, outcome):
    assert judged("training-pair", "R04", "speedup", patch).outcome is outcome


def test_an_empty_column_holds_no_raw_values(judged):
    empty = {"a": {"trials": {f"t{i}": {"samples": {"step_time_s": []}} for i in range(1, 6)}}}
    assert judged("rate", "R04", "rate", {"arms": empty}).outcome is NOT_SHOWN


def test_evaluations_are_no_raw_values_of_a_rate(judged):
    log = [{"split": "test", "samples": 1000, "time_s": 9.1, "metrics": {"loss": 3.2}}]
    trained = {"s1": {"kind": "convergence", "outcome": "completed", "evaluations": log}}
    trials = {f"t{i}": None for i in range(1, 6)} | trained
    assert judged("rate", "R04", "rate", {"arms": {"a": {"trials": trials}}}).outcome is NOT_SHOWN


def test_raw_values_in_a_signed_study_count(judged):
    value = base("rate")
    record = to_model(
        {
            "dlaudit": "study/1",
            "tool": {"name": "dlaudit", "version": "1"},
            "libraries": {},
            "study": {
                **dict.fromkeys(("id", "title", "spec", "started", "ended"), "s"),
                "spec_sha256": "0" * 64,
                "complete": True,
            },
            "systems": value["systems"],
            "arms": value["arms"],
            "plan": [],
        },
        Predicate,
        "s:",
    )
    cited = {"s": Study("s", record, "trusted")}
    result = judged("rate", "R04", "rate", {**signed("rate"), "arms": None}, studies=cited)
    assert result.outcome is PASS
