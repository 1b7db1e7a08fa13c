"""F54: outputs of other length where speed was measured than where quality was."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean, stdev

from msgspec import Struct

from ...schemas.evidence import Metric, Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import Same
from ..facts.comparison.pairing import paired_quality
from ..facts.series.raw_numbers import raw
from ..facts.serving.loads import same_load
from ..facts.serving.tokens import counts_output
from ..language.printed import short
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..words import speedup

COLUMN = "output_tokens"
RECORDED = "tokens_per_sample"
MANY = 5000
"""Requests of which the mean length is known to 2 %, were they as spread as their mean."""
ERRORS = 3


class Length(Struct, frozen=True):
    """Mean output of one run: tokens per sample, their deviation where it is known, and how many samples."""

    mean: float
    deviation: float | None
    samples: int | None
    at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    big: float = Threshold(0.10, "fraction of the length where quality was measured", "measured on published results")
    small: float = Threshold(0.05, "fraction of the length where quality was measured", "measured on published results")


@rule(
    "F54",
    "work-per-item-differs-between-runs",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(pair) and (has(tokens) or llm or suite_inference)",
    origin="MEAS, ML",
    thresholds=Thresholds,
)
def work_per_item_differs_between_runs(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A performance run that generates less, or more, for each sample than the run that showed the quality.

    ## What it does
    Compares the mean number of output tokens per sample where the rate or latency was measured (as stated, or the
    tokens that a rate of them counts over its requests) with that where the quality was, or, for 5000 requests and
    more, that the accuracy record prints, and, for a comparison of speeds, with that of the arm it is set against.
    Differences within three standard errors are sampling, and a quality that is called by a benchmark which is not the
    data set of the performance run has samples of its own.

    ## Why it misleads
    Shorter answers are faster answers. If the quality was measured on long ones, nobody ran the pair that is printed;
    and if one of two arms may stop earlier, its lead is that of less work.

    ## Branches
    - (a) undermines, C3: they differ by more than 10 %.
    - (b) caveat, C3: by 5 to 10 %.
    - not applicable: one of the two lengths is not given, they are of other samples, or the output length is what a
      comparison varies by its own word.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"quality": {"rouge": {"metric": "ROUGE-1", "value": "38.72", "split": "test",
       "examples": 1000, "output_length": {"generated": "214", "reference": "213"}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"quality": {"rouge": {"metric": "ROUGE-1", "value": "38.72", "split": "test",
       "examples": 1000, "output_length": {"generated": "128.6", "reference": "128.9"}}}}}}
    ```

    ## How to fix
    Use the same rule for when an answer ends in both runs.

    ## References
    Measured on published inference results: performance runs that stop at the shortest allowed output.
    """
    side = case.subject(claim)
    fast = _of_speed(case, side, case.metric(claim.measured), claim.suite) if side is not None else None
    others = (
        (_of_quality(claim, case, side) or _of_record(claim, case, fast), "where quality was"),
        (_of_base(claim, case), "in the arm it is set against"),
    )
    known = [(other, where) for other, where in others if other is not None and other.mean > 0]
    if fast is None or not known:
        yield Inapplicable("output tokens per sample are not given for both speed and quality, or for both arms")
        return
    for other, where in known:
        difference = abs(fast.mean - other.mean) / other.mean
        if difference <= max(thresholds.small, _sampling(fast, other)):
            continue
        branch, effect = ("a", UNDERMINES) if difference > thresholds.big else ("b", CAVEAT)
        message = (
            f"{short(fast.mean)} output tokens per sample where speed was measured, {short(other.mean)} {where}: "
            f"{difference:.0%} apart"
        )
        yield Violation(
            branch, effect, C3, message, fast.at, short(fast.mean), short(other.mean), (Related(other.at, where),)
        )


