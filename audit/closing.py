"""The closing lines of a run: what came out of each arm, why trials did not complete, and where the files lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..schemas.spec import Spec
from .terminal import safe

Arms = Mapping[str, Any]
LAST_LINES = 5
"""Lines of a failed trial's log that are shown."""
LINE_WIDTH = 200
DISTURBED = 0.05
"""Share of a trial's time that goes to others, above which it is told: the margin that `compare` takes by itself."""
LOG_END_BYTES = 1 << 14


def tell(out: Path, arms: Arms, spec: Spec, keyid: str | None, verdict: str | None) -> None:
    """Print a line or more an arm, the baseline first, and where things lie.

    Args:
        out: the study's folder.
        arms: the arms of its manifest.
        spec: its spec.
        keyid: who signed; None for an unsigned study.
        verdict: on the drafted submission; None where it was not judged.
    """
    for name in in_order(arms, spec):
        click.echo(f"{name}: {arm_line(arms[name])}")
        disturbed = _disturbed(arms[name])
        if disturbed:
            click.echo(f"{name}: {disturbed}")
        flags = _flags(arms[name])
        if flags:
            click.echo(f"{name}: flagged, nothing discarded: {'; '.join(flags)}")
        for line in _failures(out, arms[name]):
            click.echo(f"{name}: {line}", err=True)
    click.echo(f"manifest    {safe(out / 'manifest.json')}")
    click.echo(f"signature   {safe(out / 'manifest.dsse.json')} by {keyid}" if keyid else "signature   none")
    if (out / "submission.json").exists():
        click.echo(f"submission  {safe(out / 'submission.json')}")
    if verdict is not None:
        click.echo(f"report      {safe(out / 'report.html')}: {verdict}")


def warn(line: str) -> None:
    """Print a line to the standard error."""
    click.echo(f"dlaudit: {safe(line)}", err=True)


def in_order(arms: Arms, spec: Spec) -> list[str]:
    """Return the names of the arms, the baseline first, the others as the spec lists them."""
    first = [spec.claims.baseline] if spec.claims.baseline in arms else []
    return list(dict.fromkeys([*(name for name in first if name is not None), *spec.arms, *arms]))


def nothing_to_claim(arms: Arms) -> str:
    """Return why no claim was drafted: no trial completed, or every run missed its target."""
    done = [one for arm in arms.values() for one in arm["trials"].values() if one["outcome"] == "completed"]
    if not done:
        return "no trial gave a number to claim; the trials' logs say why"
    return "no run reached its target, so there is no number to claim; the target or the budget may be out of reach"


def arm_line(arm: Mapping[str, Any]) -> str:
    """Return what came out of one arm."""
    parts = []
    rate = arm.get("performance", {}).get("rate")
    if rate is not None:
        parts.append(f"{rate['value']} {rate['unit']}{_between(rate)}{_sustained(arm['performance'])}")
        parts += _served(arm["performance"])
    collective = arm.get("operations", {}).get("collective", {})
    if "bus_bytes_per_s" in collective:
        over = f"{collective['ranks']} ranks ({safe(collective['backend'])})"
        parts.append(f"on the bus {collective['bus_bytes_per_s']:g} bytes/s between {over}")
    if "time_to_target" in arm.get("performance", {}):
        parts.append(_to_target(arm))
    return "; ".join([*parts, _counted(arm["trials"].values())])


