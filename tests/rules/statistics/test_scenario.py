"""The conditions of the suite's scenarios, on requests whose times are known."""

import pytest
from dlaudit.rules.statistics.scenario import Conditions, conditions_met, percentile_of
from dlaudit.schemas.requests import Requests

STEP_S = 0.01


def requests(latencies, tokens=None, first_share=0.5):
    due = [STEP_S * index for index in range(len(latencies))]
    ends = [begun + latency for begun, latency in zip(due, latencies, strict=True)]
    firsts = tuple(begun + first_share * latency for begun, latency in zip(due, latencies, strict=True))
    told = {"first_content_s": firsts, "output_tokens": (tokens,) * len(due)} if tokens else {}
    return Requests(
        scheduled_s=tuple(due), sent_s=tuple(due), ended_s=tuple(ends), outcome=("completed",) * len(due), **told
    )


def met(scenario, latencies, tokens=None, **asked):
    asked = {"least_queries": 1, "least_s": 0.0, "percentile": 0.99} | asked
    return conditions_met(requests(latencies, tokens), Conditions(scenario=scenario, **asked))


@pytest.mark.parametrize(("count", "stops"), [(63, False), (64, True)])
def test_a_single_stream_needs_64_queries_for_its_90th_percentile(count, stops):
    assert met("SingleStream", [0.001] * count, percentile=0.9)["early_stopping"] is stops


@pytest.mark.parametrize(("count", "stops"), [(661, False), (662, True)])
def test_several_streams_need_662_for_their_99th(count, stops):
    assert met("MultiStream", [0.001] * count)["early_stopping"] is stops


@pytest.mark.parametrize(
    ("late", "count", "kept", "stops"),
    [(0, 458, True, False), (0, 459, True, True), (2, 600, True, False), (2, 900, True, True), (20, 900, False, False)],
)
def test_a_server_needs_more_queries_the_more_are_late(late, count, kept, stops):
    found = met("Server", [0.2] * late + [0.001] * (count - late), latency_s=0.1)
    assert (found["performance_constraints"], found["early_stopping"]) == (kept, stops)


def test_the_tokens_of_a_server_have_bounds_of_their_own():
    latencies = [0.1] * 500  # the first token after 0.05 s, four more in 0.05 s
    assert all(met("Server", latencies, 5, ttft_s=0.06, tpot_s=0.02).values())
    assert not met("Server", latencies, 5, ttft_s=0.04, tpot_s=0.02)["performance_constraints"]
    assert not met("Server", latencies, 5, ttft_s=0.06, tpot_s=0.01)["performance_constraints"]


def test_how_long_a_run_lasts_depends_on_its_scenario():
    latencies = [5.0] * 101  # due over 1 s
    assert met("Server", latencies, latency_s=9.0, least_s=1.0)["min_duration"]
    assert not met("Server", latencies, latency_s=9.0, least_s=1.5)["min_duration"]
    assert met("Offline", latencies, least_s=4.9)["min_duration"]
    assert not met("Offline", latencies, least_s=5.5)["min_duration"]


def test_samples_are_the_queries_of_the_offline_scenario():
    assert met("Offline", [1.0] * 64, least_queries=64)["min_queries"]
    assert not met("Offline", [1.0] * 63, least_queries=64)["min_queries"]


def test_a_percentile_is_the_value_at_floor_n_p():
    assert percentile_of(range(100), 0.99) == 99
    assert percentile_of(range(10), 0.5) == 5
