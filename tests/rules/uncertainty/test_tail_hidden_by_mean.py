"""S09, tail-hidden-by-mean: The latency of a service by its mean or median, without its tail."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.serving import served

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def latency(statement="The mean latency of a request is 10 ms.", raw=False, statistic="mean", **metric):
    """The worked case of a tail: a mean of 10 ms beside a 99th percentile of 500 ms."""
    changed = {"statement": statement, "value": "0.010", "statistic": statistic}
    if "summary" in metric:  # nothing of the base's own stays
        given = metric["summary"]
        percentiles = {"50": None, "90": None, "99": None, **given.get("percentiles", {})}
        metric["summary"] = {"max": None, **given, "percentiles": percentiles}
    arm = {"performance": {"latency": {"value": "0.010", "summary": None, **metric}}}
    return {"claims": {"latency": changed}, "arms": {"server": arm if raw else {**arm, "trials": None}}}


def test_an_empty_list_of_latencies_is_no_tail(judged):
    empty = {f"t{i}": {"samples": {"latency_s": []}} for i in range(1, 6)}
    patch = latency(raw=True)
    patch["arms"]["server"]["trials"] = empty
    assert judged("serving", "S09", "latency", patch).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (latency(), NOT_SHOWN),
        (latency("Mean 10 ms, p99 500 ms."), PASS),
        (latency(summary={"percentiles": {"99": "0.500"}}), PASS),
        (latency(summary={"percentiles": {"p99.9": "0.500"}}), PASS),
        (latency(summary={"percentiles": {"50": "0.009", "75": "0.011"}}), NOT_SHOWN),
        (latency(summary={"percentiles": {"x": "0.5"}}), NOT_SHOWN),
        (latency(summary={"max": "0.700"}), PASS),
        (latency(statistic="percentile"), PASS),
        (latency(raw=True), NOT_SHOWN),
    ],
)
def test_tails(judged, patch, outcome):
    result = judged("serving", "S09", "latency", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == "tail"


def test_a_benchmark_may_ask_for_the_mean(judged):
    patch = latency()
    patch["claims"]["latency"]["metric_defined"] = {"kind": "custom", "set_by": "benchmark"}
    assert judged("serving", "S09", "latency", patch).outcome is NOT_APPLICABLE
    patch["claims"]["latency"]["purpose"] = "hardware_throughput"
    assert judged("serving", "S09", "latency", patch).outcome is NOT_APPLICABLE


def test_a_tail_at_another_load_is_none_of_this_latency(judged):
    claims = {"latency": {"statement": "The mean latency of a request is 2.503 s."}}
    own = {"summary": {"max": None, "percentiles": None}, "load": {"concurrency": 16}}
    other = {"quantity": "latency", "value": "4.1", "unit": "s", "statistic": "percentile", "load": {"concurrency": 64}}
    assert judged("serving", "S09", "latency", served(claims, latency=own, busy=other)).outcome is NOT_SHOWN
    same = {**other, "load": {"concurrency": 16}}
    assert judged("serving", "S09", "latency", served(claims, latency=own, slow=same)).outcome is PASS
