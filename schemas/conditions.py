"""Conditions of a measurement: systems, software and environment, as in common.schema.json."""

from msgspec import field

from .model import Node, NotApplicable


class Price(Node, frozen=True, kw_only=True):
    """Price of using a system."""

    amount: float
    currency: str
    date: str | None = None
    kind: str | None = None


class System(Node, frozen=True, kw_only=True):
    """Hardware on which something ran: as printed, and parsed as far as the source allows."""

    name: str
    device: str | NotApplicable | None = None
    device_kind: str | None = None
    device_memory_gib: float | None = None
    device_variant: str | None = None
    devices_per_node: int | None = None
    site_devices: int | None = None
    nodes: int | None = None
    host_processor: str | NotApplicable | None = None
    host_sockets: int | None = None
    host_cores: int | None = None
    threads_used: int | None = None
    vectorised: bool | None = None
    host_memory_gib: float | None = None
    interconnect: str | NotApplicable | None = None
    storage: str | NotApplicable | None = None
    operating_system: str | NotApplicable | None = None
    virtualisation: str | None = None
    memory_bytes_per_s: float | None = None
    link_bytes_per_s: float | None = None
    power_limit_w: float | None = None
    design_power_w: float | None = None
    released: str | None = None
    superseded: str | None = None
    price: Price | None = None


class Code(Node, frozen=True, kw_only=True):
    """Where the code lies."""

    url: str | None = None
    commit: str | None = None
    dirty: bool | None = None
    path: str | None = None


class Software(Node, frozen=True, kw_only=True):
    """Software stack of an arm."""

    driver: str | NotApplicable | None = None
    firmware: str | None = None
    runtime: str | NotApplicable | None = None
    libraries: dict[str, str] = field(default_factory=dict)
    framework: str | NotApplicable | None = None
    language: str | NotApplicable | None = None
    tool: str | NotApplicable | None = None
    tool_dirty: bool | None = None
    tool_changed_files: tuple[str, ...] = ()
    container: str | NotApplicable | None = None
    lock_digest: str | NotApplicable | None = None
    packages: dict[str, str] = field(default_factory=dict)
    released: str | None = None
    code: Code | None = None


class Control(Node, frozen=True, kw_only=True):
    """One knob of the environment: requested, applied, verified, restored."""

    requested: str | float | bool | None = None
    applied: str | float | bool | None = None
    found: str | float | bool | None = None
    verified: str
    restored: str | None = None
    evidence: str | None = None
    measured: dict[str, float] = field(default_factory=dict)


class Clocks(Node, frozen=True, kw_only=True):
    """Clock policy."""

    policy: str
    low_mhz: float | None = None
    high_mhz: float | None = None


class Probe(Node, frozen=True, kw_only=True):
    """What a probe measured of the machine, or why it measured nothing."""

    value: float | None = None
    evidence: str | None = None


class Environment(Node, frozen=True, kw_only=True):
    """Conditions under which an arm was measured."""

    host: str | NotApplicable | None = None
    clocks: Clocks | None = None
    power_limit_w: float | None = None
    affinity: str | NotApplicable | None = None
    numa: str | NotApplicable | None = None
    co_tenants: str | NotApplicable | None = None
    partitioning: str | NotApplicable | None = None
    controls: dict[str, Control] = field(default_factory=dict)
    probes: dict[str, Probe] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
