"""F29: two places that describe one number differently."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ...schemas.conditions import System
from ...schemas.evidence import Metric
from ...schemas.options import Options
from ...schemas.submission import Claim, Column, Row, Table
from ..case import Case, Side
from ..completion.named_statistic import other_statistic
from ..facts.comparison.options import Same, class_of, flat, printed, same_value
from ..facts.device.device_words import device_words
from ..facts.device.specification import named_device
from ..facts.suite.result import is_handed_in
from ..facts.training.parallel_sizes import batch_contradicts, layout_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import document_rule
from ._descriptors import (
    batch_named,
    batches_used,
    devices_named,
    format_named,
    formats_differ,
    formats_used,
    forms_named,
)

MEMORY_SLACK = 1.1
PER_DEVICE_GB = frozenset({12, 16, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 144, 180, 192, 256, 288})
"""Sizes of a device's memory: other sizes in a name are the host's."""
LEAST_MEMORY_GB = 4
"""Devices with less work out of memory beside them, which descriptions state."""
STRONG = frozenset({"device", "precision", "batch", "statistic"})


class Clash(Struct, frozen=True):
    """A descriptor with two values."""

    descriptor: str
    one: str
    at: str
    other: str
    other_at: str


@document_rule("F29", "descriptors-contradict", effect=UNDERMINES, confidence=C3, origin="MEAS")
def descriptors_contradict(case: Case) -> Iterator[Branch]:
    """Two places of a document that describe the same number by another device, precision, batch or statistic.

    ## What it does
    Reads the descriptors of a claim's sentence, of a row's label and of a column's head, and holds them against those
    of the arm, metric or system that the number is linked to; a row's options against its arm's; a claim's label
    against its table's; a system's name against its fields, the memory of its device against the device's name and
    against what the accelerator table knows of it, an arm's devices against its system, and its batches
    against each other. A text counts only where it names a single value, and where one value contains the other they
    agree. What a sentence about a ratio or a rank names may be the other side's.

    ## Why it misleads
    The reader takes the number for that of the configuration named nearest to it.

    ## Branches
    - (a) undermines, C3: the two differ in device, precision, batch or statistic.
    - (b) caveat, C3: they differ in another descriptor.
    - not applicable: nothing is described in two places, or it is not certain that both describe the same number.

    ## Flagged
    On `rate`:
    ```json
    {"claims": {"rate": {"statement": "One A100 trains ResNet-50 in FP16 at 2500 images per second (compute only)."}}}
    ```

    ## Accepted
    On `rate`:
    ```json
    {"claims": {"rate": {"statement": "One A100 trains ResNet-50 in BF16 at 2500 images per second (compute only)."}}}
    ```

    ## How to fix
    Correct the place that is stale.

    ## References
    Measured on published reports: tables headed by one device and filled from another.
    """
    clashes = [clash for claim in case.submission.claims.values() for clash in _of_claim(claim, case)]
    clashes += [clash for table in case.submission.tables.values() for clash in _of_table(table, case)]
    clashes += [clash for system in case.submission.systems.values() for clash in _of_system(case, system)]
    sides = [side for claim in case.submission.claims.values() for side in (case.subject(claim), case.base(claim))]
    named = {side.id: side for side in sides if side is not None and side.study is None}
    clashes += [clash for side in named.values() for clash in _of_arm(case, side)]
    if not any(_linked(claim, case) for claim in case.submission.claims.values()):
        yield Inapplicable("no claim names an arm, so that nothing is surely described twice")
    said: set[tuple[str, str]] = set()
    for clash in clashes:
        if (clash.at, clash.descriptor) not in said:
            said.add((clash.at, clash.descriptor))
            branch, effect = ("a", UNDERMINES) if clash.descriptor in STRONG else ("b", CAVEAT)
            message = f"of one number, {clash.descriptor} is {clash.one} here and {clash.other} there"
            related = (Related(clash.other_at, clash.other),)
            yield Violation(branch, effect, C3, message, clash.at, clash.one, clash.other, related)


def _linked(claim: Claim, case: Case) -> bool:
    side = case.subject(claim)
    return side is not None and side.arm.options is not None


def _of_claim(claim: Claim, case: Case) -> Iterator[Clash]:
    side, metric, table = case.subject(claim), case.metric(claim.measured), case.table(claim)
    own = metric is not None and (metric.quantity, metric.unit) == (claim.quantity, claim.unit)
    if own and metric is not None and claim.form == "absolute" and other_statistic(claim.statistic, metric.statistic):
        one, other = (claim.statistic or "", metric.statistic or "")
        yield Clash("statistic", one, claim.place("statistic"), other, metric.place("statistic"))
    if table is not None and claim.label is not None and table.label not in {None, claim.label}:
        yield Clash("scaling label", claim.label, claim.place("label"), table.label or "", table.place("label"))
    if claim.form != "absolute" or side is None or claim.row is not None:
        return
    clashes = _of_text(case, claim.statement, claim.place("statement"), side, side.arm.options)
    # the sentence of a result that was handed in repeats its logs, whose device F44 holds against the description
    logged = claim.suite == "training" and is_handed_in(claim, case) and side.arm.description is not None
    yield from (clash for clash in clashes if not (logged and clash.descriptor == "device"))


def _of_system(case: Case, system: System) -> Iterator[Clash]:
    """Yield what a system's name says otherwise than its fields: the model of the device, its form, its memory."""
    device = system.device if isinstance(system.device, str) else ""
    named, described = device_words(case, system.name), device_words(case, device)
    if named and described and named.isdisjoint(described):
        yield Clash("device", system.name[:80], system.place("name"), device, system.place("device"))
    yield from _of_form(system, system.name, system.place("name"))
    yield from _of_memory(case, system, bool(named), device)


