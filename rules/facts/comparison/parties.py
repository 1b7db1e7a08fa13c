"""The sides of a comparison: who is compared with whom, on what hardware, from wherever the document says it."""

from __future__ import annotations

from msgspec import Struct

from ....schemas.conditions import System
from ....schemas.submission import Base, Claim, Comparator, Row
from ...case import Case, Side
from ...language.reading import read
from ...tables.names import Named, named


class Party(Struct, frozen=True):
    """One side of a comparison.

    Attributes:
        at: its place.
        side: the arm behind it.
        row: its table row.
        base: what the claim says of the base, for the other side.
        comparator: what the claim says of the comparator, for the other side.
        system: the hardware it ran on.
        own: whether it is the side that the claim is about.
    """

    at: str
    side: Side | None = None
    row: Row | None = None
    base: Base | None = None
    comparator: Comparator | None = None
    system: System | None = None
    own: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What the document calls it: with the comparator, its arm, its row."""
        given = (
            self.comparator.name if self.comparator is not None else None,
            self.side.arm.label if self.side is not None else None,
            self.row.label if self.row is not None else None,
        )
        return tuple(name for name in given if name is not None)

    @property
    def device(self) -> str | None:
        """Model of its device."""
        if self.comparator is not None and self.comparator.device is not None:
            return self.comparator.device
        return self.system.device if self.system is not None and isinstance(self.system.device, str) else None

    @property
    def devices(self) -> int | None:
        """Devices it used."""
        stated = (
            self.row.devices if self.row is not None else None,
            self.side.devices if self.side is not None else None,
            self.base.devices if self.base is not None else None,
            self.comparator.devices if self.comparator is not None else None,
            self._of_system(),
        )
        return next((count for count in stated if count is not None), None)

    def _of_system(self) -> int | None:
        if self.system is None or self.system.devices_per_node is None:
            return None
        nodes = self.row.nodes if self.row is not None and self.row.nodes is not None else self.system.nodes
        return nodes * self.system.devices_per_node if nodes is not None else None

    @property
    def power_w(self) -> float | None:
        """Power envelope of one device, in watts: the limit in force, else the system's, else the design power."""
        environment = self.side.arm.environment if self.side is not None else None
        if environment is not None and environment.power_limit_w is not None:
            return environment.power_limit_w
        if self.system is None:
            return None
        return self.system.power_limit_w if self.system.power_limit_w is not None else self.system.design_power_w

    @property
    def released(self) -> str | None:
        """Release day of its device, as stated."""
        if self.comparator is not None and self.comparator.released is not None:
            return self.comparator.released
        return self.system.released if self.system is not None else None

    @property
    def superseded(self) -> str | None:
        """Day on which a newer device of the same vendor and class became available, as stated."""
        if self.comparator is not None and self.comparator.superseded is not None:
            return self.comparator.superseded
        return self.system.superseded if self.system is not None else None


def subject(claim: Claim, case: Case) -> Party:
    """Return the side that the claim is about."""
    side, row = case.subject(claim), case.row(claim)
    at = row.at if row is not None else side.arm.at if side is not None else claim.at
    return Party(at, side, row, system=_system(side, row, case), own=True)


def others(claim: Claim, case: Case) -> tuple[Party, ...]:
    """Return the sides that the claim's subject is compared with: one, or for a rank in a table every other row."""
    table, row = case.table(claim), case.row(claim)
    base_row = None
    if table is not None and claim.row is not None:
        base_row = table.rows.get(claim.row.base_row or table.base_row or "")
    side = case.base(claim)
    if side is None and base_row is None and table is not None and row is not None and claim.form == "rank":
        rows = [other for other in table.rows.values() if other is not row]
        return tuple(_of_row(other, claim if len(rows) == 1 else None, case) for other in rows)
    if base_row is row:
        base_row = None
    if side is None and base_row is not None:
        side = case.own(base_row.arm or "")
    given = (claim.comparator, claim.base, base_row)
    if side is None and not any(given):
        return ()
    at = next((node.at for node in given if node is not None), claim.at)
    return (Party(at, side, base_row, claim.base, claim.comparator, _system(side, base_row, case)),)


