"""L11, failed-requests-excluded: A statistic over the requests that were answered, while others failed."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import in_full
from support.serving import NEEDS_CORPUS, hosted, labelled, server

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def test_failures_beside_a_rate_of_windows(judged):
    """A rate over iterations stands on the requests of its arm under the same load."""
    patch = requests()
    patch["arms"]["server"]["performance"]["rate"] = {
        "n": {"unit": "iteration", "planned": 9, "completed": 9, "failed": 0}
    }
    patch["claims"]["rate"] = {"statement": "6.27 requests per second"}
    assert judged("serving", "L11", "rate", patch).outcome is VIOLATION
    patch["arms"]["server"]["performance"]["latency"]["load"] = {"concurrency": 64}
    assert judged("serving", "L11", "rate", patch).outcome is NOT_SHOWN


def requests(planned=1064, completed=1000, failed=64, excluded=0, **claim):
    n = {"unit": "request", "planned": planned, "completed": completed, "failed": failed, "excluded": excluded}
    return server(latency={"n": n}, claims={"latency": claim})


SAID = "Mean latency 2.503 s over completed requests; 6 % failed."


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, (PASS, None, None)),
        (requests(), (VIOLATION, "a", UNDERMINES)),
        (requests(statement=SAID), (PASS, None, None)),
        (requests(said=[{"topic": "failed_requests", "quote": "64 of 1064 were lost"}]), (PASS, None, None)),
        (requests(said=[{"topic": "failed_requests", "quote": '"num": 1064, "failed": 64'}]), (VIOLATION, "c", CAVEAT)),
        (requests(1010, 1000, 10), (PASS, None, None)),  # 0.99 %
        (requests(1064, 1000, None), (VIOLATION, "a", UNDERMINES)),
        (requests(None, 1000, 64), (VIOLATION, "a", UNDERMINES)),
        (requests(1064, 1064, 64), (VIOLATION, "a", UNDERMINES)),  # planned ones given as completed
        (requests(1064, 1000, None, 64), (NOT_SHOWN, None, None)),  # why they were left out is not said
        (requests(1064, 1000, None, 64, statement="2.503 s; 64 were cut off at the window's end"), (PASS, None, None)),
        (requests(None, 1000, None), (NOT_SHOWN, None, None)),
        (requests(0, 0, 0), (PASS, None, None)),
        (requests(1200, 1000, 200, statement=SAID), (VIOLATION, "c", CAVEAT)),
        (requests(1200, 1000, 200, statement="Goodput counts the 200 that failed."), (PASS, None, None)),
    ],
)
def test_failed_requests(judged, patch, expected):
    result = judged("serving", "L11", "latency", patch)
    assert in_full(result) == expected
    assert expected[0] is not NOT_SHOWN or result.branch.item == "failures"


def test_an_arm_that_loses_a_tenth_is_not_ranked(judged):
    n = {"planned": 3400, "completed": 3000, "failed": 400}
    patch = {"arms": {"theirs": {"performance": {"rate": {"n": n}}}}}
    assert in_full(judged("serving-comparison", "L11", "speedup", patch)) == (VIOLATION, "b", UNDERMINES)
    patch["arms"]["theirs"]["performance"]["rate"]["n"] = None
    assert judged("serving-comparison", "L11", "speedup", patch).outcome is NOT_SHOWN


def test_failures_that_the_caption_states(judged):
    columns = {"latency": {"quantity": "latency", "unit": "s"}}
    table = {"caption": "Latency of completed requests; 6 % failed", "columns": columns, "rows": {"r": {"values": {}}}}
    patch = {**requests(row={"table": "t", "row": "r"}), "tables": {"t": table}}
    patch["claims"]["latency"]["measured"] = {"arm": "server", "metric": "latency"}
    assert judged("serving", "L11", "latency", patch).outcome is PASS
    table["caption"] = "Latency"
    assert judged("serving", "L11", "latency", patch).outcome is VIOLATION


def test_a_quality_is_no_statistic_over_requests(judged):
    patch = requests(None, None, None)
    patch["claims"] = {"latency": {**patch.get("claims", {}).get("latency", {}), "quantity": "accuracy", "unit": "%"}}
    assert judged("serving", "L11", "latency", patch).outcome is NOT_APPLICABLE


@NEEDS_CORPUS
def test_one_failed_request_of_150_is_no_tail(judged):
    raw = labelled("llmperf-together13b-ttft-2023")["facts"]["raw"]
    facts = {"n": raw["n_ok"] + raw["errors"], "errors": raw["errors"], "concurrency": 5, "ttft": raw}
    assert judged("serving", "L11", "latency", hosted(facts, "ttft")).outcome is PASS
    assert judged("serving", "S09", "latency", hosted(facts, "ttft")).outcome is PASS
