"""What the loads of a tender's services offer, beside what vendors claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...runners.study import plan as planning
from ...runners.study import sweep
from ...schemas.digest import sha256_hex
from ...schemas.model import to_model
from ...schemas.source import parse
from ...schemas.spec import Spec
from ...schemas.tender import Tender, TenderMetric
from .offered import SERVING, Offered, offered
from .tender import Issued

CLOSED = "closed"
PRICES = "A load that the tender sets caps what a server gives: per cost or joule, prices and power alone are compared."
SLACK = 1.01
"""Printed numbers are rounded."""


@dataclass(frozen=True, slots=True)
class Loads:
    """The rates that each arm of each workload allows."""

    offered: Mapping[tuple[str, str], Mapping[str, Offered]]

    @staticmethod
    def of(issued: Issued) -> Loads:
        """Return the loads of a tender, drawn as its trials draw them."""
        found = {}
        for name, data in issued.specs.items():
            spec = sweep.expanded(to_model(parse(data, name).value, Spec))
            plan = planning.make(spec, sha256_hex(data), name)
            for arm, planned in plan.arms.items():
                timed = [trial for trial in plan.trials if trial.arm == arm and trial.kind == "throughput"]
                if planned.workload.get("name") == SERVING and timed:
                    found[name, arm] = offered(planned.workload, timed)
        return Loads(found)

    def exceeded(self, metric: TenderMetric, value: float) -> str:
        """Say that a rate is more than its load offers; nothing where it is not."""
        load = self.offered.get((metric.workload, metric.arm), {}).get(metric.metric or "")
        if load is None or value <= SLACK * load.most:
            return ""
        return f"more than the load of {metric.workload} offers ({load.most:.4g} {metric.unit}): it is of another load"

    def meaning(self, tender: Tender) -> str:
        """Say what a number per cost or joule means where a load caps it; nothing where none is asked for."""
        asked = tender.metrics.values()
        capped = [one for one in asked if one.metric in self.offered.get((one.workload, one.arm), {})]
        return PRICES if any({"cost", "joule"} & set(one.per) for one in capped) else ""


def is_offered(workload: Mapping[str, Any]) -> bool:
    """Whether an arm serves a load that does not wait for it, so that the load caps its rates."""
    return bool(workload.get("name") == SERVING and workload.get("arrival") != CLOSED)
