"""P15: fewer bits, and slower."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, Row, Table
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.batch_and_precision import arms_with_options
from ..facts.comparison.options import KEYS, compare, flat
from ..facts.comparison.points import system_of, table_points
from ..facts.device.formats import holds, known, normalised
from ..facts.device.labels import compute_format
from ..facts.device.specification import device_of
from ..facts.document.told import explained
from ..facts.document.words import words_around
from ..facts.quantities.cells import cell
from ..facts.quantities.performance import more_is_better
from ..language.printed import short, span
from ..language.reading import Reading, read
from ..outcome import C1, CAVEAT, Branch, Inapplicable, Note, Related, Violation
from ..registry import Threshold, rule
from ..words import kernel

SPEED = frozenset({"rate", "flops", "time", "latency"})
COMPUTE = "precision.compute"


class Timed(Struct, frozen=True):
    """Speeds in one number format.

    Attributes:
        name: the format.
        hardware: whether the table knows units for it on the device.
        cells: value as printed, whether more is better, and place, by what the column holds.
        intervals: the stated interval of a value, by what the column holds, where the row's arm gives one.
    """

    name: str
    hardware: bool
    cells: Mapping[object, tuple[str, bool, str]]
    intervals: Mapping[object, tuple[Decimal, Decimal]] = {}


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.05, "share", "measured on published tables")
    apart: float = Threshold(0.02, "share by which the ends of two stated intervals are apart", "judgement")


@rule(
    "P15",
    "lower-precision-slower",
    effect=CAVEAT,
    confidence=C1,
    applies="has(formats) and (has(table) or quantity in {rate, flops, time, latency})",
    origin="MEAS",
    thresholds=Thresholds,
)
def lower_precision_slower(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A lower number format that is slower than one that holds all its values.

    ## What it does
    Compares rows of the claim's table that state one system, one workload, one batch and different compute formats, the
    columns of one row that stand for different formats, and the claim's arm with its base, or with any other arm of the
    document, that differs from it in nothing else. A kernel has no batch; its input shape has to be stated. The
    accelerator table has to know units for the lower format on that device.

    ## Why it misleads
    Fewer bits move faster and multiply faster. Where they do not, the rows were swapped, the format was not in force,
    or the spread is larger than the difference.

    ## Branches
    - (a) caveat, C1: the lower format is more than 5 % slower, at what the digits allow; or, where the arms of both
      rows state intervals of these values, more than 2 % between their nearest ends: the 5 % stand for a spread that
      is not stated. One finding for a workload.
    - not applicable: no two rows differ in the compute format alone, or the device is not known to have units for it.

    ## Flagged
    On `kernel` for claim `gemm`:
    ```json
    {"tables": {"gemm": {"rows": {
       "n2048": {"options": {"model": "g", "precision": {"compute": "fp32"}, "global_batch": 1},
                 "values": {"m": "8192", "n": "8192", "k": "8192", "time": "4.202", "rate": "300.0"}},
       "n4096": {"options": {"model": "g", "precision": {"compute": "bf16"}, "global_batch": 1},
                 "values": {"m": "8192", "n": "8192", "k": "8192", "time": "5.202", "rate": "210.0"}}}}}}
    ```

    ## Accepted
    On `kernel` for claim `gemm`:
    ```json
    {"tables": {"gemm": {"rows": {
       "n2048": {"options": {"model": "g", "precision": {"compute": "fp32"}, "global_batch": 1},
                 "values": {"m": "8192", "n": "8192", "k": "8192", "time": "64.3", "rate": "17.1"}},
       "n4096": {"options": {"model": "g", "precision": {"compute": "bf16"}, "global_batch": 1},
                 "values": {"m": "8192", "n": "8192", "k": "8192", "time": "5.202", "rate": "210.0"}}}}}}
    ```

    ## How to fix
    Check in the log which format ran, and the spread of the runs.

    ## References
    Found in published benchmark tables.
    """
    if explained(claim) or _explained(claim, case):
        yield Note("the document says that the lower format is slower, and why")
        return
    table, arms = case.table(claim), list(_arms(claim, case, thresholds))
    yield from arms[:1]
    groups = _groups(claim, table, case) if table is not None else {}
    compared = False
    for rows in groups.values():
        ratios = [item for low, high in _pairs(rows) for item in _ratios(rows[low], rows[high])]
        compared = compared or bool(ratios)
        if ratios and min(ratios)[0] < 1 - Decimal(str(thresholds.slack)):
            yield _violation(min(ratios))
            continue
        sure = [item for low, high in _pairs(rows) for item in _between_intervals(rows[low], rows[high])]
        if sure and min(sure)[0] < 1 - Decimal(str(thresholds.apart)):
            yield _violation(min(sure))
    if not compared and not arms:
        yield Inapplicable("no two rows differ in the compute format alone, on a device that has units for it")


