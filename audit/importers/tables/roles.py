"""What a column of a table holds, guessed from its heading, or said by the user."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.columns import is_quality, units_at
from ....rules.language.questions import concepts_of
from ....rules.language.reading import read
from ....rules.language.tokens import NUMBER, Tokens
from ....rules.language.units import COUNTED, denominator
from ....schemas.pattern import Pattern
from .cells import duration, number, whole
from .devices import count_of, names_hardware
from .differences import difference
from .grids import Grid
from .of_others import is_of_others
from .operations import operations_unit
from .precisions import formats_in, precision_of, without_variant
from .statistic_words import statistic_of, without_statistic
from .units import Dimension, bytes_in, in_time, other_rate_in, rate_in, time_in
from .words import in_english

VALUES = ("rate", "time", "latency", "accuracy", "flops", "mfu", "memory", "energy")
RATIOS = ("speedup", "scaling")
BESIDE = ("spread", "seed", "mean", "difference")
COUNTS = (
    *("devices", "nodes", "global_batch", "per_device_batch", "micro_batch", "accumulation", "input_length"),
    *("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel", "expert_parallel"),
)
TEXTS = ("model", "dataset", "optimizer", "quantisation", "sharding", "offload", "attention", "compression")
OTHERS = (
    *("nodes_x_devices", "batch", "image_size", "precision", "system", "parameters", "epochs", "label", "library"),
    *("activation_checkpointing", "compile", "extra", "ignore"),
)
ROLES = (*VALUES, *RATIOS, *BESIDE, *COUNTS, *TEXTS, *OTHERS)
FLAGS = ("unit", "variant", "base", "statistic", "percentile", "metric", "label", "mode", "scope", "of")

PETA_OR_TERA = 10**12
SECONDS = frozenset({"s", "sec", "second"})
_WAYS = (
    (" to ", True),
    (" - ", True),
    (" -> ", True),
    (" vs ", False),
    (" vs. ", False),
    (" over ", False),
    (" / ", False),
)
"""What joins a pair, and whether the base stands first."""
_NOISE = Pattern(r"\([^()]{0,60}\)|[^a-z0-9 ]+")


class Role(Struct, frozen=True):
    """What a column holds.

    Attributes:
        role: one of `ROLES`.
        unit: unit of its values, as far as the heading or its cells state one.
        variant: what the column is about where several columns hold one quantity: a precision, a model.
        base: of a speed-up, the variant that it is relative to.
        statistic: mean, median, min, max, percentile.
        percentile: which.
        metric: name of a quality.
        label: strong or weak.
        mode: training or inference, where the heading says so.
        scope: what a time covers.
        of: of a speed-up, what it is one of, in the words of the heading.
        stem: the heading without variant, unit and statistic.
        names_rows: whether what it holds stands in the names of the rows.
    """

    role: str
    unit: str | None = None
    variant: str = ""
    base: str | None = None
    statistic: str | None = None
    percentile: str | None = None
    metric: str | None = None
    label: str | None = None
    mode: str | None = None
    scope: str | None = None
    of: str | None = None
    stem: str = ""
    names_rows: bool = True

    @property
    def written(self) -> dict[str, str]:
        """The role as a user may write it."""
        kept = {name: getattr(self, name) for name in FLAGS if getattr(self, name)}
        return {"role": self.role, **kept}


def guess(grid: Grid, index: int) -> Role:
    """Return what a column holds: from its heading, else from the units in its cells; `extra` where nothing tells."""
    heading = in_english(grid.header[index].text)
    texts = [row[index].text for row in grid.rows]
    bare, variant = without_variant(heading)
    if heading == "精度":
        told = any(precision_of(text) for text in texts)
        return Role("precision") if told else _value("accuracy", "", texts, {"stem": "accuracy"})
    if _is_setup(texts):
        return Role("system")
    exact = _exact(bare.strip(" :,-"), texts) or _exact(bare.partition(":")[0].strip(), texts)
    if exact is not None and not (exact == "mean" and _carried(texts)):
        return Role(exact, variant=variant)
    bare = _statistic_ahead(_minutes(grid, index, _without_spread(bare)))
    stem = " ".join(_NOISE.sub(" ", without_statistic(bare)).split())
    if _says(bare, "heading.speedup") or _compares_two(grid, bare):
        return _speedup(heading, stem)
    if ("scaling" in bare and "rope" not in bare) or _is_efficiency(grid, bare):
        label = next((word for word in ("strong", "weak") if word in bare), None)
        return Role("scaling", variant=variant, label=label, stem=stem)
    statistic, percentile = statistic_of(bare)
    if _says(bare, "heading.accepted") and _drafts(grid):
        return Role("extra")
    shared: dict[str, Any] = {
        "variant": variant,
        "statistic": statistic,
        "percentile": percentile,
        "mode": _mode(heading),
        "stem": stem,
    }
    if _says(bare, "heading.advertised"):
        return Role("extra")
    if _says(bare, "heading.spread"):
        left = [word for word in stem.split() if word not in {"standard", "deviation", "std", "sd", "stddev"}]
        return Role("spread", variant=variant, stem=" ".join(left))
    if any(word.endswith(("flop", "flops")) for word in read(bare, "header").words()) and not _used(bare):
        return _operations(grid.header[index].text, bare, texts, shared)
    if _is_of_video(grid, index, bare) or _is_of_audio(grid, bare):
        return Role("extra")
    found = _value(bare, grid.header[index].text, texts, shared)
    if found.role == "accuracy" and is_of_others(heading):
        return Role("ignore")
    return Role("extra") if found.role == "time" and _says(bare, "heading.no_time") else found


def _is_of_video(grid: Grid, index: int, bare: str) -> bool:
    """Whether "FPS" is the frame rate of the videos of a table: such are described, and a speed has its own column."""
    if not read(bare, "header").is_only("heading.frame_rate"):
        return False
    others = [in_english(cell.text) for i, cell in enumerate(grid.header) if i != index]
    measured = any(_says(other, "heading.frame_rate") or _says(other, "heading.run_time") for other in others)
    return measured and any(_says(other, "heading.of_video") for other in others)


def _is_of_audio(grid: Grid, bare: str) -> bool:
    """Whether "Duration" or "Output (s)" is the length of a recording: real-time factors stand beside it."""
    timed = any(_says(in_english(cell.text), "heading.real_time_factor") for cell in grid.header)
    return timed and read(bare.partition("(")[0].strip(), "header").is_only("heading.of_audio")


def _without_spread(bare: str) -> str:
    """Return "mean latency (std dev)" without the spread in brackets: it stands behind each number."""
    before, bracket, inner = bare.removesuffix(")").rpartition("(")
    beside = bracket and bare.endswith(")") and before.strip() and _says(inner, "heading.spread")
    return before.strip() if beside and not _says(before, "heading.spread") else bare


def _statistic_ahead(bare: str) -> str:
    """Return "latency ms (mean)" as "mean latency ms": a unit stands at the end of what it measures."""
    before, bracket, inner = bare.removesuffix(")").rpartition("(")
    alone = bracket and bare.endswith(")") and inner.strip() and not without_statistic(inner).strip()
    return f"{inner.strip()} {before.strip()}" if alone and (rate_in(before) or time_in(before)) else bare


def _minutes(grid: Grid, index: int, bare: str) -> str:
    """Return "train time min" with its unit in brackets, unless columns beside it make it the least of its kind."""
    words = read(bare, "header").words()
    if not bare.endswith(" min") or lexicon.words("columns", "times").isdisjoint(words):
        return bare
    others = [in_english(cell.text) for i, cell in enumerate(grid.header) if i != index]
    of_its_kind = any(_says(other, "heading.several_statistics") for other in others)
    stem, known = bare.removesuffix("min"), lexicon.classes("columns", "statistics")
    of_its_kind = of_its_kind or any(other.removeprefix(stem) in known for other in others if other.startswith(stem))
    return f"{stem}minimum" if of_its_kind else f"{stem.rstrip()} (min)"


def _compares_two(grid: Grid, bare: str) -> bool:
    """Whether "Improvement" can only be that of one of two columns of speed over the other."""
    if not read(bare, "header").is_only("heading.gain"):
        return False
    others = [in_english(cell.text) for cell in grid.header]
    timed = [other for other in others if rate_in(other) or time_in(other) or _says(other, "heading.speed")]
    return len(timed) == 2 and not any(is_quality(other) or "memory" in other for other in others)


def _is_setup(texts: list[str]) -> bool:
    """Whether every cell of a column is a number of devices: "8 x A100"."""
    named = [text for text in texts if text]
    return bool(named) and all(count_of(text) is not None for text in named)


def _drafts(grid: Grid) -> bool:
    """Whether "acc@1" is the share of drafted tokens that are accepted: a column counts from 0, or says so."""
    return any(_says(in_english(cell.text), "heading.drafts") for cell in grid.header)


def _is_efficiency(grid: Grid, bare: str) -> bool:
    """Whether a column holds parallel efficiencies: its heading says so, or devices are counted beside it."""
    if _says(bare, "heading.efficiency"):
        return True
    if not read(bare, "header").is_only("heading.only_efficiency"):
        return False
    heads = (in_english(cell.text) for cell in grid.header)
    return any(_exact(head, []) in {"devices", "nodes", "nodes_x_devices"} for head in heads)


def _operations(printed: str, bare: str, texts: list[str], shared: dict[str, Any]) -> Role:
    """Return the role of a column whose heading names FLOP: of operations per second, else of their number."""
    tokens, units = units_at(bare)
    operations = [unit for unit in units if unit.name in ("FLOP", "FLOP/s")]
    timed = any(not SECONDS.isdisjoint(tokens.lows(unit.first + 1, unit.last)) for unit in operations)
    rate = timed or any(unit.scale >= PETA_OR_TERA for unit in operations)
    achieved = "GFLOPS" in printed and _says(bare, "heading.achieved")
    each = any(unit.per not in (None, *COUNTED) for unit in operations)
    if (each and not timed) or not (rate or achieved) or _says(bare, "heading.no_rate_of_operations"):
        return Role("extra")
    return Role("flops", unit=operations_unit(bare, texts), **shared)


def _value(bare: str, printed: str, texts: list[str], shared: dict[str, Any]) -> Role:
    used = _used(bare)
    scored = is_quality(bare) or is_quality(printed) or _named(bare) == "precision"  # of a share: `_exact`
    if used:
        metric = "hfu" if used.startswith("h") else "mfu"
        return Role("mfu", unit="%" if _above(texts, 1.5) or "%" in bare else "1", metric=metric, **shared)
    rate, unit, carried = rate_in(bare), time_in(bare), _carried(texts)
    if rate is None and unit is None and not carried and _says(bare, "heading.normalized"):
        return Role("difference", stem=shared["stem"]) if scored else Role("extra")
    other = other_rate_in(bare) if rate is None else None
    if rate is not None and any(unit.per in ("w", "watt", "watts") for unit in units_at(bare)[1]):
        return Role("energy", unit=f"{rate.base.removesuffix('/watt')}/W", **shared)
    told = rate is not None or (other is not None and not other.endswith("B/s"))
    if told or _says(bare, "heading.throughput") or ("rate" in carried and unit is None):
        return Role("rate", unit=rate.base if rate is not None else other, **shared)
    if scored and unit is None and "time" not in carried:
        if _is_priced(bare):
            return Role("extra")
        if difference(bare, texts):
            return Role("difference", stem=shared["stem"])
        percent = _above(texts, 1.0) and not read(bare, "header").has("quality_of_no_share", affirmed=False)
        name = " ".join(_NOISE.sub(" ", bare).split()).replace("top1", "top-1").replace("top5", "top-5")
        return Role("accuracy", unit="%" if percent else None, metric=name, **shared)
    stated = unit.at(unit.exponent) if unit is not None else None
    if _says(bare, "latency.first_token") or _says(bare, "latency.per_output_token"):
        return Role("latency", unit=stated, scope="request", **{**shared, "mode": "inference"})
    if "latency" in bare:
        scope = "request" if _says(bare, "heading.of_a_request") else None
        return Role("latency", unit=stated, scope=scope, **shared)
    if unit is not None or "time" in carried or any(token.low == "time" for token in read(bare).tokens):
        return Role("time", unit=stated, scope=_scope(bare), **shared)
    if "flops" in carried and not _says(bare, "heading.limit"):
        return Role("flops", **shared)
    size = bytes_in(bare)
    if _says(bare, "heading.memory") and (size is not None or "bytes" in carried):
        return Role("memory", unit=size.at(size.exponent) if size is not None else None, **shared)
    return Role("extra")


def _carried(texts: list[str]) -> set[Dimension]:
    """Return what the units in the cells of a column measure, each in more than a quarter of them."""
    found: Counter[Dimension] = Counter()
    for text in texts:
        value = number(text) or number(text.replace(",", "."))
        unit = in_time(value.unit, "rate") if value is not None and value.unit else None
        if value is not None and unit is not None and value.unit.casefold() != "d":  # "2D" is no time
            found[unit.dimension] += unit.dimension != "rate" or rate_in(value.unit) is not None
        elif value is None and duration(text) is not None:
            found["time"] += 1
    least = sum(any(c.isdigit() for c in text) for text in texts) / 4
    return {dimension for dimension, count in found.items() if count > least}


@lru_cache(maxsize=4096)
def _named(bare: str) -> str | None:
    """Return the role that a heading is the name of: "# GPUs", "global batch size"."""
    heading = read(bare.replace("#", " number "), "header")
    named = (concept for concept in concepts_of("column.") if heading.is_only(concept))
    role = next((concept.removeprefix("column.") for concept in named), "spread" if bare in {"+/-", "±"} else None)
    numbered = any(token.kind == NUMBER for token in heading.tokens)  # "CUDA 12.4" heads no versions
    return None if numbered and role != "seed" else role


def _exact(bare: str, texts: list[str]) -> str | None:
    role = _named(bare)
    counted = [text for text in texts if text]
    if role == "system" and counted and all(whole(text) is not None for text in counted):
        return "devices"
    if role == "devices" and counted and not any(whole(text) is not None for text in counted):
        return "system"
    if bare == "models" and counted and all(whole(text) is not None for text in counted):  # so many of them
        return "extra"
    if role in {"system", "devices"} and "time" in _carried(texts):  # "GPU" heads what it took there
        return None
    if role == "precision" and counted and all(map(_is_decimal, counted)):  # how much of what was found is right
        return None
    named = bare.startswith(("system", "platform"))
    if role == "system" and named and counted and not any(map(names_hardware, counted)):
        return "extra"
    if role == "library" and _carried(texts):  # what it took is no version of it
        return None
    if bare in {"torch", "pytorch"} and any(_no_version(text) for text in counted):
        return None
    return role


def _is_decimal(text: str) -> bool:
    found = number(text)
    return found is not None and "." in found.printed


def _no_version(text: str) -> bool:
    found = number(text)
    return text.casefold() == "oom" or (found is not None and (bool(found.unit) or float(found.printed) >= 10))


def _speedup(heading: str, stem: str) -> Role:
    joins, words = lexicon.words("columns", "joins"), stem.split()
    while words and words[-1] in joins:
        words.pop()
    stem = " ".join(words)
    said = [word for word in stem.replace("speed up", "speedup").split() if word not in {"speedup", *joins}]
    named, pair = " ".join(said), _pair(heading)
    if pair is None:
        found = formats_in(heading)
        before = read(heading[: found[-1][0]].rstrip(" ."), "header").tokens if found else Tokens()
        related = before.low(len(before) - 1) in lexicon.words("columns", "before_a_base")
        base = found[-1][2] if found and related else None
        subjects = found[:-1] if base is not None else found
        bare = named
        for begin, end, _ in reversed(formats_in(named)):
            bare = bare[:begin] + bare[end:]
        return Role(
            "speedup",
            variant=subjects[0][2] if len(subjects) == 1 else "",
            base=base,
            of=" ".join(bare.split()),
            stem=stem,
        )
    base, subject = (precision_of(part) or part for part in pair)
    return Role("speedup", variant=subject, base=base, of=named, stem=stem)


def _pair(heading: str) -> tuple[str, str] | None:
    """Return base and subject of a speed-up whose heading names both in brackets: "(TF32 to mixed precision)"."""
    inner = heading.partition("(")[2].partition(")")[0]
    for way, base_first in _WAYS:
        one, joined, other = inner.partition(way)
        if joined and min(len(one), len(other)) > 1:
            return (one, other) if base_first else (other, one)
    return None


def _used(bare: str) -> str:
    """Return the utilisation of operations that a heading names, as printed; empty where none."""
    return next((item.text for item in read(bare, "header").mentions("heading.used")), "")


def _is_priced(bare: str) -> bool:
    """Whether a heading names a quality for each of something, or a ratio: "Accuracy / GFLOPs"."""
    tokens, prices = read(bare, "header").tokens, lexicon.words("columns", "prices")
    below = (tokens.low(found.last - 1) for at in range(len(tokens)) if (found := denominator(tokens, at)))
    return (
        "ratio" in tokens.lows(0, len(tokens)) or "/ $" in bare or "/$" in bare or any(low in prices for low in below)
    )


def _mode(heading: str) -> str | None:
    return next((mode for mode in ("inference", "training") if _says(heading, f"heading.{mode}")), None)


def _scope(bare: str) -> str | None:
    if _says(bare, "heading.whole_run") or any(count.value > 1 for count in read(bare, "header").counts("epochs")):
        return "training_run"
    if "epoch" in bare:
        return "epoch"
    return "phase" if _says(bare, "heading.part_of_step") else None


def _says(heading: str, concept: str) -> bool:
    return read(heading, "header").has(concept, affirmed=False)


def _above(texts: list[str], least: float) -> bool:
    numbers = [found for text in texts if (found := number(text)) is not None]
    return any(found.unit.startswith("%") or float(found.printed) > least for found in numbers)
