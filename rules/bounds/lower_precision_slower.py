"""P15: fewer bits, and slower."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import SimpleNamespace

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case
from ..facts.cells import cell
from ..facts.device import device_of
from ..facts.formats import holds, known, normalised
from ..facts.numbers import short
from ..facts.options import KEYS
from ..facts.performance import more_is_better
from ..facts.points import table_points
from ..outcome import C1, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

SPEED = frozenset({"rate", "flops", "time", "latency"})
COMPUTE = "precision.compute"


class Timed(Struct, frozen=True):
    """A row in one number format, with the device it ran on."""

    name: str
    row: Row
    hardware: bool


@rule(
    "P15",
    "lower-precision-slower",
    effect=CAVEAT,
    confidence=C1,
    applies="has(table) and has(formats)",
    origin="MEAS",
    thresholds={"slack": Threshold(0.05, "share", "measured on published tables")},
)
def lower_precision_slower(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A lower number format that is slower than one that holds all its values.

    ## What it does
    Compares rows of the claim's table that state one system, one workload, one batch and different compute formats. The
    accelerator table has to know units for the lower format on that device.

    ## Why it misleads
    Fewer bits move faster and multiply faster. Where they do not, the rows were swapped, the format was not in force,
    or the spread is larger than the difference.

    ## Branches
    - (a) caveat, C1: the lower format is more than 5 % slower, at what the digits allow. One finding for a workload.
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
    table = case.table(claim)
    groups = _groups(table, case) if table is not None else {}
    compared = False
    for rows in groups.values():
        ratios = [
            item for low, high in _pairs(rows) if table is not None for item in _ratios(table, rows[low], rows[high])
        ]
        compared = compared or bool(ratios)
        if ratios and min(ratios)[0] < 1 - Decimal(str(settings.slack)):
            yield _violation(min(ratios))
    if not compared:
        yield Inapplicable("no two rows differ in the compute format alone, on a device that has units for it")


def _pairs(rows: Mapping[str, list[Timed]]) -> Iterator[tuple[str, str]]:
    for low, high in ((low, high) for low in rows for high in rows):
        if low != high and holds(high, low) and all(item.hardware for item in rows[low]):
            yield low, high


def _groups(table: Table, case: Case) -> dict[object, dict[str, list[Timed]]]:
    """Return the rows by everything else that they state, then by their format."""
    counts = [key for key, column in table.columns.items() if column.quantity == "count"]
    groups: dict[object, dict[str, list[Timed]]] = {}
    for point in table_points(table, case):
        row, compute = point.row, point.options.get(COMPUTE)
        if row is None or not isinstance(compute, str) or not known(compute) or point.global_batch is None:
            continue
        system = case.submission.systems.get(row.system or "")
        if system is None and point.side is not None:
            system = point.side.system
        key = (
            system.at if system is not None else row.system,
            point.devices,
            row.parameters,
            _workload(point.options),
            tuple(row.values.get(name) for name in counts),
        )
        peak = device_of(case, system).peak(compute)
        timed = Timed(normalised(compute), row, peak is not None)
        groups.setdefault(key, {}).setdefault(timed.name, []).append(timed)
    return groups


def _workload(options: Mapping[str, object]) -> tuple[object, ...]:
    keys = (*KEYS["HARD"], "global_batch", "micro_batch", "accumulation")
    return tuple(options.get(key) for key in keys if not key.startswith("precision."))


def _ratios(table: Table, low: list[Timed], high: list[Timed]) -> Iterator[tuple[Decimal, str, str, str, str]]:
    """Yield by column the largest speed of the lower format over the least of the higher, with names and places."""
    for key, column in table.columns.items():
        better = more_is_better(column.quantity, column.unit)
        if column.quantity not in SPEED or column.format is not None or better is None:
            continue
        fast, slow = _extreme(low, key, better, fastest=True), _extreme(high, key, better, fastest=False)
        if fast is not None and slow is not None:
            ratio = fast[0] / slow[0] if better else slow[0] / fast[0]
            places = fast[1].row.place("values", key), slow[1].row.place("values", key)
            yield ratio, low[0].name, high[0].name, places[0], places[1]


def _violation(found: tuple[Decimal, str, str, str, str]) -> Violation:
    ratio, low, high, at, other = found
    message = f"{low} runs at {short(ratio)} times the speed of {high} at one workload and batch"
    return Violation("a", CAVEAT, C1, message, at, None, short(ratio), (Related(other, high),))


def _extreme(rows: list[Timed], key: str, more: bool, *, fastest: bool) -> tuple[Decimal, Timed] | None:
    """Return the cell of the fastest or the slowest row, at the end of its interval that makes it so."""
    cells = [(cell(item.row.values.get(key)), item) for item in rows]
    largest = more is fastest
    ends = [(span.high if largest else span.low, item) for span, item in cells if span is not None]
    if not ends or len(ends) < len(rows):
        return None
    return (max if largest else min)(ends, key=lambda end: end[0])
