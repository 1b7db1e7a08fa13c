"""E04: saved energy, without the work that it was for."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, Column
from ..case import Case, Side
from ..facts.quantities.unit_parts import unit_parts
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule

_ENERGY = {"energy", "power"}
_NO_WORK = {"quality", "points", "percent", "money", "devices", "nodes"}
"""What is no work though it stands beside an energy: a quality, a price, a machine."""


def normalised(unit: str | None) -> bool:
    """Whether a unit sets work and energy against each other: images/J, tokens/kWh, J/token, FLOP/s/W."""
    return against_energy(unit) and not _without_work(unit)


def against_energy(unit: str | None) -> bool:
    """Whether a unit sets anything against energy: images/J, accuracy points/kJ, J per device."""
    kinds = [part.kind for part in unit_parts(unit)]
    return len(kinds) > 1 and (kinds[-1] in _ENERGY or kinds[0] == "energy")


def _without_work(unit: str | None) -> bool:
    """Whether what stands beside the energy is a quality, a price or a machine."""
    return any(part.kind in _NO_WORK or part.words.has("no_work") for part in unit_parts(unit)[:2])


def of_arm(side: Side | None) -> bool:
    """Whether an arm states its work per joule, or its energy with the work done for it."""
    if side is None:
        return False
    energy = side.arm.energy
    power = energy is not None and energy.mean_power_w is not None and energy.duration_s is not None
    counted = energy is not None and energy.work is not None and (energy.energy_j is not None or power)
    return counted or any(_states(metric) for metric in side.arm.performance.values())


def _states(metric: Metric) -> bool:
    raw = metric.column is not None and metric.work_per_iteration is not None and metric.column.endswith("_j")
    return metric.quantity == "energy" and (raw or (normalised(metric.unit) and metric.value is not None))


def of_base(claim: Claim, case: Case) -> bool:
    """Whether the other side of a claim states it: its arm, its stated value, or its row."""
    base = claim.base
    stated = base is not None and base.value is not None and normalised(base.unit)
    return stated or of_arm(case.base(claim)) or _of_rows(claim, case)


def of_subject(claim: Claim, case: Case) -> bool:
    """Whether the claim's own side states it: its arm, its row, or the claim itself."""
    row, table = case.row(claim), case.table(claim)
    in_row = row is not None and table is not None and any(key in row.values for key in _columns(table.columns))
    own = claim.form != "ratio" and claim.value is not None and normalised(claim.unit)
    return of_arm(case.subject(claim)) or in_row or own


def _of_rows(claim: Claim, case: Case) -> bool:
    """Whether the base's row states it; of a rank without a base, every other row."""
    table, own = case.table(claim), case.row(claim)
    if table is None:
        return False
    columns = _columns(table.columns)
    name = (claim.row.base_row if claim.row is not None else None) or table.base_row
    rows = [table.rows[name]] if name in table.rows and name is not None else []
    if not rows and claim.form == "rank":
        rows = [row for row in table.rows.values() if row is not own]
    stated = (any(key in row.values for key in columns) or of_arm(case.own(row.arm or "")) for row in rows)
    return bool(rows) and all(stated)


def _columns(columns: dict[str, Column]) -> list[str]:
    return [key for key, column in columns.items() if column.quantity == "energy" and normalised(column.unit)]


COMPARED = frozenset({"ratio", "words", "rank"})
ITEM = "work per joule"
PROVIDE = """\
arms:
  limited:
    energy: {energy_j: 228426, work: 1920000}    # joules, and the samples or tokens done for them
"""


@rule("E04", "efficiency-not-normalised", applies="energy", origin="S0")
def efficiency_not_normalised(claim: Claim, case: Case) -> Iterator[Branch]:
    """A ratio, a rank or a word about energy without the work per joule of both sides.

    ## What it does
    Looks for samples, tokens or operations per joule (or joules per unit of work, or energy with the work done for it)
    of the claim's arm and of what it is compared with. A single number is asked for it where it is an efficiency by its
    unit, and sets a quality, a price or a machine against the energy instead of work.

    ## Why it misleads
    A device that takes half the power and three times as long uses more energy for the same work. "Half the power" and
    "half the energy of a run" say nothing until the work is named.

    ## Branches
    - not shown: the work per joule of a side is not given; or the number is an efficiency without work, such as
      accuracy points per kilojoule. Required (work per joule) of comparisons from the gate profile on.
    - not applicable: one energy, or one efficiency by its work, that is compared with nothing.

    ## Flagged
    On `energy` for claim `gain`:
    ```json
    {"arms": {"full": {"energy": {"work": null},
                       "performance": {"per-joule": {"unit": "J", "work_per_iteration": null}}}}}
    ```

    ## Accepted
    On `energy` for claim `gain`, with images per joule of both arms.

    ## How to fix
    Give samples or tokens per joule of both sides.

    ## References
    Green500 methodology; MLPerf power measurement rules.
    """
    if against_energy(claim.unit) and not normalised(claim.unit):
        message = f"{claim.value or 'the number'} {claim.unit} sets no work against the energy"
        yield NotShown(message, claim.at, ITEM, PROVIDE)
        return
    if claim.form not in COMPARED:
        yield Inapplicable("an energy that is compared with nothing")
        return
    sides = {"the claim's arm": of_subject(claim, case), "what it is compared with": of_base(claim, case)}
    lacking = [name for name, given in sides.items() if not given]
    if lacking:
        yield NotShown(f"the work per joule of {' and of '.join(lacking)} is not given", claim.at, ITEM, PROVIDE)
