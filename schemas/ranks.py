"""Trials of several processes and nodes, as in common.schema.json, which describes each field."""

from msgspec import field

from .conditions import Control
from .model import Node


class RankClock(Node, frozen=True, kw_only=True):
    """Offset of a wall clock."""

    offset_s: float | None = None
    uncertainty_s: float | None = None
    evidence: str


class TrialRank(Node, frozen=True, kw_only=True):
    """One process of a trial of several."""

    rank: int
    host: str | None = None
    local_rank: int | None = None
    device: str | None = None
    processors: int | None = None
    variables: dict[str, str] = field(default_factory=dict)
    clock: RankClock | None = None
    step_time_s: str | None = None
    step_time_p99_s: str | None = None
    data_wait_s: str | None = None
    outcome: str | None = None
    peak_memory_bytes: int | None = None
    file: str | None = None


class TrialNode(Node, frozen=True, kw_only=True):
    """One node of a trial."""

    host: str
    controls: dict[str, Control] = field(default_factory=dict)
    environment: str | None = None
    record: str | None = None
    telemetry: str | None = None


class Job(Node, frozen=True, kw_only=True):
    """A job of a scheduler."""

    scheduler: str
    id: str
    attempt: int
    state: str | None = None


class RankSpread(Node, frozen=True, kw_only=True):
    """How evenly the ranks of an arm's timed trials worked."""

    ranks: int
    imbalance: float | None = None
    slowest_share: tuple[float, ...] = ()
    stragglers: tuple[int, ...] = ()
