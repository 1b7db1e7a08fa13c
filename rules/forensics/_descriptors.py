"""Descriptors of a number in words: the number format, statistic, device or batch that a sentence or a label names."""

from __future__ import annotations

from ...schemas.options import Options
from ..case import Case
from ..facts.comparison.options import Same, same_value
from ..facts.device.device_words import device_words
from ..facts.device.formats import FORMATS, normalised
from ..facts.device.operations import formats_in
from ..language.reading import read

FORMS = ("sxm", "pcie", "nvl", "oam")


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


def devices_named(text: str, case: Case) -> frozenset[str]:
    """Return the models of the one device that a text names, a superchip with its accelerator; none of several."""
    names = {name.text for name in read(text).names("device") if not name.host}
    return device_words(case, names.pop()) if len(names) == 1 else frozenset()


def forms_named(text: str) -> frozenset[str]:
    """Return the forms of device that a text names: SXM, PCIe, NVL, OAM."""
    words = read(text)
    return frozenset(form for form in FORMS if words.has(f"form.{form}"))


def batch_named(text: str) -> tuple[bool, int] | None:
    """Return the one batch that a text names, and whether it says that it is the global one; else None."""
    if not read(text).has("batch"):
        return None
    counts = [count for count in read(text).counts("batch_size") if count.value == count.high and count.half < 1]
    found = {(read(count.noun).has("whole_batch"), int(count.value)) for count in counts}
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