def _of_base(claim: Claim, case: Case) -> Length | None:
    """Return the output of the arm that a speed is set against, where the two should do the same work."""
    base, varied = case.base(claim), read(" ".join(claim.treatment or ()))
    if base is None or not speedup(claim, case) or varied.has("output_length", affirmed=False):
        return None
    return _of_speed(case, base, case.metric(claim.base), claim.suite)


def _of_speed(case: Case, side: Side, metric: Metric | None, suite: str | None) -> Length | None:
    values = [value for _, columns in raw(case, side) for value in columns.get(COLUMN, ())]
    if values and all(value is not None and math.isfinite(value) for value in values):
        deviation = stdev(values) if len(values) > 1 else None
        return Length(fmean(values), deviation, len(values), side.arm.place("trials"))
    stated = [item for item in (metric, *side.arm.performance.values()) if item is not None]
    for item in stated:
        times = item.token_times
        if times is not None and times.output_tokens is not None and times.statistic in {None, "mean"}:
            n = item.n.completed if item.n is not None and item.n.unit == "request" else None
            return Length(float(times.output_tokens), None, n, times.place("output_tokens"))
    return _of_work(side, metric, suite)


def _of_work(side: Side, metric: Metric | None, suite: str | None) -> Length | None:
    """Return the output tokens that a rate counts, over the requests of the same window."""
    for item in (*([metric] if metric is not None else []), *side.arm.performance.values()):
        completed = item.n.completed if item.n is not None else None
        if item.work and completed and counts_output(item, suite) and (metric is None or _one_window(metric, item)):
            return Length(item.work / completed, None, completed, item.place("work"))
    return None


def _one_window(left: Metric, right: Metric) -> bool:
    if left is right or same_load(left.load, right.load) is Same.EQUAL:
        return True
    return left.wall_s is not None and left.wall_s == right.wall_s


def _of_quality(claim: Claim, case: Case, side: Side | None) -> Length | None:
    """Return the length where the paired quality was measured: its own, else the only one of the arm."""
    paired = case.quality(paired_quality(claim, case))
    given = [paired] if paired is not None else list(side.arm.quality.values()) if side is not None else []
    lengths = [quality for quality in given if quality.output_length is not None]
    if len(lengths) != 1:
        return None
    quality = lengths[0]
    if _other_samples(quality, case.side(paired_quality(claim, case)) or side):
        return None
    generated = quality.output_length.generated if quality.output_length is not None else None
    return Length(float(generated), None, quality.examples, quality.at) if generated is not None else None


def _of_record(claim: Claim, case: Case, fast: Length | None) -> Length | None:
    """Return the tokens per sample of the one accuracy record of a result of the inference suite, for a long run."""
    records = [run for run in case.runs(claim) if run.role == "accuracy" and run.run.record is not None]
    if claim.suite != "inference" or len(records) != 1 or fast is None or (fast.samples or 0) < MANY:
        return None
    record = records[0].run.record
    length = float(record.metrics.get(RECORDED, "0")) if record is not None else 0.0
    return Length(length, None, None, records[0].place("record")) if math.isfinite(length) else None


def _other_samples(quality: Quality, side: Side | None) -> bool:
    """Whether a quality is called by a benchmark that is not the data set of the performance run: GSM8K, ShareGPT."""
    options = side.arm.options if side is not None else None
    if options is None or options.dataset is None:
        return False
    words = read(quality.metric)
    told = [name.span for name in words.names("metric")] + [item.span for item in words.mentions("metric_word")]
    free = (token for token in words.tokens if token.kind == "word")
    named = [token.low for token in free if not any(start <= token.start < end for start, end in told)]
    return bool(named) and not any(word in options.dataset.casefold() for word in named)


def _sampling(fast: Length, good: Length) -> float:
    """Return three standard errors of the difference, as a share; 0 where no deviation is known."""
    if fast.deviation is None or not fast.samples:
        return 0.0
    others = good.samples or fast.samples
    return ERRORS * fast.deviation * math.sqrt(1 / fast.samples + 1 / others) / good.mean