def _of_form(system: System, text: str, at: str) -> Iterator[Clash]:
    """Yield a form of the device that a text names otherwise than the system's variant."""
    variant = system.device_variant if isinstance(system.device_variant, str) else ""
    forms, own = forms_named(text), forms_named(variant)
    if len(forms) == 1 and len(own) == 1 and forms != own:
        yield Clash("device", min(forms), at, variant, system.place("device_variant"))


def _of_memory(case: Case, system: System, named: bool, device: str) -> Iterator[Clash]:
    """Yield a memory of the device that its name, the system's or the accelerator table gives otherwise."""
    stated = system.device_memory_gib
    if not stated or read(f"{system.name} {device} {system.device_variant}").has("device_slice", affirmed=False):
        return
    other_at, other = system.place("device_memory_gib"), f"{stated:g} GiB"
    for text, at in ((system.name if named else "", "name"), (device, "device")):
        # the memory is a part of the name: A100-SXM4-80GB
        ends = pairwise(read(text).tokens)
        sizes = {float(size.value) for size, unit in ends if size.value is not None and unit.low in {"gb", "gib"}}
        size = sizes.pop() if len(sizes) == 1 else None
        if size in PER_DEVICE_GB and size is not None and not _same_memory(size, stated):
            # the memory of all devices of a node in the field of one is a slip, not another device
            summed = system.devices_per_node and _same_memory(size * system.devices_per_node, stated)
            yield Clash("memory" if summed else "device", f"{size:g} GB", system.place(at), other, other_at)
            return
    known = [entry.memory_gb for entry in named_device(case, device).devices] if device else []
    sure = [size for size in known if size is not None and size >= LEAST_MEMORY_GB]
    # boards of two dies are counted whole and by the die
    if sure and len(sure) == len(known) and not any(_same_memory(k * s, stated) for s in sure for k in (0.5, 1, 2)):
        words = " or ".join(f"{size:g} GB" for size in sorted(set(sure)))
        yield Clash("memory", f"{device[:60]}, a device of {words},", system.place("device"), other, other_at)


def _same_memory(left: float, right: float) -> bool:
    """Whether two sizes may be one: makers count in powers of ten, drivers in powers of two."""
    return 1 / MEMORY_SLACK <= left / right <= MEMORY_SLACK


def _of_arm(case: Case, side: Side) -> Iterator[Clash]:
    """Yield what an arm's label, devices and batches say otherwise than its system and its other options."""
    system, options = side.system, side.arm.options
    if system is not None:
        yield from _of_form(system, side.arm.label or "", side.arm.place("label"))
        whole = (system.nodes or 0) * (system.devices_per_node or 0)
        single = isinstance(system.device, str) and not read(system.device).has("several_devices")
        if whole and single and side.arm.devices is not None and side.arm.devices > whole:
            words = f"{system.nodes} x {system.devices_per_node} devices"
            yield Clash("device", f"{side.arm.devices} devices", side.arm.place("devices"), words, system.at)
    layout = layout_of(case, side)
    if options is None or layout is None or options.batch_schedule:
        return
    at = options.place("global_batch")
    if batch_contradicts(layout):
        made = f"{layout.per_pass[0]} x {layout.accumulation} x {layout.sizes['data_parallel']}"
        yield Clash("batch", str(options.global_batch), at, made, options.place("data_parallel"))
    micro, each, steps = options.micro_batch, options.per_device_batch, options.accumulation
    if layout.batch is None or not micro or not each or not steps:
        return
    share = options.global_batch // side.devices if options.global_batch is not None and side.devices else None
    if each not in {micro, micro * steps, share}:
        yield Clash("batch", str(each), options.place("per_device_batch"), str(micro), options.place("micro_batch"))


