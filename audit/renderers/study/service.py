"""What a service did: how long requests took, what more load cost, and some requests one after another."""

from __future__ import annotations

from collections.abc import Sequence

from ....rules.statistics.intervals import quantile
from ....schemas.evidence import Metric, Objective
from ....schemas.requests import Requests, columns, output_tokens, window_s
from .drawing import (
    WIDTH,
    arm_class,
    bottom_axis,
    box,
    cut,
    dot,
    left_axis,
    legend,
    line,
    path,
    plot,
    spanning,
    text,
)
from .figures import Shown, number, seconds, value_of
from .plots import Plot, table
from .service_load import offered, over_load

LEFT, RIGHT, BOTTOM = 54.0, WIDTH - 14, 236.0
STEPS = 200
"""Points of a line that shows a distribution."""
ROWS = 40
"""Requests of a timeline."""
PARTS = {"ttft_s": "time to the first token", "tpot_s": "time per output token", "latency_s": "time of a request"}
BOUNDS = {"ttft_s": "ttft", "tpot_s": "tpot", "latency_s": "latency"}
MOST_ARMS = 6


def plots(arms: Sequence[Shown]) -> tuple[Plot, ...]:
    """Return the plots of the arms that served requests; none where no arm did."""
    served = [(arm, [requests for _, requests in arm.side.requests() if requests.completed]) for arm in arms]
    served = [(arm, trials) for arm, trials in served if trials]
    if not served:
        return ()
    drawn = [
        against_load(served),
        over_load([arm for arm, _ in served]),
        *(distribution(served, part) for part in PARTS),
        timeline(served),
    ]
    return tuple(one for one in drawn if one is not None)


Served = tuple[Shown, list[Requests]]


def distribution(served: Sequence[Served], part: str) -> Plot | None:
    """Draw for each arm which share of its answered requests took at most how long, with the objective's line."""
    taken = [
        (arm, sorted(value for one in trials for value in columns(one).get(part, ()) if value > 0))
        for arm, trials in served[:MOST_ARMS]
    ]
    taken = [(arm, values) for arm, values in taken if len(values) > 1]
    if not taken:
        return None
    bound = next((found for arm, _ in taken if (found := _bound(arm, part)) is not None), None)
    across = spanning([v for _, values in taken for v in (values[0], values[-1])], LEFT, RIGHT, log=True)
    up = spanning([0.0, 1.0], BOTTOM, 30, zero=True, margin=0.0)
    parts = [
        *left_axis(up, LEFT, "share of the requests", RIGHT),
        *bottom_axis(across, BOTTOM, f"{PARTS[part]} (s)", 30),
    ]
    for index, (_, values) in enumerate(taken):
        shares = [step / STEPS for step in range(STEPS + 1)]
        points = [(across.at(quantile(values, share)), up.at(share)) for share in shares]
        parts.append(path(points, arm_class(index), 1.7))
    if bound is not None and across.low <= bound <= across.high:
        parts.append(line((across.at(bound), 30), (across.at(bound), BOTTOM), "target", 1.3, "4 3"))
    entries, below = legend([(arm_class(i), cut(arm.name, 50)) for i, (arm, _) in enumerate(taken)], BOTTOM + 56)
    rows = [
        (arm.name, *(seconds(quantile(values, share)) for share in (0.5, 0.9, 0.99)), seconds(values[-1]))
        for arm, values in taken
    ]
    says = "; ".join(f"{name}: half within {half}, 99 % within {slow}" for name, half, _, slow, _ in rows) + "."
    if bound is not None:
        says += f" The dashed line is the objective, {seconds(bound)}."
    heads = ("arm", "50 %", "90 %", "99 %", "slowest")
    return Plot(PARTS[part].capitalize(), plot(below, [*parts, *entries]), says, table(heads, rows))


def _bound(arm: Shown, part: str) -> float | None:
    objective = _objective(arm)
    return getattr(objective, part) if objective is not None else None


def _objective(arm: Shown) -> Objective | None:
    goodput = arm.side.arm.performance.get("goodput")
    return goodput.objective if goodput is not None else None