def _of_row(row: Row, claim: Claim | None, case: Case) -> Party:
    side = case.own(row.arm or "")
    comparator = claim.comparator if claim is not None else None
    return Party(row.at, side, row, comparator=comparator, system=_system(side, row, case))


def _system(side: Side | None, row: Row | None, case: Case) -> System | None:
    if row is not None and row.system in case.submission.systems:
        return case.submission.systems[row.system]
    return side.system if side is not None else None


def _named(party: Party) -> Named:
    """Return how a party's device is named, by its comparator or by its system."""
    system, own = party.system, party.comparator is None or party.comparator.device is None
    found = named(party.device or "")
    if system is None or not own:
        return found
    form = system.device_variant if isinstance(system.device_variant, str) else ""
    memory = f" {system.device_memory_gib:g}GB" if isinstance(system.device_memory_gib, (int, float)) else ""
    more = named(f"{form}{memory}")
    return Named(found.model, found.form or more.form, found.memory or more.memory)


def one_model(this: Named, other: Named) -> bool:
    """Whether two names are one model: "A100" and "NVIDIA A100-SXM4-80GB", but not with "A100-PCIE-40GB"."""
    if this.model != other.model:
        return False
    return all(None in pair or pair[0] == pair[1] for pair in ((this.form, other.form), (this.memory, other.memory)))


def same_device(this: Party, other: Party, claim: Claim) -> bool:
    """Whether both sides ran on one model of device: one system, one name, or the sentence says so."""
    named_apart = other.comparator is not None and other.comparator.device
    if this.system is not None and this.system is other.system and not named_apart:
        return True
    if this.device is not None and other.device is not None:
        return one_model(_named(this), _named(other))
    return read(claim.statement).has("same_hardware")


def performance(party: Party, claim: Claim, case: Case) -> tuple[str, str | None] | None:
    """Return a side's performance value as printed with its unit, or None where it is not stated.

    Of the subject: the metric that the claim stands on, else the claim's own number. Of the other side: the metric or
    value of the base, else what stands with the comparator. Of both: the row's value, else the arm's.
    """
    stated = _of_subject(claim, case) if party.own else _of_other(party, claim, case)
    return stated if stated is not None else _of_row_or_arm(party, claim, case)


def _of_other(party: Party, claim: Claim, case: Case) -> tuple[str, str | None] | None:
    metric = case.metric(claim.base)
    if metric is not None and metric.value is not None:
        return metric.value, metric.unit
    if party.base is not None and party.base.value is not None:
        return party.base.value, party.base.unit
    value = party.comparator.performance if party.comparator is not None else None
    return (value, None) if value is not None else None


def _of_subject(claim: Claim, case: Case) -> tuple[str, str | None] | None:
    metric = case.metric(claim.measured)
    if metric is not None and metric.value is not None:
        return metric.value, metric.unit
    if claim.form == "absolute" and claim.value is not None and claim.quantity != "accuracy":
        return claim.value, claim.unit
    return None


def _of_row_or_arm(party: Party, claim: Claim, case: Case) -> tuple[str, str | None] | None:
    table = case.table(claim)
    if party.row is not None and table is not None:
        columns = {key: column for key, column in table.columns.items() if column.quantity == claim.quantity}
        if claim.quantity == "accuracy":
            columns = {key: column for key, column in table.columns.items() if column.quantity in PERFORMANCE}
        found = [(party.row.values[key], column.unit) for key, column in columns.items() if key in party.row.values]
        if found:
            return found[0]
    if party.side is not None:
        metrics = [metric for metric in party.side.arm.performance.values() if metric.value is not None]
        same = [metric for metric in metrics if metric.quantity == claim.quantity] or metrics
        if same:
            assert same[0].value is not None
            return same[0].value, same[0].unit
    return None


PERFORMANCE = frozenset({"rate", "time", "latency", "flops", "mfu", "energy", "cost", "memory"})
