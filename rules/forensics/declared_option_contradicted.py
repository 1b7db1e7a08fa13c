"""F25: an option that was seen to be another one than declared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from statistics import fmean

from msgspec import Struct

from ...schemas.evidence import Arm, Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import class_of, printed
from ..facts.quantities.discrepancy import SMALL
from ..facts.series.raw_numbers import raw
from ..facts.suite.inference import performance_runs, texts
from ..facts.suite.result import quoted
from ..language.printed import short
from ..language.reading import read
from ..outcome import C1, C3, CAVEAT, REFUTES, UNDERMINES, Branch, Effect, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..trace import Logged
from ._observed_options import Difference, declared_options, differences_seen, not_seen, observations

SEEDS = ("qsl_rng_seed", "sample_index_rng_seed", "schedule_rng_seed")
KEYS = {
    **{name: f"effective_{name}" for name in SEEDS},
    "target_qps": "effective_target_qps",
    "min_duration": "effective_min_duration_ms",
}
"""Settings that the log gives in the same unit, by the key that it gives them under."""
RATED = frozenset({"Server", "Offline"})
"""Scenarios that are run at a rate; of the others the log gives the inverse of a latency."""
CLOSE = 1e-4


class Setting(Struct, frozen=True):
    """A setting that a file and a log give differently."""

    name: str
    file: str
    written: str
    logged: str
    written_at: str
    logged_at: str


def other_settings(arm: Arm, run: Logged, scenario: str | None) -> Iterator[Setting]:
    """Yield the settings of the files that hold for a run and that its log gives with one other value.

    A file that the harness reads later wins: user.conf over mlperf.conf, which holds the defaults of the round; of it
    the seeds alone are the same for all.
    """
    last: dict[str, tuple[str, str]] = {}
    for name in sorted(arm.configuration, key=lambda name: name == "user.conf"):
        last |= {key: (name, value) for key, value in arm.configuration[name].settings.items()}
    for key, (name, value) in last.items():
        default = name != "user.conf" and key not in SEEDS
        if key not in KEYS or default or (key == "target_qps" and scenario not in RATED):
            continue
        found = list(texts(run, KEYS[key])) if key in SEEDS else list(_numbers(run, KEYS[key]))
        if len(found) == 1 and not _same(value, found[0][0], key in SEEDS):
            place = arm.configuration[name].place("settings", key)
            yield Setting(key, name, value, found[0][0], place, found[0][1])


def _numbers(run: Logged, key: str) -> Iterator[tuple[str, str]]:
    """Yield the distinct values of a number in a log as written, each with its place."""
    seen = set()
    for event in run.trace.of(key):
        if event.number is not None and event.number not in seen:
            seen.add(event.number)
            yield f"{event.number:.15g}", run.trace.place(event)


def _same(written: str, logged: str, exact: bool) -> bool:
    """Whether two values are one; what is no number in the file tells nothing."""
    if exact:
        return not written.isdigit() or not logged.isdigit() or written.lstrip("0") == logged.lstrip("0")
    try:
        left, right = float(written), float(logged)
    except ValueError:
        return True
    return not abs(left - right) > CLOSE * max(abs(left), abs(right))


POWER = "power"


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    length: float = Threshold(0.05, "fraction of the declared output length", "judgement")


@rule(
    "F25",
    "declared-option-contradicted",
    effect=REFUTES,
    confidence=C3,
    applies="has(observed) or has(configuration)",
    origin="MEAS",
    also=("F29", "F44"),
    thresholds=Thresholds,
)
def declared_option_contradicted(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An option that the document declares and that its own observations contradict.

    ## What it does
    Compares every declared option of the claim's arm, row or column with what was seen on the live objects or in the
    logs of its runs, after normalising names ("half" is fp16). Another spelling is not another option, nor is a
    learning rate below its peak, TF32 that was allowed but not used, or the batch of one of several processes. A fixed
    output length is compared with the mean that was seen. Configuration files of LoadGen that were handed in are
    compared with what the performance runs log: seeds, the rate that was aimed at, and the least duration.

    ## Why it misleads
    What ran is what was measured. A label that says otherwise sells one configuration's number as another's.

    ## Branches
    - (a) refutes, C3: what decides the computation or the statistics of training differs, or the option that the claim
      or its column is about.
    - (b) undermines, C3: an option of layout or recipe, or the power limit, differs; or the mean output length is more
      than 5 % from a fixed declared one.
    - (c) caveat, C3: a name, a seed or a logging option differs. So are, in a and b, numbers at most 1 % apart.
    - (d, instead of a, b, c) caveat, C1: what was seen was taken for the option by the name of its key alone.
    - (e) caveat, C3: a configuration file that was handed in sets another value than the run logs.
    - not shown: a configuration file that goes with the result was not handed in.
    - not applicable: an observation is "unverifiable", or some of what decides the computation was not observed.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"observed": {"precision": {"compute": "fp32"}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, where every option that decides the computation was seen as declared:
    ```json
    {"arms": {"a": {"observed": {"model": "resnet50", "dataset": "synthetic 224x224", "input_shape": [3, 224, 224],
       "precision": {"compute": "bfloat16", "accumulate": "float", "weights": "float32", "communication": "fp32"},
       "optimizer": "sgd", "global_batch": 256, "learning_rate": 0.01}}}}
    ```

    ## How to fix
    Correct the label, or rerun with the declared option.

    ## References
    Measured on published logs: "fp16" tables whose runs print that mixed precision is off.
    """
    side = case.subject(claim)
    if side is None:
        yield Inapplicable("the claim names no arm")
        return
    yield from _configured(claim, case, side)
    declared = declared_options(claim, case, side)
    seen = list(observations(claim, side))
    found: dict[str, list[tuple[Difference, str | None]]] = {}
    for observed, trial in seen:
        for difference in differences_seen(declared, observed, case, trial):
            found.setdefault(difference.key, []).append((difference, trial))
    for items in found.values():
        yield _violation(claim, items, sum(trial is not None for _, trial in seen))
    yield from _power(side)
    yield from _length(case, side, case.metric(claim.measured), thresholds.length)
    missing = set.intersection(*(set(not_seen(declared, observed)) for observed, _ in seen)) if seen else {"all"}
    if missing or not declared.values:
        yield Inapplicable(f"not everything that was declared was observed ({', '.join(sorted(missing)[:4])})")


