"""What a step computes and moves: operations by format, sizes, ceilings; fields as in common.schema.json."""

from msgspec import field

from .model import Node


class Emulation(Node, frozen=True, kw_only=True):
    """Arithmetic that emulates a format by another."""

    scheme: str
    native_format: str | None = None
    retained_bits: float | None = None
    error: str | None = None


class NativeInput(Node, frozen=True, kw_only=True):
    """Size of one example as the data set or the model defines it."""

    shape: tuple[int, ...] = ()
    length: int | None = None
    source: str | None = None


class Footprint(Node, frozen=True, kw_only=True):
    """Size of a model in memory."""

    parameters: float | None = None
    active_parameters: float | None = None
    bytes_per_parameter: float | None = None
    activation_bytes: float | None = None
    gradient_bytes: float | None = None


class CollectiveSize(Node, frozen=True, kw_only=True):
    """What a collective took for one size of message."""

    message_bytes: int
    repetitions: int | None = None
    time_s: float
    algorithm_bytes_per_s: float | None = None
    bus_bytes_per_s: float | None = None


class Fitted(Node, frozen=True, kw_only=True):
    """A parameter of a law that was fitted."""

    value: float
    low: float | None = None
    high: float | None = None


class Collective(Node, frozen=True, kw_only=True):
    """A collective that was timed."""

    kind: str
    reduction: str | None = None
    backend: str
    ranks: int
    message_bytes: int
    bus_factor: float | None = None
    algorithm_bytes_per_s: float | None = None
    bus_bytes_per_s: float | None = None
    latency_s: Fitted | None = None
    bandwidth_bytes_per_s: Fitted | None = None
    sweep: tuple[CollectiveSize, ...] = ()


class Operations(Node, frozen=True, kw_only=True):
    """How operations were counted."""

    counted: str | None = None
    method: str | None = None
    flop_per_sample: float | None = None
    fractions: dict[str, float] = field(default_factory=dict)
    counters: dict[str, float] = field(default_factory=dict)
    counter_coverage: float | None = None
    peak_flops: float | None = None
    peak_kind: str | None = None
    dimensions: dict[str, int] = field(default_factory=dict)
    bytes_moved: float | None = None
    cached: bool | None = None
    emulation: Emulation | None = None
    collective: Collective | None = None


class Ceilings(Node, frozen=True, kw_only=True):
    """Measured ceilings of one device."""

    product_flops: dict[str, float]
    size: int
    copy_bytes_per_s: float
    spread: dict[str, float] = field(default_factory=dict)
    operand_entropy_bits: float


class Roofline(Node, frozen=True, kw_only=True):
    """A step beside its ceilings."""

    step_s: float
    intensity: dict[str, float]
    compute_share: float | None
    memory_share: float
    regime: str
    evidence: str


class TracedOperator(Node, frozen=True, kw_only=True):
    """One operator of a traced step."""

    calls: int
    self_time_s: float
    share: float


class Accounting(Node, frozen=True, kw_only=True):
    """What one step computes, counted in a pass of its own."""

    registry: int
    hardware_operations: int
    model_operations: int
    by_format: dict[str, int]
    by_phase: dict[str, int] = field(default_factory=dict)
    pointwise: dict[str, int] = field(default_factory=dict)
    fp32_means: dict[str, str] = field(default_factory=dict)
    storage_bytes: dict[str, dict[str, int]] = field(default_factory=dict)
    coverage_bytes: float | None = None
    coverage_time: float | None = None
    time_shares: dict[str, float] = field(default_factory=dict)
    unattributed: dict[str, float] = field(default_factory=dict)
    operators: dict[str, TracedOperator] = field(default_factory=dict)
    traced_products: dict[str, int] = field(default_factory=dict)
    counted_products: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    ceilings: Ceilings | None = None
    data_sheet_flops: dict[str, float] = field(default_factory=dict)
    roofline: Roofline | None = None
