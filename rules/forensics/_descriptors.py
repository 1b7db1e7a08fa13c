"""Descriptors of a number in words: the number format, statistic, device or batch that a sentence or a label names."""

from __future__ import annotations

import re

from ...schemas.options import Options
from ...schemas.pattern import Pattern
from ..facts.comparison.options import Same, same_value
from ..facts.device.formats import FORMATS, normalised
from ..facts.device.operations import formats_in

_STATISTICS = {
    "median": Pattern(r"\bmedian\b", re.IGNORECASE),
    "mean": Pattern(r"\b(?:mean|average|averaged|avg)\b", re.IGNORECASE),
    "best_of": Pattern(r"\b(?:best|fastest) (?:of|run|trial)\b", re.IGNORECASE),
    "percentile": Pattern(r"\bp\d\d(?:\.\d+)?\b|\b\d\d(?:\.\d+)?(?:th|st|nd|rd)?[ -]percentile\b", re.IGNORECASE),
}
_A_STATISTIC = Pattern(r"median|mean|av(?:era)?g|best|fastest|percentile|\bp\d", re.IGNORECASE)
_OTHER_MEAN = Pattern(
    r"\bmean(?:s|t|while|ing)\b|\b(?:mean|average) (?:over|of) (?:\w+ )?(?:ranks?|gpus?|devices?)\b", re.IGNORECASE
)
_BATCH = Pattern(
    r"\b(?P<kind>global |total |effective )?batch(?:[ -]?size)?(?: of)?[ =:]+(?P<size>\d{1,3}(?:,\d{3})+|\d+)\b"
    r"(?![.,]?\d|\s?[kKMx×%/])",
    re.IGNORECASE,
)
_DEVICE = Pattern(
    r"\b(?:(?:GB|GH|[ABHLPTV])(?:100|200|300|10|30|40|40S|4|16)|RTX ?\d{4}|MI\d{3}[AX]?|TPU ?v\d[ep]?|Gaudi ?\d?"
    r"|K80|M60)\b"
)
_FORM = Pattern(r"(?<![A-Za-z])(SXM|PCIe)(?:\d|\b)(?!\s?(?:gen|\d\.0|x\d|link|switch))", re.IGNORECASE)
STATISTICS = frozenset({"median", "mean", "best_of", "percentile"})
SUPERCHIPS = {"GH200": ("H100", "H200"), "GB200": ("B200",), "GB300": ("B300",)}
ALIASES = {"min": "best_of", "max": "best_of", "trimmed_mean": "mean"}


def format_named(text: str) -> str | None:
    """Return the one number format that a text names; None where it names none, several, or "mixed"."""
    found = formats_in(text)
    return found[0] if len(found) == 1 and normalised(found[0]) in FORMATS else None


def formats_used(options: Options | None) -> frozenset[str]:
    """Return the formats that an option set names anywhere: what a sentence names may be any of them."""
    if options is None:
        return frozenset()
    precision = options.precision
    given = [options.quantisation, options.cache_format, options.compression, options.weights]
    if precision is not None:
        given += [precision.compute, precision.accumulate, precision.weights, precision.communication]
        given += ["tf32"] if precision.tf32 else []
    named = {normalised(name) for name in given if name is not None}
    return frozenset(named | {found for text in given if text is not None for found in formats_in(text)})


def statistic_named(text: str) -> str | None:
    """Return the one statistic that a text names; None where it names none, several, or another mean."""
    if not _A_STATISTIC.search(text):
        return None
    found = [name for name, pattern in _STATISTICS.items() if pattern.search(text)]
    return found[0] if len(found) == 1 and not _OTHER_MEAN.search(text) else None


def other_statistic(left: str | None, right: str | None) -> bool:
    """Whether two stated statistics surely differ."""
    ours, theirs = (ALIASES.get(name or "", name) for name in (left, right))
    return ours != theirs and ours in STATISTICS and theirs in STATISTICS


def device_named(text: str) -> str | None:
    """Return the one model of device that a text names; None where it names none or several."""
    found = {re.sub(r"\s", "", match[0]) for match in _DEVICE.finditer(text)}
    return found.pop() if len(found) == 1 else None


def forms_named(text: str) -> frozenset[str]:
    """Return the forms of device that a text names: SXM, PCIe."""
    return frozenset(match[1].casefold() for match in _FORM.finditer(text))


def device_differs(named: str, described: str) -> bool:
    """Whether a named model of device is surely not the described one: neither name holds the other."""
    known = {re.sub(r"\s", "", match[0]) for match in _DEVICE.finditer(described)}
    known |= {name for chip, names in SUPERCHIPS.items() if chip in known for name in names}
    plain = re.sub(r"[\s_-]", "", described).casefold()
    return bool(known) and named.casefold() not in plain and not any(name in named for name in known)


def batch_named(text: str) -> tuple[bool, int] | None:
    """Return the one batch that a text names, and whether it says that it is the global one; else None."""
    if "batch" not in text.casefold():
        return None
    found = {(bool(match["kind"]), int(match["size"].replace(",", ""))) for match in _BATCH.finditer(text)}
    return found.pop() if len(found) == 1 else None


def batches_used(options: Options | None, devices: int | None) -> frozenset[int]:
    """Return every batch that an option set makes: of a device, of a pass over all devices, of a step."""
    if options is None:
        return frozenset()
    per_pass = [size for size in (options.micro_batch, options.per_device_batch) if size is not None]
    steps, ranks = options.accumulation or 1, {options.data_parallel or 1, devices or 1, 1}
    found = {size * step * rank for size in per_pass for step in (1, steps) for rank in ranks}
    found |= {options.global_batch} if options.global_batch is not None else set()
    found |= {options.global_batch // rank for rank in ranks if options.global_batch is not None}
    return frozenset(found | {item.global_batch for item in options.batch_schedule})


def formats_differ(left: str, right: str) -> bool:
    """Whether two formats are both single ones, and different; TF32 behind a label FP32 is P10's."""
    if {normalised(left), normalised(right)} == {"fp32", "tf32"}:
        return False
    return same_value("precision.compute", left, right) is Same.DIFFERENT
