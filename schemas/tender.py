"""Tenders and offers, as in tender.schema.json and offer.schema.json, where each field is described."""

from __future__ import annotations

from msgspec import field

from .model import Node

FREE = ("device", "controls", "telemetry", "trial_timeout_s")
"""Keys of a spec that a vendor may set where the tender does not say."""
WIDEST = 0.1
"""How far an interval may reach from its value, as a share of it, where the tender does not say."""


class TenderWorkload(Node, frozen=True, kw_only=True):
    """One spec that every vendor runs with a nonce of its own."""

    spec: str
    sha256: str
    files: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    free: tuple[str, ...] = FREE


class TenderMetric(Node, frozen=True, kw_only=True):
    """A number that counts: a performance number or a quality of an arm."""

    label: str | None = None
    workload: str
    arm: str
    metric: str | None = None
    quality: str | None = None
    unit: str
    better: str
    tier: str = "T4"
    least: str | None = None
    most: str | None = None
    per: tuple[str, ...] = ()
    widest_interval: float | None = None
    margin: float | None = None


class TenderPrice(Node, frozen=True, kw_only=True):
    """How prices are stated."""

    currency: str
    per: str
    basis: str


class Acceptance(Node, frozen=True, kw_only=True):
    """Margins and error of the acceptance test."""

    margin: float
    quality_margin: float
    alpha: float = 0.05


class TenderVendor(Node, frozen=True, kw_only=True):
    """One who was asked."""

    name: str
    nonce: str
    called: str | None = None


class Tender(Node, frozen=True, kw_only=True):
    """A procurement."""

    dlaudit: str
    title: str
    buyer: str
    issued: str
    closes: str | None = None
    contact: str | None = None
    workloads: dict[str, TenderWorkload]
    metrics: dict[str, TenderMetric]
    widest_interval: float = WIDEST
    conditions: tuple[str, ...] = ()
    price: TenderPrice
    acceptance: Acceptance
    vendors: dict[str, TenderVendor]

    def margin_of(self, metric: TenderMetric) -> float:
        """Return the relative difference of a number that does not matter in the acceptance test."""
        return self.acceptance.margin if metric.margin is None else metric.margin

    def widest_of(self, metric: TenderMetric) -> float:
        """Return how far the interval of a number may reach from it, as a share of it."""
        return self.widest_interval if metric.widest_interval is None else metric.widest_interval


class OfferedPrice(Node, frozen=True, kw_only=True):
    """Price of what was measured."""

    amount: float
    currency: str
    per: str


class Offer(Node, frozen=True, kw_only=True):
    """What a vendor states beside its studies."""

    dlaudit: str
    vendor: str
    system: str | None = None
    price: OfferedPrice | None = None