def _explained(claim: Claim, case: Case) -> bool:
    """Whether a sentence, a quote or a caption says that something is slower, and why."""
    told = [item for item in case.submission.disclosures if read(item.quote).formats()]
    words = words_around(claim, case).and_(*((item.at, item.quote) for item in told))
    return any(_says_slower(text) and text.has("why_slower", affirmed=False) for text in words)


def _says_slower(text: Reading) -> bool:
    if text.has("slower", affirmed=False) or any(item.sense == "worse" for item in text.comparisons()):
        return True
    return any(item.value is not None and item.value < 1 for item in text.quantities("ratio"))


def _arms(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Violation]:
    """Yield a claim's arm and another one, alike but for their format, of which the lower one is the slower.

    The other one is the base of the claim; of a claim without one, each arm of the document in a higher format.
    """
    subject, base, metric = case.subject(claim), case.base(claim), case.metric(claim.measured)
    if subject is None or metric is None:
        return
    if base is not None:
        others = [(base, case.metric(claim.base))]
    else:
        others = [item for item in _beside(case).get(_kind(subject, metric), ()) if item[0].id != subject.id]
    for other, found in others:
        ratio = _ratio(claim, case, (subject, other), (metric, found)) if found is not None else None
        if ratio is not None and ratio[0] < 1 - Decimal(str(thresholds.slack)):
            yield _violation(ratio)


@fact
def _beside(case: Case) -> Mapping[object, Sequence[tuple[Side, Metric]]]:
    """Return the metrics of the document's arms that state a format, by what two have in common to be compared."""
    found: dict[object, list[tuple[Side, Metric]]] = {}
    for side in (side for side, _ in arms_with_options(case) if compute_format(side) is not None):
        for metric in side.arm.performance.values():
            if metric.load is None:
                found.setdefault(_kind(side, metric), []).append((side, metric))
    return found


def _kind(side: Side, metric: Metric) -> object:
    """Return which kind of number a metric is, and of which system, devices and study; one under a load is apart."""
    what = (metric.quantity, metric.unit, metric.scope, metric.statistic, metric.load is None)
    return id(side.study), side.arm.system, side.devices, what


def _ratio(
    claim: Claim, case: Case, sides: tuple[Side, Side], metrics: tuple[Metric, Metric]
) -> tuple[Decimal, str, str, str, str] | None:
    """Return the largest speed of the lower format over the least of the higher, with names and places."""
    (subject, base), (new, old) = sides, metrics
    formats, better = (compute_format(subject), compute_format(base)), more_is_better(new.quantity, new.unit)
    if None in formats or formats[0] == formats[1] or better is None or new.quantity not in SPEED:
        return None
    names = (formats[0] or "", formats[1] or "")
    low = 0 if holds(names[1], names[0]) else 1 if holds(names[0], names[1]) else None
    if low is None or (low == 1 and claim.base is None) or device_of(case, subject.system).peak(names[low]) is None:
        return None
    if new.value is None or old.value is None or (new.quantity, new.unit) != (old.quantity, old.unit):
        return None
    if subject.devices != base.devices or subject.arm.system != base.arm.system:
        return None
    differing = compare(subject.arm.options, base.arm.options).differing("HARD", "STAT", "LAYOUT")
    if any(not key.startswith("precision.") for key, _, _ in differing):
        return None
    if claim.base is None and not _sized(claim, case, flat(subject.arm.options)):
        return None
    spans = (span(new.value, digits=new.digits), span(old.value, digits=old.digits))
    slow, fast = spans[low], spans[1 - low]
    ratio = slow.high / fast.low if better else fast.high / slow.low
    places = (metrics[low].place("value"), metrics[1 - low].place("value"))
    return ratio, names[low], names[1 - low], *places


def _pairs(rows: Mapping[str, list[Timed]]) -> Iterator[tuple[str, str]]:
    for low, high in ((low, high) for low in rows for high in rows):
        if low != high and holds(high, low) and all(item.hardware for item in rows[low]):
            yield low, high


def _groups(claim: Claim, table: Table, case: Case) -> dict[object, dict[str, list[Timed]]]:
    """Return the speeds of one workload by their format: rows that state all else alike, and the columns of a row."""
    counts = [key for key, column in table.columns.items() if column.quantity == "count"]
    formats = {normalised(column.format) for column in table.columns.values() if column.format is not None}
    groups: dict[object, dict[str, list[Timed]]] = {}
    for point in table_points(table, case):
        row, compute = point.row, point.options.get(COMPUTE)
        if row is None or not _sized(claim, case, point.options):
            continue
        system = system_of(point, case)
        variant = device_of(case, system)
        found: list[tuple[object, str, str | None]] = [(("columns", point.id), name, name) for name in sorted(formats)]
        if isinstance(compute, str):
            where = system.at if system is not None else row.system
            sizes = tuple(row.values.get(name) for name in counts)
            found.append(((where, point.devices, row.parameters, _workload(point.options), sizes), compute, None))
        for key, name, column_format in found:
            if known(name):
                cells = _cells(table, row, column_format)
                intervals = _intervals(table, row, point.side) if column_format is None else {}
                timed = Timed(normalised(name), variant.peak(name) is not None, cells, intervals)
                groups.setdefault(key, {}).setdefault(timed.name, []).append(timed)
    return groups


