"""Energy and cost of an arm, as in common.schema.json, which describes each field with its unit."""

from msgspec import field

from .conditions import Price
from .model import Node


class RecordedFile(Node, frozen=True, kw_only=True):
    """A file with the digest that was recorded when it was written."""

    recorded: str
    found: str | None = None
    record: str | None = None


class MeterReadings(Node, frozen=True, kw_only=True):
    """What the log of a meter holds."""

    count: int | None = None
    mean_power_w: float | None = None
    unread: int | None = None
    contradictory: int | None = None
    disordered: int | None = None
    longest_gap_s: float | None = None
    longest_repeat: int | None = None
    copied: int | None = None


class MeterSession(Node, frozen=True, kw_only=True):
    """What is on record of the session in which a meter was read during a run."""

    identities: tuple[str, ...] = ()
    clock_offset_s: float | None = None
    in_phase: bool | None = None
    ranging_lead_s: float | None = None
    interval_s: float | None = None
    is_ranged: bool | None = None
    debug: bool | None = None
    printed_readings: int | None = None
    printed_mean_power_w: float | None = None
    files: dict[str, RecordedFile] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()


class Energy(Node, frozen=True, kw_only=True):
    """Energy of a window."""

    boundary: str | None = None
    method: str | None = None
    energy_j: float | None = None
    devices: dict[str, float] = field(default_factory=dict)
    mean_power_w: float | None = None
    duration_s: float | None = None
    updates: int | None = None
    sensor_period_s: float | None = None
    sensor_duty: float | None = None
    idle_power_w: float | None = None
    work: float | None = None
    nodes: int | None = None
    uncertainty: float | None = None
    ranging_power_w: float | None = None
    ranging_duration_s: float | None = None
    readings: MeterReadings | None = None
    session: MeterSession | None = None
    source: str | None = None


class Cost(Node, frozen=True, kw_only=True):
    """Basis of a cost."""

    hours: float | None = None
    price: Price | None = None
    utilisation: float | None = None
    kind: str | None = None