def _served(performance: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a service did: its first tokens, its goodput, and how many requests it answered."""
    first, kept, n = performance.get("ttft"), performance.get("goodput"), performance["rate"]["n"]
    if first is not None:
        told = first["summary"]["percentiles"]
        slow = max((name for name in told if float(name) <= 99), key=float)
        yield "first token " + ", ".join(
            f"p{name} {1000 * float(told[name]):.3g} ms" for name in dict.fromkeys(("50", slow))
        )
    if kept is not None:
        yield f"{float(kept['value']):.4g} requests/s keep the objective"
    if n["unit"] == "request":
        yield f"{n['completed']} of {n['planned']} requests answered"


def _sustained(performance: Mapping[str, Any]) -> str:
    """Return what lies beside the median rate: that of the whole windows, and the slowest step of a hundred."""
    whole, step = performance.get("sustained_rate"), performance.get("step_time")
    said = f", sustained {float(whole['value']):.4g}" if whole is not None else ""
    if step is None:
        return said
    tail = float(step["summary"]["percentiles"]["99"])
    return f"{said}; step p50 {1000 * float(step['value']):.3g} ms, p99 {1000 * tail:.3g} ms"


def _between(metric: Mapping[str, Any]) -> str:
    interval = metric.get("interval")
    return f" [{interval['low']}, {interval['high']}]" if interval else ""


def _to_target(arm: Mapping[str, Any]) -> str:
    metric, target = arm["performance"]["time_to_target"], arm["target"]
    n, name = metric["n"], f"{safe(target['metric'])} {target['value']}"
    seeds = f"{n['completed']} of {n['planned']} seeds"
    if "value" in metric:
        wall = arm["performance"].get("wall_time_to_target", {})
        whole = f", {wall['value']} s with evaluations" if "value" in wall else ""
        return f"{name} in {metric['value']} s{_between(metric)}{whole} ({seeds})"
    best = _best(arm)
    reached = f"; the best evaluation gave {best:.6g}" if best is not None else ""
    return f"target {name} missed: {seeds} reached it{reached}"


def _best(arm: Mapping[str, Any]) -> float | None:
    target = arm["target"]
    values = [
        one["metrics"].get(target["metric"])
        for trial in arm["trials"].values()
        for one in trial.get("evaluations", ())
        if "metrics" in one
    ]
    known = [float(value) for value in values if value is not None]
    return (max(known) if target["direction"] == "higher" else min(known)) if known else None


def _counted(trials: Any) -> str:
    """Return how many trials of each kind completed, and how the others ended."""
    kinds: dict[str, list[str]] = {}
    for trial in trials:
        kinds.setdefault(trial["kind"], []).append(trial["outcome"])
    parts = []
    for kind in sorted(kinds, key=("throughput", "convergence", "accounting", "phases").index):
        outcomes = kinds[kind]
        rest = ", ".join(f"{outcomes.count(one)} {one}" for one in sorted(set(outcomes) - {"completed"}))
        done = f"{outcomes.count('completed')} of {len(outcomes)} {kind} trials completed"
        parts.append(done.replace("_", " ") + (f" ({rest.replace('_', ' ')})" if rest else ""))
    return ", ".join(parts)


def _failures(out: Path, arm: Mapping[str, Any]) -> Iterator[str]:
    """Yield each reason for which trials did not complete, with the last lines of the first one's log."""
    reasons = Counter(
        (trial["outcome"], trial["reason"]) for trial in arm["trials"].values() if trial["outcome"] != "completed"
    )
    for (outcome, reason), number in reasons.items():
        yield f"{number} {outcome.replace('_', ' ')}: {safe(reason)}"
        first = next(
            name
            for name, trial in arm["trials"].items()
            if (trial["outcome"], trial.get("reason")) == (outcome, reason)
        )
        log = f"trials/{first}.log"
        lines = [line for line in _last_lines(out / log) if line not in reason]
        if lines:
            yield f"the last lines of {safe(log)}:"
            yield from (f"  {safe(line)[:LINE_WIDTH]}" for line in lines)


def _last_lines(log: Path) -> Sequence[str]:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - LOG_END_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ()
    return [line.rstrip() for line in text.splitlines() if line.strip()][-LAST_LINES:]


def _disturbed(arm: Mapping[str, Any]) -> str:
    """Return a clause where trials lost enough of their time to others to move a result; empty where none did."""
    from ..rules.facts.comparison.disturbance import lost
    from ..schemas.evidence import Trial
    from ..schemas.model import to_model

    timed = [to_model(one, Trial) for one in arm["trials"].values() if one["kind"] in ("throughput", "convergence")]
    shares = [found.share for one in timed if one.outcome == "completed" and (found := lost(one)) is not None]
    count = sum(share > DISTURBED for share in shares)
    if not count:
        return ""
    return (
        f"the machine was busy: {count} of {len(shares)} trials lost more than {100 * DISTURBED:g} % of their time to "
        f"others, at most {100 * max(shares):.0f} %; a difference between arms may be the machine's"
    )


def _flags(arm: Mapping[str, Any]) -> tuple[str, ...]:
    from ..schemas.evidence import ArmAnalysis, SeriesAnalysis
    from ..schemas.model import to_model
    from .series_flags import in_words

    if "analysis" not in arm:
        return ()
    trials = [to_model(trial["analysis"], SeriesAnalysis) for trial in arm["trials"].values() if "analysis" in trial]
    return in_words(to_model(arm["analysis"], ArmAnalysis), trials)