def _sized(claim: Claim, case: Case, options: Mapping[str, object]) -> bool:
    """Whether the batch is known; of a kernel, which has none, the shape of its input."""
    return options.get("global_batch") is not None or (kernel(claim, case) and options.get("input_shape") is not None)


def _cells(table: Table, row: Row, name: str | None) -> dict[object, tuple[str, bool, str]]:
    """Return the speeds of a row in the columns of one format, or in those of none.

    Two columns of a format that hold the same kind of number are two things, and nothing tells which is which.
    """
    found: dict[object, tuple[str, bool, str]] = {}
    twice = set()
    for key, column in table.columns.items():
        better = more_is_better(column.quantity, column.unit)
        if column.quantity not in SPEED or better is None or key not in row.values:
            continue
        if (normalised(column.format) if column.format is not None else None) == name:
            what = key if name is None else (column.quantity, column.unit, column.scope, column.mode, column.statistic)
            if what in found:
                twice.add(what)
            found[what] = (row.values[key], better, row.place("values", key))
    return {what: given for what, given in found.items() if what not in twice}


def _intervals(table: Table, row: Row, side: Side | None) -> dict[object, tuple[Decimal, Decimal]]:
    """Return the stated intervals of a row's values, by column: those of its arm's metric that prints the same."""
    found: dict[object, tuple[Decimal, Decimal]] = {}
    metrics = list(side.arm.performance.values()) if side is not None else []
    for key, text in row.values.items():
        column = table.columns.get(key)
        wanted = (column.quantity, column.unit, text) if column is not None else None
        for metric in metrics:
            if metric.interval is not None and (metric.quantity, metric.unit, metric.value) == wanted:
                low, high = sorted((span(metric.interval.low), span(metric.interval.high)), key=lambda end: end.low)
                found[key] = (low.low, high.high)
    return found


def _between_intervals(low: list[Timed], high: list[Timed]) -> Iterator[tuple[Decimal, str, str, str, str]]:
    """Yield by column the ratio of the nearest ends of two stated intervals, with names and places; of one row each."""
    if len(low) != 1 or len(high) != 1:
        return
    for what in low[0].intervals.keys() & high[0].intervals.keys() & low[0].cells.keys() & high[0].cells.keys():
        ours, theirs = low[0].intervals[what], high[0].intervals[what]
        if min(*ours, *theirs) > 0:
            ratio = ours[1] / theirs[0] if low[0].cells[what][1] else theirs[1] / ours[0]
            yield ratio, low[0].name, high[0].name, low[0].cells[what][2], high[0].cells[what][2]


def _workload(options: Mapping[str, object]) -> tuple[object, ...]:
    keys = (*KEYS["HARD"], "global_batch", "micro_batch", "accumulation")
    return tuple(options.get(key) for key in keys if not key.startswith("precision."))


def _ratios(low: list[Timed], high: list[Timed]) -> Iterator[tuple[Decimal, str, str, str, str]]:
    """Yield by column the largest speed of the lower format over the least of the higher, with names and places."""
    for what in low[0].cells:
        fast, slow = _extreme(low, what, fastest=True), _extreme(high, what, fastest=False)
        if fast is not None and slow is not None:
            ratio = fast[0] / slow[0] if low[0].cells[what][1] else slow[0] / fast[0]
            yield ratio, low[0].name, high[0].name, fast[1], slow[1]


def _violation(found: tuple[Decimal, str, str, str, str]) -> Violation:
    ratio, low, high, at, other = found
    message = f"{low} runs at {short(ratio)} times the speed of {high} at one workload and batch"
    return Violation("a", CAVEAT, C1, message, at, None, short(ratio), (Related(other, high),))


def _extreme(rows: list[Timed], what: object, *, fastest: bool) -> tuple[Decimal, str] | None:
    """Return the cell of the fastest or the slowest row, at the end of its interval that makes it so, and its place."""
    found = [item.cells[what] for item in rows if what in item.cells]
    ends = []
    for value, more, at in found:
        interval = cell(value)
        if interval is not None:
            ends.append((interval.high if more is fastest else interval.low, at))
    if not ends or len(ends) < len(rows):
        return None
    return (max if found[0][1] is fastest else min)(ends, key=lambda end: end[0])