def _configured(claim: Claim, case: Case, side: Side) -> Iterator[Branch]:
    """Yield the first setting of a configuration file that is not that of a run, and the files that are missing."""
    runs = performance_runs(claim, case)
    found = next(((run, item) for run in runs for item in other_settings(side.arm, run, quoted(claim).scenario)), None)
    if found is not None:
        run, item = found
        message = f"{item.file} sets {item.name} to {item.written}; {run.name} ran with {item.logged}"
        related = (Related(item.logged_at, "logged"),)
        yield Violation("e", CAVEAT, C3, message, item.written_at, item.written, item.logged, related)
    for name, file in side.arm.configuration.items():
        if file.file is None and not file.settings:
            provide = f'arms:\n  {side.id}:\n    configuration:\n      {name}: {{settings: {{target_qps: "100"}}}}\n'
            yield NotShown(f"{name} of the result was not handed in", file.at, "", provide)


def _violation(claim: Claim, items: list[tuple[Difference, str | None]], trials: int) -> Violation:
    difference = items[0][0]
    in_trials = [trial for _, trial in items if trial is not None]
    where = f" in {len(in_trials)} of {trials} runs" if in_trials else ""
    message = (
        f"{difference.key} is declared as {printed(difference.declared)}; {printed(difference.observed)} was "
        f"observed{where}"
    )
    branch, effect = _branch(claim, difference)
    confidence = C1 if difference.guessed else C3
    related = (Related(difference.declared_at, "declared"),)
    stated, observed = printed(difference.declared), printed(difference.observed)
    return Violation(branch, effect, confidence, message, difference.at, stated, observed, related)


def _branch(claim: Claim, difference: Difference) -> tuple[str, Effect]:
    if difference.guessed:
        return "d", CAVEAT
    group = class_of(difference.key)
    if _close(difference.declared, difference.observed):
        return "a" if group in {"HARD", "STAT"} else "b", CAVEAT
    about = {*claim.treatment, claim.attribution}
    if group in {"HARD", "STAT"} or difference.key in claim.treatment or difference.key.partition(".")[0] in about:
        return "a", REFUTES
    return ("c", CAVEAT) if group == "COSMETIC" else ("b", UNDERMINES)


def _close(left: object, right: object) -> bool:
    """Whether two numbers are at most 1 % apart, which changes no decision."""
    if isinstance(left, bool) or not isinstance(left, int | float) or not isinstance(right, int | float):
        return False
    return left != 0 and abs(right / left - 1) <= float(SMALL)


def _power(side: Side) -> Iterator[Violation]:
    """A power limit that was found to be another one than the arm's environment declares."""
    environment = side.arm.environment
    limit = environment.power_limit_w if environment is not None else None
    if environment is None or limit is None or limit <= 0:
        return
    controls = [item for trial in side.arm.trials.values() for item in trial.controls.items()]
    for name, control in (*environment.controls.items(), *controls):
        value = control.applied if control.verified == "verified" else control.found
        if POWER not in name or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if control.verified in {"verified", "contradicted"} and abs(value / limit - 1) > 0.01:
            message = f"a power limit of {limit:g} W is declared; {value:g} W was in force"
            related = (Related(environment.place("power_limit_w"), "declared"),)
            yield Violation("b", UNDERMINES, C3, message, control.at, f"{limit:g} W", f"{value:g} W", related)
            return


def _length(case: Case, side: Side, metric: Metric | None, most: float) -> Iterator[Violation]:
    """A fixed output length beside the mean of those that were seen."""
    load = metric.load if metric is not None else None
    if load is None or load.output_length is None or metric is None:
        return
    words = read(load.output_length)
    counts = {(count.value, count.high, count.qualifier) for count in words.counts("tokens")}
    if len(counts) != 1 or words.has("length_varies", affirmed=False):
        return
    declared, high, qualifier = counts.pop()
    if not declared or declared != high or qualifier is not None:
        return
    mean = _mean(columns["output_tokens"] for _, columns in raw(case, side) if columns.get("output_tokens"))
    times = metric.token_times
    if mean is None and times is not None and times.output_tokens is not None:
        mean = float(times.output_tokens)
    if mean is not None and abs(mean / float(declared) - 1) > most:
        message = f"every output is declared to have {declared} tokens; {short(mean)} were seen on average"
        at = load.place("output_length")
        yield Violation("b", UNDERMINES, C3, message, at, f"{declared}", short(mean))


def _mean(columns: Iterable[Iterable[float]]) -> float | None:
    values = [value for column in columns for value in column]
    finite = bool(values) and all(value is not None and math.isfinite(value) for value in values)
    return fmean(values) if finite else None
