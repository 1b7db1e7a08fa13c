"""What a document can hold, as `has(item)` asks: each item a test over a claim and its case."""

from __future__ import annotations

from collections.abc import Callable

from ..schemas.runs import RunWindow
from ..schemas.submission import Claim
from .caching import fact
from .case import Case, Side
from .facts.comparison.lossy_change import lossy_change
from .facts.comparison.pairing import paired_quality, quality_arms
from .facts.device.telemetry import has_telemetry
from .facts.document.results import numbers_in_files
from .facts.quantities.each_device import is_each
from .facts.quantities.per_second import operations_per_second, work_per_second
from .facts.runs.times import span_ms
from .words import scaling, tta


def _subject(test: Callable[[Side], object]) -> Callable[[Claim, Case], bool]:
    def held(claim: Claim, case: Case) -> bool:
        side = case.subject(claim)
        return side is not None and bool(test(side))

    return held


def _raw(side: Side) -> bool:
    return any(
        trial.kind == side.timed_kind and (trial.samples or trial.samples_file) for trial in side.arm.trials.values()
    )


def _declared(side: Side, name: str) -> bool:
    return any(getattr(metric, name) for metric in side.arm.performance.values())


def _base(claim: Claim, case: Case) -> bool:
    table = case.table(claim)
    return (
        claim.base is not None
        or (table is not None and table.base_row is not None)
        or (claim.row is not None and claim.row.base_row is not None)
    )


def _curve(claim: Claim, case: Case) -> bool:
    """A scaling claim may show its convergence on an arm of its own, which stands for the points."""
    sides = case.sides() if scaling(claim, case) else [case.subject(claim)]
    return any(_evaluated(side, case) for side in sides if side is not None)


def _evaluated(side: Side, case: Case) -> bool:
    if any(trial.evaluations for trial in side.arm.trials.values()):
        return True
    return any(run.trace.evaluations for run in case.runs_of(side))


def _times(claim: Claim, case: Case) -> bool:
    side = case.subject(claim)
    if side is None:
        return False
    return any(trial.started for trial in side.arm.trials.values()) or any(
        span_ms(run) is not None for run in case.runs_of(side)
    )


def _options(claim: Claim, case: Case) -> bool:
    side = case.subject(claim)
    return side is not None and (side.arm.options is not None or any(run.trace.options for run in case.runs_of(side)))


def _measured_twice(window: RunWindow | None) -> bool:
    """Whether a duration was configured, and a second measure of it is there."""
    if window is None or (window.configured_min_s is None and window.configured_max_s is None):
        return False
    seconds = (window.trace_s, window.wall_s, window.largest_latency_s, window.rate_per_s, window.stop_ms)
    return any(value is not None for value in seconds)


def _counted(side: Side) -> bool:
    """A declared count, and trials, runs or raw values that can be counted."""
    declared = any(m.n is not None and (m.n.planned or m.n.completed) for m in side.arm.performance.values())
    declared = declared or side.arm.plan is not None
    declared = declared or any(quality.n is not None and quality.n.completed for quality in side.arm.quality.values())
    return declared and (bool(side.arm.trials) or bool(side.arm.runs) or side.arm.folder is not None)


def _tool_state(side: Side) -> bool:
    """The measuring tool's own tree state, of the stack or of a run's harness."""
    stack = side.arm.software is not None and side.arm.software.tool_dirty is not None
    return stack or any(run.tool is not None and run.tool.changed_files for run in side.arm.runs.values())


def _series(claim: Claim, case: Case) -> bool:
    table = case.table(claim)
    return table is not None and len(table.rows) >= 3 and bool(table.varies)


def _table(claim: Claim, case: Case) -> bool:
    table = case.table(claim)
    return table is not None and len(table.rows) >= 2


def _search(claim: Claim, case: Case) -> bool:
    return any(side is not None and side.arm.search is not None for side in (case.subject(claim), case.base(claim)))


def _has_quality(side: Side) -> bool:
    """Whether an arm states a quality, or trains towards a target and shows where its runs ended."""
    trained = side.arm.target is not None and any(t.evaluations or t.final for t in side.arm.trials.values())
    return bool(side.arm.quality) or trained


@fact
def _quality_arms(case: Case) -> bool:
    """Whether two arms or more have a quality."""
    return sum(_has_quality(side) for side in case.sides()) >= 2


def _pair(claim: Claim, case: Case) -> bool:
    """Performance and quality of one model: of one arm, in one statement, or of two arms that hold the same model."""
    side = case.subject(claim)
    if side is not None and {"performance", "accuracy"} <= {run.role for run in side.arm.runs.values()}:
        return True
    if side is None or not side.arm.performance:
        return paired_quality(claim, case) is not None
    return bool(side.arm.quality) or paired_quality(claim, case) is not None or bool(quality_arms(side, case))


