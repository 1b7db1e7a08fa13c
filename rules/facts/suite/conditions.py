"""The conditions of a load generator's verdict, recomputed from the requests that it sent and its own settings."""

from __future__ import annotations

from msgspec.structs import replace

from ....schemas.requests import Requests
from ...case import Side
from ...statistics.scenario import Conditions, Scenario, conditions_met
from ...trace import Logged
from .inference import logged

NAMES: dict[str, Scenario] = {
    "singlestream": "SingleStream",
    "multistream": "MultiStream",
    "server": "Server",
    "offline": "Offline",
}
OF_RUN = "-performance"
"""What follows the name of a trial in that of its logged run."""
SLACK = 1e-3
"""Share by which the span of the requests may miss the generator's own clock."""


def recomputed(side: Side, run: Logged) -> dict[str, frozenset[bool]]:
    """Return each condition of a run's verdict with what its requests give for it: both where they cannot tell.

    Empty where the trial of the run has no requests, or its log no settings.
    """
    asked = asked_of(run)
    requests = dict(side.requests()).get(run.id.removesuffix(OF_RUN))
    if asked is None or requests is None:
        return {}
    return recomputed_of(requests, asked)


def recomputed_of(requests: Requests, asked: Conditions) -> dict[str, frozenset[bool]]:
    """Return each condition with what requests give for it: both where they cannot tell."""
    least = (asked.least_s * (1 - SLACK), asked.least_s * (1 + SLACK))
    found = [conditions_met(requests, replace(asked, least_s=seconds)) for seconds in least]
    return {name: frozenset(met[name] for met in found) for name in found[0]}


def asked_of(run: Logged) -> Conditions | None:
    """Return what a run had to keep, by its own log; None where it does not say."""
    scenario = _scenario(run)
    least = _number(run, "effective_min_query_count")
    milliseconds = _number(run, "effective_min_duration_ms")
    share = _number(run, "effective_target_latency_percentile")
    if scenario is None or least is None or milliseconds is None or share is None or not 0 < share < 1:
        return None
    if scenario == "Offline":
        least = _number(run, "effective_min_sample_count") or least
    bound = _number(run, "effective_target_latency_ns") if scenario == "Server" else None
    first, each = _number(run, "requested_server_ttft_latency"), _number(run, "requested_server_tpot_latency")
    tokens = (
        first is not None
        and each is not None
        and any(event.value is True for event in run.trace.of("requested_use_token_latencies"))
    )
    return Conditions(
        scenario=scenario,
        least_queries=int(least),
        least_s=milliseconds / 1e3,
        percentile=share,
        latency_s=bound / 1e9 if bound is not None and not tokens else None,
        ttft_s=first / 1e9 if tokens and first is not None else None,
        tpot_s=each / 1e9 if tokens and each is not None else None,
    )


def _scenario(run: Logged) -> Scenario | None:
    said = {str(event.value).casefold().replace(" ", "") for event in run.trace.of("effective_scenario")}
    return NAMES.get(said.pop()) if len(said) == 1 else None


def _number(run: Logged, key: str) -> float | None:
    found = logged(run, key)
    return found[0] if found is not None and found[0] >= 0 else None
