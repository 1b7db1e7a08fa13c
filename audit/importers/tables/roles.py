"""What a column of a table holds, guessed from its heading, or said by the user."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from msgspec import Struct

from ....rules.language.columns import is_quality
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from .cells import duration, number, whole
from .devices import count_of, names_hardware
from .differences import difference
from .grids import Grid
from .operations import operations_unit
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

_PRECISION = Pattern(
    r"\b(mixed[- ]precision|mixed|automatic mixed precision|amp|tf32|[bf]?fp?(?:8|16|32|64)|mxfp[48]|nvfp4|"
    r"int[48]|bfloat16|float(?:16|32)|half|(?:8|16|32|64)-bit)\b"
)
_FORMATS = {
    "mixed": "mixed precision",
    "mixed-precision": "mixed precision",
    "automatic mixed precision": "mixed precision",
    "amp": "mixed precision",
    "float32": "fp32",
    "f32": "fp32",
    "32-bit": "fp32",
    "64-bit": "fp64",
    "float16": "fp16",
    "f16": "fp16",
    "half": "fp16",
    "16-bit": "16-bit",
    "8-bit": "8-bit",
    "bfloat16": "bf16",
    "b16": "bf16",
}
_EXACT: tuple[tuple[str, str], ...] = (
    (
        r"(?:#(?: ?of)?|num(?:ber)?(?: of)?|no\.?(?: of)?|n)[ -]*(?:gpus?|tpus?|chips?|devices?|accelerators?)",
        "devices",
    ),
    (r"(?:gpus|tpus|chips|devices|accelerators|world size|(?:gpu|device|accelerator) count)", "devices"),
    (r"(?:#|num(?:ber)? of )?nodes? ?[x×*] ?gpus?(?: ?(?:/|per) ?node)?", "nodes_x_devices"),
    (r"(?:#|num(?:ber)?(?: of)?)?[ -]*nodes?", "nodes"),
    (r"(?:global ?batch(?: ?size)?|gbs)", "global_batch"),
    (r"(?:micro ?batch(?: ?size)?|mbs)", "micro_batch"),
    (
        r"(?:local batch size|batch ?size ?(?:/|per) ?(?:gpu|device|chip)|per[- ]device batch(?: size)?)",
        "per_device_batch",
    ),
    (r"(?:(?:train|infer|inference|training|eval) )?(?:batch(?: ?sizes?)?|bs)", "batch"),
    (r"(?:grad(?:ient)? ?accum(?:ulation)?(?: steps)?|accumulation(?: steps)?|ga)", "accumulation"),
    (r"(?:(?:max )?(?:sequence|seq) ?len(?:gth)?(?: \(t\))?|context ?len(?:gth)?)", "input_length"),
    (r"(?:(?:train|infer) )?(?:img|image) size", "image_size"),
    (r"(?:tp|tensor[- ]parallel(?:ism)?(?: size)?)", "tensor_parallel"),
    (r"(?:pp|pipeline[- ]parallel(?:ism)?(?: size)?)", "pipeline_parallel"),
    (r"(?:cp|context[- ]parallel(?:ism)?(?: size)?)", "context_parallel"),
    (r"(?:dp|data[- ]parallel(?:ism)?(?: size)?)", "data_parallel"),
    (r"(?:ep|expert[- ]parallel(?:ism)?(?: size)?)", "expert_parallel"),
    (r"(?:precision|dtype|data type|datatype|number format)", "precision"),
    (r"(?:model|models|network|architecture name|model name|model id)", "model"),
    (r"(?:dataset|data set)", "dataset"),
    (r"(?:optimi[sz]er)", "optimizer"),
    (r"(?:quanti[sz]ation)", "quantisation"),
    (r"(?:gpu|dgx|device|accelerator)(?: (?:model|name|type|system))?|name gpu", "system"),
    (r"(?:system|hardware|platform|machine)(?: (?:name|type))?", "system"),
    (r"(?:num ?params|parameters|params|number of parameters|# params|trainable parameters)", "parameters"),
    (r"(?:#(?: of)? ?)?epochs|(?:number|num\.?|no\.?) of epochs|epochs", "epochs"),
    (r"(?:activation checkpointing)", "activation_checkpointing"),
    (r"(?:sharding(?: strategy)?)", "sharding"),
    (r"(?:cudnn|cuda|nccl|driver|torch|pytorch)", "library"),
    (r"seed ?[0-9]{1,6}", "seed"),
    (r"(?:std|sd|std\.? ?dev\.?|standard deviation|stddev|\+/-)", "spread"),
    (r"(?:mean|average|avg)", "mean"),
)
_EXACT_RE = tuple((re.compile(pattern), role) for pattern, role in _EXACT)
_PERCENTILE = Pattern(
    r"\bp([0-9]{2}(?:\.[0-9]+)?)\b|"
    r"(?<!to )(?<!at )(?<!of )(?<!reach )(?<!target )\b((?:50|75|80|9[0-9]|100)(?:\.[0-9]+)?) ?%"
    r"(?! ?(?:spars|prun|load|util|of|acc|top|quality|dropout|mask))|\b([0-9]{2,3}(?:\.[0-9]+)?) ?th percentile"
)
_STATISTICS = (
    (re.compile(r"\b(?:avg|average|mean)\b"), "mean"),
    (re.compile(r"\bmedian\b"), "median"),
    (re.compile(r"(?<!/)(?<!/ )(?<!per )\b(?:min|minimum)\b(?! ?\))"), "min"),
    (re.compile(r"\b(?:max|maximum)\b"), "max"),
)
_PAIR = Pattern(r"(?P<one>[^()]{2,40}?) (?P<way>to|-|->|vs\.?|over|/) (?P<other>[^()]{2,40})")
_RELATIVE = Pattern(r"(?:\bto|\bvs\.?|\bversus|\bover|\bagainst|\bthan|/) *$")
_JOINING = {"of", "with", "from", "by", "using", "over", "vs", "versus", "against", "to", "relative", "the", "than"}
_USED = Pattern(r"\b[mh]fu\b|\b(?:model|hardware) flops?/?s? utili[sz]ation\b")
_FLOP_OF = Pattern(r"flops? ?(?:/|per) ?(?!s\b|sec|gpu|device|chip|card|core|tpu|accelerator|node)[a-z]")
_PER = Pattern(
    r"(?:/|\bper) ?(?:[mb]\b|million|billion)? ?(?:param|g?flops?\b|ms\b|watts?\b|w\b|gb\b|dollar|\$)|\bratio\b"
)
_OF_POWER = Pattern(r"/ ?(?:s|sec|second) ?(?:/|per) ?(?:w|watts?)\b")
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
        return Role("precision") if told else _value("accuracy", texts, {"stem": "accuracy"})
    if _is_setup(texts):
        return Role("system")
    exact = _exact(bare.strip(" :,-"), texts) or _exact(bare.partition(":")[0].strip(), texts)
    if exact is not None and not (exact == "mean" and _carried(texts)):
        return Role(exact, variant=variant)
    bare = _minutes(grid, index, bare)
    stem = " ".join(_NOISE.sub(" ", _without_statistic(bare)).split())
    if re.search(r"speed-? ?up", bare) or _compares_two(grid, bare):
        return _speedup(heading, stem)
    if ("scaling" in bare and "rope" not in bare) or _is_efficiency(grid, bare):
        label = next((word for word in ("strong", "weak") if word in bare), None)
        return Role("scaling", variant=variant, label=label, stem=stem)
    statistic, percentile = _statistic(bare)
    if re.search(r"\bacc@[0-9]", bare) and _drafts(grid):
        return Role("extra")
    shared: dict[str, Any] = {
        "variant": variant,
        "statistic": statistic,
        "percentile": percentile,
        "mode": _mode(heading),
        "stem": stem,
    }
    if re.search(r"\b(?:std|sd(?! ?(?:v?[0-9]|xl|turbo))|stddev|standard deviation)\b", bare):
        return Role(
            "spread",
            variant=variant,
            stem=" ".join(re.sub(r"\b(?:standard deviation|std|sd|stddev)\b", "", stem).split()),
        )
    if re.search(r"flops?\b", bare) and not _USED.search(bare):
        return _operations(grid.header[index].text, bare, texts, shared)
    return _value(bare, texts, shared)


def _minutes(grid: Grid, index: int, bare: str) -> str:
    """Return "train time min" with its unit in brackets, unless columns beside it make it the least of its kind."""
    if not bare.endswith(" min") or not re.search(r"\b(?:time|duration|elapsed|runtime|wall\w*|train\w*)\b", bare):
        return bare
    others = (in_english(cell.text) for i, cell in enumerate(grid.header) if i != index)
    of_its_kind = any(re.search(r"\b(?:max|mean|avg|average|median|p50|p9[0-9])\b", other) for other in others)
    return bare if of_its_kind else f"{bare.removesuffix(' min')} (min)"


def _compares_two(grid: Grid, bare: str) -> bool:
    """Whether "Improvement" can only be that of one of two columns of speed over the other."""
    if not re.fullmatch(r"improvement|(?:relative |speed |performance )?gain", bare.replace("(%)", "").strip()):
        return False
    others = [in_english(cell.text) for cell in grid.header]
    timed = [other for other in others if rate_in(other) or time_in(other) or re.search("throughput|latency", other)]
    return len(timed) == 2 and not any(is_quality(other) or "memory" in other for other in others)


def _is_setup(texts: list[str]) -> bool:
    """Whether every cell of a column is a number of devices: "8 x A100"."""
    named = [text for text in texts if text]
    return bool(named) and all(count_of(text) is not None for text in named)


def _drafts(grid: Grid) -> bool:
    """Whether "acc@1" is the share of drafted tokens that are accepted: a column counts from 0, or says so."""
    return any(re.search(r"\bacc@0\b|accept|draft", in_english(cell.text)) for cell in grid.header)


def _is_efficiency(grid: Grid, bare: str) -> bool:
    """Whether a column holds parallel efficiencies: its heading says so, or devices are counted beside it."""
    if re.search(r"\bparallel(?:i[sz]ation)? efficiency\b", bare):
        return True
    if re.sub(r"[(\[]%[)\]]", "", bare).strip() != "efficiency":
        return False
    heads = (in_english(cell.text) for cell in grid.header)
    return any(_exact(head, []) in {"devices", "nodes", "nodes_x_devices"} for head in heads)


def _operations(printed: str, bare: str, texts: list[str], shared: dict[str, Any]) -> Role:
    """Return the role of a column whose heading names FLOP: of operations per second, else of their number."""
    short = re.sub(r"(tera|peta|giga)[ -]?(?=flop)", lambda match: match[0][0], bare)
    short = re.sub(r" per (?=gpu|device|chip)", "/", short)
    if _FLOP_OF.search(short):
        return Role("extra")
    rate = re.search(r"flops? ?(?:/|per) ?s", short) or re.search(r"(?<![a-z])[tp]flops?\b", short)
    achieved = re.search(r"(?<![a-z])gflops\b", short) and re.search(r"GFLOPS", printed) and "achieved" in short
    if not (rate or achieved) or re.search(r"memory|peak|exa", short):
        return Role("extra")
    return Role("flops", unit=operations_unit(short, texts), **shared)


def _value(bare: str, texts: list[str], shared: dict[str, Any]) -> Role:
    used = _USED.search(bare)
    if used is not None:
        metric = "hfu" if used[0].startswith("h") else "mfu"
        return Role("mfu", unit="%" if _above(texts, 1.5) or "%" in bare else "1", metric=metric, **shared)
    rate, unit, carried = rate_in(bare), time_in(bare), _carried(texts)
    if rate is None and unit is None and not carried and re.search(r"\b(?:normali[sz]ed|norm|relative|rel)\b", bare):
        return Role("difference", stem=shared["stem"]) if is_quality(bare) else Role("extra")
    other = other_rate_in(bare) if rate is None else None
    if rate is not None and _OF_POWER.search(bare):
        return Role("energy", unit=f"{rate.base}/W", **shared)
    told = rate is not None or (other is not None and not other.endswith("B/s"))
    if told or re.search(r"throughput|tput", bare) or ("rate" in carried and unit is None):
        return Role("rate", unit=rate.base if rate is not None else other, **shared)
    if is_quality(bare) and unit is None and "time" not in carried:
        if _PER.search(bare):
            return Role("extra")
        if difference(bare, texts):
            return Role("difference", stem=shared["stem"])
        percent = _above(texts, 1.0) and not read(bare, "header").has("quality_of_no_share", affirmed=False)
        name = " ".join(_NOISE.sub(" ", bare).split()).replace("top1", "top-1").replace("top5", "top-5")
        return Role("accuracy", unit="%" if percent else None, metric=name, **shared)
    stated = unit.at(unit.exponent) if unit is not None else None
    if "latency" in bare:
        return Role("latency", unit=stated, **shared)
    if unit is not None or "time" in carried or re.search(r"\btime\b", bare):
        return Role("time", unit=stated, scope=_scope(bare), **shared)
    if "flops" in carried and not re.search(r"peak|limit|memory", bare):
        return Role("flops", **shared)
    size = bytes_in(bare)
    if re.search(r"memory|\bmem\b|\bram\b|\bvram\b", bare) and (size is not None or "bytes" in carried):
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


def without_variant(heading: str) -> tuple[str, str]:
    """Return a heading without the precision that it names, and that precision."""
    found = list(_PRECISION.finditer(heading))
    if len(found) != 1:
        return heading, ""
    bare = " ".join((heading[: found[0].start()] + heading[found[0].end() :]).split())
    return re.sub(r"^[-: ]+|[-: ]+$", "", bare) or heading, precision_of(found[0][0])


def precision_of(text: str) -> str:
    """Return the name of a precision as options have it; empty where a text names none."""
    plain = text.casefold().strip()
    if plain.startswith("amp_") and len(plain) > 4:
        return precision_of(plain[4:])
    match = _PRECISION.search(plain.replace("_", " "))
    return _FORMATS.get(match[1], match[1]) if match is not None else ""


def variants_of(heading: str) -> tuple[str, ...]:
    """Return the precisions that a heading names, in its order: "Batch size / GPU: mixed precision, FP32"."""
    return tuple(precision_of(match[0]) for match in _PRECISION.finditer(heading.casefold()))


def _exact(bare: str, texts: list[str]) -> str | None:
    role = next((role for pattern, role in _EXACT_RE if pattern.fullmatch(bare)), None)
    counted = [text for text in texts if text]
    if role == "system" and counted and all(whole(text) is not None for text in counted):
        return "devices"
    if role == "devices" and counted and not any(whole(text) is not None for text in counted):
        return "system"
    if role == "system" and re.match(r"system|platform", bare) and counted and not any(map(names_hardware, counted)):
        return "extra"
    if bare in {"torch", "pytorch"} and any(_no_version(text) for text in counted):
        return None
    return role


def _no_version(text: str) -> bool:
    found = number(text)
    return text.casefold() == "oom" or (found is not None and (bool(found.unit) or float(found.printed) >= 10))


def _speedup(heading: str, stem: str) -> Role:
    inner = re.search(r"\(([^()]{3,60})\)", heading)
    pair = _PAIR.fullmatch(inner[1]) if inner is not None else None
    stem = re.sub(rf"(?: (?:{'|'.join(sorted(_JOINING))}))+$", "", stem)
    named = " ".join(word for word in re.sub(r"\bspeed ?up\b", "", stem).split() if word not in _JOINING)
    if pair is None:
        found = list(_PRECISION.finditer(heading))
        base = precision_of(found[-1][0]) if found and _RELATIVE.search(heading[: found[-1].start()]) else None
        subjects = found[:-1] if base is not None else found
        return Role(
            "speedup",
            variant=precision_of(subjects[0][0]) if len(subjects) == 1 else "",
            base=base,
            of=" ".join(_PRECISION.sub("", named).split()),
            stem=stem,
        )
    one, other = precision_of(pair["one"]) or pair["one"], precision_of(pair["other"]) or pair["other"]
    base, subject = (one, other) if pair["way"] in {"to", "-", "->"} else (other, one)
    return Role("speedup", variant=subject, base=base, of=named, stem=stem)


def _without_statistic(bare: str) -> str:
    for pattern, _ in _STATISTICS:
        bare = pattern.sub(" ", bare)
    return _PERCENTILE.sub(" ", bare)


def _statistic(bare: str) -> tuple[str | None, str | None]:
    percentile = _PERCENTILE.search(bare)
    if percentile is not None:
        return "percentile", percentile[1] or percentile[2] or percentile[3]
    return next((name for pattern, name in _STATISTICS if pattern.search(bare)), None), None


def _mode(heading: str) -> str | None:
    if re.search(r"\b(?:infer\w*|eval|decode|prefill)\b", heading):
        return "inference"
    return "training" if re.search(r"\btrain(?:ing)?\b", heading) else None


def _scope(bare: str) -> str | None:
    if re.search(
        r"time[- ]to[- ](?:train|accuracy|solution|converge|target|reach|[0-9])|training time|total train\w* time", bare
    ):
        return "training_run"
    if re.search(r"(?<![0-9.])(?:[2-9]|[0-9]{2,4}) ?epochs", bare):
        return "training_run"
    if "epoch" in bare:
        return "epoch"
    return "phase" if re.search(r"\b(?:forward|backward|fwd|bwd)\b", bare) else None


def _above(texts: list[str], least: float) -> bool:
    numbers = [found for text in texts if (found := number(text)) is not None]
    return any(found.unit.startswith("%") or float(found.printed) > least for found in numbers)