def _of_text(case: Case, text: str, at: str, side: Side, options: Options | None) -> Iterator[Clash]:
    """Yield what a text about one arm names otherwise than the arm: format, device, batch."""
    named, used = format_named(text), formats_used(options)
    precision = options.precision if options is not None else None
    compute = precision.compute if precision is not None else None
    if named is not None and compute is not None and named not in used and formats_differ(named, compute):
        assert precision is not None
        yield Clash("precision", named, at, compute, precision.place("compute"))
    system = side.system
    device = system.device if system is not None and isinstance(system.device, str) else ""
    models = devices_named(text, case)
    described = device_words(case, f"{device} {system.name}") if system is not None else frozenset()
    if system is not None and models and described and models.isdisjoint(described):
        place = system.place("device" if device else "name")
        yield Clash("device", max(models, key=len), at, device or system.name, place)
    batch, batches = batch_named(text), batches_used(options, side.devices)
    if batch is not None and options is not None and options.global_batch is not None:
        whole = options.micro_batch is not None or options.per_device_batch is not None
        wrong = batch[1] != options.global_batch if batch[0] else whole and batch[1] not in batches
        if wrong and not options.batch_schedule:
            yield Clash("batch", str(batch[1]), at, str(options.global_batch), options.place("global_batch"))


def _of_table(table: Table, case: Case) -> Iterator[Clash]:
    for row in table.rows.values():
        yield from _of_columns(table, row, case)
        side = case.own(row.arm) if row.arm is not None else None
        if side is None or (row.devices is not None and side.devices not in {None, row.devices}):
            continue
        if row.label is not None:
            yield from _of_text(case, row.label, row.place("label"), side, row.options or side.arm.options)
        yield from _of_options(row, side)


def _of_columns(table: Table, row: Row, case: Case) -> Iterator[Clash]:
    """Yield columns headed by another format than the row's options name, and another statistic than their metric."""
    precision = row.options.precision if row.options is not None else None
    side = case.own(row.arm) if row.arm is not None else None
    for name, column in table.columns.items():
        if name not in row.values:
            continue
        compute = precision.compute if precision is not None else None
        if column.format is not None and compute is not None and formats_differ(column.format, compute):
            assert precision is not None
            yield Clash("precision", column.format, column.place("format"), compute, precision.place("compute"))
        for metric in side.arm.performance.values() if side is not None else ():
            alike = [other for key, other in table.columns.items() if _holds(other, row.values.get(key), metric)]
            # of one run, mean and median are one number, and each has its column
            if column in alike and all(other_statistic(each.statistic, metric.statistic) for each in alike):
                one, other = column.statistic or "", metric.statistic or ""
                yield Clash("statistic", one, column.place("statistic"), other, metric.place("statistic"))


def _holds(column: Column, value: str | None, metric: Metric) -> bool:
    """Whether a column holds the number of a metric."""
    return (metric.quantity, metric.unit, metric.value) == (column.quantity, column.unit, value)


def _of_options(row: Row, side: Side) -> Iterator[Clash]:
    """Yield options of a row that differ from those of the arm that it says it reports."""
    ours, theirs = flat(row.options), flat(side.arm.options)
    for key, value in ours.items():
        if key not in theirs or key == "devices" or same_value(key, value, theirs[key]) is not Same.DIFFERENT:
            continue
        if _contained(value, theirs[key]) or row.options is None or side.arm.options is None:
            continue
        head = key.partition(".")[0]
        descriptor = "precision" if head == "precision" else "batch" if "batch" in key else key
        if class_of(key) != "COSMETIC":
            one, other = printed(value), printed(theirs[key])
            yield Clash(descriptor, one, row.options.place(head), other, side.arm.options.place(head))


def _contained(left: object, right: object) -> bool:
    """Whether one of two texts holds the other."""
    if not isinstance(left, str) or not isinstance(right, str):
        return False
    ours, theirs = left.casefold(), right.casefold()
    return ours in theirs or theirs in ours
