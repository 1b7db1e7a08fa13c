"""L02, ttft-tpot-missing."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.serving import served, server

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
NO_TRIALS = {f"t{i}": None for i in range(1, 6)}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        (server(latency={"token_times": None}), NOT_SHOWN),
        (server(latency={"token_times": {"first_token": None}}), NOT_SHOWN),
        (server(latency={"token_times": {"per_output_token": None}}), NOT_SHOWN),
        (
            server(
                latency={"token_times": None},
                trials={**NO_TRIALS, "t1": {"samples": {"ttft_s": [0.1], "tpot_s": [0.01], "latency_s": [1.0]}}},
            ),
            PASS,
        ),
    ],
)
def test_token_latencies(judged, patch, outcome):
    result = judged("serving", "L02", "rate", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == "TTFT and TPOT"


def test_token_latencies_as_metrics_or_columns(judged):
    times = {name: {"quantity": "latency", "value": "0.1", "unit": "s"} for name in ("ttft", "inter-token")}
    patch = {"arms": {"server": {"performance": {"latency": {"token_times": None}, **times}}}}
    assert judged("serving", "L02", "rate", patch).outcome is PASS
    columns = {name: {"quantity": "latency", "unit": "ms"} for name in ("ttft_p99", "tpot_p99")}
    table = {"columns": columns, "rows": {"r": {"arm": "server", "values": {"ttft_p99": "310", "tpot_p99": "21"}}}}
    patch = server(latency={"token_times": None}, claims={"rate": {"row": {"table": "t", "row": "r"}}})
    assert judged("serving", "L02", "rate", {**patch, "tables": {"t": table}}).outcome is PASS
    del table["rows"]["r"]["values"]["tpot_p99"]
    assert judged("serving", "L02", "rate", {**patch, "tables": {"t": table}}).outcome is NOT_SHOWN


def test_an_engine_compared_by_its_tokens_alone(judged):
    ours = {"trials": {f"t{i}": {"samples": None} for i in range(1, 6)}}
    patch = {"claims": {"speedup": {"purpose": "method_speedup"}}, "arms": {"ours": ours}}
    ours["performance"] = {"rate": {"token_times": {"unit": "ms", "first_token": "180", "per_output_token": "18.2"}}}
    assert judged("serving-comparison", "L02", "speedup", patch).outcome is PASS
    ours["performance"] = {"rate": {"token_times": None}, "latency": None, "ttft": None, "tpot": None}
    assert judged("serving-comparison", "L02", "speedup", patch).outcome is NOT_SHOWN
    patch["claims"]["speedup"] |= {"purpose": "hardware_throughput", "compares": "none", "form": "absolute"}
    assert judged("serving-comparison", "L02", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_token_latency_by_its_middle_alone(judged):
    middle = {"quantity": "latency", "value": "0.0182", "unit": "s", "statistic": "median"}
    first = {"quantity": "latency", "value": "0.31", "unit": "s", "statistic": "percentile"}
    bare = served(latency={"token_times": None}, tpot=middle, ttft=first)
    assert judged("serving", "L02", "rate", bare).outcome is NOT_SHOWN
    tail = {**middle, "summary": {"percentiles": {"99": "0.031"}}}
    assert (
        judged("serving", "L02", "rate", served(latency={"token_times": None}, tpot=tail, ttft=first)).outcome is PASS
    )
