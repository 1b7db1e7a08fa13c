"""The comparisons that a claim is one of: what its table sets beside one base, and what its trials say of each."""

from __future__ import annotations

import math

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, Table
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.arms import trial_values
from ..fields import DEVICES
from ..statistics.means import difference_p
from ..statistics.multiplicity import holm

LEAST = 3


class Compared(Struct, frozen=True):
    """One comparison of a table: a row against the base.

    Attributes:
        row: id of the row.
        p: two-sided p of Welch's t on logarithms over trials; None where the trials are not given.
        better: whether the row's trials are better than the base's in the middle; None where not known.
    """

    row: str
    p: float | None
    better: bool | None


class Family(Struct, frozen=True):
    """The comparisons of a table with one base.

    Attributes:
        own: the claim's own.
        all: all of them, with its own.
        at: place of the table.
    """

    own: Compared
    all: tuple[Compared, ...]
    at: str

    @property
    def known(self) -> bool:
        """Whether the trials of every comparison are given."""
        return all(item.p is not None for item in self.all)

    def holds(self, alpha: float) -> bool | None:
        """Whether the claim's own comparison stands after Holm's procedure; None where some p are not known.

        A p that is not known counts as large: Holm's procedure is then at its strictest for the smallest p, so that a
        "True" is sure.
        """
        ps = [1.0 if item.p is None else item.p for item in self.all]
        index = self.all.index(self.own)
        kept = holm(ps)[index] < alpha
        return True if kept else (False if self.known else None)


def family(claim: Claim, case: Case) -> Family | None:
    """Return the comparisons of a claim's table against its base; None where they are not told.

    Rows of device counts are points of one series, no alternatives to choose from.
    """
    table, name = case.table(claim), claim.row.row if claim.row is not None else None
    base = (claim.row.base_row if claim.row is not None else None) or (table.base_row if table is not None else None)
    if table is None or name is None or base is None or name == base or not {name, base} <= set(table.rows):
        return None
    if not DEVICES.isdisjoint(table.varies):
        return None
    found = _compared(case, table, base, claim.quantity)
    own = next((item for item in found if item.row == name), None)
    return Family(own, found, table.at) if own is not None else None


@fact
def _compared(case: Case, table: Table, base: str, quantity: str) -> tuple[Compared, ...]:
    old = _logs(case, table, base, quantity)
    return tuple(_one(name, _logs(case, table, name, quantity), old) for name in table.rows if name != base)


def _one(name: str, new: tuple[float, ...] | None, old: tuple[float, ...] | None) -> Compared:
    if new is None or old is None or min(len(new), len(old)) < LEAST:
        return Compared(name, None, None)
    return Compared(name, difference_p(new, old), sum(new) / len(new) > sum(old) / len(old))


def _logs(case: Case, table: Table, name: str, quantity: str) -> tuple[float, ...] | None:
    """Return the logarithms of a row's trials, more being better."""
    side = case.own(table.rows[name].arm or "")
    metric = _metric(side, quantity) if side is not None else None
    if side is None or metric is None:
        return None
    found = trial_values(case, side, metric, False)
    if found is None:
        return None
    return tuple(math.log(value) if found.more_is_better else -math.log(value) for value in found.values)


def _metric(side: Side, quantity: str) -> Metric | None:
    found = [metric for metric in side.arm.performance.values() if metric.quantity == quantity and metric.column]
    return found[0] if len(found) == 1 else None