def _bytes(side: Side) -> bool:
    pipeline = side.arm.measurement.pipeline if side.arm.measurement is not None else None
    moved = side.arm.operations is not None and side.arm.operations.bytes_moved is not None
    return (
        moved
        or side.arm.footprint is not None
        or (pipeline is not None and pipeline.bytes_per_sample is not None and pipeline.link_bytes_per_s is not None)
    )


def _summary(side: Side) -> bool:
    statistics = ("mean", "median", "sd", "min", "max")
    return any(len(run.summary) >= 2 for run in side.arm.runs.values()) or any(
        metric.summary is not None and sum(getattr(metric.summary, name) is not None for name in statistics) >= 2
        for metric in side.arm.performance.values()
    )


def _token_times(side: Side) -> bool:
    return any(metric.token_times is not None for metric in side.arm.performance.values()) or any(
        "ttft_s" in trial.samples for trial in side.arm.trials.values()
    )


def _rate_time_samples(claim: Claim, case: Case) -> bool:
    """Of one window, of one row, of a training (its time, its samples to the target), or of the steps behind a rate."""
    row, side = case.row(claim), case.subject(claim)
    if tta(claim, case) and (claim.crossing_samples is not None or (side is not None and _crossing_samples(side))):
        return True
    in_row = row is not None and row.wall_s is not None and row.samples is not None and bool(row.values)
    metrics = side.arm.performance.values() if side is not None else ()
    in_window = any(metric.wall_s is not None and metric.work is not None for metric in metrics)
    return in_row or in_window or _rate_of_steps(claim, case)


def _rate_of_steps(claim: Claim, case: Case) -> bool:
    """Whether the claim's rate, or that of its base, names the steps that it is of, and the work of each."""
    metrics = (case.metric(claim.measured), case.metric(claim.base))
    return any(
        metric is not None and metric.quantity == "rate" and metric.work_per_iteration and metric.column is not None
        for metric in metrics
    )


def _crossing_samples(side: Side) -> bool:
    return any(trial.crossing is not None and trial.crossing.samples for trial in side.arm.trials.values())


def _loss(claim: Claim, case: Case) -> bool:
    """A loss together with what follows from it: in the claim's quality, or in another one of the arm of a speed."""
    own, side = case.quality(claim.quality), case.subject(claim)
    others = side.arm.quality.values() if side is not None and claim.quantity != "accuracy" else ()
    found = (*(() if own is None else (own,)), *others)
    return any(item.loss is not None and (item.perplexity or item.bits_per_byte) is not None for item in found)


def _observed(side: Side) -> bool:
    """An option that was seen, or a mean output length beside the declared one."""
    lengths = any(
        metric.load is not None and metric.load.output_length is not None and metric.token_times is not None
        for metric in side.arm.performance.values()
    )
    return lengths or side.arm.observed is not None or any(trial.observed for trial in side.arm.trials.values())


def _parallelism(claim: Claim, case: Case) -> bool:
    """A parallel size, of the arm or of a row of the claim's table."""
    side, table = case.subject(claim), case.table(claim)
    given = [side.arm.options] if side is not None else []
    given += [row.options for row in table.rows.values()] if table is not None else []
    axes = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
    return any(getattr(options, axis) is not None for options in given if options is not None for axis in axes)


def _tokens(side: Side) -> bool:
    """Counts of tokens or other units per sample: behind a rate, of requests, or of generated outputs."""
    return any(
        metric.tokens is not None or (metric.token_times is not None and metric.token_times.output_tokens is not None)
        for metric in side.arm.performance.values()
    ) or any("output_tokens" in trial.samples for trial in side.arm.trials.values())


def _n_examples(claim: Claim, case: Case) -> bool:
    """How many examples were evaluated: as declared, or as the runs log it."""
    quality, side = case.quality(claim.quality), case.subject(claim)
    logged = side is not None and any(item.examples for trial in side.arm.trials.values() for item in trial.evaluations)
    return logged or (quality is not None and quality.examples is not None)


def _wall(side: Side) -> bool:
    of_arm = side.arm.measurement is not None and side.arm.measurement.wall_s is not None
    return of_arm or any(trial.wall_s is not None for trial in side.arm.trials.values())


def _power(claim: Claim, case: Case) -> bool:
    """A mean power of the claim's arm, or of what it is compared with."""
    found = [side.arm.energy for side in (case.subject(claim), case.base(claim)) if side is not None]
    return any(energy is not None and energy.mean_power_w is not None for energy in found)


def _formats(side: Side) -> bool:
    operations, options = side.arm.operations, side.arm.options
    return bool(operations is not None and operations.fractions) or (
        options is not None and options.precision is not None
    )


def _per_device(claim: Claim, case: Case) -> bool:
    if claim.basis == "derived" and is_each(claim):
        return True
    table, side = case.table(claim), case.subject(claim)
    units = [column.unit for column in table.columns.values()] if table is not None else []
    units += [metric.unit for metric in side.arm.performance.values()] if side is not None else []
    return any(parsed.per_device for unit in units if (parsed := work_per_second(unit) or operations_per_second(unit)))


