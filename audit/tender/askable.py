"""Whether what a tender asks for is what a study of its specs can give, and whether a limit tells servers apart.

Everything is checked before anything is sent: what was sent stands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...runners.study import plan as planning
from ...runners.study import sweep
from ...runners.workloads.parameters import Serving
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.model import to_model
from ...schemas.source import parse
from ...schemas.spec import Spec
from ...schemas.tender import TenderMetric
from . import examples, width
from .numbers import BEYOND, PARTS, SERVING, Number, of_arm
from .offered import Offered, asked_of, offered
from .shown import grouped
from .tender import Issued

ANEW = "begin the tender anew with another spec"
MOST_TAIL = 100


@dataclass(frozen=True, slots=True)
class _Arm:
    """An arm of a spec that vendors measure: the numbers that it gives, and the rates that its load allows."""

    workload: Mapping[str, Any]
    numbers: Mapping[str, Number]
    offered: Mapping[str, Offered]
    requests: int
    trials: int

    @property
    def serves(self) -> bool:
        return bool(self.workload.get("name") == SERVING)


def check(issued: Issued) -> None:
    """Hold the numbers that a tender asks for, with their limits, against what its specs give.

    Raises:
        UserError: an arm is not in its spec, its spec gives no such number, or gives it in another unit or on weaker
            evidence than is asked for; or the load of a service lets no server keep a limit, or every one.
    """
    arms = {name: _arms(issued, name) for name in issued.specs}
    for name, metric in issued.content.metrics.items():
        where, given = f"{issued.path}, metrics.{name}", arms[metric.workload]
        if metric.arm not in given:
            raise UserError(
                f"workload {metric.workload} has no arm {metric.arm!r}", f"name one of {', '.join(given)}", where
            )
        arm = given[metric.arm]
        _check_number(metric, arm, where)
        if metric.metric in arm.offered:
            _check_rate(issued, metric, arm, where)
        elif arm.serves and metric.quality is None:
            _check_wait(metric, arm, where)
        elif arm.serves:
            _check_share(issued, metric, arm, where)


def _arms(issued: Issued, name: str) -> dict[str, _Arm]:
    data = issued.specs[name]
    spec = sweep.expanded(to_model(parse(data, name).value, Spec))
    plan = planning.make(spec, sha256_hex(data), issued.content.workloads[name].spec)
    found = {}
    for arm, planned in plan.arms.items():
        timed = [trial for trial in plan.trials if trial.arm == arm and trial.kind == "throughput"]
        rates = offered(planned.workload, timed) if planned.workload.get("name") == SERVING and timed else {}
        requests = sum(trial.iterations or 0 for trial in timed)
        numbers = {number.name: number for number in of_arm(spec, planned.workload)}
        found[arm] = _Arm(planned.workload, numbers, rates, requests, len(timed))
    return found


def _check_number(metric: TenderMetric, arm: _Arm, where: str) -> None:
    """Make sure that a study gives the number, in the unit that is asked for, and on the evidence."""
    name = metric.quality or metric.metric or ""
    number = arm.numbers.get(name)
    if number is None or number.is_quality != (metric.quality is not None):
        if _is_known(metric, arm):
            raise UserError(f"a study of {metric.workload} measures no {name}", _way_to(metric, arm), where)
        return
    if number.unit not in (None, metric.unit):
        raise UserError(
            f"{name} is asked for in {metric.unit}, and a study of {metric.workload} gives {number.unit}",
            f"write unit: {number.unit}, and limits in it",
            where,
        )
    if metric.tier == "T4" and not number.claimed:
        raise UserError(
            f"T4 is asked for, and dlaudit run drafts no claim of {name}: a vendor who changes nothing shows it at T3",
            "write tier: T3",
            where,
        )
    if number.unit == "share" and any(float(each) > 1 for each in (metric.least, metric.most) if each is not None):
        raise UserError(f"{name} is a share, from 0 to 1", "write 0.94 for 94 %", where)


def _is_known(metric: TenderMetric, arm: _Arm) -> bool:
    """Whether the spec alone tells that no study of it gives the number: of a program only its trials do."""
    if metric.quality is not None:
        return arm.workload.get("name") is not None
    part, _, tail = (metric.metric or "").rpartition("_p")
    return arm.serves and (metric.metric == "goodput" or (part in PARTS and tail.isdigit()))


def _way_to(metric: TenderMetric, arm: _Arm) -> str:
    """Return what to do where a spec gives no such number."""
    name = metric.quality or metric.metric or ""
    if metric.quality is not None:
        same = [number.name for number in arm.numbers.values() if number.is_quality]
        if arm.serves and not same:
            return f"{ANEW}: test_set (a file of questions and answers) or test_examples makes it measure accuracy"
        return f"ask for one of {', '.join(same)}" if same else ANEW
    if name == "goodput":
        return f"{ANEW} that states an objective, such as ttft_ms"
    part, _, tail = name.rpartition("_p")
    if part and tail.isdigit() and int(tail) < MOST_TAIL:
        needed = math.ceil(100 * BEYOND / (MOST_TAIL - int(tail)))
        if arm.requests < needed and arm.trials:
            each = math.ceil(needed / arm.trials)
            return (
                f"{BEYOND} requests at least have to lie beyond it, and {arm.trials} trials draw {arm.requests}: "
                f"{ANEW} with iterations: {each}, or ask for another percentile"
            )
    return f"ask for one of {', '.join(number.name for number in arm.numbers.values() if not number.is_quality)}"


def _check_rate(issued: Issued, metric: TenderMetric, arm: _Arm, where: str) -> None:
    """Make sure that the load tells a server that keeps the limit from one that does not."""
    load, of = arm.offered[metric.metric or ""], f"the load of {metric.workload}"
    if metric.metric == "goodput":
        _check_objective(metric, asked_of(arm.workload), where)
    best = f"{grouped(load.most)} {metric.unit}"
    if metric.least is not None and float(metric.least) > load.most:
        raise UserError(
            f"at least {metric.least} {metric.unit} is asked for, and {of} offers {best}: no server can reach it",
            f"ask for less, or {ANEW}, whose rate is higher",
            where,
        )
    if metric.most is not None and float(metric.most) < load.most:
        raise UserError(
            f"at most {metric.most} {metric.unit} is asked for, and a server that keeps up with {of} gives {best}",
            "write least: for a limit below which a server is too slow",
            where,
        )
    if load.interval is None or not load.drawn:
        return
    low, high = load.interval.lower, load.interval.upper
    between = f"{grouped(low)} to {grouped(high)}"
    if metric.least is not None and float(metric.least) > low:
        raise UserError(
            f"at least {metric.least} {metric.unit} lies within {between}, the interval of a server that answers at "
            "once, as arrivals are drawn: no server can be shown to keep the limit",
            f"ask for at most {grouped(low)}, or {ANEW}, with arrival: constant or more iterations",
            where,
        )
    if metric.least is not None or metric.most is not None:  # its width is no obstacle where all of it keeps the limit
        return
    widest = issued.content.widest_of(metric)
    if (reach := width.share(load.most, low, high)) > widest:
        each = math.ceil(1.1 * arm.requests / arm.trials * (reach / widest) ** 2)
        raise UserError(
            f"as arrivals are drawn, the interval of a server that answers at once reaches {100 * reach:.0f} % from "
            f"its value, and {100 * widest:g} % is the widest that the tender accepts",
            f"{ANEW}, with arrival: constant or about iterations: {each}, or write widest_interval: {_up(reach)} here",
            where,
        )


def _check_objective(metric: TenderMetric, asked: Serving, where: str) -> None:
    """Make sure that an answer can miss the objective before its request is given up."""
    of_request = {
        "ttft_ms": asked.ttft_ms,
        "tpot_ms": asked.tpot_ms and asked.tpot_ms * (asked.output_tokens - 1),
        "latency_ms": asked.latency_ms,
    }
    stated = {name: bound for name, bound in of_request.items() if bound is not None}
    if stated and min(stated.values()) >= 1000 * asked.timeout_s:
        what = f"requests of {metric.workload} are given up after {asked.timeout_s:g} s: all keep the objective"
        raise UserError(what, f"{ANEW}, with a lower {' or '.join(stated)}", where)


def _check_wait(metric: TenderMetric, arm: _Arm, where: str) -> None:
    """Make sure that a wait is limited below the time after which the client gives a request up."""
    timeout_s = asked_of(arm.workload).timeout_s
    if metric.unit == "s" and metric.most is not None and float(metric.most) >= timeout_s:
        raise UserError(
            f"at most {metric.most} s is asked for, and requests are given up after {timeout_s:g} s: all keep it",
            f"ask for less, or {ANEW}, with a longer timeout_s",
            where,
        )


def _check_share(issued: Issued, metric: TenderMetric, arm: _Arm, where: str) -> None:
    """Make sure that a server that answers every example correctly is shown to keep the limit."""
    asked = examples.of_arm(arm.workload, issued.path.parent)
    if asked is None or metric.least is None:
        return
    limit, low = float(metric.least), examples.shown_at_best(asked.count)
    if limit <= low:
        return
    needed = examples.needed_for(limit)
    more = f", or {ANEW} of {needed:,} examples" if needed is not None else ""
    raise UserError(
        f"at least {metric.least} is asked for, and {asked.count:,} examples that are all answered correctly show "
        f"{low:.3g} to 1: no server can be shown to keep the limit",
        f"ask for at most {math.floor(1000 * low) / 1000:g}{more}",
        where,
    )


def _up(value: float) -> str:
    """Return a share that lies above a value, in two digits."""
    return f"{math.ceil(100 * value * 1.1) / 100:g}"
