"""Specs: what to run and under which controls, as in spec.schema.json, which describes each field with its unit."""

from __future__ import annotations

from typing import Any

from msgspec import field

from .conditions import Price
from .evidence import Target
from .model import Node


class Workload(Node, frozen=True, kw_only=True):
    """A workload: one of name, entry and command says what it is."""

    name: str | None = None
    entry: str | None = None
    command: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)


class Slurm(Node, frozen=True, kw_only=True):
    """What Slurm is asked for."""

    account: str | None = None
    partition: str | None = None
    constraint: str | None = None
    exclusive: bool = False
    cpus_per_task: int | None = None
    gpus_per_node: int | None = None
    cpu_bind: str | None = None
    gpu_bind: str | None = None
    time_limit_min: int | None = None
    requeue: bool = False
    array: int | None = None
    options: tuple[str, ...] = ()
    srun_options: tuple[str, ...] = ()


class Ray(Node, frozen=True, kw_only=True):
    """What a Ray cluster is asked for."""

    address: str | None = None
    cpus_per_rank: int = 1
    gpus_per_rank: int = 0


class Launch(Node, frozen=True, kw_only=True):
    """How many processes do a trial together."""

    ranks: int = 1
    nodes: int = 1


class Launcher(Node, frozen=True, kw_only=True):
    """What starts the ranks of a trial."""

    kind: str = "local"
    ranks: int = 1
    nodes: int = 1
    slurm: Slurm = field(default_factory=Slurm)
    ray: Ray = field(default_factory=Ray)


class Size(Node, frozen=True, kw_only=True):
    """One size of a scaling study."""

    ranks: int
    nodes: int = 1
    options: dict[str, Any] = field(default_factory=dict)


class Scaling(Node, frozen=True, kw_only=True):
    """A study of one workload at several sizes."""

    mode: str
    sizes: tuple[Size, ...]
    global_batch: int | None = None
    batch_per_rank: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    varies: tuple[str, ...] = ()


class SearchSource(Node, frozen=True, kw_only=True):
    """A record of a search."""

    source: str
    study: str | None = None


class ArmRequest(Node, frozen=True, kw_only=True):
    """One option set as requested: only the keys that the spec states."""

    label: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    workload: Workload | None = None
    launch: Launch | None = None
    revision: str | None = None
    environment: str | None = None
    search: SearchSource | None = None
    interference: float = 0.0


class Matrix(Node, frozen=True, kw_only=True):
    """Arms as every combination of some values."""

    axes: dict[str, tuple[str | int | float | bool, ...]]
    exclude: tuple[dict[str, str | int | float | bool], ...] = ()
    include: tuple[dict[str, str | int | float | bool], ...] = ()
    budget: int | None = None


class Design(Node, frozen=True, kw_only=True):
    """How the arms vary."""

    kind: str
    factors: tuple[str, ...] = ()


class Controls(Node, frozen=True, kw_only=True):
    """Knobs of the machine, each under its name; None and () ask for nothing."""

    affinity: tuple[int, ...] = ()
    threads: int | None = None
    cpuset: tuple[int, ...] = ()
    numa_nodes: tuple[int, ...] = ()
    aslr: bool | None = None
    irq_free: tuple[int, ...] = ()
    governor: str | None = None
    cpu_frequency_mhz: int | None = None
    turbo: bool | None = None
    smt: bool | None = None
    transparent_huge_pages: str | None = None
    gpus: tuple[int, ...] | str = ()
    gpu_sm_clock_mhz: int | None = None
    gpu_memory_clock_mhz: int | None = None
    gpu_power_limit_w: float | None = None
    gpu_persistence_mode: bool | None = None
    gpu_compute_mode: str | None = None
    gpu_ecc: bool | None = None
    amd_power_limit_w: float | None = None
    amd_clock_limit_mhz: int | None = None
    required: bool | tuple[str, ...] = False

    def asks(self, knob: str) -> bool:
        """Whether this knob is requested."""
        return getattr(self, knob, None) not in (None, ())

    def requires(self, knob: str) -> bool:
        """Whether this knob is requested, and the study ends where it is not verified."""
        return self.asks(knob) and (self.required if isinstance(self.required, bool) else knob in self.required)


class Throughput(Node, frozen=True, kw_only=True):
    """Trials that time iterations."""

    iterations: int
    warmup: int = 5
    trials: int = 5


class Convergence(Node, frozen=True, kw_only=True):
    """Trials that train towards a target."""

    seeds: tuple[int, ...] = ()
    trials: int | None = None
    evaluate_every_samples: int
    max_samples: int
    target: Target
    stop_at_target: bool = True

    def planned_seeds(self) -> tuple[int, ...]:
        """Return the seeds, those listed or 1, 2, 3 and so on."""
        return self.seeds or tuple(range(1, (self.trials or 0) + 1))


class Order(Node, frozen=True, kw_only=True):
    """Order of the trials."""

    kind: str = "interleaved"
    seed: int = 0


class DraftedClaims(Node, frozen=True, kw_only=True):
    """What the drafted submission claims."""

    purpose: str = "hardware_throughput"
    baseline: str | None = None
    mode: str = "training"
    scope: str = "step"


class Spec(Node, frozen=True, kw_only=True):
    """What to run and under which controls."""

    dlaudit: str
    title: str
    nonce: str | None = None
    device: str = "cpu"
    launcher: Launcher = field(default_factory=Launcher)
    workload: Workload
    build: tuple[str, ...] = ()
    arms: dict[str, ArmRequest] = field(default_factory=lambda: {"base": ArmRequest()})
    matrix: Matrix | None = None
    scaling: Scaling | None = None
    design: Design | None = None
    controls: Controls = field(default_factory=Controls)
    throughput: Throughput | None = None
    convergence: Convergence | None = None
    accounting: bool = False
    telemetry: bool = True
    phases: bool = False
    price: Price | None = None
    order: Order = field(default_factory=Order)
    trial_timeout_s: float = 3600.0
    claims: DraftedClaims = field(default_factory=DraftedClaims)
