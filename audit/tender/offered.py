"""What the load of a served workload lets a server show at best, its arrivals and lengths drawn as in its trials.

A rate is work over the window from when the first request is due to the last end. A server that answered at once would
do all the work within the time in which requests come: no other shows more. Where arrivals are drawn, trials differ by
these draws already, and no server's interval over trials is narrower.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...rules.statistics.intervals import Interval
from ...runners.record.intervals import over_logs
from ...runners.serving import load
from ...runners.study.plan import PlannedTrial
from ...runners.workloads import parameters
from ...schemas.errors import UserError

SERVING = "serving"
REQUESTS = ("goodput", "request_rate")
TOKENS = "rate"


@dataclass(frozen=True, slots=True)
class Offered:
    """A rate as a server that answers at once would show it."""

    most: float
    """The work of all trials over the time in which their requests come."""
    interval: Interval | None
    """Over the trials' own rates; None below three trials."""
    drawn: bool
    """Whether arrivals or lengths are drawn, so that trials differ by them."""


def asked_of(workload: Mapping[str, Any]) -> parameters.Serving:
    """Return the parameters of an arm that serves."""
    given = {key: value for key, value in workload.items() if key != "name"}
    return parameters.read(given, parameters.Serving, SERVING)


def offered(workload: Mapping[str, Any], trials: Iterable[PlannedTrial]) -> dict[str, Offered]:
    """Return the rates that the load of an arm allows, by metric; none of a closed loop, which waits for its server.

    Args:
        workload: of the arm, as its trials get it.
        trials: its throughput trials.
    """
    asked = asked_of(workload)
    if asked.arrival == "closed":
        return {}
    requests, tokens, spans = [], [], []
    for trial in trials:
        try:
            due, work = _drawn(asked, trial)
        except UserError:  # a trace that lies where the trials run
            return {}
        requests.append(float(len(due)))
        tokens.append(work)
        spans.append(due[-1] - due[0])
    if not spans or min(spans) <= 0:
        return {}
    lengths = asked.output_lengths != "fixed" or asked.arrival == "trace"
    drawn = asked.arrival != "constant"
    of_requests = _over(requests, spans, drawn)
    return {**dict.fromkeys(REQUESTS, of_requests), TOKENS: _over(tokens, spans, drawn or lengths)}


def _drawn(asked: parameters.Serving, trial: PlannedTrial) -> tuple[list[float], float]:
    """Return when the timed requests of a trial are due, and how many tokens they ask for together."""
    warmup, count = trial.warmup or 0, trial.iterations or 0
    if asked.arrival != "trace" and asked.output_lengths == "fixed":
        return load.dues(asked, warmup + count, trial.seed)[warmup:], float(count * asked.output_tokens)
    planned = load.plan(asked, warmup + count, trial.seed)[warmup:]
    return [one.due_s for one in planned], float(sum(one.output_tokens for one in planned))


def _over(work: list[float], spans: list[float], drawn: bool) -> Offered:
    each = [amount / span for amount, span in zip(work, spans, strict=True)]
    return Offered(math.fsum(work) / math.fsum(spans), over_logs(each), drawn)