def against_load(served: Sequence[Served]) -> Plot | None:
    """Draw the slow end of the times to the first token over the rate of each load; None below two loads."""
    points = []
    for arm, _ in served:
        performance = arm.side.arm.performance
        rate, tail, kept = value_of(performance.get("rate")), _tail(performance.get("ttft")), performance.get("goodput")
        if rate is not None and tail is not None:
            points.append((rate, tail[1], tail[0], arm, value_of(kept)))
    if len({point[0] for point in points}) < 2:
        return None
    points.sort(key=lambda point: offered(point[3]))
    bound = next((found for *_, arm, _ in points if (found := _bound(arm, "ttft_s")) is not None), None)
    across = spanning([point[0] for point in points], LEFT, RIGHT, zero=True)
    ys = [point[1] for point in points] + ([bound] if bound else [])
    up = spanning(ys, BOTTOM, 30, log=min(ys) > 0)
    unit = points[0][3].speed.unit if points[0][3].speed is not None else ""
    parts = [
        *left_axis(up, LEFT, "time to the first token (s), slow end", RIGHT),
        *bottom_axis(across, BOTTOM, unit, 30),
    ]
    if bound is not None:
        parts.append(line((LEFT, up.at(bound)), (RIGHT, up.at(bound)), "target", 1.3, "4 3"))
    parts.append(path([(across.at(x), up.at(y)) for x, y, *_ in points], "arm0", 1.6))
    for x, y, _, arm, _ in points:
        parts.append(dot(across.at(x), up.at(y), "arm0", 4))
        parts.append(text(across.at(x), up.at(y) - 8, cut(arm.name, 14), anchor="middle", kind="soft", size=10.5))
    rows = [
        (
            arm.name,
            f"{number(offered(arm))}",
            f"{number(x)} {unit}",
            f"p{name} {seconds(y)}",
            number(kept) if kept else "",
        )
        for x, y, name, arm, kept in points
    ]
    says = "A point is one load, joined in the order of the load."
    if bound is not None:
        held = [arm.name for _, y, _, arm, _ in points if y <= bound]
        says += f" The dashed line is the objective, {seconds(bound)}: {', '.join(held) or 'no load'} kept it."
    heads = ("arm", "offered", "rate", "time to the first token", "requests/s that keep the objective")
    return Plot("Throughput against latency", plot(BOTTOM + 44, parts), says, table(heads, rows))


def _tail(metric: Metric | None) -> tuple[str, float] | None:
    told = metric.summary.percentiles if metric is not None and metric.summary is not None else {}
    known = [(float(name), name, float(value)) for name, value in told.items() if float(name) <= 99]
    return max(known)[1:] if known else None


def timeline(served: Sequence[Served]) -> Plot | None:
    """Draw some requests of one trial, a row each: waiting for the first token, and the tokens after it."""
    arm, trials = served[0]
    span = window_s(trials[0])
    rows = _rows(trials[0])
    if span is None or not rows:
        return None
    began = rows[0][0]
    height = 8.0
    across = spanning([0.0, max(end for *_, end, _ in rows) - began], LEFT, RIGHT, zero=True, margin=0.02)
    bottom = 30 + height * len(rows)
    parts = bottom_axis(across, bottom, "seconds", 30)
    for index, (due, first, end, outcome) in enumerate(rows):
        y = 30 + height * index
        middle = first if first is not None else end
        parts.append(
            box(across.at(due - began), y, across.at(middle - began) - across.at(due - began), height - 2, "arm1")
        )
        parts.append(
            box(across.at(middle - began), y, across.at(end - began) - across.at(middle - began), height - 2, "arm0")
        )
        if outcome != "completed":
            parts.append(dot(across.at(end - began), y + height / 2 - 1, "target", 3, 1.0, 3))
    entries, below = legend(
        [("arm1", "until the first token"), ("arm0", "tokens"), ("target", "not answered to its end")], bottom + 56
    )
    tokens = output_tokens(trials[0])
    told = [
        (
            seconds(due - began),
            seconds(first - due) if first is not None else "none",
            seconds(end - due),
            f"{tokens[index]:g}" if tokens and tokens[index] is not None else "",
            outcome.replace("_", " "),
        )
        for index, (due, first, end, outcome) in enumerate(rows)
    ]
    heads = ("due at", "first token after", "ended after", "output tokens", "outcome")
    says = (
        f"The first {len(rows)} of {len(trials[0].outcome)} requests of a trial of {arm.name}, from when each was due."
    )
    return Plot("Requests one after another", plot(below, [*parts, *entries]), says, table(heads, told))


def _rows(requests: Requests) -> list[tuple[float, float | None, float, str]]:
    """Return (due, first token, end, outcome) of the first requests that ended."""
    firsts = requests.first_content_s or (None,) * len(requests.outcome)
    found = zip(requests.scheduled_s, firsts, requests.ended_s, requests.outcome, strict=True)
    return [(due, first, end, outcome) for due, first, end, outcome in found if end is not None][:ROWS]
