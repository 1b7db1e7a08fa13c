"""F26, declared-count-contradicted: A number that is said to rest on more units than the document holds."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer
from support.quality import RUNS

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def repetitions(**n):
    return {"arms": {"a": {"performance": {"rate": {"n": n}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (repetitions(completed=300), PASS),  # of all five processes
        (repetitions(completed=310), ("c", CAVEAT)),
        (repetitions(completed=600), ("b", UNDERMINES)),
        ({"arms": {"a": {"performance": {"rate": {"trials": 10}}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t1": {"iterations_planned": 65}}}}}, PASS),  # warm-up need not be there
        ({"arms": {"a": {"trials": {f"t{i}": {"iterations_planned": 90} for i in range(1, 6)}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t2": {"iterations_planned": 120}}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t2": {"iterations_planned": None}}}}}, NOT_APPLICABLE),
        ({"arms": {"a": {"trials": {"t2": {"samples": None, "iterations_planned": 120}}}}}, NOT_APPLICABLE),
        ({**repetitions(completed=600), "coverage": "excerpt"}, NOT_APPLICABLE),
        ({"arms": {"a": {"trials": {f"t{i}": None for i in range(1, 6)}}}}, NOT_APPLICABLE),
    ],
)
def test_declared_units_are_there(judged, patch, expected):
    assert answer(judged("rate", "F26", "rate", patch)) == expected


def test_two_of_forty_logs_absent_are_a_caveat(judged):
    run = {"kind": "convergence", "outcome": "completed"}
    quality = {"n": {"planned": 40, "completed": 40}, "seeds": None, "interval": None}
    trials = {**RUNS, **{f"r{i}": run for i in range(38)}}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}, "trials": trials, "plan": None}}}
    assert answer(judged("accuracy", "F26", "accuracy", patch)) == ("c", CAVEAT)
    patch["arms"]["trained"]["trials"] |= {f"r{i}": None for i in range(20)}
    assert answer(judged("accuracy", "F26", "accuracy", patch)) == ("b", UNDERMINES)


def test_a_rate_of_requests_that_are_not_there(judged):
    n = {"planned": 1204, "completed": 1200}
    metrics = {"rate": {"value": "7.53", "work": 1200, "interval": None, "n": n}, "latency": {"n": n}}
    patch = {"arms": {"server": {"performance": metrics}}}
    result = judged("serving", "F26", "rate", patch)
    assert answer(result) == ("a", REFUTES)
    assert "6.2" in result.branch.recomputed
    gone = {"arms": {"server": {"performance": metrics, "trials": {"t5": None}}}}
    assert answer(judged("serving", "F26", "rate", gone)) == ("b", UNDERMINES)  # a process is missing
    alone = {"arms": {"server": {"performance": {"rate": metrics["rate"]}}}}
    assert judged("serving", "F26", "rate", alone).outcome is not VIOLATION  # other units than those of the latency
