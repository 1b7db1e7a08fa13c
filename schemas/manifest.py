"""Manifests: the signed record of a study, as in manifest.schema.json, where each field is described."""

from msgspec import field

from .conditions import System
from .evidence import Arm
from .model import Node
from .operations import Fitted


class Digest(Node, frozen=True, kw_only=True):
    """Digest set of a subject."""

    sha256: str


class Subject(Node, frozen=True, kw_only=True):
    """One raw file of the study."""

    name: str
    digest: Digest


class Tool(Node, frozen=True, kw_only=True):
    """The program that measured."""

    name: str
    version: str
    commit: str | None = None
    dirty: bool | None = None


class Session(Node, frozen=True, kw_only=True):
    """The tree of the working directory when a start of the command began."""

    commit: str | None = None
    dirty: bool | None = None
    untracked: int | None = None


class Study(Node, frozen=True, kw_only=True):
    """One execution of a spec."""

    id: str
    title: str
    spec_sha256: str
    spec: str
    started: str
    ended: str
    complete: bool
    interruptions: int | None = None
    nonce: str | None = None
    order_seed: int | None = None
    sessions: tuple[Session, ...] = ()


class PlannedTrial(Node, frozen=True, kw_only=True):
    """One trial as planned before the first one ran."""

    trial: str
    arm: str
    kind: str
    seed: int
    iterations: int | None = None
    warmup: int | None = None


class ScalingFit(Node, frozen=True, kw_only=True):
    """One law."""

    parameters: dict[str, Fitted]
    level: float | None = None
    method: str | None = None
    points: int | None = None
    largest_residual: float | None = None


class ScalingSize(Node, frozen=True, kw_only=True):
    """One size."""

    ranks: int
    nodes: int
    trials: int | None = None
    global_batch: int | None = None
    speedup: str | None = None
    efficiency: str | None = None
    low: str | None = None
    high: str | None = None
    communication_share: float | None = None


class Scaling(Node, frozen=True, kw_only=True):
    """Speed-up at each size, and the laws fitted to it."""

    mode: str
    base: str
    sizes: dict[str, ScalingSize]
    fits: dict[str, ScalingFit] = field(default_factory=dict)


class LedgerSlice(Node, frozen=True, kw_only=True):
    """The part of the signer's ledger that belongs to the study."""

    origin: str
    first_seq: int
    last_seq: int
    head: str
    entries: tuple[str, ...]
    plans_of_spec: int | None = None


class Predicate(Node, frozen=True, kw_only=True):
    """Record of a study."""

    dlaudit: str
    tool: Tool
    libraries: dict[str, str]
    study: Study
    systems: dict[str, System]
    arms: dict[str, Arm]
    scaling: Scaling | None = None
    plan: tuple[PlannedTrial, ...]
    ledger: LedgerSlice | None = None


class Manifest(Node, frozen=True, kw_only=True, rename={"type": "_type", "predicate_type": "predicateType"}):
    """An in-toto Statement v1 about a study; the exact payload that is signed."""

    type: str
    subject: tuple[Subject, ...]
    predicate_type: str
    predicate: Predicate
