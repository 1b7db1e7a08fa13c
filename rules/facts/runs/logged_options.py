"""Options as runs log them: what each key decides, and where the runs of one result differ."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from ....schemas.pattern import Pattern
from ...caching import remembered
from ...trace import Logged, Option, normalised
from ..comparison.options import KeyClass
from .event_kinds import COUNTED_LATE
from .times import seeds

CLOSE = 1e-6
"""Numbers that differ by at most this share are one: float32 and float64 print one option differently."""
MOST_GROUPS = 8
MOST_VALUES = 50
LEAST_SEED = 1000.0
"""An option may equal a smaller seed by chance."""
EVERYWHERE = ("submission_benchmark", "submission_division", "submission_platform")
"""Identities that are one in all runs of a result."""

_DRAWN = Pattern(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_BATCHES = frozenset({"global_batch_size", "train_batch_size", "input_batch_size", "batch_size", "global_batch"})
_OWN = frozenset(
    {
        *("shard", "file", "files", "path", "dir", "prefix", "host", "hostname", "pid", "job", "jobid", "timestamp"),
        *("seed", "seeds", "logging", "log", "save", "uuid", "time", "date", "name", "instance", "port", "user"),
    }
)
_DIGESTS = frozenset({"sha256", "sha256sum", "md5", "md5sum", "digest", "checksum"})
_NAMES = frozenset({"opt_name", "optimizer", "optimizer_name", "model_name", "s_optimizer", "s_network"})
_TARGETS = frozenset({"eval_target", "target_accuracy", "target_error", "quality_target"})
_LAYOUT = frozenset(
    {
        *("accumulation", "micro", "microbatch", "tensor", "pipeline", "context", "expert", "parallel", "nodes"),
        *("ranks", "accelerators", "devices", "gpus", "overlap", "graph", "jit", "compile", "nhwc", "local"),
        "recompute",
    }
)
_STAT = frozenset({"bn", "batchnorm"})
_HARD = frozenset(
    {
        *("precision", "dtype", "model", "lora", "dropout", "shape", "sequence", "seq", "vocab", "dataset", "network"),
        *("quantisation", "quantization", "sparsity", "pruning", "attention", "layers", "hidden", "fp8"),
    }
)
_RECIPE = frozenset(
    {
        *("opt", "lars", "sgd", "lamb", "adam", "adamw", "lr", "learning", "warmup", "decay", "momentum", "epochs"),
        *("scheduler", "schedule", "augmentation", "oversampling", "clip", "smoothing", "steps", "iterations"),
    }
)


@remembered(4096)
def class_of(key: str) -> KeyClass | None:
    """Return the class of a logged option; COSMETIC is not compared between runs, None is not classified."""
    words = frozenset(key.casefold().replace(".", "_").replace("-", "_").split("_"))
    if key in _NAMES or key in _TARGETS:
        return "HARD"
    if key in COUNTED_LATE:
        return "HARD"
    if words & (_OWN | {"checkpoint"}) and not words & _DIGESTS:
        return "COSMETIC"
    if key in _BATCHES or words & _STAT:
        return "STAT"
    if words & _LAYOUT:
        return "LAYOUT"
    if words & (_HARD | _DIGESTS):
        return "HARD"
    return "RECIPE" if words & _RECIPE else None


class Group(Struct, frozen=True):
    """Runs of one result that log one value under a key."""

    value: tuple[Option, ...]
    runs: tuple[Logged, ...]


class Differing(Struct, frozen=True):
    """A key whose values differ between runs of one result, the most frequent value first."""

    key: str
    groups: tuple[Group, ...]


class Compared(Struct, frozen=True):
    """The options of the runs of one result.

    Attributes:
        different: keys with several values.
        partial: keys that some runs log and others do not.
    """

    different: tuple[Differing, ...]
    partial: tuple[str, ...]


def compare_options(runs: Iterable[Logged]) -> Compared:
    """Compare the options that runs log, and the benchmark, division and platform that they name.

    Where the start of a run is not logged, nothing tells the sizes of the sets from counters of what was consumed.
    """
    found: dict[str, dict[tuple[Option, ...], list[Logged]]] = {}
    listed = tuple(runs)
    left_out = frozenset() if all(run.trace.of("run_start") for run in listed) else COUNTED_LATE
    for run in listed:
        own: set[float] = {
            seed for seed in map(normalised, seeds(run)) if isinstance(seed, float) and seed >= LEAST_SEED
        }
        for key, value in run.trace.options.items():
            if class_of(key) != "COSMETIC" and key not in left_out and not _is_own(value, own):
                found.setdefault(key, {}).setdefault(value, []).append(run)
        for key in EVERYWHERE:
            names = {str(event.value).strip().casefold(): None for event in run.trace.of(key)}
            if names:
                found.setdefault(key, {}).setdefault(tuple(names), []).append(run)
    different = [Differing(key, groups) for key, values in found.items() if len(groups := _groups(values)) > 1]
    lacking = (key for key, values in found.items() if sum(map(len, values.values())) < len(listed))
    # What a run logs too late to be an option, it does log.
    partial = [key for key in lacking if not all(run.trace.of(key) for run in listed)]
    return Compared(tuple(different), tuple(partial))


def _is_own(value: tuple[Option, ...], seeds: set[float]) -> bool:
    """Whether values are a run's own by nature: its seed under another name, or ids drawn for it."""
    return set(value) <= seeds or all(isinstance(item, str) and _DRAWN.search(item) is not None for item in value)


def _groups(values: dict[tuple[Option, ...], list[Logged]]) -> tuple[Group, ...]:
    """Return the runs by value, equal values together; of many values the last ones, too."""
    if len(values) == 1:
        return tuple(Group(value, tuple(runs)) for value, runs in values.items())
    groups: list[tuple[tuple[Option, ...], list[Logged]]] = []
    for value, runs in values.items():
        same = next((group for group in groups if _agree(group[0], value)), None)
        if same is None and len(groups) == MOST_GROUPS:
            same = groups[-1]
        if same is None:
            groups.append((value, list(runs)))
        else:
            same[1].extend(runs)
    return tuple(Group(value, tuple(runs)) for value, runs in sorted(groups, key=lambda item: -len(item[1])))


def _agree(left: tuple[Option, ...], right: tuple[Option, ...]) -> bool:
    """Whether two sets of logged values may be one option.

    A key logged often (a rate at each step) has fewer values in a shorter run.
    """
    if len(left) == len(right) == 1:
        return _same(left[0], right[0])
    fewer, more = sorted((left, right), key=len)
    if len(more) > MOST_VALUES:
        return set(fewer) <= set(more)
    return all(any(_same(value, other) for other in more) for value in fewer)


def _same(left: Option, right: Option) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=CLOSE, abs_tol=0.0)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return left == right


def whole_option(run: Logged, key: str) -> int:
    """Return the one whole number above zero that a run logs as an option, or 0."""
    values = run.trace.options.get(key, ())
    value = values[0] if len(values) == 1 else None
    return int(value) if isinstance(value, float) and value.is_integer() and value > 0 else 0