def _telemetry(claim: Claim, case: Case) -> bool:
    """Clock, temperature or throttle readings of the claim's arm, or of its base."""
    sides = (case.subject(claim), case.base(claim))
    return any(side is not None and has_telemetry(side) for side in sides)


def _shards(claim: Claim, case: Case) -> bool:
    metric, quality = case.metric(claim.measured), case.quality(claim.quality)
    return any(number is not None and len(number.shards) >= 2 for number in (metric, quality))


def _reference_quality(claim: Claim, case: Case) -> bool:
    """Whether the arm of a claim's quality, or of its performance, states what its reference reaches."""
    sides = (case.side(claim.quality), case.subject(claim))
    return any(quality.reference for side in sides if side is not None for quality in side.arm.quality.values())


def _plus_minus(claim: Claim, case: Case) -> bool:
    """A plus-minus of a performance number of the claim's arm, or of its quality."""
    side, quality = case.subject(claim), case.quality(claim.quality)
    return (side is not None and _declared(side, "plus_minus")) or (quality is not None and bool(quality.plus_minus))


ITEMS: dict[str, Callable[[Claim, Case], bool]] = {
    "base": _base,
    "bytes": _subject(_bytes),
    "configuration": _subject(lambda side: bool(side.arm.configuration)),
    "counted": _subject(_counted),
    "counters": _subject(lambda side: side.arm.options is not None and side.arm.options.global_batch is not None),
    "curve": _curve,
    "description": _subject(lambda side: side.system is not None or side.arm.description is not None),
    "factor": lambda claim, case: claim.factor is not None,
    "figure": lambda claim, case: bool(case.submission.figures),
    "files": _subject(lambda side: any(run.file is not None and run.file.sha256 for run in side.arm.runs.values())),
    "flop_per_sample": _subject(lambda side: side.arm.operations is not None and side.arm.operations.flop_per_sample),
    "formats": _subject(_formats),
    "group": lambda claim, case: claim.group is not None,
    "harness_verdict": _subject(lambda side: any(run.verdict is not None for run in side.arm.runs.values())),
    "interval": lambda claim, case: (
        claim.interval is not None or _subject(lambda side: _declared(side, "interval"))(claim, case)
    ),
    "kernel_gain": lambda claim, case: claim.part is not None,
    "load": _subject(
        lambda side: any(item.load is not None and item.load.concurrency for item in side.arm.performance.values())
    ),
    "loss": _loss,
    "memory": _subject(lambda side: side.arm.footprint is not None and side.arm.footprint.parameters is not None),
    "n_examples": _n_examples,
    "observed": _subject(_observed),
    "options": _options,
    "lossy_change": lambda claim, case: lossy_change(case, claim) is not None,
    "pair": _pair,
    "parallelism": _parallelism,
    "peak": _subject(lambda side: side.arm.operations is not None or (side.system is not None and side.system.device)),
    "per_device": _per_device,
    "percentiles": _subject(
        lambda side: any(
            item.summary is not None and item.summary.percentiles for item in side.arm.performance.values()
        )
    ),
    "phases": _subject(lambda side: side.arm.measurement is not None and side.arm.measurement.phases_s),
    "plusminus": _plus_minus,
    "power": _power,
    "quality_arms": lambda claim, case: _quality_arms(case),
    "rate_time_samples": _rate_time_samples,
    "raw": _subject(_raw),
    "reference_quality": _reference_quality,
    "runs": _subject(lambda side: len(side.arm.trials) >= 2 or len(side.arm.runs) >= 2 or side.arm.plan is not None),
    "search": _search,
    "serial_fraction": lambda claim, case: claim.serial_fraction is not None,
    "series": _series,
    "shards": _shards,
    "signature": lambda claim, case: bool(case.studies),
    "source": lambda claim, case: case.published is not None or bool(numbers_in_files(claim, case)),
    "split_fingerprints": _subject(
        lambda side: any(item.digest or item.overlap_with_train is not None for item in side.arm.splits.values())
    ),
    "summary": _subject(_summary),
    "table": _table,
    "target": lambda claim, case: (
        claim.target is not None or _subject(lambda side: side.arm.target is not None)(claim, case)
    ),
    "telemetry": _telemetry,
    "test": lambda claim, case: claim.test is not None,
    "token_times": _subject(_token_times),
    "tokens": _subject(_tokens),
    "times": _times,
    "tool_state": _subject(_tool_state),
    "trace": lambda claim, case: any(run.trace for run in case.runs(claim)),
    "trials": _subject(lambda side: len(side.arm.trials) >= 2 or len(side.arm.runs) >= 2),
    "wall": _subject(_wall),
    "whole_run_samples": lambda claim, case: claim.scope == "training_run",
    "window": _subject(lambda side: any(_measured_twice(run.window) for run in side.arm.runs.values())),
}
